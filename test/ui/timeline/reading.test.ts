import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { account, BridgeDouble, inTopic, withPeople } from '#test/support/window/bridge-double.ts';
import { isAtEnd, openConversation, scroller, settled, wheelTo } from './open-conversation.ts';

let bridge: BridgeDouble;
// The page's timers run when a test says so.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  bridge = new BridgeDouble();
});
afterEach(() => void vi.useRealTimers());

const ben = withPeople(9);
const fill = (count: number): void => {
  for (let i = 1; i <= count; i += 1) bridge.store(ben, `message ${String(i)}`);
};
const shown = (text: string) => page.getByText(text, { exact: true });
const readIds = (): readonly number[] =>
  bridge.messageList.filter(({ isRead }) => isRead).map(({ id }) => id);
const unreadCount = (): number => bridge.messageList.filter(({ isRead }) => !isRead).length;
/** The page draws a frame, and so much time passes. */
async function frame(ms = 16): Promise<void> {
  await new Promise(requestAnimationFrame);
  await vi.advanceTimersByTimeAsync(ms);
}
/** Long enough for whatever would be marked to be marked. */
async function aWhile(): Promise<void> {
  await settled();
  for (let frames = 0; frames < 18; frames += 1) await frame(100);
}
/** Polls what becomes of something as time passes. */
const inTime = <T>(read: () => T) =>
  expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(100);
    return read();
  });

async function focusWindow(): Promise<void> {
  await page.getByRole('textbox', { name: 'Message', exact: true }).click();
  expect(document.hasFocus()).toBe(true);
}

test('whoever stays for a second has read what is visible, and nothing below', async () => {
  fill(100);
  await openConversation(bridge, ben);
  await expect.element(shown('message 1')).toBeVisible();
  await focusWindow();
  await inTime(() => readIds().length).toBeGreaterThan(5);
  const first = bridge.messageList[0]?.id ?? 0;
  expect(readIds()[0]).toBe(first);
  expect(readIds()).not.toContain(first + 60);
  expect(bridge.argsOf('markRead')[0]?.[0]).toBe(account.id);
});

test('what is scrolled through step by step is read in few calls', async () => {
  fill(100);
  await openConversation(bridge, ben);
  await expect.element(shown('message 1')).toBeVisible();
  await focusWindow();
  const isLastThere = (): boolean => shown('message 100').elements().length > 0;
  for (let i = 0; i < 200 && !(isLastThere() && isAtEnd()); i += 1) {
    wheelTo(scroller().scrollTop + 200);
    await frame();
  }
  await inTime(unreadCount).toBe(0);
  expect(bridge.argsOf('markRead').length).toBeLessThan(8);
});

/** So many that the page that opens has neither the newest of them nor, drawn, more than a few. */
const MANY = 300;
const isNewestShown = (): boolean =>
  shown(`message ${String(MANY)}`).elements().length > 0 && isAtEnd();

const toNewest: Readonly<Record<string, () => Promise<void>>> = {
  'the button': async () => {
    await page.getByRole('button', { name: 'Jump to newest' }).click();
  },
  'the key End': async () => {
    await page.getByRole('listitem', { name: /message 1 / }).click();
    await userEvent.keyboard('{End}');
  },
  'the wheel, as fast as it goes': async () => {
    await inTime(() => {
      wheelTo(scroller().scrollHeight);
      return isNewestShown();
    }).toBe(true);
  },
};

test.each(Object.entries(toNewest))(
  'all that was passed by %s is read, drawn or not, in a conversation and in a feed',
  async (_, go) => {
    for (const view of [ben, { kind: 'feed' }] as const) {
      bridge = new BridgeDouble();
      fill(MANY);
      const workspace = await openConversation(bridge, view);
      await expect.element(shown('message 1')).toBeVisible();
      await focusWindow();
      await go();
      await inTime(isNewestShown).toBe(true);
      await inTime(unreadCount).toBe(0);
      expect(bridge.argsOf('markRead').length).toBeLessThan(8);
      document.getElementById('app')?.remove();
      workspace.stop();
    }
  },
);

test('what arrives at the end of a conversation is read, and nothing is left above it', async () => {
  fill(20);
  for (let i = 0; i < 60; i += 1) bridge.store(ben, `known ${String(i)}`, { isRead: true });
  const workspace = await openConversation(bridge, inTopic(1, 'lunch'));
  workspace.navigation.go(ben, bridge.messageList.at(-10)?.id ?? 0);
  await expect.element(shown('known 50')).toBeVisible();
  await focusWindow();
  await page.getByRole('listitem', { name: /known 50 / }).click();
  await userEvent.keyboard('{End}');
  await inTime(isAtEnd).toBe(true);
  await inTime(unreadCount).toBe(0);
  for (let i = 0; i < 40; i += 1) bridge.arrive(ben, `fresh ${String(i)}`);
  await expect.element(shown('fresh 39')).toBeVisible();
  await inTime(unreadCount).toBe(0);
});

