import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  account,
  BridgeDouble,
  inTopic,
  stream,
  unreadIn,
  withPeople,
} from '../support/window/bridge-double.ts';
import { heading, open, openWindow, row } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  bridge.store(withPeople(9), 'hello Ada');
});

const navigation = () => page.getByRole('navigation', { name: 'Conversations' });
const section = (name: string) => navigation().getByRole('region', { name });
const rowNames = (name: string): readonly string[] =>
  [...section(name).element().querySelectorAll<HTMLElement>('[data-row] .name')].map(
    (each) => each.textContent,
  );

test('views, private messages, pinned streams and streams follow each other', async () => {
  await openWindow(bridge);
  await expect.element(row(/^Inbox/)).toBeVisible();
  const views = navigation().getByRole('list', { name: 'Views' }).getByRole('button').elements();
  expect(views.map((each) => each.textContent.trim())).toEqual([
    'Inbox',
    'Recent conversations',
    'Combined feed',
    'Mentions',
    'Starred messages',
    'Drafts',
  ]);
  const sections = navigation().getByRole('heading', { level: 2 }).elements();
  expect(sections.map((each) => each.textContent.trim())).toEqual([
    'Private messages',
    'Pinned streams',
    'Streams',
  ]);
});

test('what wants the reader is a number, other unread messages are a dot, muted ones are quiet', async () => {
  bridge.current = {
    ...bridge.current,
    streams: [...bridge.current.streams, stream(6, 'noise', { isMuted: true })],
    mutedTopics: [{ streamId: 3, topic: 'builds' }],
    unread: unreadIn(
      [withPeople(9), 120],
      [inTopic(2, 'x'), 7],
      [inTopic(1, 'lunch'), 5, 2],
      [inTopic(6, 'y'), 1],
      [inTopic(3, 'builds'), 4],
    ),
  };
  await openWindow(bridge);
  await expect.element(row(/^Ben Member.*120 unread messages/)).toMatchTextContent(/99\+/);
  // The number is that of the mentions; the name says of how many.
  await expect.element(row(/^general.*5 unread messages, 2 mentions$/)).toMatchTextContent(/\b2 ,/);
  await expect.element(row(/^engineering.*7 unread messages$/)).not.toMatchTextContent(/7$/);
  await expect.element(row(/^noise/)).not.toHaveAccessibleName(/unread/);
  await expect.element(row(/^noise/)).toHaveAccessibleName(/muted/);
  await expect.element(row(/^leads/)).not.toHaveAccessibleName(/unread/);
  await expect.element(row(/^Inbox.*132 unread messages, 122 for you$/)).toBeVisible();
  await expect.element(row(/^Mentions.*2 unread messages/)).toBeVisible();
});

test('views count what is starred, drafted and not sent', async () => {
  await openWindow(bridge);
  bridge.changeState({
    starredCount: 4,
    drafts: [
      {
        key: 'private:9',
        view: { kind: 'private', userIds: [9] },
        topic: null,
        content: 'hm',
        changedAtSeconds: 1,
      },
    ],
  });
  await expect.element(row(/^Starred messages.*4 starred messages/)).toBeVisible();
  await expect.element(row(/^Drafts.*1 draft$/)).toBeVisible();
  const localId = 'local-1';
  const failed = { localId, conversation: withPeople(9), content: 'lost', writtenAtSeconds: 1 };
  bridge.changeState({ outbox: [{ ...failed, state: 'failed', failure: 'No.' }] });
  await expect.element(row(/^Drafts.*1 message not sent$/)).toBeVisible();
  await expect.element(row(/^Ben Member.*draft/)).toBeVisible();
});

test('who is here and who writes stands beside the name', async () => {
  const atSeconds = Math.floor(Date.now() / 1000);
  await openWindow(bridge);
  await expect.element(row(/^Ben Member.*not here/)).toBeVisible();
  bridge.changeState({
    presences: { 9: { status: 'active', atSeconds } },
    typing: { 'private:9': [9] },
  });
  await expect.element(row(/^Ben Member.{1,3}here.*is writing/)).toBeVisible();
});

test.each([600, -600])(
  'who is here is told by the clock of the service, which is %i s ahead',
  async (ahead) => {
    const atSeconds = Math.floor(Date.now() / 1000) + ahead;
    bridge.current = {
      ...bridge.current,
      clockAheadSeconds: ahead,
      presences: { 9: { status: 'active', atSeconds } },
    };
    await openWindow(bridge);
    await expect.element(row(/^Ben Member.{1,3}here/)).toBeVisible();
    bridge.changeState({ presences: { 9: { status: 'active', atSeconds: atSeconds - 300 } } });
    await expect.element(row(/^Ben Member.*not here/)).toBeVisible();
  },
);

test('a row says once who is here, even to what reads hidden parts too', async () => {
  await openWindow(bridge);
  await expect.element(row(/^Ben Member/)).toBeVisible();
  const named = { name: 'Ben Member , not here', exact: true, includeHidden: true };
  expect(page.getByRole('button', named).elements()).not.toHaveLength(0);
});

