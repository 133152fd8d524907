import { beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { BridgeDouble, inTopic } from '#test/support/window/bridge-double.ts';
import { openConversation } from './open-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const lunch = inTopic(1, 'lunch');
const sentAtSeconds = new Date(2026, 2, 2, 13, 5).getTime() / 1000;
const said = { isRead: true, sentAtSeconds };

const content = (text: string): Element => {
  const found = page.getByText(text, { exact: true }).element().closest('.message-html');
  if (found === null) throw new Error(`nobody said ${text}`);
  return found;
};

/** Selects from a place within one element to a place within another, and copies. */
function copied(from: Node, start: number, to: Node, end: number): DataTransfer {
  getSelection()?.setBaseAndExtent(from, start, to, end);
  const clipboardData = new DataTransfer();
  const event = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
  from.dispatchEvent(event);
  return clipboardData;
}

const firstText = (text: string): Node => content(text).querySelector('p')?.firstChild ?? document;

test('copying several messages says who said what and when, line by line', async () => {
  bridge.store(lunch, 'noodles at one', said);
  bridge.store(lunch, 'or at two', said);
  bridge.store(lunch, 'soup please', { ...said, senderId: 10, senderName: 'Cleo Zürcher' });
  await openConversation(bridge, { kind: 'stream', streamId: 1, topic: 'lunch' });
  await expect.element(page.getByText('soup please', { exact: true })).toBeVisible();
  const data = copied(firstText('noodles at one'), 8, firstText('soup please'), 4);
  expect(data.getData('text/plain')).toMatch(
    /^Ben Member, 13:05\nat one\n\nor at two\n\nCleo Zürcher, 13:05\nsoup$/,
  );
  expect(data.getData('text/html')).toMatch(/<b>Cleo Zürcher<\/b>, 13:05<\/p><p[^>]*>soup<\/p>$/);
});

test('within one message what is selected is copied as it is', async () => {
  bridge.store(lunch, 'noodles at one', said);
  bridge.store(lunch, 'soup please', said);
  await openConversation(bridge, { kind: 'stream', streamId: 1, topic: 'lunch' });
  await expect.element(page.getByText('soup please', { exact: true })).toBeVisible();
  const text = firstText('soup please');
  expect(copied(text, 0, text, 4).types).toEqual([]);
});
