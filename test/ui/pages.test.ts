import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { OutboxItem, StoredDraft } from '#shared/bridge/models/client.ts';
import { success } from '#shared/bridge/outcome.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  unreadIn,
  withPeople,
} from '../support/window/bridge-double.ts';
import { listedStream } from '../support/window/office.ts';
import { heading, open, openWindow, row, textBox, withColumn } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { senderId: 10 });
  bridge.store(withPeople(9), 'hello Ada');
});

const main = () => page.getByRole('main');

test('who may create no stream is not told to create one', async () => {
  bridge.current = {
    ...bridge.current,
    streams: [],
    otherStreams: [],
    organization: { ...bridge.current.organization, canCreateStreams: false },
  };
  await openWindow(bridge);
  await open(/^All streams/, 'All streams');
  await expect.element(main().getByText(/somebody adds you/)).toBeVisible();
  await expect.element(main().getByText(/Create the first one/)).not.toBeInTheDocument();
});

test('the inbox groups what is unread and opens it', async () => {
  bridge.current = {
    ...bridge.current,
    unread: unreadIn([withPeople(9), 2], [inTopic(1, 'lunch'), 3, 1], [inTopic(2, 'x'), 4]),
  };
  await openWindow(bridge);
  await expect
    .element(
      main()
        .getByRole('group', { name: 'Private messages' })
        .getByRole('button', { name: /^Ben Member.*2 unread/ }),
    )
    .toBeVisible();
  await expect
    .element(
      main()
        .getByRole('group', { name: 'Mentions' })
        .getByRole('button', { name: /general.*lunch.*3 unread messages, 1 mention$/ }),
    )
    .toMatchTextContent(/\s1$/);
  // What it counts there is what it counts in the left column.
  const general = page.getByRole('navigation', { name: 'Conversations' });
  await expect
    .element(general.getByRole('button', { name: /^general.*3 unread messages, 1 mention$/ }))
    .toMatchTextContent(/\b1 ,/);
  await main()
    .getByRole('button', { name: /^x.*4 unread messages/ })
    .click();
  await expect.element(heading(/engineering/)).toBeVisible();
});

test('a row of the inbox is marked as read, and the focus goes on to the next one', async () => {
  bridge.current = {
    ...bridge.current,
    unread: unreadIn([withPeople(9), 2], [withPeople(10), 1]),
  };
  await openWindow(bridge);
  await main().getByRole('button', { name: 'Mark Ben Member as read' }).click();
  expect(bridge.argsOf('markRead')).toEqual([[account.id, { kind: 'view', view: withPeople(9) }]]);
  await expect.element(main().getByRole('button', { name: /^Cleo Zürcher/ })).toHaveFocus();
});

function unreadInTopics(count: number): void {
  const topics = Array.from({ length: count }, (_, i) => inTopic(1, `topic ${String(i)}`));
  const unread = unreadIn(...topics.map((topic) => [topic, 1] as const));
  bridge.current = { ...bridge.current, unread };
}

const inboxRows = () => document.querySelectorAll('main li button.main').length;

test('an inbox of many conversations draws what is seen, and the rest as it is scrolled to', async () => {
  unreadInTopics(300);
  await openWindow(bridge);
  await expect.poll(inboxRows).toBeGreaterThan(20);
  expect(inboxRows()).toBeLessThan(150);
  await expect
    .poll(() => {
      const region = document.querySelector('main [data-region=messages]');
      region?.scrollTo(0, region.scrollHeight);
      return inboxRows();
    })
    .toBe(300);
});

test('an inbox is drawn at once, also before the window has told it of its height', async () => {
  unreadInTopics(100);
  const counts: number[] = [];
  const observer = new MutationObserver(() => counts.push(inboxRows()));
  observer.observe(document.body, { childList: true, subtree: true });
  await openWindow(bridge, { width: 1100, height: 0 });
  expect(innerHeight).toBe(0);
  await expect.poll(inboxRows).toBeGreaterThan(40);
  observer.disconnect();
  expect(counts.find((count) => count > 0)).toBeLessThan(40);
});

test('everything is marked as read after asking', async () => {
  bridge.current = { ...bridge.current, unread: unreadIn([withPeople(9), 2]) };
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('{Shift>}{Escape}{/Shift}');
  const question = page.getByRole('alertdialog', { name: 'Mark everything as read?' });
  await expect.element(question).toBeVisible();
  expect(bridge.argsOf('markRead')).toEqual([]);
  await userEvent.keyboard('{Enter}');
  await expect.element(question).not.toBeInTheDocument();
  expect(bridge.argsOf('markRead')).toEqual([[account.id, { kind: 'everything' }]]);
});

test('an inbox without anything unread says so', async () => {
  await openWindow(bridge);
  await expect.element(main().getByText('You have read everything')).toBeVisible();
});

