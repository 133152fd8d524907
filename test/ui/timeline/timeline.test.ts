import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import type { Workspace } from '#renderer/state/workspace.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  ownUserId,
  withPeople,
} from '#test/support/window/bridge-double.ts';
import {
  firstVisible,
  isAtEnd,
  openConversation,
  rowCount,
  scroller,
  settled,
  wheelTo,
} from './open-conversation.ts';
import { outboxItem } from './rich-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const ben = withPeople(9);
const read = { isRead: true };
const fill = (count: number, more = read): void => {
  for (let i = 1; i <= count; i += 1) bridge.store(ben, `message ${String(i)}`, more);
};
const item = (name: string | RegExp) => page.getByRole('listitem', { name });
const list = () => page.getByRole('list', { name: 'Messages' });
const shown = (text: string) => page.getByText(text, { exact: true });
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const openBen = () => openConversation(bridge, ben);

async function openAtEnd(): Promise<Workspace> {
  const workspace = await openBen();
  await expect.poll(isAtEnd).toBe(true);
  return workspace;
}

test('a message of somebody else appears as it arrives', async () => {
  bridge.store(ben, 'before', read);
  await openBen();
  await expect.element(shown('before')).toBeVisible();
  bridge.arrive(ben, 'just now');
  await expect.element(shown('just now')).toBeVisible();
});

test('a message that is told twice is shown once', async () => {
  bridge.store(ben, 'before', read);
  await openBen();
  await expect.element(shown('before')).toBeVisible();
  const message = bridge.arrive(ben, 'once');
  bridge.push('messagesArrived', { accountId: account.id, messages: [message] });
  await expect.element(shown('once')).toBeVisible();
  expect(shown('once').elements()).toHaveLength(1);
});

test('messages of other conversations and of other accounts stay out', async () => {
  bridge.store(ben, 'before', read);
  await openBen();
  await expect.element(shown('before')).toBeVisible();
  bridge.arrive(withPeople(10), 'for another conversation');
  const elsewhere = bridge.store(ben, 'of another account');
  bridge.push('messagesArrived', { accountId: 'other', messages: [elsewhere] });
  bridge.arrive(ben, 'the last');
  await expect.element(shown('the last')).toBeVisible();
  await expect.element(list()).not.toMatchTextContent(/another/);
});

test('a message that arrives while the page is on its way is not lost', async () => {
  bridge.store(ben, 'old', read);
  let answer: () => void = () => undefined;
  const messages = [...bridge.messageList];
  bridge.answer('messages', async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    const whole = { hasOldest: true, hasNewest: true, isComplete: true };
    return success({ messages, anchorId: null, ...whole });
  });
  await openBen();
  await expect.poll(() => bridge.argsOf('messages').length).toBe(1);
  bridge.arrive(ben, 'meanwhile');
  answer();
  await expect.element(list()).toMatchTextContent(/old.*meanwhile/);
});

test('the sender is named once for messages that follow shortly after', async () => {
  const now = Math.floor(new Date().setHours(12, 0, 0, 0) / 1000);
  for (const minutes of [0, 5, 30]) {
    bridge.store(ben, `at ${String(minutes)}`, { ...read, sentAtSeconds: now + minutes * 60 });
  }
  bridge.store(ben, 'mine', { senderId: ownUserId, sentAtSeconds: now + 31 * 60 });
  await openBen();
  await expect.element(shown('mine')).toBeVisible();
  expect(page.getByRole('button', { name: 'Ben Member' }).elements()).toHaveLength(2);
  // Every message still says who wrote it to those who cannot see the group.
  await expect.element(item(/^Ben Member at 5/)).toBeInTheDocument();
});

test('days are divided by lines', async () => {
  const today = Math.floor(new Date().setHours(12, 0, 0, 0) / 1000);
  bridge.store(ben, 'old', { ...read, sentAtSeconds: today - 24 * 3600 });
  bridge.store(ben, 'new', { ...read, sentAtSeconds: today });
  await openBen();
  await expect.element(list()).toMatchTextContent(/Yesterday.*old.*Today.*new/);
});

