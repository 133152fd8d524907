import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success, type Outcome } from '../../src-main/contract/outcome.ts';
import { account, BridgeDouble, inTopic, stream, withPeople } from '../support/bridge-double.ts';
import { heading, messageList, open, openWindow, textBox, topicBox } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  bridge.store(inTopic(1, 'deploys'), 'done');
  bridge.store(withPeople(9), 'hello Ada');
});

const drafts = (): readonly unknown[] => bridge.argsOf('sendMessage').map(([, draft]) => draft);

test('Enter sends to the private conversation, shows the message once and keeps the focus', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('hello **Ben**');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageList()).toMatchTextContent(/hello \*\*Ben\*\*/);
  expect(page.getByText('hello **Ben**').elements()).toHaveLength(1);
  await expect.element(textBox()).toHaveValue('');
  await expect.element(textBox()).toHaveFocus();
  expect(bridge.argsOf('sendMessage')).toEqual([
    [account.id, { conversation: withPeople(9), content: 'hello **Ben**' }],
  ]);
});

test('Shift+Enter starts a new line and Ctrl+Enter sends', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().click();
  await userEvent.keyboard('one{Shift>}{Enter}{/Shift}two');
  await expect.element(textBox()).toHaveValue('one\ntwo');
  expect(drafts()).toEqual([]);
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(drafts).toEqual([{ conversation: withPeople(9), content: 'one\ntwo' }]);
});

test('in an open code fence Enter starts a new line until the fence is closed', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().click();
  await userEvent.keyboard('```js{Enter}let a;{Enter}```');
  await expect.element(textBox()).toHaveValue('```js\nlet a;\n```');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(drafts)
    .toEqual([{ conversation: withPeople(9), content: '```js\nlet a;\n```' }]);
});

test('Enter of an input method does not send', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('にほん');
  const composing = { key: 'Enter', isComposing: true, bubbles: true, cancelable: true };
  textBox().element().dispatchEvent(new KeyboardEvent('keydown', composing));
  expect(drafts()).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.poll(drafts).toHaveLength(1);
});

test('nothing but blanks is not sent', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('  ');
  await userEvent.keyboard('{Enter}');
  expect(drafts()).toEqual([]);
});

test('a stream asks for a topic before it sends', async () => {
  await openWindow(bridge);
  await textBox().fill('where?');
  await userEvent.keyboard('{Enter}');
  await expect.element(topicBox()).toHaveFocus();
  await expect
    .element(topicBox())
    .toHaveAccessibleDescription(/Every message in a stream has a topic/);
  expect(drafts()).toEqual([]);
  await userEvent.keyboard('lunch{Enter}');
  await expect.element(textBox()).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(drafts).toEqual([{ conversation: inTopic(1, 'lunch'), content: 'where?' }]);
});

test('the topic field completes known topics, and Escape closes only the list', async () => {
  await openWindow(bridge);
  await topicBox().click();
  await userEvent.keyboard('dep');
  await expect.element(page.getByRole('option', { name: 'deploys' })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument();
  await expect.element(topicBox()).toHaveFocus();
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.element(topicBox()).toHaveValue('deploys');
  await expect.element(textBox()).toHaveFocus();
});

test('a topic of more than 60 characters is counted and refused', async () => {
  await openWindow(bridge);
  await topicBox().fill('t'.repeat(61));
  await textBox().fill('text');
  await expect.element(page.getByText('61 of 60')).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(topicBox()).toHaveAccessibleDescription(/at most 60 characters/);
  expect(drafts()).toEqual([]);
});

test('the length is shown from 9,000 bytes on, and more than 10,000 are refused', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('é'.repeat(4500));
  await expect.element(page.getByText('9,000 of 10,000 bytes')).toBeVisible();
  await textBox().fill('é'.repeat(5001));
  await expect.element(textBox()).toHaveAccessibleDescription(/too long to send/);
  await userEvent.keyboard('{Enter}');
  expect(drafts()).toEqual([]);
  await textBox().fill('é'.repeat(5000));
  await userEvent.keyboard('{Enter}');
  await expect.poll(drafts).toHaveLength(1);
});

