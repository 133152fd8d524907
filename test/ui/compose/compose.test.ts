import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { OutboxItem } from '#shared/bridge/models/client.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  person,
  stream,
  withPeople,
} from '#test/support/window/bridge-double.ts';
import { listedStream } from '#test/support/window/office.ts';
import { button, field, openCompose, option, textBox, topicBox } from './open-compose.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  bridge.store(inTopic(1, 'deploys'), 'done');
  bridge.store(withPeople(9), 'hello Ada');
});

const ben = { kind: 'private', userIds: [9] } as const;
const general = { kind: 'stream', streamId: 1, topic: null } as const;
const lunch = { kind: 'stream', streamId: 1, topic: 'lunch' } as const;
const feed = { kind: 'feed' } as const;
const sent = (): readonly unknown[] => bridge.argsOf('sendMessage').map(([, draft]) => draft);

test('Enter sends to the private conversation with the key of its draft and keeps the focus', async () => {
  await openCompose(bridge, ben);
  await textBox().fill('hello **Ben**');
  await userEvent.keyboard('{Enter}');
  await expect.element(textBox()).toHaveValue('');
  await expect.element(textBox()).toHaveFocus();
  expect(bridge.argsOf('sendMessage')).toEqual([
    [account.id, { conversation: withPeople(9), content: 'hello **Ben**' }, 'private:9'],
  ]);
});

test('Shift+Enter starts a new line and Ctrl+Enter sends', async () => {
  await openCompose(bridge, ben);
  await textBox().click();
  await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two');
  await expect.element(textBox()).toHaveValue('one\ntwo');
  expect(sent()).toEqual([]);
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(sent).toEqual([{ conversation: withPeople(9), content: 'one\ntwo' }]);
});

test('whoever chose Ctrl+Enter starts a new line with Enter', async () => {
  bridge.choices = { ...bridge.choices, sendKey: 'ctrl-enter' };
  await openCompose(bridge, ben);
  await textBox().click();
  await userEvent.keyboard('one{Enter}two');
  await expect.element(textBox()).toHaveValue('one\ntwo');
  await expect.element(page.getByText(/Ctrl\+Enter sends/)).toBeVisible();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(sent).toEqual([{ conversation: withPeople(9), content: 'one\ntwo' }]);
});

test('in an open code fence Enter starts a new line until the fence is closed', async () => {
  await openCompose(bridge, ben);
  await textBox().click();
  await userEvent.keyboard('```js{Enter}');
  await expect.element(textBox()).toHaveValue('```js\n');
  await userEvent.keyboard('let a;{Enter}```');
  await expect.element(textBox()).toHaveValue('```js\nlet a;\n```');
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toEqual([{ conversation: withPeople(9), content: '```js\nlet a;\n```' }]);
});