test('unread streams come before read ones and muted ones last; the open one keeps its place', async () => {
  bridge.current = {
    ...bridge.current,
    streams: ['alpha', 'beta', 'gamma', 'quiet'].map((name, i) =>
      stream(i + 1, name, { isMuted: name === 'quiet' }),
    ),
    unread: unreadIn([inTopic(3, 'x'), 1], [inTopic(4, 'y'), 1]),
  };
  await openWindow(bridge);
  await expect.element(row(/^gamma/)).toBeVisible();
  expect(rowNames('Streams')).toEqual(['gamma', 'alpha', 'beta', 'quiet']);
  await open(/^gamma/, 'gamma');
  bridge.changeState({ unread: {} });
  await expect.element(row(/^gamma/)).not.toHaveAccessibleName(/unread/);
  await page.getByRole('main').hover();
  expect(rowNames('Streams')[0]).toBe('gamma');
  await open(/^beta/, 'beta');
  await page.getByRole('main').hover();
  await expect.poll(() => rowNames('Streams')).toEqual(['alpha', 'beta', 'gamma', 'quiet']);
});

test('rows do not move while the pointer is over them', async () => {
  bridge.current = { ...bridge.current, streams: [stream(1, 'alpha'), stream(2, 'beta')] };
  await openWindow(bridge);
  await row(/^alpha/).hover();
  bridge.changeState({ unread: unreadIn([inTopic(2, 'x'), 1]) });
  await expect.element(row(/^beta/)).toHaveAccessibleName(/unread/);
  expect(rowNames('Streams')).toEqual(['alpha', 'beta']);
  await page.getByRole('main').hover();
  await expect.poll(() => rowNames('Streams')).toEqual(['beta', 'alpha']);
});

test('a stream unfolds to its newest topics, unread ones among them, and more on demand', async () => {
  for (let i = 1; i <= 8; i += 1) bridge.store(inTopic(2, `topic ${String(i)}`), 'text');
  bridge.current = { ...bridge.current, unread: unreadIn([inTopic(2, 'topic 1'), 3]) };
  await openWindow(bridge);
  await row(/^engineering/).click();
  await expect.element(row(/^topic 8/)).toBeVisible();
  await expect.element(row(/^topic 1.*unread/)).toBeVisible();
  await expect.element(row(/^topic 2$/)).not.toBeInTheDocument();
  await page.getByRole('button', { name: '3 more topics' }).click();
  await expect.element(row(/^topic 2$/)).toBeVisible();
  await page.getByRole('button', { name: 'Fewer topics' }).click();
  await expect.element(row(/^topic 2$/)).not.toBeInTheDocument();
});

test('topics follow what is moved and deleted, and are asked for no more often', async () => {
  const moved = bridge.store(inTopic(2, 'lunch'), 'noodles?');
  const deleted = bridge.store(inTopic(2, 'dinner'), 'soup?');
  await openWindow(bridge);
  await open(/^engineering/, 'engineering');
  await expect.element(row(/^dinner/)).toBeVisible();
  const asked = bridge.argsOf('topics').length;
  bridge.changeState({ unread: unreadIn([inTopic(2, 'lunch'), 1]) });
  bridge.changeMessage(moved.id, { isRead: true });
  await expect.element(row(/^lunch.*unread/)).toBeVisible();
  expect(bridge.argsOf('topics')).toHaveLength(asked);
  bridge.changeState({ unread: unreadIn() });
  bridge.changeMessage(moved.id, { conversation: inTopic(2, 'noodles') });
  await expect.element(row(/^noodles/)).toBeVisible();
  await expect.element(row(/^lunch/)).not.toBeInTheDocument();
  bridge.removeMessages(deleted.id);
  await expect.element(row(/^dinner/)).not.toBeInTheDocument();
});

test('arrows unfold and fold a stream that is not open, and go from row to row', async () => {
  bridge.store(inTopic(2, 'releases'), 'text');
  await openWindow(bridge);
  const engineering = row(/^engineering/);
  await expect.element(engineering).toBeVisible();
  (engineering.element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(row(/^releases/)).toBeVisible();
  await expect.element(engineering).toHaveAttribute('aria-expanded', 'true');
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(row(/^releases/)).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}{ArrowLeft}');
  await expect.element(row(/^releases/)).not.toBeInTheDocument();
});

test('sections fold, and say what is unread in them then', async () => {
  bridge.current = { ...bridge.current, unread: unreadIn([withPeople(9), 3]) };
  await openWindow(bridge);
  await expect.element(row(/^Ben Member/)).toBeVisible();
  await page.getByRole('button', { name: /^Private messages/ }).click();
  await expect.element(row(/^Ben Member/)).not.toBeInTheDocument();
  await expect
    .element(page.getByRole('button', { name: /^Private messages.*3 unread messages/ }))
    .toHaveAttribute('aria-expanded', 'false');
});