test('a message that could not be sent comes back into the box with the reason', async () => {
  bridge.fail('sendMessage', 'The service does not answer.');
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('important');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/Not sent\. The service does not answer\. Your text is still here\./);
  await expect.element(textBox()).toHaveValue('important');

  bridge.restore('sendMessage');
  await userEvent.keyboard('{Enter}');
  await expect.element(messageList()).toMatchTextContent(/important/);
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('typing goes on while a message is under way, and what fails stands before what came after', async () => {
  let refuse: (outcome: Outcome<number>) => void = () => undefined;
  bridge.answer('sendMessage', () => new Promise((resolve) => (refuse = resolve)));
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('first');
  await userEvent.keyboard('{Enter}second');
  await expect.element(textBox()).toHaveValue('second');
  refuse({ ok: false, failure: { code: 'UNREACHABLE', message: 'No answer.' } });
  await expect.element(textBox()).toHaveValue('first\n\nsecond');
});

test('messages leave in the order in which they were written', async () => {
  const waiting: (() => void)[] = [];
  bridge.answer(
    'sendMessage',
    () => new Promise((resolve) => waiting.push(() => resolve(success(1)))),
  );
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('first');
  await userEvent.keyboard('{Enter}second{Enter}');
  expect(drafts()).toHaveLength(1);
  waiting[0]?.();
  await expect.poll(drafts).toHaveLength(2);
});

test('every conversation keeps its own text, marked by a pencil in the list', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('for Ben');
  await open(/^lunch|^general/, 'general');
  await expect.element(textBox()).toHaveValue('');
  await textBox().fill('for all');
  await expect
    .element(page.getByRole('navigation').getByRole('button', { name: /Ben Member.*draft/ }))
    .toBeVisible();
  await open(/^Ben Member/, 'Ben Member');
  await expect.element(textBox()).toHaveValue('for Ben');
  await open(/^general/, 'general');
  await expect.element(textBox()).toHaveValue('for all');
});

test('Escape leaves the box for the messages and keeps the text', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('half a sentence');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('listitem', { name: /hello Ada/ })).toHaveFocus();
  await expect.element(textBox()).toHaveValue('half a sentence');
});

test('writing to another topic than the one shown says so and offers to go there', async () => {
  await openWindow(bridge);
  await open(/^lunch/, /lunch/);
  await topicBox().fill('dinner');
  await textBox().fill('soup');
  await expect.element(page.getByText(/another topic than the one shown/)).toBeVisible();
  await userEvent.keyboard('{Control>}.{/Control}');
  await expect.element(heading(/dinner/)).toBeVisible();
  await expect.element(textBox()).toHaveValue('soup');
  await userEvent.keyboard('{Enter}');
  await expect.poll(drafts).toEqual([{ conversation: inTopic(1, 'dinner'), content: 'soup' }]);
});

test('the box grows with the text up to 40 % of the window', async () => {
  await openWindow(bridge);
  const height = (): number => textBox().element().getBoundingClientRect().height;
  const before = height();
  await textBox().fill('1\n2\n3\n4\n5');
  expect(height()).toBeGreaterThan(before + 40);
  await textBox().fill('line\n'.repeat(200));
  expect(height()).toBeLessThanOrEqual(720 * 0.4 + 1);
});

test('a stream for announcements tells members that only administrators write there', async () => {
  bridge.realmState = {
    ...bridge.realmState,
    people: bridge.realmState.people.map((each) => ({ ...each, isAdmin: false })),
    streams: [stream(4, 'news', { isAnnouncementOnly: true })],
  };
  await openWindow(bridge);
  await expect
    .element(page.getByText('Only administrators can write in this stream.'))
    .toBeVisible();
  await expect.element(textBox()).not.toBeInTheDocument();
});
