import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '../../src-main/contract/outcome.ts';
import { account, BridgeDouble, inTopic, withPeople } from '../support/bridge-double.ts';
import { heading, isAtEnd, messageList, open, openWindow, scroller } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const fillConversation = (count: number): void => {
  for (let i = 1; i <= count; i += 1) bridge.store(withPeople(9), `message ${i}`);
};
const item = (name: string | RegExp) => page.getByRole('listitem', { name });
const topOf = (text: string): number =>
  page.getByText(text, { exact: true }).element().getBoundingClientRect().top;

async function openBen(): Promise<void> {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
}

test('a message of somebody else appears as it arrives', async () => {
  bridge.store(withPeople(9), 'before');
  await openBen();
  await expect.element(messageList()).toMatchTextContent(/before/);
  bridge.arrive(withPeople(9), 'just now');
  await expect.element(page.getByText('just now', { exact: true })).toBeVisible();
});

test('a message that is told twice is shown once', async () => {
  bridge.store(withPeople(9), 'before');
  await openBen();
  const message = bridge.arrive(withPeople(9), 'once');
  bridge.push('messageArrived', { accountId: account.id, message });
  await expect.element(page.getByText('once', { exact: true })).toBeVisible();
  expect(page.getByText('once', { exact: true }).elements()).toHaveLength(1);
});

test('messages of other conversations and of other accounts stay out', async () => {
  bridge.store(withPeople(9), 'before');
  await openBen();
  bridge.arrive(withPeople(10), 'for another conversation');
  const elsewhere = bridge.store(withPeople(9), 'of another account');
  bridge.push('messageArrived', { accountId: 'other', message: elsewhere });
  bridge.arrive(withPeople(9), 'the last');
  await expect.element(page.getByText('the last', { exact: true })).toBeVisible();
  await expect.element(messageList()).not.toMatchTextContent(/another/);
});

test('a message that arrives while the page is on its way is not lost', async () => {
  bridge.store(withPeople(9), 'old');
  let answer: () => void = () => undefined;
  const page1 = [...bridge.messageList];
  bridge.answer('messages', async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return success({ messages: page1, hasOldest: true });
  });
  await openBen();
  bridge.arrive(withPeople(9), 'meanwhile');
  answer();
  await expect.element(messageList()).toMatchTextContent(/old.*meanwhile/);
});

test('the sender is named once for messages that follow shortly after', async () => {
  const now = Math.floor(new Date().setHours(12, 0, 0, 0) / 1000);
  for (const minutes of [0, 5, 30]) {
    bridge.store(withPeople(9), `at ${minutes}`, { sentAtSeconds: now + minutes * 60 });
  }
  bridge.store(withPeople(9), 'mine', { senderId: 8, sentAtSeconds: now + 31 * 60 });
  await openBen();
  await expect.element(page.getByText('mine', { exact: true })).toBeVisible();
  expect(document.querySelectorAll('.sender')).toHaveLength(3);
  // Every message still says who wrote it to those who cannot see the group.
  await expect.element(item(/^Ben Member at 5/)).toBeInTheDocument();
});

test('days are divided by lines', async () => {
  const today = Math.floor(new Date().setHours(12, 0, 0, 0) / 1000);
  bridge.store(withPeople(9), 'old', { sentAtSeconds: today - 24 * 3600 });
  bridge.store(withPeople(9), 'new', { sentAtSeconds: today });
  await openBen();
  await expect.element(messageList()).toMatchTextContent(/Yesterday.*old.*Today.*new/);
});

test('a whole stream has headings that lead to the topic', async () => {
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  bridge.store(inTopic(1, 'deploys'), 'done');
  await openWindow(bridge);
  await expect.element(page.getByRole('heading', { level: 2, name: 'lunch' })).toBeVisible();
  await page.getByRole('heading', { level: 2 }).getByRole('button', { name: 'deploys' }).click();
  await expect.element(heading(/deploys/)).toBeVisible();
  await expect.element(messageList()).not.toMatchTextContent(/noodles/);
});

