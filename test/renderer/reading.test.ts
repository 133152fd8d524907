import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { account, BridgeDouble, inTopic, withPeople } from '../support/bridge-double.ts';
import { isAtEnd, openConversation, scroller, settled, wheelTo } from './open-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const ben = withPeople(9);
const fill = (count: number): void => {
  for (let i = 1; i <= count; i += 1) bridge.store(ben, `message ${String(i)}`);
};
const shown = (text: string) => page.getByText(text, { exact: true });
const markedIds = (): readonly number[] =>
  bridge.argsOf('markRead').flatMap(([, target]) => (target as { ids: readonly number[] }).ids);
/** Long enough for whatever would be marked to be marked. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 1800));

async function focusWindow(): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).click();
  expect(document.hasFocus()).toBe(true);
}

test('whoever stays for a second has read what is visible, and nothing below', async () => {
  fill(100);
  await openConversation(bridge, ben);
  await expect.element(shown('message 1')).toBeVisible();
  await focusWindow();
  await expect.poll(() => markedIds().length, { timeout: 4000 }).toBeGreaterThan(5);
  const first = bridge.messageList[0]?.id ?? 0;
  expect(markedIds()[0]).toBe(first);
  expect(markedIds()).not.toContain(first + 60);
  expect(bridge.argsOf('markRead')[0]?.[0]).toBe(account.id);
});

test('what is scrolled into view is read at once, in few calls, and told once', async () => {
  fill(100);
  await openConversation(bridge, ben);
  await expect.element(shown('message 1')).toBeVisible();
  await focusWindow();
  const isLastThere = (): boolean => shown('message 100').elements().length > 0;
  for (let i = 0; i < 200 && !(isLastThere() && isAtEnd()); i += 1) {
    wheelTo(scroller().scrollTop + 200);
    await new Promise(requestAnimationFrame);
  }
  await expect.poll(() => markedIds().length, { timeout: 4000 }).toBe(100);
  expect(new Set(markedIds()).size).toBe(100);
  expect(bridge.argsOf('markRead').length).toBeLessThan(8);
});

test.each([
  ['a search', { kind: 'search', terms: [] }, 'scroll'],
  ['the starred messages', { kind: 'starred' }, 'scroll'],
  ['a mixed list, where only conversations count', { kind: 'feed' }, 'conversation'],
  ['any list, where nothing marks but a command', ben, 'never'],
] as const)('%s marks nothing', async (_, view, markRead) => {
  bridge.choices = { ...bridge.choices, markRead };
  const message = bridge.store(ben, 'unread', { isStarred: true });
  if (view.kind === 'search') {
    bridge.answer('messages', async () => ({
      ok: true,
      value: {
        messages: [message],
        anchorId: null,
        ...{ hasOldest: true, hasNewest: true, isComplete: true },
      },
    }));
  }
  await openConversation(bridge, view);
  await expect.element(shown('unread')).toBeVisible();
  await focusWindow();
  await aWhile();
  expect(bridge.argsOf('markRead')).toEqual([]);
});

test.each([
  ['scroll', [[account.id, { kind: 'view', view: ben }]]],
  ['never', []],
] as const)(
  'End, where reading counts by %s, marks what it passes accordingly',
  async (markRead, calls) => {
    bridge.choices = { ...bridge.choices, markRead };
    fill(100);
    await openConversation(bridge, ben);
    await expect.element(shown('message 1')).toBeVisible();
    await page.getByRole('listitem', { name: /message 1 / }).click();
    await userEvent.keyboard('{End}');
    await expect.element(shown('message 100')).toBeVisible();
    const ofViews = bridge
      .argsOf('markRead')
      .filter(([, target]) => (target as { kind: string }).kind === 'view');
    expect(ofViews).toEqual(calls);
  },
);

test('a message that was looked up is not read until somebody scrolls', async () => {
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { isRead: true });
  fill(60);
  const workspace = await openConversation(bridge, inTopic(1, 'lunch'));
  await expect.element(shown('noodles?')).toBeVisible();
  workspace.navigation.go(ben, bridge.messageList[30]?.id ?? 0);
  await expect.element(shown('message 30')).toBeVisible();
  await focusWindow();
  await settled();
  await aWhile();
  expect(bridge.argsOf('markRead')).toEqual([]);
  wheelTo(scroller().scrollTop + 20);
  await expect.poll(() => markedIds().length, { timeout: 4000 }).toBeGreaterThan(3);
});