test('a whole stream has headings that lead to the topic', async () => {
  bridge.store(inTopic(1, 'lunch'), 'noodles?', read);
  bridge.store(inTopic(1, 'deploys'), 'done', read);
  await openConversation(bridge, { kind: 'stream', streamId: 1, topic: null });
  await expect.element(page.getByRole('heading', { level: 2, name: 'lunch' })).toBeVisible();
  await page.getByRole('heading', { level: 2 }).getByRole('button', { name: 'deploys' }).click();
  await expect.element(heading(/deploys/)).toBeVisible();
  await expect.element(list()).not.toMatchTextContent(/noodles/);
});

test('in a mixed list, what is read is named above it once its own heading has gone', async () => {
  for (let i = 0; i < 40; i += 1) bridge.store(inTopic(1, 'lunch'), `noodles ${String(i)}`, read);
  for (let i = 0; i < 40; i += 1) bridge.store(ben, `private ${String(i)}`, read);
  await openConversation(bridge, { kind: 'feed' });
  await expect.poll(isAtEnd).toBe(true);
  const bar = () => document.querySelector('.stuck')?.textContent ?? '';
  await expect.poll(bar).toContain('You and Ben Member');
  await expect
    .poll(() => {
      wheelTo(300);
      return bar();
    })
    .toMatch(/general\s+lunch/);
});

test('older messages load when scrolling up, and what is read stays in its place to the pixel', async () => {
  fill(250);
  await openAtEnd();
  await settled();
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  bridge.answer('messages', async (accountId, request) => {
    await held;
    bridge.restore('messages');
    return bridge.messages(accountId, request);
  });
  wheelTo(400);
  await expect.element(page.getByText('Loading older messages…')).toBeInTheDocument();
  await settled();
  const inView = firstVisible();
  const before = inView.getBoundingClientRect().top;
  const heightBefore = scroller().scrollHeight;
  release();
  await expect.poll(() => scroller().scrollHeight).toBeGreaterThan(heightBefore + 1000);
  await expect.poll(() => Math.abs(inView.getBoundingClientRect().top - before)).toBeLessThan(1);
  // The wheel does not stop turning for a page that arrives.
  wheelTo(scroller().scrollTop - 5);
  await expect
    .poll(() => Math.abs(inView.getBoundingClientRect().top - before - 5))
    .toBeLessThan(1);
});

test('the very beginning is reached, and said', async () => {
  fill(250);
  await openAtEnd();
  await item(/message 250/).click();
  await userEvent.keyboard('{Home}');
  await expect.element(item(/message 1 /)).toHaveFocus();
  await expect.element(page.getByText('This is the beginning.')).toBeVisible();
  await userEvent.keyboard('{End}');
  await expect.element(item(/message 250/)).toHaveFocus();
  await expect.poll(isAtEnd).toBe(true);
});

test('a list at its end follows new messages', async () => {
  fill(60);
  await openAtEnd();
  for (let i = 0; i < 5; i += 1) bridge.arrive(ben, `live ${String(i)}`);
  await expect.element(shown('live 4')).toBeVisible();
  await expect.poll(isAtEnd).toBe(true);
  await expect
    .element(page.getByRole('button', { name: /Jump to newest/ }))
    .not.toBeInTheDocument();
});

test('further up the list stays, and a button tells how many arrived and leads there', async () => {
  fill(80);
  await openAtEnd();
  wheelTo(500);
  await expect.element(page.getByRole('button', { name: 'Jump to newest' })).toBeVisible();
  await settled();
  const row = firstVisible();
  const before = row.getBoundingClientRect().top;
  bridge.arrive(ben, 'live 1');
  bridge.arrive(ben, 'live 2');
  const jump = page.getByRole('button', { name: 'Jump to newest (2)' });
  await expect.element(jump).toBeVisible();
  expect(row.getBoundingClientRect().top).toBe(before);
  await jump.click();
  await expect.poll(isAtEnd).toBe(true);
  await expect.element(item(/live 2/)).toHaveFocus();
});

test('the list stays at the end when the window changes its size', async () => {
  fill(60);
  await openAtEnd();
  await page.viewport(760, 500);
  await expect.poll(isAtEnd).toBe(true);
});