test('older messages load when scrolling up, and what is read stays in its place', async () => {
  fillConversation(250);
  await openBen();
  await expect.poll(isAtEnd).toBe(true);
  await expect.element(page.getByText('message 250', { exact: true })).toBeVisible();
  expect(page.getByText('message 150', { exact: true }).elements()).toHaveLength(0);

  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  bridge.answer('messages', async (accountId, request) => {
    await held;
    bridge.restore('messages');
    return bridge.messages(accountId, request);
  });
  scroller().scrollTop = 300;
  await expect.element(page.getByText('Loading older messages…')).toBeInTheDocument();
  const before = topOf('message 160');
  release();
  await expect.element(page.getByText('message 120', { exact: true })).toBeInTheDocument();
  // The wheel does not stop turning for a page that arrives.
  scroller().dispatchEvent(new Event('scroll'));
  await expect.poll(() => Math.abs(topOf('message 160') - before)).toBeLessThan(2);
});

test('the very beginning is reached page by page, and said', async () => {
  fillConversation(250);
  await openBen();
  await expect.poll(isAtEnd).toBe(true);
  for (const first of ['message 51', 'message 1']) {
    scroller().scrollTop = 0;
    await expect.element(page.getByText(first, { exact: true })).toBeInTheDocument();
  }
  await expect.element(page.getByText('This is the beginning.')).toBeInTheDocument();
});

test('at the end the list follows new messages', async () => {
  fillConversation(60);
  await openBen();
  await expect.poll(isAtEnd).toBe(true);
  for (let i = 0; i < 5; i += 1) bridge.arrive(withPeople(9), `live ${i}`);
  await expect.element(page.getByText('live 4', { exact: true })).toBeVisible();
  await expect.poll(isAtEnd).toBe(true);
  await expect
    .element(page.getByRole('button', { name: /Jump to newest/ }))
    .not.toBeInTheDocument();
});

test('further up the list stays, and a button tells how many arrived and leads there', async () => {
  fillConversation(80);
  await openBen();
  await expect.poll(isAtEnd).toBe(true);
  scroller().scrollTop = 900;
  await expect.element(page.getByRole('button', { name: 'Jump to newest' })).toBeVisible();
  const before = topOf('message 40');
  bridge.arrive(withPeople(9), 'live 1');
  bridge.arrive(withPeople(9), 'live 2');
  const jump = page.getByRole('button', { name: 'Jump to newest (2)' });
  await expect.element(jump).toBeVisible();
  expect(topOf('message 40')).toBe(before);
  await jump.click();
  await expect.poll(isAtEnd).toBe(true);
  await expect.element(item(/live 2/)).toHaveFocus();
});

test('the list stays at the end when the window changes its size', async () => {
  fillConversation(60);
  await openBen();
  await expect.poll(isAtEnd).toBe(true);
  await page.viewport(760, 500);
  await expect.poll(isAtEnd).toBe(true);
});

test('a list that stays at the end does not grow without limit', async () => {
  fillConversation(120);
  await openBen();
  await expect.poll(isAtEnd).toBe(true);
  for (let i = 1; i <= 420; i += 1) bridge.arrive(withPeople(9), `live ${i}`);
  await expect.element(page.getByText('live 420', { exact: true })).toBeVisible();
  expect(document.querySelectorAll('[data-message-id]').length).toBeLessThanOrEqual(400);
});

test('the messages are one stop for Tab, and arrows move between them', async () => {
  fillConversation(5);
  await openBen();
  await expect.element(page.getByText('message 5', { exact: true })).toBeVisible();
  expect(document.querySelectorAll('[data-message-id][tabindex="0"]')).toHaveLength(1);
  await userEvent.keyboard('{Escape}');
  await expect.element(item(/message 5/)).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}k');
  await expect.element(item(/message 3/)).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(item(/message 1/)).toHaveFocus();
  await userEvent.keyboard('{End}');
  await expect.element(item(/message 5/)).toHaveFocus();
});

