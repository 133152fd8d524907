import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { Workspace } from '#renderer/state/workspace.ts';
import { timeOfDay } from '#renderer/i18n/dates.ts';
import { plainText } from '#renderer/lib/plain-text.ts';
import { withoutControls } from '#renderer/lib/sanitize.ts';

interface Head {
  readonly name: string;
  readonly time: string;
}

interface Part {
  readonly head: Head;
  readonly nodes: DocumentFragment;
}

/**
 * What is copied of several messages: who said what and when, and none of the buttons and pictures between. Within one
 * message the selection is copied as it is.
 */
export function copySelected(
  { organization }: Pick<Workspace, 'organization'>,
  messageAt: (target: EventTarget | null) => ShownMessage | undefined,
): (event: ClipboardEvent) => void {
  const headOf = (message: ShownMessage): Head => ({
    name: organization.findPerson(message.senderId)?.fullName ?? message.senderName,
    time: timeOfDay(message.sentAtSeconds, organization.hours),
  });
  const partsOf = (list: Element, range: Range): readonly Part[] =>
    [...list.querySelectorAll('[data-message-id]')].flatMap((row) => {
      const message = messageAt(row);
      const nodes = selectedOf(row, range);
      return message === undefined || nodes === null ? [] : [{ head: headOf(message), nodes }];
    });
  return (event) => {
    const selection = getSelection();
    const list = event.currentTarget;
    const data = event.clipboardData;
    if (!selection?.rangeCount || !(list instanceof Element) || data === null) return;
    const parts = partsOf(list, selection.getRangeAt(0));
    if (parts.length < 2) return;
    write(data, parts);
    event.preventDefault();
  };
}

function write(data: DataTransfer, parts: readonly Part[]): void {
  const texts: string[] = [];
  const page = document.createElement('div');
  let before: Head | null = null;
  for (const { head, nodes } of parts) {
    const isFollowing = head.name === before?.name && head.time === before.time;
    before = head;
    if (!isFollowing) page.append(headLine(head));
    page.append(withoutControls(nodes.cloneNode(true) as DocumentFragment));
    texts.push(`${isFollowing ? '' : `${head.name}, ${head.time}\n`}${plainText(nodes)}`);
  }
  data.setData('text/plain', texts.join('\n\n'));
  data.setData('text/html', page.innerHTML);
}

/** The part of what a message says that is selected; null where that is nothing. */
function selectedOf(row: Element, range: Range): DocumentFragment | null {
  const content = row.querySelector('.message-html');
  if (content === null || !range.intersectsNode(content)) return null;
  const part = document.createRange();
  part.selectNodeContents(content);
  if (content.contains(range.startContainer))
    part.setStart(range.startContainer, range.startOffset);
  if (content.contains(range.endContainer)) part.setEnd(range.endContainer, range.endOffset);
  const nodes = part.cloneContents();
  const isEmpty = nodes.textContent.trim() === '' && nodes.querySelector('img, button') === null;
  return isEmpty ? null : nodes;
}

function headLine({ name, time }: Head): HTMLElement {
  const line = document.createElement('p');
  const bold = document.createElement('b');
  bold.textContent = name;
  line.append(bold, `, ${time}`);
  return line;
}