test('the filter finds conversations, people and topics; Enter opens the first, Escape clears', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('q');
  const filter = page.getByRole('textbox', { name: 'Filter conversations' });
  await expect.element(filter).toHaveFocus();
  await userEvent.keyboard('zurch');
  await expect.element(row(/^Cleo Zürcher/)).toBeVisible();
  await expect.element(row(/^engineering/)).not.toBeInTheDocument();
  await userEvent.keyboard('{Escape}');
  await expect.element(row(/^engineering/)).toBeVisible();
  await filter.fill('engi');
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('engineering')).toBeVisible();
  await expect.element(filter).toHaveValue('');
});

const menuItem = (name: string) => page.getByRole('menuitem', { name });

test('the menu of a stream pins, mutes, notifies, colours and leaves', async () => {
  await openWindow(bridge);
  const menu = async (): Promise<void> => {
    await row(/^engineering/).click({ button: 'right' });
    await expect.element(page.getByRole('menu', { name: 'Actions for engineering' })).toBeVisible();
  };
  await menu();
  await menuItem('Pin to the top').click();
  await menu();
  await menuItem('Mute stream').click();
  await menu();
  await menuItem('Notify me of every message').click();
  expect(bridge.requestsOf('subscriptions.setProperties')).toEqual([
    { subscriptionData: [{ stream_id: 2, property: 'pin_to_top', value: true }] },
    { subscriptionData: [{ stream_id: 2, property: 'is_muted', value: true }] },
    {
      subscriptionData: [
        { stream_id: 2, property: 'desktop_notifications', value: true },
        { stream_id: 2, property: 'audible_notifications', value: true },
      ],
    },
  ]);
  await menu();
  await menuItem('Colour…').click();
  const colours = page.getByRole('dialog', { name: 'Colour of engineering' });
  await colours.getByTitle('Teal').click();
  await colours.getByRole('button', { name: 'Save' }).click();
  expect(bridge.requestsOf('subscriptions.setProperties').at(-1)).toEqual({
    subscriptionData: [{ stream_id: 2, property: 'color', value: '#2b9c9c' }],
  });
  await menu();
  await menuItem('Leave stream…').click();
  const question = page.getByRole('alertdialog', { name: 'Leave engineering?' });
  await question.getByRole('button', { name: 'Leave stream' }).click();
  await expect.element(question).not.toBeInTheDocument();
  expect(bridge.requestsOf('subscriptions.unsubscribe')).toEqual([
    { subscriptions: ['engineering'] },
  ]);
});

test('a conversation is marked as read from its row, and the row keeps the focus', async () => {
  bridge.current = { ...bridge.current, unread: unreadIn([withPeople(9), 1]) };
  await openWindow(bridge);
  await row(/^Ben Member/).click({ button: 'right' });
  await menuItem('Mark as read').click();
  await expect
    .poll(() => bridge.argsOf('markRead'))
    .toEqual([[account.id, { kind: 'view', view: withPeople(9) }]]);
  await expect.element(row(/^Ben Member/)).toHaveFocus();
});

test('what a change of a stream fails with is said', async () => {
  bridge.fail('request', 'The service does not answer.');
  await openWindow(bridge);
  await row(/^engineering/).click({ button: 'right' });
  await menuItem('Pin to the top').click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/The service does not answer\./);
});

test('names are cut at their own end, whichever way their script runs, and stand at one side', async () => {
  const hebrew = 'ערוץ עם שם ארוך מאוד שאין לו מקום בעמודה השמאלית של החלון';
  const arabic = 'قناة لها اسم طويل جدا لا يوجد له مكان في العمود اليسرى من النافذة';
  const english = 'a stream with a name for which the left column has no room at all';
  const short = 'קצר';
  const names = [hebrew, arabic, english, short];
  bridge.current = {
    ...bridge.current,
    streams: names.map((name, at) => stream(20 + at, name)),
  };
  await openWindow(bridge);
  await expect.element(row(/^קצר/)).toBeVisible();
  const edges = names.map((name) => {
    const label = [...navigation().element().querySelectorAll('.one-line')].find(
      (each) => each.textContent.trim() === name,
    );
    const text = label && document.createTreeWalker(label, NodeFilter.SHOW_TEXT).nextNode();
    if (!label || !(text instanceof Text)) throw new Error(`${name} is not shown`);
    const at = text.data.indexOf(name.charAt(0));
    const letter = (index: number): DOMRect => {
      const range = new Range();
      range.setStart(text, index);
      range.setEnd(text, index + 1);
      return range.getBoundingClientRect();
    };
    const box = label.getBoundingClientRect();
    const first = letter(at);
    const last = letter(at + name.length - 1);
    const isIn = (part: DOMRect): boolean =>
      part.left >= box.left - 1 && part.right <= box.right + 1;
    return { name, begins: isIn(first), ends: isIn(last), left: Math.min(first.left, last.left) };
  });
  expect(edges.map(({ begins, ends }) => [begins, ends])).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [true, true],
  ]);
  // There is room beside the short one: it stands where the others begin.
  expect(edges[3]?.left).toBeCloseTo(edges[2]?.left ?? 0, -1);
});