test('a message is read as sender, text and time', async () => {
  const sentAtSeconds = Math.floor(new Date().setHours(10, 42, 0, 0) / 1000);
  bridge.store(withPeople(9), 'good morning', { sentAtSeconds });
  await openBen();
  await expect.element(item(/^Ben Member good morning 10:42/)).toBeVisible();
});

test('replying in a whole stream writes to the topic of the message', async () => {
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  bridge.store(inTopic(1, 'deploys'), 'done');
  await openWindow(bridge);
  await item(/done/).click();
  await userEvent.keyboard('{ArrowUp}{Enter}');
  await expect.element(page.getByRole('combobox', { name: 'Topic' })).toHaveValue('lunch');
  await expect.element(page.getByRole('textbox', { name: 'Message', exact: true })).toHaveFocus();
});

test('new messages are announced politely, own ones are not', async () => {
  bridge.store(withPeople(9), 'before');
  await openBen();
  await expect.element(page.getByText('before', { exact: true })).toBeVisible();
  const region = page.getByRole('status').filter({ hasText: 'Ben Member: ' });
  bridge.arrive(withPeople(9), 'mine', { senderId: 8 });
  bridge.arrive(withPeople(9), 'are <strong>you</strong> there');
  await expect.element(region).toMatchTextContent(/Ben Member: are you there/);
});

test('hostile HTML does nothing', async () => {
  bridge.store(
    withPeople(9),
    '<p>before<img src="x" onerror="document.title=\'owned\'"><script>document.title="owned"</script><a href="javascript:document.title=\'owned\'">click me</a><style>body{display:none}</style></p>',
  );
  await openBen();
  await expect.element(page.getByText('click me')).toBeVisible();
  await page.getByText('click me').click();
  expect(document.title).not.toBe('owned');
  expect(scroller().querySelectorAll('img, script, style, [onerror]')).toHaveLength(0);
});

test('links to the outside go to the bridge, links to streams stay in the window', async () => {
  bridge.store(
    withPeople(9),
    '<p><a href="https://example.com/x">outside</a> <a class="stream" href="/#narrow/stream/2-engineering">#engineering</a></p>',
  );
  await openBen();
  await page.getByRole('link', { name: 'outside' }).click();
  await expect.poll(() => bridge.argsOf('openLink')).toEqual([['https://example.com/x']]);
  await page.getByRole('link', { name: '#engineering' }).click();
  await expect.element(heading('engineering')).toBeVisible();
  expect(bridge.argsOf('openLink')).toHaveLength(1);
});

test('a link that may not be opened says why', async () => {
  bridge.store(withPeople(9), '<p><a href="file:///etc/passwd">a file</a></p>');
  bridge.fail('openLink', 'Hearth opens web and mail links only.');
  await openBen();
  await page.getByRole('link', { name: 'a file' }).click();
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/Hearth opens web and mail links only\./);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

test('an empty conversation says what will be here', async () => {
  await openBen();
  await expect.element(page.getByText('No messages with Ben Member yet')).toBeVisible();
  bridge.arrive(withPeople(9), 'the first');
  await expect.element(messageList()).toMatchTextContent(/the first/);
});

test('messages that could not be loaded can be asked for again', async () => {
  bridge.store(withPeople(9), 'here after all');
  bridge.fail('messages', 'The service does not answer.');
  await openBen();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/The service does not answer\./);
  bridge.restore('messages');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(messageList()).toMatchTextContent(/here after all/);
});

test('after a gap the list is fetched anew and keeps what connects', async () => {
  bridge.store(withPeople(9), 'before');
  await openBen();
  await expect.element(messageList()).toMatchTextContent(/before/);
  bridge.store(withPeople(9), 'missed');
  bridge.push('messagesReset', { accountId: account.id });
  await expect.element(messageList()).toMatchTextContent(/before.*missed/);
});
