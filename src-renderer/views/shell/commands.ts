import { digitOf } from '#shared/bridge/keys/chords.ts';
import { isDoNotDisturb } from '#shared/bridge/models/preference-defaults.ts';
import type { View } from '#shared/bridge/models/client.ts';
import type { CommandId } from '#shared/bridge/models/shell.ts';
import type { ShortcutId } from '#renderer/lib/keys.ts';
import type { Application } from '#renderer/state/application.svelte.ts';
import type { Place } from '#renderer/state/places/places.ts';
import type { Workspace } from '#renderer/state/workspace.ts';
import { placeWords } from '#renderer/i18n/places.ts';
import { type ListedKind, listedPlaces } from '../pages/pages.ts';
import { cycleRegions } from './regions.ts';

export interface CommandParts {
  readonly workspace: Workspace;
  readonly application: Application;
  /** Opens a place, and then writing can begin. */
  readonly write: (place: Place) => Promise<void>;
  /** Opens a place, and then reading can begin. */
  readonly read: (place: Place | null) => Promise<void>;
}

export type Commands = Readonly<Record<ShortcutId, (event?: KeyboardEvent) => void>>;

export const shortcutOfCommand = (command: CommandId): ShortcutId =>
  command === 'newMessage' ? 'write' : command;

const canWriteIn = (view: View | null): view is View =>
  view?.kind === 'stream' || view?.kind === 'private';

/** Rings again, or nothing does until it is turned off. */
export async function toggleDoNotDisturb({
  preferences,
  announcer,
  overlays,
}: Workspace): Promise<void> {
  const isOn = isDoNotDisturb(preferences.choices, Date.now() / 1000);
  const outcome = await preferences.change({ doNotDisturbUntilSeconds: isOn ? 0 : null });
  if (!outcome.ok) overlays.notify(outcome.failure.message);
  else announcer.announce(isOn ? placeWords.doNotDisturb.off : placeWords.doNotDisturb.on);
}

type Move =
  | 'nextUnreadTopic'
  | 'nextUnreadPrivate'
  | 'next'
  | 'previous'
  | 'nextUnread'
  | 'previousUnread'
  | 'back'
  | 'forward'
  | ListedKind;

/** Those that lead to another place. */
function moves({ workspace, write, read }: CommandParts): Pick<Commands, Move> {
  const { sidebar, navigation } = workspace;
  const listed = listedPlaces.map(({ kind }) => [kind, () => void read({ kind })] as const);
  const row = (step: -1 | 1, onlyUnread: boolean) => () =>
    void write(sidebar.neighbour(step, onlyUnread) ?? navigation.place);
  return {
    nextUnreadTopic: () => void read(sidebar.nextUnreadTopic()),
    nextUnreadPrivate: () => void read(sidebar.nextUnreadPrivate()),
    next: row(1, false),
    previous: row(-1, false),
    nextUnread: row(1, true),
    previousUnread: row(-1, true),
    back: () => navigation.goBack(),
    forward: () => navigation.goForward(),
    ...(Object.fromEntries(listed) as Pick<Commands, ListedKind>),
  };
}

/** What the keys, the menus and the switcher's commands do. */
export function createCommands(parts: CommandParts): Commands {
  const { workspace, application, write } = parts;
  const { sidebar, navigation, overlays, search, details, organization, account } = workspace;

  function stepOrganization(step: -1 | 1): void {
    const { accounts } = application;
    const at = accounts.findIndex(({ id }) => id === account.id);
    const next = accounts[(at + step + accounts.length) % accounts.length];
    if (next !== undefined) application.choose(next.id);
  }

  function chooseOrganization(event: KeyboardEvent | undefined): void {
    const digit = event === undefined ? undefined : digitOf(event);
    const chosen = digit === undefined ? undefined : application.accounts[digit - 1];
    if (chosen !== undefined) application.choose(chosen.id);
  }

  function writeMessage(): void {
    if (canWriteIn(navigation.view)) void write(navigation.view);
    else overlays.open('write');
  }

  function goWhereIWrite(): void {
    const newest = organization.state.drafts.find(({ content }) => content.trim() !== '');
    const place = newest?.view ?? navigation.view;
    if (canWriteIn(place)) void write(place);
  }

  function focusFilter(): void {
    if (sidebar.isHidden) sidebar.toggle();
    navigation.showList();
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-region="navigation"] [data-filter]')?.focus(),
    );
  }

  function openSearch(isHere: boolean): void {
    navigation.showConversation();
    if (isHere) search.openHere(navigation.view);
    else search.openEverywhere(navigation.view);
  }

  return {
    switcher: () => overlays.open('switcher'),
    search: () => openSearch(false),
    searchHere: () => openSearch(true),
    shortcuts: () => overlays.open('shortcuts'),
    ...moves(parts),
    write: writeMessage,
    newPrivate: () => overlays.open('new-private'),
    writing: goWhereIWrite,
    filter: focusFilter,
    filterPeople: () => details.filterPeople(),
    nextRegion: () => cycleRegions(1),
    previousRegion: () => cycleRegions(-1),
    leftColumn: () => sidebar.toggle(),
    rightColumn: () => details.toggle(),
    organization: chooseOrganization,
    nextOrganization: () => stepOrganization(1),
    previousOrganization: () => stepOrganization(-1),
    markAllRead: () => overlays.open('mark-all-read'),
    doNotDisturb: () => void toggleDoNotDisturb(workspace),
    settings: () => overlays.open('settings'),
  };
}
