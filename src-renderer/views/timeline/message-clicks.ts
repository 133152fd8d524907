import type { Account, ShownMessage } from '#shared/bridge/models/client.ts';
import { isPictureAddress } from '#shared/pictures/names.ts';
import { fileNameOf, filePathOf, linkNow, targetOfLink } from '#renderer/lib/links/links.ts';
import { absoluteLink } from '#renderer/state/places/places.ts';
import type { ViewedImage } from '#renderer/state/viewer.svelte.ts';
import type { Workspace } from '#renderer/state/workspace.ts';
import { timelineWords as text } from '#renderer/i18n/timeline.ts';
import { messageNodes } from '#renderer/lib/sanitize.ts';

const imageOf = (button: HTMLElement, messageId: number): ViewedImage => ({
  url: button.dataset['image'] ?? '',
  name: button.dataset['name'] ?? '',
  messageId,
});

/** The picture of the service that a link leads to; the first few of a message are shown below their links, too. */
function linkedImage(link: Element, account: Account, messageId: number): ViewedImage | null {
  const href = linkNow(link.getAttribute('href') ?? '', account);
  const url = filePathOf(href, account.address);
  if (url === null || !isPictureAddress(url)) return null;
  return { url, name: fileNameOf(url), messageId };
}

/** All pictures of these messages, in order, each once in its message. */
function imagesOf(messages: readonly ShownMessage[], account: Account): readonly ViewedImage[] {
  return messages
    .filter(({ rendered }) => rendered.includes('user_uploads/'))
    .flatMap(({ id, rendered }) => {
      const found = new Map<string, ViewedImage>();
      for (const element of messageNodes(rendered).querySelectorAll<HTMLElement>(
        '[data-image], a[href]',
      )) {
        const isPreview = element.dataset['image'] !== undefined;
        const image = isPreview ? imageOf(element, id) : linkedImage(element, account, id);
        // A preview knows the name that was given to it.
        if (image !== null && (isPreview || !found.has(image.url))) found.set(image.url, image);
      }
      return [...found.values()];
    });
}

/** A selected text, a link and a field have menus of their own. */
export const hasOwnMenu = (target: EventTarget | null): boolean =>
  getSelection()?.isCollapsed === false ||
  (target instanceof Element && target.closest('a, textarea, input') !== null);

/** What a click inside of a message does. No link of a message ever moves the window itself. */
export function followClicks(
  workspace: Workspace,
  messageAt: (target: EventTarget | null) => ShownMessage | undefined,
): (event: MouseEvent) => void {
  const { account, bridge, organization, navigation, overlays, saves, viewer, timeline } =
    workspace;

  async function openLink(written: string): Promise<void> {
    const href = linkNow(written, account);
    const target = targetOfLink(href, account.address, organization.ownUserId);
    if (target !== null) {
      if ('problem' in target) overlays.notify(target.problem);
      else navigation.go(target.view, target.messageId);
      return;
    }
    const path = filePathOf(href, account.address);
    if (path !== null) {
      const problem = await saves.save(path);
      if (problem !== null) overlays.notify(text.notSaved(problem));
      return;
    }
    const url = absoluteLink(href, account.address);
    if (url === null) return;
    const outcome = await bridge.openLink(url);
    if (!outcome.ok) overlays.notify(outcome.failure.message);
  }

  const openImage = (image: ViewedImage): void =>
    viewer.open(image, imagesOf(timeline.messages, account));

  function onLink(event: MouseEvent, link: Element): void {
    event.preventDefault();
    const message = messageAt(link);
    const image = message && linkedImage(link, account, message.id);
    if (event.button === 0 && image) openImage(image);
    else if (event.button <= 1) void openLink(link.getAttribute('href') ?? '');
  }

  return (event) => {
    if (!(event.target instanceof Element)) return;
    const link = event.target.closest('.message-html a');
    if (link !== null) {
      onLink(event, link);
      return;
    }
    if (event.button !== 0) return;
    const message = messageAt(event.target);
    const image = event.target.closest<HTMLElement>('.message-image');
    if (image !== null && message !== undefined) openImage(imageOf(image, message.id));
    const code = event.target.closest('.copy-code')?.closest('.codehilite')?.querySelector('pre');
    if (code) void workspace.actions.copy(code.textContent.replace(/\n$/, ''));
    const mention = event.target.closest<HTMLElement>('.user-mention[data-user-id]');
    const userId = Number(mention?.dataset['userId']);
    if (mention && Number.isInteger(userId)) workspace.cards.open(userId, mention);
  };
}