test('a list of ten thousand messages has a hundred rows in the page at most, and scrolling shows them all', async () => {
  fill(10_000);
  bridge.answer('messages', async () => {
    bridge.restore('messages');
    const whole = { hasOldest: true, hasNewest: true, isComplete: true };
    return success({ messages: bridge.messageList, anchorId: null, ...whole });
  });
  await openAtEnd();
  await expect.element(shown('message 10000')).toBeVisible();
  expect(rowCount()).toBeLessThanOrEqual(100);
  wheelTo(scroller().scrollHeight / 2);
  await expect.element(page.getByText(/^message [456]\d\d\d$/).first()).toBeVisible();
  expect(rowCount()).toBeLessThanOrEqual(100);
});

test('a list opens at the first unread message, under a line that stays', async () => {
  fill(60);
  for (let i = 1; i <= 60; i += 1) bridge.store(ben, `new ${String(i)}`);
  await openBen();
  await expect.element(shown('New messages')).toBeVisible();
  await expect.element(shown('new 1')).toBeVisible();
  await expect.element(shown('message 60')).toBeVisible();
  for (const { id } of bridge.messageList) bridge.changeMessage(id, read);
  await expect.element(shown('New messages')).toBeVisible();
});

test('a message that was asked for is shown and marked, wherever it is', async () => {
  fill(400);
  const id = bridge.messageList[99]?.id ?? 0;
  const workspace = await openBen();
  await expect.poll(isAtEnd).toBe(true);
  workspace.navigation.go(ben, id);
  await expect.element(shown('message 100')).toBeVisible();
  await expect.element(item(/message 100 /)).toHaveClass('is-marked');
  await expect.element(item(/message 100 /)).not.toHaveClass('is-marked');
  await page.getByRole('button', { name: 'Jump to newest' }).click();
  await expect.element(shown('message 400')).toBeVisible();
});

test('newer messages load when scrolling down from a message that was asked for', async () => {
  fill(300);
  const workspace = await openBen();
  await expect.poll(isAtEnd).toBe(true);
  workspace.navigation.go(ben, bridge.messageList[20]?.id ?? 0);
  await expect.element(shown('message 21')).toBeVisible();
  bridge.arrive(ben, 'arrived while further up');
  for (let i = 0; i < 40 && !isAtEnd(); i += 1) {
    wheelTo(scroller().scrollTop + 600);
    await new Promise(requestAnimationFrame);
  }
  await expect
    .poll(() => {
      wheelTo(scroller().scrollHeight);
      return shown('arrived while further up').elements().length;
    })
    .toBe(1);
});

test('what the computer does not have is said, and appears when the connection is back', async () => {
  bridge.store(ben, 'kept here', read);
  const messages = [...bridge.messageList];
  bridge.answer('messages', async () =>
    success({ messages, anchorId: null, hasOldest: true, hasNewest: true, isComplete: false }),
  );
  await openBen();
  await expect.element(page.getByText(/Older messages are not on this computer/)).toBeVisible();
  bridge.restore('messages');
  bridge.changeConnection({ state: 'live' });
  await expect.element(page.getByText('This is the beginning.')).toBeVisible();
});

test('edited, moved and deleted messages change at once', async () => {
  const [edited, moved, deleted] = ['first', 'second', 'third'].map((text) =>
    bridge.store(inTopic(1, 'lunch'), text, read),
  );
  await openConversation(bridge, { kind: 'stream', streamId: 1, topic: 'lunch' });
  await expect.element(shown('third')).toBeVisible();
  bridge.changeMessage(edited?.id ?? 0, { rendered: '<p>first, mended</p>', editedAtSeconds: 1 });
  await expect.element(shown('first, mended')).toBeVisible();
  bridge.changeMessage(moved?.id ?? 0, { conversation: inTopic(1, 'dinner') });
  await expect.element(shown('second')).not.toBeInTheDocument();
  bridge.removeMessages(deleted?.id ?? 0);
  await expect.element(shown('third')).not.toBeInTheDocument();
  bridge.changeMessage(moved?.id ?? 0, { conversation: inTopic(1, 'lunch') });
  await expect.element(list()).toMatchTextContent(/first, mended.*second/);
});

