import { onDestroy, untrack } from 'svelte';
import type { CommandId } from '#shared/bridge/models/shell.ts';
import type { Application } from '#renderer/state/application.svelte.ts';
import type { DeepLinks, DeepLinkTarget } from '#renderer/state/deep-links.svelte.ts';
import { targetOfLink } from '#renderer/lib/links/links.ts';
import { isPlace, type Place } from '#renderer/state/places/places.ts';
import type { Workspace } from '#renderer/state/workspace.ts';

interface Destination {
  readonly place: Place;
  readonly messageId: number | null;
}

function destinationOf(target: DeepLinkTarget, workspace: Workspace): Destination | null {
  if (!('link' in target)) return { place: target.conversation, messageId: target.messageId };
  const { account, organization, overlays } = workspace;
  const found = targetOfLink(target.link, account.address, organization.ownUserId);
  if (found === null) return null;
  if ('view' in found) return { place: found.view, messageId: found.messageId };
  overlays.notify(found.problem);
  return null;
}

/** How the window was left. */
interface WindowBefore {
  readonly place: Place | null;
  readonly hidesLeft: boolean;
  readonly showsRight: boolean;
}

/** More than the shell keeps: then the place is found anew. */
const KEPT_CHARACTERS = 4000;

function readWindowBefore(deepLinks: DeepLinks, accountId: string): WindowBefore {
  const nothing: WindowBefore = { place: null, hidesLeft: false, showsRight: false };
  try {
    const kept: unknown = JSON.parse(deepLinks.savedPlace(accountId) ?? 'null');
    if (typeof kept !== 'object' || kept === null) return nothing;
    const { place, hidesLeft, showsRight } = kept as Readonly<Record<string, unknown>>;
    return {
      place: isPlace(place) ? place : null,
      hidesLeft: hidesLeft === true,
      showsRight: showsRight === true,
    };
  } catch {
    // Another version wrote it: the window opens at the beginning.
    return nothing;
  }
}

interface DeepLinkHandlers {
  readonly run: (command: CommandId) => void;
  /** Goes to the place, and gives the focus to its messages. */
  readonly read: (place: Place, messageId: number | null) => Promise<void>;
  /** Goes to the place, and gives the focus to its message box. */
  readonly write: (place: Place, messageId: number | null) => Promise<void>;
}

/**
 * For the life of a shell: opens where the window was left, goes where links and notifications lead, runs the commands
 * of menus, and tells where it is.
 */
export function followDeepLinks(
  workspace: Workspace,
  application: Pick<Application, 'deepLinks' | 'takeGreeting'>,
  { run, read, write }: DeepLinkHandlers,
): void {
  const { deepLinks } = application;
  const { account, organization, navigation, sidebar, details, overlays } = workspace;
  const kept = readWindowBefore(deepLinks, account.id);
  if (kept.place !== null) {
    navigation.restore(kept.place);
  }
  const greeting = application.takeGreeting(account.id);
  if (greeting !== null) navigation.restore({ kind: greeting });
  if (kept.hidesLeft) sidebar.toggle();
  details.restore(kept.showsRight);

  function keep(): void {
    const place = JSON.stringify({
      place: navigation.place,
      hidesLeft: sidebar.isHidden,
      showsRight: details.isKeptOpen,
    });
    if (place.length <= KEPT_CHARACTERS) deepLinks.savePlace({ accountId: account.id, place });
  }

  $effect(() => {
    const target = deepLinks.target;
    if (target === null || !organization.isLoaded) return;
    if (target.accountId !== null && target.accountId !== account.id) return;
    untrack(() => {
      deepLinks.takeTarget();
      const destination = destinationOf(target, workspace);
      if (destination !== null) {
        overlays.close();
        // A link is read; a notification is answered.
        const go = 'link' in target ? read : write;
        void go(destination.place, destination.messageId);
      }
      // Also where it leads to what is shown already: the shell learns that the link was followed.
      keep();
    });
  });

  $effect(() => {
    if (organization.isLoaded) keep();
  });

  // A command that came with the window waits until there is something that it can be for.
  $effect(() => {
    if (organization.isLoaded) return untrack(() => deepLinks.onCommand(run));
    return undefined;
  });

  onDestroy(deepLinks.onClosing(workspace.flush));
}