test('what arrives below stays unread as long as nobody goes there', async () => {
  fill(60);
  await openConversation(bridge, ben);
  await expect.element(shown('message 1')).toBeVisible();
  await focusWindow();
  wheelTo(40);
  await inTime(() => readIds().length).toBeGreaterThan(5);
  const fresh = bridge.arrive(ben, 'fresh');
  wheelTo(0);
  await aWhile();
  expect(readIds()).not.toContain(fresh.id);
  expect(unreadCount()).toBeGreaterThan(20);
});

test('what somebody scrolled past on the way to another place is read all the same', async () => {
  fill(MANY);
  const workspace = await openConversation(bridge, ben);
  await expect.element(shown('message 1')).toBeVisible();
  await focusWindow();
  await page.getByRole('button', { name: 'Jump to newest' }).click();
  await inTime(isNewestShown).toBe(true);
  await settled();
  workspace.navigation.go(inTopic(1, 'lunch'));
  await inTime(unreadCount).toBe(0);
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

test('End marks nothing where reading counts by nothing but a command', async () => {
  bridge.choices = { ...bridge.choices, markRead: 'never' };
  fill(100);
  await openConversation(bridge, ben);
  await expect.element(shown('message 1')).toBeVisible();
  await page.getByRole('listitem', { name: /message 1 / }).click();
  await userEvent.keyboard('{End}');
  await expect.element(shown('message 100')).toBeVisible();
  await aWhile();
  expect(bridge.argsOf('markRead')).toEqual([]);
});

test('where a message was looked up, what is on screen is read, and the rest when somebody moves there', async () => {
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { isRead: true });
  fill(60);
  const [hidden, lookedUp, last] = [2, 30, 60].map((at) => bridge.messageList[at]?.id ?? 0);
  const workspace = await openConversation(bridge, inTopic(1, 'lunch'));
  await expect.element(shown('noodles?')).toBeVisible();
  workspace.navigation.go(ben, lookedUp);
  await expect.element(shown('message 30')).toBeVisible();
  await focusWindow();
  await inTime(readIds).toContain(lookedUp);
  await settled();
  await aWhile();
  expect(readIds()).not.toContain(hidden);
  expect(readIds()).not.toContain(last);
  await userEvent.keyboard('{Escape}');
  await page.getByRole('listitem', { name: /message 30 / }).click();
  await userEvent.keyboard('{End}');
  await inTime(unreadCount).toBe(0);
});

test('a conversation that fits into the window is read, at whichever of its messages it was opened', async () => {
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { isRead: true });
  fill(3);
  const workspace = await openConversation(bridge, inTopic(1, 'lunch'));
  await expect.element(shown('noodles?')).toBeVisible();
  workspace.navigation.go(ben, bridge.messageList[1]?.id);
  await expect.element(shown('message 3')).toBeVisible();
  await focusWindow();
  await inTime(unreadCount).toBe(0);
});

/** Somebody reads the end of a conversation, and then nobody is there. */
async function leaveAtEnd(): Promise<void> {
  for (let i = 0; i < 30; i += 1) bridge.store(ben, `known ${String(i)}`, { isRead: true });
  await openConversation(bridge, ben);
  await expect.element(shown('known 29')).toBeVisible();
  await focusWindow();
  await settled();
  expect(isAtEnd()).toBe(true);
  bridge.changeAttendance(null);
}

const newLine = () => page.getByText('New messages', { exact: true });

test('what arrives while nobody is there stays unread, and whoever comes back reads on from the line of what is new', async () => {
  await leaveAtEnd();
  for (let i = 0; i < 60; i += 1) bridge.arrive(ben, `fresh ${String(i)}`);
  await expect.element(newLine()).toBeInViewport();
  await settled();
  await aWhile();
  expect(unreadCount()).toBe(60);
  expect(isAtEnd()).toBe(false);
  // The first input tells that somebody is back.
  wheelTo(scroller().scrollTop + 1);
  await inTime(() => bridge.isSomebodyHere).toBe(true);
  await inTime(() => unreadCount()).toBeLessThan(60);
  await expect.element(newLine()).toBeInViewport();
  await aWhile();
  expect(unreadCount()).toBeGreaterThan(30);
  await page.getByRole('button', { name: 'Jump to newest' }).click();
  await inTime(unreadCount).toBe(0);
});

test('what was sent while nobody was there and comes with the network has its line too, and the list follows again after that', async () => {
  await leaveAtEnd();
  bridge.changeAttendance(Date.now());
  const sentAtSeconds = Math.floor(Date.now() / 1000) - 60;
  bridge.arrive(ben, 'of the night', { sentAtSeconds });
  await expect.element(newLine()).toBeInViewport();
  await inTime(unreadCount).toBe(0);
  const later = Math.floor(Date.now() / 1000) + 1;
  for (let i = 0; i < 40; i += 1) bridge.arrive(ben, `day ${String(i)}`, { sentAtSeconds: later });
  await expect.element(shown('day 39')).toBeVisible();
  await inTime(isAtEnd).toBe(true);
  await inTime(unreadCount).toBe(0);
});