test('rows that go above what is read do not move it', async () => {
  fill(120);
  await openAtEnd();
  wheelTo(700);
  await settled();
  const row = firstVisible();
  const before = row.getBoundingClientRect().top;
  const id = Number(row.dataset['messageId']);
  bridge.removeMessages(id - 5, id - 3, id - 2);
  await settled();
  expect(Math.abs(row.getBoundingClientRect().top - before)).toBeLessThan(1);
});

test('after a gap the list is fetched anew', async () => {
  bridge.store(ben, 'before', read);
  await openBen();
  await expect.element(shown('before')).toBeVisible();
  bridge.store(ben, 'missed');
  bridge.push('messagesReset', { accountId: account.id });
  await expect.element(list()).toMatchTextContent(/before.*missed/);
});

test('unsent messages stand below, and become the message without a double', async () => {
  fill(3);
  bridge.changeState({ outbox: [outboxItem(ben, 'x1', 'on its way', 'sending')] });
  await openBen();
  await expect.element(item(/on its way Sending/)).toBeVisible();
  const row = document.querySelector('[data-local-id="x1"]')?.parentElement;
  bridge.arrive(ben, 'on its way', { senderId: ownUserId, localId: 'x1' });
  await expect.element(item(/on its way \d/)).toBeVisible();
  expect(shown('on its way').elements()).toHaveLength(1);
  // The row is the same one: nothing flickers.
  expect(row?.isConnected).toBe(true);
  bridge.changeState({ outbox: [] });
  await expect.element(shown('on its way')).toBeVisible();
  // Only the arrival says where it was written, and the row stays whatever becomes of the message.
  const { id = 0 } = bridge.messageList.at(-1) ?? {};
  bridge.changeMessage(id, { localId: null, isStarred: true });
  await expect.element(item(/on its way.*starred/)).toBeVisible();
  expect(row?.isConnected).toBe(true);
  bridge.push('messagesReset', { accountId: account.id });
  await expect.poll(() => bridge.argsOf('messages').length).toBe(2);
  await settled();
  expect(row?.isConnected).toBe(true);
});

test('what is sent while the newest page is not loaded leads to it', async () => {
  fill(300);
  const first = bridge.messageList[0]?.id ?? 0;
  const workspace = await openBen();
  workspace.navigation.go(ben, first);
  await expect.element(shown('message 1')).toBeVisible();
  expect(workspace.timeline.hasNewest).toBe(false);
  bridge.changeState({ outbox: [outboxItem(ben, 'x1', 'on its way', 'sending')] });
  await expect.element(item(/on its way Sending/)).toBeVisible();
  await expect.element(shown('message 300')).toBeVisible();
});

test('a message that could not be sent says why, and can be retried, edited and discarded', async () => {
  fill(3);
  bridge.changeState({ outbox: [outboxItem(ben, 'x1', 'lost?', 'failed')] });
  await openBen();
  await expect.element(page.getByText('Not sent. The service does not answer.')).toBeVisible();
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => bridge.argsOf('retryMessage')).toEqual([[account.id, 'x1']]);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveValue('lost?');
  await expect.element(page.getByText('Not sent.', { exact: false })).not.toBeInTheDocument();
  bridge.changeState({ outbox: [outboxItem(ben, 'x2', 'again', 'failed')] });
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.element(shown('again')).not.toBeInTheDocument();
});

test('an empty conversation says what will be here', async () => {
  await openBen();
  await expect.element(page.getByText('No messages with Ben Member yet')).toBeVisible();
  bridge.arrive(ben, 'the first');
  await expect.element(list()).toMatchTextContent(/the first/);
});

test.each(['feed', 'mentions', 'starred'] as const)(
  'the empty view of %s says what comes there',
  async (kind) => {
    await openConversation(bridge, { kind });
    await expect.element(page.getByText(/together here|find it here/)).toBeVisible();
  },
);