test('Enter of an input method does not send', async () => {
  await openCompose(bridge, ben);
  await textBox().fill('にほん');
  const composing = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
  field().dispatchEvent(new KeyboardEvent('keydown', composing));
  expect(sent()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toHaveLength(1);
});

test('nothing but blanks is not sent', async () => {
  await openCompose(bridge, ben);
  await textBox().fill('  ');
  await userEvent.keyboard('{Enter}');
  expect(sent()).toEqual([]);
});

const needTopics = (): void => {
  const organization = bridge.organizationWith({ mandatory_topics: true });
  bridge.current = { ...bridge.current, organization };
};

test('where the organization wants no topic, a message in a stream goes out without one', async () => {
  await openCompose(bridge, general);
  await expect.element(topicBox()).toHaveAttribute('placeholder', 'Topic (optional)');
  await expect.element(textBox()).toHaveAttribute('placeholder', 'Write to general');
  await textBox().fill('where?');
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toEqual([{ conversation: inTopic(1, '(no topic)'), content: 'where?' }]);
});

test('the name for no topic is none where the organization wants one', async () => {
  needTopics();
  await openCompose(bridge, general);
  await topicBox().fill('(no topic)');
  await textBox().fill('where?');
  await userEvent.keyboard('{Enter}');
  await expect.element(topicBox()).toHaveFocus();
  expect(sent()).toEqual([]);
});

test('a stream asks for a topic before it sends', async () => {
  needTopics();
  await openCompose(bridge, general);
  await textBox().fill('where?');
  await userEvent.keyboard('{Enter}');
  await expect.element(topicBox()).toHaveFocus();
  await expect
    .element(topicBox())
    .toHaveAccessibleDescription(/Every message in a stream has a topic/);
  expect(sent()).toEqual([]);
  await userEvent.keyboard('lunch{Enter}');
  await expect.element(textBox()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toEqual([{ conversation: inTopic(1, 'lunch'), content: 'where?' }]);
});

test('the topic field completes known topics, and Escape closes only the list', async () => {
  await openCompose(bridge, general);
  await topicBox().click();
  await userEvent.keyboard('dep');
  await expect.element(option('deploys')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await expect.element(topicBox()).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(topicBox()).toHaveValue('deploys');
  await expect.element(textBox()).toHaveFocus();
});

test('a topic of more than 60 characters is counted and refused', async () => {
  await openCompose(bridge, general);
  await topicBox().fill('t'.repeat(61));
  await textBox().fill('text');
  await expect.element(page.getByText('61 of 60')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(topicBox()).toHaveAccessibleDescription(/at most 60 characters/);
  expect(sent()).toEqual([]);
});

test('the length is shown from 9,000 bytes on, and more than 10,000 are refused', async () => {
  await openCompose(bridge, ben);
  await textBox().fill('é'.repeat(4500));
  await expect.element(page.getByText('9,000 of 10,000 bytes')).toBeVisible();
  await textBox().fill('é'.repeat(5001));
  await expect.element(textBox()).toHaveAccessibleDescription(/too long to send/);
  await userEvent.keyboard('{Enter}');
  expect(sent()).toEqual([]);
  await textBox().fill('é'.repeat(5000));
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toHaveLength(1);
});

test('a message that could not be kept comes back into the box with the reason', async () => {
  bridge.fail('sendMessage', 'The disk is full.');
  await openCompose(bridge, ben);
  await textBox().fill('important');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/Not sent\. The disk is full\. Your text is still here\./);
  await expect.element(textBox()).toHaveValue('important');

  bridge.restore('sendMessage');
  await userEvent.keyboard('{Enter}');
  await expect.element(textBox()).toHaveValue('');
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

const item: OutboxItem = {
  localId: 'l1',
  conversation: withPeople(9),
  content: '',
  writtenAtSeconds: 1,
  state: 'sending',
  failure: '',
};

test('typing goes on while a message is under way, and what fails stands before what came after', async () => {
  let settle: (outcome: Outcome<OutboxItem>) => void = () => undefined;
  bridge.answer('sendMessage', () => new Promise((resolve) => (settle = resolve)));
  await openCompose(bridge, ben);
  await textBox().fill('first');
  await userEvent.keyboard('{Enter}');
  await expect.element(textBox()).toHaveValue('');
  await userEvent.keyboard('second');
  await expect.element(textBox()).toHaveValue('second');
  settle(failure('UNREACHABLE', 'No answer.'));
  await expect.element(textBox()).toHaveValue('first\n\nsecond');
});

test('messages leave in the order in which they were written', async () => {
  const waiting: (() => void)[] = [];
  bridge.answer(
    'sendMessage',
    () => new Promise((resolve) => waiting.push(() => resolve(success(item)))),
  );
  await openCompose(bridge, ben);
  await textBox().fill('first');
  await userEvent.keyboard('{Enter}');
  await expect.element(textBox()).toHaveValue('');
  await userEvent.keyboard('second{Enter}');
  expect(sent()).toHaveLength(1);
  waiting[0]?.();
  await expect.poll(sent).toHaveLength(2);
});

test('Escape leaves the box and keeps the text', async () => {
  await openCompose(bridge, ben);
  await textBox().fill('half a sentence');
  await userEvent.keyboard('{Escape}');
  await expect.element(textBox()).not.toHaveFocus();
  await expect.element(textBox()).toHaveValue('half a sentence');
});

test('writing to another topic than the one shown says so, and Ctrl+. goes there with the text', async () => {
  const { navigation } = await openCompose(bridge, lunch);
  await topicBox().fill('dinner');
  await textBox().fill('soup');
  await expect.element(page.getByText(/another topic than the one shown/)).toBeVisible();
  await userEvent.keyboard('{Control>}.{/Control}');
  await expect.element(topicBox()).toHaveValue('dinner');
  expect(navigation.place).toEqual(inTopic(1, 'dinner'));
  await expect.element(textBox()).toHaveValue('soup');
  await textBox().click();
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toEqual([{ conversation: inTopic(1, 'dinner'), content: 'soup' }]);
});

test('the box grows with the text up to 40 % of the window', async () => {
  await openCompose(bridge, ben);
  const height = (): number => field().getBoundingClientRect().height;
  const before = height();
  await textBox().fill('1\n2\n3\n4\n5');
  expect(height()).toBeGreaterThan(before + 40);
  await textBox().fill('line\n'.repeat(200));
  expect(height()).toBeLessThanOrEqual(720 * 0.4 + 1);
});

test('a stream for announcements tells members that only administrators write there', async () => {
  bridge.current = {
    ...bridge.current,
    people: bridge.current.people.map((each) => ({ ...each, isAdmin: false })),
    streams: [stream(4, 'news', { isAnnouncementOnly: true })],
  };
  await openCompose(bridge, { kind: 'stream', streamId: 4, topic: null });
  await expect
    .element(page.getByText('Only administrators can write in this stream.'))
    .toBeVisible();
  await expect.element(textBox()).not.toBeInTheDocument();
});

test('into a private stream of others nobody writes, into a public one whoever joins it', async () => {
  bridge.current = {
    ...bridge.current,
    otherStreams: [listedStream(5, 'board', { isPrivate: true }), listedStream(6, 'random')],
  };
  const { navigation } = await openCompose(bridge, { kind: 'stream', streamId: 5, topic: null });
  await expect.element(page.getByText(/Only those who are subscribed/)).toBeVisible();
  expect(button('Join').elements()).toHaveLength(0);
  navigation.go({ kind: 'stream', streamId: 6, topic: null });
  await expect.element(page.getByText('You are not in #random.')).toBeVisible();
  expect(textBox().elements()).toHaveLength(0);
  bridge.answerRequest('streams.subscribe', () => failure('BAD_REQUEST', 'Not today.'));
  await button('Join').click();
  await expect.element(button('Join')).toBeEnabled();
  bridge.answerRequest('streams.subscribe', () => success({}));
  await button('Join').click();
  expect(bridge.requestsOf('streams.subscribe').at(-1)).toEqual({
    subscriptions: [{ name: 'random' }],
  });
  bridge.changeState({
    streams: [...bridge.current.streams, stream(6, 'random')],
    otherStreams: [listedStream(5, 'board', { isPrivate: true })],
  });
  await expect.element(textBox()).toHaveFocus();
});

test('whoever is taken out while they write is told so with the moment, and keeps the text', async () => {
  const board = stream(5, 'board', { isPrivate: true });
  const others = bridge.current.streams;
  bridge.current = { ...bridge.current, streams: [...others, board] };
  await openCompose(bridge, { kind: 'stream', streamId: 5, topic: null });
  await textBox().fill('half a thought');
  const gone = { ...listedStream(5, 'board', { isPrivate: true }), sinceSeconds: 1_700_000_000 };
  bridge.changeState({ streams: others, goneStreams: [{ ...gone, how: 'left' }] });
  const closed = page
    .getByRole('status')
    .filter({ hasText: 'You left #board, or were taken out of it, on' });
  await expect.element(closed).toMatchTextContent(/2023.*What you received stays readable\./);
  await expect.element(page.getByText('half a thought')).toBeVisible();
  expect(button('Join').elements()).toHaveLength(0);
  bridge.changeState({ goneStreams: [{ ...gone, how: 'archived' }] });
  await expect.element(page.getByText(/#board was archived on /)).toBeVisible();
  bridge.changeState({ streams: [...others, board], goneStreams: [] });
  await expect.element(textBox()).toHaveValue('half a thought');
});

test('a guest cannot join a stream, and is told who writes there', async () => {
  bridge.current = {
    ...bridge.current,
    people: bridge.current.people.map((each) =>
      each.userId === account.userId ? { ...each, isAdmin: false, isGuest: true } : each,
    ),
    otherStreams: [listedStream(6, 'random')],
  };
  await openCompose(bridge, { kind: 'stream', streamId: 6, topic: null });
  await expect.element(page.getByText(/Only those who are subscribed/)).toBeVisible();
  expect(button('Join').elements()).toHaveLength(0);
});

test('nobody writes to an account that is deactivated', async () => {
  bridge.current = {
    ...bridge.current,
    people: [...bridge.current.people, person(30, 'Old Colleague', { isActive: false })],
  };
  await openCompose(bridge, { kind: 'private', userIds: [9, 30] });
  await expect
    .element(page.getByText(/Nobody can write here any more: the account of Old Colleague/))
    .toBeVisible();
  await expect.element(textBox()).not.toBeInTheDocument();
});

test('in a mixed view the box asks for a stream and a topic before there is anything to write', async () => {
  await openCompose(bridge, feed);
  await button('Message…').click();
  await userEvent.keyboard('engin{Enter}');
  await expect.element(topicBox()).toHaveFocus();
  await userEvent.keyboard('builds{Enter}green{Enter}');
  await expect.poll(sent).toEqual([{ conversation: inTopic(2, 'builds'), content: 'green' }]);
});

test('in a mixed view the box writes to people, and takes the text along to others', async () => {
  await openCompose(bridge, feed);
  await button('Message…').click();
  await page.getByRole('radio', { name: 'People' }).click();
  await page.getByLabelText('People to write to').fill('ben');
  await userEvent.keyboard('{Enter}{Enter}');
  await expect.element(textBox()).toHaveFocus();
  await userEvent.keyboard('see you');
  await button('Write somewhere else').click();
  await page.getByRole('combobox', { name: 'Stream to write to' }).fill('general');
  await userEvent.keyboard('{Enter}');
  await expect.element(textBox()).toHaveValue('see you');
  await expect.element(topicBox()).toHaveFocus();
});

test('a reply in a mixed view says where it goes, and Ctrl+. goes there', async () => {
  const { compose, navigation } = await openCompose(bridge, feed);
  compose.replyTo(feed, { conversation: inTopic(1, 'deploys') });
  await expect.element(topicBox()).toHaveValue('deploys');
  await textBox().fill('again?');
  await userEvent.keyboard('{Control>}.{/Control}');
  await expect.poll(() => navigation.place).toEqual(inTopic(1, 'deploys'));
  await expect.element(textBox()).toHaveValue('again?');
});

test('a message that is taken back to be edited stands behind what is being written', async () => {
  const { compose } = await openCompose(bridge, ben);
  await textBox().fill('new thought');
  compose.edit({ conversation: withPeople(9), content: 'old text' });
  await expect.element(textBox()).toHaveValue('new thought\n\nold text');
});

test.each(['ArrowUp', 'ArrowLeft'])('%s in an empty box edits the last message', async (key) => {
  const { actions } = await openCompose(bridge, ben);
  let calls = 0;
  actions.editLast = () => (calls += 1) > 0;
  await textBox().fill('x');
  await userEvent.keyboard(`{${key}}`);
  expect(calls).toBe(0);
  await textBox().fill('');
  await userEvent.keyboard(`{Control>}{${key}}{/Control}`);
  expect(calls).toBe(0);
  await userEvent.keyboard(`{${key}}`);
  expect(calls).toBe(1);
});

const members = (n: number): void =>
  bridge.answerRequest('streams.members', () =>
    success({ subscribers: Array.from({ length: n }, (_, i) => `u${String(i)}@example.com`) }),
  );

test('notifying many people has to be meant', async () => {
  members(42);
  await openCompose(bridge, lunch);
  await textBox().fill('@**all** fire drill');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('alertdialog'))
    .toHaveAccessibleName('@all notifies 42 people in general › lunch.');
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('alertdialog')).not.toBeInTheDocument();
  await expect.element(textBox()).toHaveFocus();
  expect(sent()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await button('Send anyway').click();
  await expect
    .poll(sent)
    .toEqual([{ conversation: inTopic(1, 'lunch'), content: '@**all** fire drill' }]);
});

test('notifying few people, or nobody, asks nothing', async () => {
  members(15);
  await openCompose(bridge, lunch);
  await textBox().fill('@**everyone** hi');
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toHaveLength(1);
  members(500);
  await textBox().fill('`@**all**` notifies');
  await userEvent.keyboard('{Enter}');
  await expect.poll(sent).toHaveLength(2);
});

test('the others of a private conversation are told of typing, and of its end', async () => {
  await openCompose(bridge, ben);
  await textBox().click();
  await userEvent.keyboard('hello');
  expect(bridge.requestsOf('typing.notify')).toEqual([{ op: 'start', to: [9] }]);
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => bridge.requestsOf('typing.notify'))
    .toEqual([
      { op: 'start', to: [9] },
      { op: 'stop', to: [9] },
    ]);
});

test('nobody is told of typing in a stream', async () => {
  await openCompose(bridge, lunch);
  await textBox().fill('hello');
  expect(bridge.requestsOf('typing.notify')).toEqual([]);
});

test('those who type are named above the box', async () => {
  await openCompose(bridge, ben);
  await expect.element(textBox()).toBeVisible();
  bridge.changeState({ typing: { 'private:9': [9] } });
  await expect.element(page.getByText('Ben Member is typing…')).toBeVisible();
  bridge.changeState({ typing: {} });
  await expect.element(page.getByText(/is typing/)).not.toBeInTheDocument();
});
