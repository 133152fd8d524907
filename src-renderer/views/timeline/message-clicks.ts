import type { ShownMessage } from '../../../src-main/bridge/models/client.ts';
import { filePathOf, linkNow, targetOfLink } from '../../pure/links/links.ts';
import { absoluteLink } from '../../state/places/places.ts';
import type { ViewedImage } from '../../state/viewer.svelte.ts';
import type { Workspace } from '../../state/workspace.ts';
import { timelineWords as text } from '../../text/words-timeline.ts';
import { messageNodes } from '../../pure/sanitize.ts';

const imageOf = (button: HTMLElement, messageId: number): ViewedImage => ({
  url: button.dataset['image'] ?? '',
  name: button.dataset['name'] ?? '',
  messageId,
});

/** All pictures of these messages, in order. */
function imagesOf(messages: readonly ShownMessage[]): readonly ViewedImage[] {
  return messages
    .filter(({ rendered }) => rendered.includes('message_inline_image'))
    .flatMap(({ id, rendered }) =>
      [...messageNodes(rendered).querySelectorAll<HTMLElement>('[data-image]')].map((button) =>
        imageOf(button, id),
      ),
    );
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
  const { account, bridge, realm, navigation, overlays, files, viewer, timeline } = workspace;

  async function openLink(written: string): Promise<void> {
    const href = linkNow(written, account);
    const target = targetOfLink(href, account.address, realm.ownUserId);
    if (target !== null) {
      if ('problem' in target) overlays.notify(target.problem);
      else navigation.go(target.view, target.messageId);
      return;
    }
    const path = filePathOf(href, account.address);
    if (path !== null) {
      const problem = await files.save(path);
      if (problem !== null) overlays.notify(text.notSaved(problem));
      return;
    }
    const url = absoluteLink(href, account.address);
    if (url === null) return;
    const outcome = await bridge.openLink(url);
    if (!outcome.ok) overlays.notify(outcome.failure.message);
  }

  function openImage(button: HTMLElement, message: ShownMessage): void {
    viewer.open(imageOf(button, message.id), imagesOf(timeline.messages));
  }

  function onLink(event: MouseEvent, link: Element): void {
    event.preventDefault();
    if (event.button <= 1) void openLink(link.getAttribute('href') ?? '');
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
    if (image !== null && message !== undefined) openImage(image, message);
    const code = event.target.closest('.copy-code')?.closest('.codehilite')?.querySelector('pre');
    if (code) void workspace.actions.copy(code.textContent.replace(/\n$/, ''));
    const mention = event.target.closest<HTMLElement>('.user-mention[data-user-id]');
    const userId = Number(mention?.dataset['userId']);
    if (mention && Number.isInteger(userId)) workspace.cards.open(userId, mention);
  };
}