test('recent conversations show who said what last, filtered and sorted', async () => {
  await openWindow(bridge);
  await open(/^Recent/, 'Recent conversations');
  const names = (): readonly string[] =>
    main()
      .getByRole('list', { name: 'Recent conversations' })
      .getByRole('button')
      .elements()
      .map((each) => each.textContent.replaceAll(/\s+/g, ' '));
  await expect.poll(names).toHaveLength(2);
  expect(names()[0]).toMatch(/Ben Member.*Ben Member: hello Ada/);
  expect(names()[1]).toMatch(/general.*lunch.*Cleo Zürcher: noodles\?/);
  await main().getByRole('button', { name: 'Newest first' }).click();
  expect(names()[0]).toMatch(/lunch/);
  await main().getByRole('button', { name: 'Private', exact: true }).click();
  expect(names()).toHaveLength(1);
  await main().getByRole('button', { name: 'All', exact: true }).click();
  await main().getByRole('textbox', { name: 'Filter recent conversations' }).fill('zurcher');
  await expect.poll(names).toHaveLength(1);
  await userEvent.keyboard('{Escape}');
  bridge.arrive(inTopic(2, 'releases'), 'out now');
  await expect.poll(names).toHaveLength(3);
});

test('what filters and sorts recent conversations stands in two rows beside the right column', async () => {
  bridge.place = withColumn;
  await openWindow(bridge);
  await open(/^Recent/, 'Recent conversations');
  await expect.element(page.getByRole('complementary')).toBeVisible();
  const middleOf = (element: Element): number => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
  };
  const filter = main().getByRole('textbox', { name: 'Filter recent conversations' });
  const kinds = main().getByRole('group', { name: 'Show' }).getByRole('button').elements();
  expect(kinds.map(middleOf)).toEqual(kinds.map(() => middleOf(filter.element())));
  const sort = main().getByRole('button', { name: 'Newest first' });
  const title = heading('Recent conversations');
  expect(Math.abs(middleOf(sort.element()) - middleOf(title.element()))).toBeLessThan(2);
});

test('recent conversations that cannot be loaded come when the connection is back', async () => {
  bridge.fail('recent', 'Nothing is here.');
  await openWindow(bridge);
  await open(/^Recent/, 'Recent conversations');
  await expect.element(main().getByRole('alert')).toMatchTextContent(/Nothing is here\./);
  bridge.restore('recent');
  bridge.changeConnection({ state: 'live' });
  await expect.element(main().getByText(/noodles\?/)).toBeVisible();
});

test('recent conversations that cannot be loaded say why and can be asked for again', async () => {
  bridge.fail('recent', 'Nothing is here.');
  await openWindow(bridge);
  await open(/^Recent/, 'Recent conversations');
  await expect.element(main().getByRole('alert')).toMatchTextContent(/Nothing is here\./);
  bridge.restore('recent');
  await main().getByRole('button', { name: 'Try again' }).click();
  await expect.element(main().getByText(/noodles\?/)).toBeVisible();
});

test.each([
  [true, /^\d\d:\d\d$/],
  [false, /^\d?\d:\d\d\s[AP]M$/i],
])('with the clock of 24 hours %s, drafts and recent conversations follow', async (is24, form) => {
  const { display } = bridge.current;
  bridge.current = { ...bridge.current, display: { ...display, twenty_four_hour_time: is24 } };
  bridge.store(withPeople(10), 'soup', { sentAtSeconds: Math.floor(Date.now() / 1000) });
  await openWindow(bridge);
  await open(/^Recent/, 'Recent conversations');
  await expect
    .poll(() => main().getByRole('time').first().element().textContent.trim())
    .toMatch(form);
});

const draft: StoredDraft = {
  key: 'private:9',
  view: { kind: 'private', userIds: [9] },
  topic: null,
  content: 'half a sentence',
  changedAtSeconds: 1_767_600_000,
};

test('a draft is opened again, or deleted, and taken back', async () => {
  bridge.current = { ...bridge.current, drafts: [draft] };
  await openWindow(bridge);
  await open(/^Drafts/, 'Drafts');
  await main().getByRole('button', { name: 'Delete the draft to Ben Member' }).click();
  await expect.element(main().getByText('half a sentence')).not.toBeInTheDocument();
  await main().getByRole('button', { name: 'Undo' }).click();
  await expect.element(main().getByText('half a sentence')).toBeVisible();
  await main().getByRole('button', { name: 'Go on writing' }).click();
  await expect.element(heading('Ben Member')).toBeVisible();
  await expect.element(textBox()).toHaveValue('half a sentence');
});

const unsent: OutboxItem = {
  localId: 'a',
  conversation: withPeople(9),
  content: 'On my way',
  writtenAtSeconds: 1_767_600_000,
  state: 'failed',
  failure: 'No such user',
  refusal: { code: 'BAD_REQUEST', cause: { name: 'no_such_user', values: {} } },
};