test('messages that could not be loaded can be asked for again', async () => {
  bridge.store(ben, 'here after all', read);
  bridge.fail('messages', 'The service does not answer.');
  await openBen();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/The service does not answer\./);
  bridge.restore('messages');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(list()).toMatchTextContent(/here after all/);
});

test('messages that could not be loaded come by themselves when the connection is back', async () => {
  fill(150);
  bridge.fail('messages', 'The service does not answer.');
  const { navigation } = await openBen();
  const wanted = bridge.messageList[20]?.id ?? 0;
  navigation.go(ben, wanted);
  await expect.element(page.getByRole('alert')).toMatchTextContent(/The service does not answer\./);
  bridge.restore('messages');
  bridge.changeConnection({ state: 'live' });
  await expect.element(shown('message 21')).toBeVisible();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('new messages are announced politely, own ones are not', async () => {
  bridge.store(ben, 'before', read);
  await openBen();
  await expect.element(shown('before')).toBeVisible();
  const region = page.getByRole('status').filter({ hasText: 'Ben Member: ' });
  bridge.arrive(ben, 'mine', { senderId: ownUserId });
  bridge.arrive(ben, 'are <strong>you</strong> there');
  await expect.element(region).toMatchTextContent(/Ben Member: are you there/);
});

test('a preference limits announcements to mentions, or to nothing', async () => {
  bridge.choices = { ...bridge.choices, announce: 'mentions' };
  bridge.store(ben, 'before', read);
  const { announcer } = await openBen();
  await expect.element(shown('before')).toBeVisible();
  bridge.arrive(ben, 'nothing special');
  expect(announcer.text).toBe('');
  bridge.arrive(ben, 'for you', { isMentioned: true });
  expect(announcer.text).toBe('Ben Member: for you');
  bridge.push('preferencesChanged', { ...bridge.choices, announce: 'off' });
  bridge.arrive(ben, 'nor this', { isMentioned: true });
  expect(announcer.text).toBe('Ben Member: for you');
});

test('what is being edited stays, however far the list is scrolled', async () => {
  fill(200);
  bridge.store(ben, 'mine', { senderId: ownUserId });
  const { actions } = await openAtEnd();
  const message = bridge.messageList.at(-1);
  if (message !== undefined) actions.edit(message);
  const editor = page.getByRole('textbox', { name: 'Text of the message' });
  await userEvent.fill(editor, 'mine, and more');
  wheelTo(0);
  await settled();
  await expect.element(editor).toHaveValue('mine, and more');
});

test('a conversation with unsent messages still opens at the first unread one', async () => {
  fill(60);
  for (let i = 1; i <= 60; i += 1) bridge.store(ben, `new ${String(i)}`);
  bridge.changeState({ outbox: [outboxItem(ben, 'x1', 'on its way', 'waiting')] });
  await openBen();
  await expect.element(shown('new 1')).toBeVisible();
});

test('the list stays at its end while the box below it grows and shrinks', async () => {
  fill(60);
  await openAtEnd();
  await settled();
  const jump = page.getByRole('button', { name: /Jump to newest/ });
  const area = page.getByRole('textbox', { name: 'Message' }).element() as HTMLElement;
  for (const height of [60, 140, 220, 300, 180, 320, 40, 200, 40]) {
    area.style.height = `${String(height)}px`;
    await new Promise(requestAnimationFrame);
    expect(jump.elements()).toHaveLength(0);
  }
  await expect.poll(isAtEnd).toBe(true);
  expect(jump.elements()).toHaveLength(0);
});

test('a conversation whose new messages all fit opens at its end, with the reactions of the last', async () => {
  fill(60);
  const reactions = [{ name: 'tada', code: '1f389', type: 'unicode_emoji', userIds: [10] }];
  for (let i = 1; i <= 6; i += 1) bridge.store(ben, `new ${String(i)}`, { reactions });
  await openBen();
  await settled();
  expect(isAtEnd()).toBe(true);
  await expect.element(shown('New messages')).toBeInViewport();
});

test('what is fetched anew leaves the reader where they are', async () => {
  fill(300);
  await openAtEnd();
  wheelTo(400);
  await expect.poll(() => rowCount() > 0 && scroller().scrollHeight > 3000).toBe(true);
  await settled();
  wheelTo(scroller().scrollTop + 7);
  await settled();
  const text = firstVisible().textContent;
  const before = firstVisible().getBoundingClientRect().top;
  const gone = Number(firstVisible().dataset['messageId']);
  bridge.messageList = bridge.messageList.filter(({ id }) => id < gone - 40 || id > gone - 20);
  for (let i = 0; i < 30; i += 1) bridge.store(ben, `missed ${String(i)}`);
  const asked = bridge.argsOf('messages').length;
  bridge.push('messagesReset', { accountId: account.id });
  await expect.poll(() => bridge.argsOf('messages').length).toBeGreaterThan(asked);
  await settled();
  expect(firstVisible().textContent).toBe(text);
  expect(Math.abs(firstVisible().getBoundingClientRect().top - before)).toBeLessThan(1);
});

test('a message that this computer does not have is said to be missing, and what is read stays', async () => {
  fill(60);
  const workspace = await openAtEnd();
  bridge.answer('messages', async () =>
    success({
      ...{ messages: bridge.messageList.slice(0, 3), anchorId: null },
      ...{ hasOldest: false, hasNewest: false, isComplete: false },
    }),
  );
  workspace.navigation.go(ben, 1);
  const alert = page.getByRole('alert');
  await expect.element(alert).toMatchTextContent(/This message is not on this computer\./);
  await expect.element(shown('message 60')).toBeVisible();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(alert).not.toBeInTheDocument();
});

test('an unsent text is a draft on the disk before it leaves the outbox', async () => {
  fill(3);
  bridge.changeState({ outbox: [outboxItem(ben, 'x1', 'lost?', 'failed')] });
  const { compose } = await openBen();
  compose.writeContent(ben, 'new thought');
  const order: string[] = [];
  // What is written is saved after a pause, too, which may end before the click.
  bridge.answer('saveDraft', async (_, draft) => {
    bridge.changeState({ drafts: [draft] });
    order.push(`saved ${draft.content}`);
    return success(null);
  });
  bridge.answer('withdrawMessage', async (accountId, localId) => {
    order.push('taken back');
    bridge.restore('withdrawMessage');
    return bridge.withdrawMessage(accountId, localId);
  });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect
    .poll(() => order.slice(0, order.indexOf('taken back') + 1).slice(-2))
    .toEqual(['saved new thought\n\nlost?', 'taken back']);
  await expect
    .element(page.getByRole('textbox', { name: 'Message' }))
    .toHaveValue('new thought\n\nlost?');
});

test('an unsent text that was sent meanwhile leaves the box as it was', async () => {
  fill(3);
  bridge.changeState({ outbox: [outboxItem(ben, 'x1', 'lost?', 'waiting')] });
  const { compose } = await openBen();
  compose.writeContent(ben, 'new thought');
  bridge.fail('withdrawMessage', 'This message has been sent.');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('This message has been sent.');
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveValue('new thought');
  await expect.poll(() => bridge.current.drafts[0]?.content).toBe('new thought');
});

test('an unsent text that cannot be put on the disk stays in the outbox', async () => {
  fill(3);
  bridge.changeState({ outbox: [outboxItem(ben, 'x1', 'lost?', 'failed')] });
  await openBen();
  bridge.fail('saveDraft', 'The disk is full.');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent('The disk is full.');
  expect(bridge.argsOf('withdrawMessage')).toEqual([]);
  await expect.element(page.getByRole('textbox', { name: 'Message' })).toHaveValue('');
});

test('a conversation that opens where its newest messages are seen never offers to go there', async () => {
  fill(80);
  for (let i = 1; i <= 3; i += 1) bridge.store(ben, `new ${String(i)}`);
  let isWatching = true;
  let offeringFrames = 0;
  const watch = (): void => {
    if (document.querySelector('.jump') !== null) offeringFrames += 1;
    if (isWatching) requestAnimationFrame(watch);
  };
  watch();
  await openAtEnd();
  await settled();
  isWatching = false;
  expect(offeringFrames).toBe(0);
  await expect.element(shown('new 3')).toBeVisible();
});