test('what was not sent stands among the drafts with what can be done', async () => {
  bridge.current = { ...bridge.current, outbox: [unsent] };
  await openWindow(bridge);
  await open(/^Drafts/, 'Drafts');
  await expect.element(main().getByText('Not sent. This person is no longer here.')).toBeVisible();
  await main().getByRole('button', { name: 'Retry' }).click();
  expect(bridge.argsOf('retryMessage')).toEqual([[account.id, 'a']]);
  await main().getByRole('button', { name: 'Discard' }).click();
  await expect.element(main().getByText('Nothing is waiting to be sent')).toBeVisible();
});

test('all streams are found, joined and left', async () => {
  bridge.current = {
    ...bridge.current,
    otherStreams: [listedStream(30, 'marketing', { description: 'Words and pictures' })],
  };
  bridge.answerRequest('streams.members', () =>
    success({ subscribers: ['ada@example.com', 'ben@example.com'] }),
  );
  await openWindow(bridge);
  await open(/^All streams/, 'All streams');
  await expect.element(main().getByText('2 members').first()).toBeVisible();
  bridge.answerRequest('streams.members', () => success({ subscribers: ['ada@example.com'] }));
  bridge.changeState({ memberChanges: { 30: 1 } });
  await expect.element(main().getByText('1 member', { exact: true })).toBeVisible();
  await main().getByRole('textbox', { name: 'Find a stream' }).fill('pictures');
  await expect.element(main().getByText('1 stream', { exact: true })).toBeVisible();
  await main().getByRole('button', { name: 'Join marketing' }).click();
  expect(bridge.requestsOf('streams.subscribe')).toEqual([
    { subscriptions: [{ name: 'marketing' }] },
  ]);
  await main().getByRole('textbox', { name: 'Find a stream' }).fill('');
  await main().getByRole('button', { name: 'Joined', exact: true }).click();
  await expect.element(main().getByText('marketing')).not.toBeInTheDocument();
  await main().getByRole('button', { name: 'Leave leads' }).click();
  await expect
    .element(page.getByRole('alertdialog', { name: 'Leave leads?' }))
    .toMatchTextContent(/somebody in it has to add you/);
});

test('members are counted only where their stream is in sight', async () => {
  const otherStreams = Array.from({ length: 200 }, (_, index) =>
    listedStream(100 + index, `stream ${String(index).padStart(3, '0')}`),
  );
  bridge.current = { ...bridge.current, otherStreams };
  bridge.answerRequest('streams.members', () => success({ subscribers: ['ada@example.com'] }));
  await openWindow(bridge);
  await open(/^All streams/, 'All streams');
  await expect.element(main().getByText('1 member', { exact: true }).first()).toBeVisible();
  const last = main().getByRole('listitem').filter({ hasText: 'stream 199' });
  last.element().scrollIntoView();
  await expect.element(last.getByText('1 member', { exact: true })).toBeVisible();
  expect(bridge.requestsOf('streams.members').length).toBeLessThan(30);
  expect(bridge.requestsOf('streams.members')).not.toContainEqual({ streamId: 200 });
});

test.each([
  ['{Shift>}I{/Shift}', 'Inbox'],
  ['t', 'Recent conversations'],
  ['a', 'Combined feed'],
  ['{Control>}{Shift>}m{/Shift}{/Control}', 'Mentions'],
  ['*', 'Starred messages'],
  ['d', 'Drafts'],
])('%s opens %s', async (keys, title) => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  if (title === 'Inbox') await open(/^Drafts/, 'Drafts');
  await userEvent.keyboard(keys);
  await expect.element(heading(title)).toBeVisible();
});

test('N and P go from one unread topic or private conversation to the next', async () => {
  bridge.current = {
    ...bridge.current,
    unread: unreadIn([inTopic(2, 'one'), 1], [inTopic(2, 'two'), 1], [withPeople(10), 1]),
  };
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('n');
  await expect.element(heading(/one/)).toBeVisible();
  await userEvent.keyboard('n');
  await expect.element(heading(/two/)).toBeVisible();
  await userEvent.keyboard('p');
  await expect.element(heading('Cleo Zürcher')).toBeVisible();
  await expect.element(row(/^Cleo Zürcher/)).toHaveAttribute('aria-current', 'true');
});

test('do not disturb goes on and off by a key and says so', async () => {
  await openWindow(bridge);
  await expect.element(heading('Inbox')).toBeVisible();
  await userEvent.keyboard('{Control>}{Shift>}d{/Shift}{/Control}');
  await expect.poll(() => bridge.choices.doNotDisturbUntilSeconds).toBeNull();
  await expect
    .element(page.getByRole('navigation').getByText('Do not disturb', { exact: true }).first())
    .toBeInTheDocument();
  await userEvent.keyboard('{Control>}{Shift>}d{/Shift}{/Control}');
  await expect.poll(() => bridge.choices.doNotDisturbUntilSeconds).toBe(0);
});
