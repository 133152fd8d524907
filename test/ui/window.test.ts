import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { success } from '#shared/bridge/outcome.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  ownUserId,
  unreadIn,
  withPeople,
} from '../support/window/bridge-double.ts';
import { listedStream } from '../support/window/office.ts';
import { heading, messageList, open, openWindow, row, textBox, withColumn } from './open-window.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
  bridge.store(inTopic(1, 'lunch'), 'noodles?');
  bridge.store(inTopic(1, 'deploys'), 'done');
  bridge.store(withPeople(9), 'hello Ada');
});

const dialog = (name: string) => page.getByRole('dialog', { name });

const inbox = (): Promise<void> => expect.element(heading('Inbox')).toBeVisible();

test('the window names its place and organization, and counts what is unread', async () => {
  await openWindow(bridge);
  await expect.poll(() => document.title).toBe('Inbox – Office');
  bridge.changeState({ unread: unreadIn([withPeople(9), 2], [inTopic(2, 'x'), 1]) });
  await expect.poll(() => document.title).toBe('(3) Inbox – Office');
  await open(/^general/, 'general');
  await row(/^lunch/).click();
  await expect.poll(() => document.title).toBe('(3) lunch – Office');
});

test('main is told what is shown', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  const shown = bridge.argsOf('showView').map(([, view]) => view);
  expect(shown.at(-1)).toEqual(withPeople(9));
  expect(shown[0]).toBeNull();
});

test('a clicked notification opens its conversation, where the answer is written at once', async () => {
  bridge.store(inTopic(1, 'lunch'), 'soup?');
  await openWindow(bridge);
  await inbox();
  await userEvent.keyboard('?');
  await expect.element(dialog('Keyboard shortcuts')).toBeVisible();
  const soup = bridge.messageList.at(-1)?.id ?? 0;
  for (const [conversation, messageId, title] of [
    [withPeople(9), null, 'Ben Member'],
    [inTopic(1, 'lunch'), soup, /lunch/],
    [inTopic(2, 'it has moved since'), soup, /lunch/],
  ] as const) {
    bridge.push('conversationOpened', { accountId: account.id, conversation, messageId });
    await expect.element(heading(title)).toBeVisible();
    await expect.element(textBox()).toHaveFocus();
  }
  await userEvent.keyboard('can you?');
  await expect.element(textBox()).toHaveValue('can you?');
});

test('the switcher finds people without accents and gives the focus to the box', async () => {
  await openWindow(bridge);
  await inbox();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox', { name: /Stream, topic/ })).toHaveFocus();
  await userEvent.keyboard('zurch');
  await expect.element(page.getByRole('option', { name: /Cleo Zürcher/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading('Cleo Zürcher')).toBeVisible();
  await expect.element(textBox()).toHaveFocus();
});

test('the switcher offers streams, topics and conversations, moves by arrows, and Escape gives the focus back', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await textBox().click();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('option', { name: /lunch.*Topic/ })).toBeVisible();
  await expect.element(page.getByRole('option', { name: /leads.*Stream/ })).toBeVisible();
  const selected = (): string | undefined =>
    document.querySelector('[role="option"][aria-selected="true"]')?.textContent;
  const first = selected();
  await userEvent.keyboard('{ArrowDown}');
  await expect.poll(selected).not.toBe(first);
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Go to a conversation')).not.toBeInTheDocument();
  await expect.element(textBox()).toHaveFocus();
});

test('the switcher finds topics of streams that were never opened, among thirty thousand', async () => {
  const kept = Array.from({ length: 30_000 }, (_, n) => ({
    streamId: (n % 3) + 1,
    topic: `release ${String(n)} of the week`,
  }));
  bridge.keptTopics = [
    ...kept,
    { streamId: 3, topic: 'Zürich offsite' },
    { streamId: 77, topic: 'zurich gone' },
  ];
  await openWindow(bridge);
  await inbox();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.poll(() => bridge.argsOf('findTopics')).toEqual([[account.id, '']]);
  await expect.element(page.getByRole('combobox', { name: /Stream, topic/ })).toHaveFocus();
  await userEvent.keyboard('zurich');
  await expect.element(page.getByRole('option', { name: /Zürich offsite.*leads/ })).toBeVisible();
  // It stands in a stream that this account does not see.
  await expect.element(page.getByRole('option', { name: /zurich gone/ })).not.toBeInTheDocument();
  await userEvent.keyboard('{Enter}');
  await expect.element(heading(/Zürich offsite/)).toBeVisible();
});

test('a person one writes with is offered once', async () => {
  await openWindow(bridge);
  await inbox();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(page.getByRole('combobox', { name: /Stream, topic/ })).toHaveFocus();
  await userEvent.keyboard('ben');
  await expect.element(page.getByRole('option', { name: /Ben Member/ })).toBeVisible();
  expect(page.getByRole('option', { name: /Ben Member/ }).elements()).toHaveLength(1);
});

test('Alt and arrows go through the conversations, with Shift through the unread ones', async () => {
  bridge.current = { ...bridge.current, unread: unreadIn([inTopic(3, 'x'), 1]) };
  await openWindow(bridge);
  await open(/^general/, 'general');
  await expect.element(row(/^lunch/)).toBeVisible();
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.element(heading(/deploys/)).toBeVisible();
  await userEvent.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}');
  await expect.element(heading('Ben Member')).toBeVisible();
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowDown}{/Shift}{/Alt}');
  await expect.element(heading(/leads/)).toBeVisible();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.element(heading('Ben Member')).toBeVisible();
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
  await expect.element(heading(/leads/)).toBeVisible();
});

test('F6 goes through the parts of the window and Shift+F6 back', async () => {
  bridge.place = withColumn;
  await openWindow(bridge);
  await open(/^general/, 'general');
  await expect.element(page.getByText('noodles?')).toBeVisible();
  const filter = page.getByRole('textbox', { name: 'Filter people' });
  await expect.element(filter).toBeVisible();
  await textBox().click();
  await userEvent.keyboard('{F6}');
  await expect.element(filter).toHaveFocus();
  await userEvent.keyboard('{F6}');
  await expect.element(row(/general/)).toHaveFocus();
  await userEvent.keyboard('{F6}');
  await expect.poll(() => document.activeElement?.closest('[data-region]')).not.toBeNull();
  expect(document.activeElement?.closest('[data-region]')?.getAttribute('data-region')).toBe(
    'messages',
  );
  await userEvent.keyboard('{Shift>}{F6}{/Shift}');
  await expect.element(row(/general/)).toHaveFocus();
});

test('the list of shortcuts opens by ? and can switch single keys off', async () => {
  await openWindow(bridge);
  await inbox();
  await userEvent.keyboard('?');
  await expect.element(dialog('Keyboard shortcuts')).toBeVisible();
  const single = page.getByRole('checkbox', { name: 'Single-key shortcuts' });
  await single.click();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog('Keyboard shortcuts')).not.toBeInTheDocument();
  await userEvent.keyboard('?');
  await expect.element(dialog('Keyboard shortcuts')).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}/{/Control}');
  await single.click();
  await userEvent.keyboard('{Escape}');
});

test('a new private message is addressed by keyboard alone', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: 'New private message' }).click();
  await expect.element(page.getByRole('textbox', { name: 'To' })).toHaveFocus();
  await userEvent.keyboard('cleo{Enter}gus{Enter}{Enter}');
  await expect.element(heading('Cleo Zürcher, Gus Guest')).toBeVisible();
  await expect.element(textBox()).toHaveFocus();
  await expect.element(row(/^Cleo Zürcher, Gus Guest/)).toHaveAttribute('aria-current', 'true');
});

test('a private message needs somebody', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: 'New private message' }).click();
  await page.getByRole('button', { name: 'Open conversation' }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/Choose at least one person\./);
});

test('a stream is created with what was chosen, and opened', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: 'New stream' }).click();
  await expect.element(page.getByLabelText('Name')).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByLabelText('Name')).toHaveAccessibleDescription(/Name is missing/);
  await page.getByLabelText('Name').fill('marketing');
  await page.getByLabelText(/^Description/).fill('Words and pictures');
  await page.getByRole('checkbox', { name: 'Private' }).click();
  await page.getByRole('checkbox', { name: /Ben Member/ }).click();
  await page.getByRole('button', { name: 'Create stream' }).click();
  await expect.element(heading(/marketing/)).toBeVisible();
  expect(bridge.argsOf('createStream')).toEqual([
    [
      account.id,
      {
        name: 'marketing',
        description: 'Words and pictures',
        isPrivate: true,
        userIds: [9],
      },
    ],
  ]);
});

test('a stream that is refused keeps the dialog and says why at the name', async () => {
  bridge.fail('createStream', 'There is a stream of this name.', 'name');
  await openWindow(bridge);
  await page.getByRole('button', { name: 'New stream' }).click();
  await page.getByLabelText('Name').fill('general');
  await userEvent.keyboard('{Enter}');
  await expect
    .element(page.getByLabelText('Name'))
    .toHaveAccessibleDescription(/There is a stream of this name\./);
  await expect.element(page.getByLabelText('Name')).toHaveValue('general');
});

test('an administrator adds people one after the other', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Add person' }).click();
  const form = dialog('Add person');
  await form.getByLabelText('Name').fill('Dora New');
  await form.getByLabelText('E-mail address').fill('dora@example.com');
  await form.getByLabelText('First password').fill('welcome here');
  await userEvent.keyboard('{Enter}');
  const done = form.getByText(/Dora New can sign in now\./);
  await expect.element(done).toBeVisible();
  for (const fact of [account.address, 'dora@example.com', 'welcome here']) {
    await expect.element(form.getByText(fact, { exact: true })).toBeVisible();
  }
  const copied: string[] = [];
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (written) => {
    copied.push(written);
  });
  await form.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => copied.join()).toMatch(/dora@example\.com(.|\n)*welcome here/);
  write.mockRestore();
  await form.getByRole('button', { name: 'Add another person' }).click();
  await expect.element(done).not.toBeInTheDocument();
  await expect.element(form.getByLabelText('First password')).toHaveValue('');
  await expect.element(form.getByLabelText('Name')).toHaveValue('');
  await expect.element(form.getByLabelText('Name')).toHaveFocus();
  expect(bridge.argsOf('createPerson')).toEqual([
    [account.id, { fullName: 'Dora New', email: 'dora@example.com', password: 'welcome here' }],
  ]);
});

test('members are not offered to add people, guests not to create streams', async () => {
  const people = bridge.current.people.map((each) =>
    each.userId === account.userId ? { ...each, isAdmin: false, isGuest: true } : each,
  );
  const organization = { ...bridge.current.organization, canCreateStreams: false };
  bridge.current = { ...bridge.current, people, organization };
  await openWindow(bridge);
  await expect.element(row(/general/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Add person' })).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: 'New stream' })).not.toBeInTheDocument();
});

test('without a connection a line says as of when and how much is unsent, and goes away by itself', async () => {
  bridge.current = {
    ...bridge.current,
    outbox: [
      {
        localId: 'a',
        conversation: withPeople(9),
        content: 'hello',
        writtenAtSeconds: 1,
        state: 'waiting',
        failure: '',
      },
    ],
  };
  await openWindow(bridge);
  await inbox();
  const liveUntilSeconds = Math.floor(new Date().setHours(10, 42, 0, 0) / 1000);
  bridge.changeConnection({ state: 'offline', liveUntilSeconds, reason: 'No network.' });
  const line = page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /As of 10:42 · 1 unsent/ });
  await expect.element(line).toMatchTextContent(/No network\. Trying again by itself\./);
  bridge.changeConnection({ state: 'live' });
  await expect.element(line).not.toBeInTheDocument();

  const [today, before] = [0, 1].map((days) => {
    const noon = new Date();
    noon.setDate(noon.getDate() - days);
    return Math.floor(noon.setHours(0, 5, 0, 0) / 1000);
  });
  const reason = 'The computer that hosts this organization is asleep';
  const asleep = { state: 'offline', liveUntilSeconds, reason } as const;
  const status = page.getByRole('status').filter({ hasText: 'Asleep' });
  bridge.changeConnection({ ...asleep, asleepSinceSeconds: today! });
  await expect
    .element(status.first())
    .toMatchTextContent(/^Asleep since (00:05|12:05\sAM) · 1 unsent$/i);
  await expect
    .element(status.last())
    .toMatchTextContent(
      /Asleep since (00:05|12:05\sAM) · 1 unsent The computer that hosts this organization is asleep\. Trying again by itself\./i,
    );
  bridge.changeConnection({ ...asleep, asleepSinceSeconds: before! });
  await expect.element(status.first()).toMatchTextContent(/^Asleep since [A-Za-z\d ]+, \d/);
});

test.each(['!{Enter}', '{Escape}'])(
  'after an edit that began in the box and %s, one goes on writing there',
  async (keys) => {
    const lunch = inTopic(1, 'lunch');
    bridge.store(lunch, 'my noodles', { senderId: ownUserId, isRead: true });
    await openWindow(bridge);
    await inbox();
    bridge.push('conversationOpened', {
      accountId: account.id,
      conversation: lunch,
      messageId: null,
    });
    await expect.element(textBox()).toHaveFocus();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(page.getByLabelText('Text of the message')).toHaveFocus();
    await userEvent.keyboard(keys);
    await expect.element(textBox()).toHaveFocus();
    await userEvent.keyboard('jump on');
    await expect.element(textBox()).toHaveValue('jump on');
  },
);

test('signed out by the service, one signs in again and keeps what was written', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await textBox().fill('half a sentence');
  bridge.changeConnection({ state: 'signed-out', reason: 'The key is no longer valid.' });
  await expect.element(page.getByRole('alert')).toMatchTextContent(/The key is no longer valid\./);
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await userEvent.keyboard('{Enter}');
  await expect.element(dialog('Sign in again')).not.toBeInTheDocument();
  expect(bridge.argsOf('connect')).toEqual([
    [{ address: account.address, email: account.email, password: 'correct horse' }],
  ]);
  await expect.element(textBox()).toHaveValue('half a sentence');
});

test('an address that was changed on another computer is the one to sign in with', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  bridge.push('accountChanged', { ...account, email: 'ada@moved.example' });
  bridge.changeConnection({ state: 'signed-out', reason: 'The key is no longer valid.' });
  await page.getByRole('button', { name: 'Sign in again' }).click();
  await expect
    .element(dialog('Sign in again'))
    .toMatchTextContent(/ada@moved\.example in Office\..*127\.0\.0\.1:9981/);
  await page.getByLabelText('Password', { exact: true }).fill('correct horse');
  await userEvent.keyboard('{Enter}');
  await expect
    .poll(() => bridge.argsOf('connect'))
    .toMatchObject([[{ email: 'ada@moved.example' }]]);
});

test('the account shows who one is and the address for colleagues, and signs out after asking', async () => {
  await openWindow(bridge);
  await page.getByRole('button', { name: 'Account of Ada Admin' }).click();
  const panel = page.getByRole('group', { name: 'Account of Ada Admin' });
  await expect.element(panel).toMatchTextContent(/ada@example\.com/);
  await expect.element(panel).toMatchTextContent(/http:\/\/127\.0\.0\.1:9981/);
  await panel.getByRole('button', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out of this computer?' });
  await expect.element(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
  await question.getByRole('button', { name: 'Sign out' }).click();
  await expect.element(heading('Welcome to Hearth')).toBeVisible();
  expect(bridge.argsOf('signOut')).toEqual([[account.id]]);
});

test('signing out says how much that was written would be lost', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('not finished');
  await page.getByRole('button', { name: 'Account of Ada Admin' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out of this computer?' });
  await expect.element(question).toMatchTextContent(/You will lose 1 draft\./);
});

test('an organization that cannot be read says why and can be asked for again', async () => {
  bridge.fail('state', 'The service does not answer.');
  await openWindow(bridge);
  await expect.element(page.getByRole('alert')).toMatchTextContent(/The service does not answer\./);
  bridge.restore('state');
  await page.getByRole('button', { name: 'Try again' }).click();
  await inbox();
});

test('without any conversation the window says how to begin', async () => {
  bridge.current = { ...bridge.current, streams: [], privateConversations: [] };
  await openWindow(bridge);
  await expect.element(page.getByText('You have read everything')).toBeVisible();
  await expect.element(page.getByText('You are in no stream yet.')).toBeVisible();
});

test('a stream that one has not joined is named with its mark', async () => {
  bridge.current = {
    ...bridge.current,
    otherStreams: [listedStream(7, 'vault', { isPrivate: true })],
  };
  await openWindow(bridge);
  bridge.push('linkOpened', { accountId: account.id, fragment: '#narrow/stream/7-vault' });
  await expect.element(heading(/^vault.*private/)).toBeVisible();
});

test('a stream that was archived keeps its name, and opens with what was received there', async () => {
  const gone = { ...listedStream(7, 'vault', { isPrivate: true }), sinceSeconds: 1_700_000_000 };
  bridge.current = { ...bridge.current, goneStreams: [{ ...gone, how: 'archived' }] };
  bridge.store(inTopic(7, 'keys'), 'the old key', { senderId: 9 });
  await openWindow(bridge);
  bridge.push('linkOpened', {
    accountId: account.id,
    fragment: '#narrow/stream/7-vault/topic/keys',
  });
  await expect.element(heading(/vault.*keys/)).toBeVisible();
  await expect.element(page.getByText('the old key')).toBeVisible();
  await expect.element(page.getByText(/#vault was archived on /)).toBeVisible();
});

test('a text in a window of 1100 px has room for 640', async () => {
  bridge.store(inTopic(1, 'lunch'), 'noodles '.repeat(60), { senderId: 9 });
  await openWindow(bridge);
  await open(/^general/, 'general');
  const text = page.getByText(/noodles noodles/);
  await expect.element(text).toBeVisible();
  expect(text.element().getBoundingClientRect().width).toBeGreaterThanOrEqual(640);
});

test('a chosen message is filled and has a bar, not a frame; the controls in it keep theirs', async () => {
  await openWindow(bridge);
  await open(/^general/, 'general');
  const message = messageList().getByRole('listitem', { name: /noodles/ });
  await expect.element(message).toBeVisible();
  const plain = getComputedStyle(message.element()).backgroundColor;
  (page.getByRole('main').element() as HTMLElement).focus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(message).toHaveFocus();
  const style = getComputedStyle(message.element());
  await expect.poll(() => style.backgroundColor).not.toBe(plain);
  expect(style.outlineStyle).toBe('none');
  expect(style.boxShadow).toMatch(/ 3px 0px 0px 0px inset$/);
  await userEvent.keyboard('{Tab}');
  const control = document.activeElement ?? document.body;
  expect(message.element().contains(control)).toBe(true);
  expect(getComputedStyle(control).outlineStyle).toBe('solid');
});

test('a window that was freed opens again where it was, with its columns', async () => {
  bridge.place = {
    accountId: account.id,
    place: JSON.stringify({ place: { kind: 'stream', streamId: 2, topic: 'x' }, showsRight: true }),
  };
  await openWindow(bridge);
  await expect.element(heading(/x$/)).toBeVisible();
  await expect.element(page.getByRole('complementary')).toBeVisible();
  await page.getByRole('button', { name: 'Hide people and details' }).click();
  await open(/^Ben Member/, 'Ben Member');
  await expect
    .poll(() => JSON.parse(bridge.place?.place ?? '{}') as unknown)
    .toEqual({ place: withPeople(9), hidesLeft: false, showsRight: false });
});

test('a link opens its conversation at its message', async () => {
  await openWindow(bridge);
  await inbox();
  const { id } = bridge.messageList[0] ?? { id: 0 };
  const fragment = `#narrow/stream/1-general/topic/lunch/near/${String(id)}`;
  bridge.push('linkOpened', { accountId: account.id, fragment });
  await expect.element(heading(/lunch/)).toBeVisible();
  expect(bridge.argsOf('messages').at(-1)?.[1]).toMatchObject({ anchor: id });
});

test.each([
  ['another topic', inTopic(1, 'dinner'), /dinner/],
  ['another stream', inTopic(2, 'lunch'), /^engineering.*lunch/],
])('a link leads to its message, which is in %s now', async (_, now, title) => {
  await openWindow(bridge);
  await inbox();
  const moved = bridge.store(now, 'soup');
  for (const place of ['stream/1-general/topic/lunch', 'stream/77-hidden/topic/plans']) {
    bridge.push('linkOpened', {
      accountId: account.id,
      fragment: `#narrow/${place}/near/${String(moved.id)}`,
    });
    await expect.element(heading(title)).toBeVisible();
    await expect.element(messageList().getByRole('listitem', { name: /soup/ })).toBeVisible();
    // The place that the link names is no step on the way.
    await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
    await inbox();
  }
  await open(/^general/, 'general');
  const gone = `#narrow/stream/1-general/topic/lunch/near/999999`;
  bridge.push('linkOpened', { accountId: account.id, fragment: gone });
  await expect.element(page.getByText(/^This message is no longer here/)).toBeVisible();
});

test('a link to a stream that one may not see says so in the place of the list', async () => {
  bridge.answerRequest('streams.members', () => success({ subscribers: [] }));
  await openWindow(bridge);
  await inbox();
  const fragment = '#narrow/stream/77-hidden/topic/plans';
  bridge.push('linkOpened', { accountId: account.id, fragment });
  await expect.element(heading('Stream not found')).toBeVisible();
  await expect
    .element(page.getByText('This stream does not exist, or you cannot see it'))
    .toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'All streams' }).click();
  await expect.element(heading('All streams')).toBeVisible();
});

test('a page that is about to be freed hands over what is written first', async () => {
  await openWindow(bridge);
  await open(/^Ben Member/, 'Ben Member');
  await textBox().fill('half a sentence');
  bridge.push('windowClosing', {});
  await expect.poll(() => bridge.argsOf('readyToClose').length).toBe(1);
  const names = bridge.calls.map(({ name }) => name);
  expect(names.indexOf('saveDraft')).toBeGreaterThan(-1);
  expect(names.indexOf('saveDraft')).toBeLessThan(names.indexOf('readyToClose'));
});

test('commands of the menus do what the keys do, and wait for a window that is opened for them', async () => {
  const known = Promise.withResolvers<undefined>();
  bridge.answer('state', async () => {
    await known.promise;
    return { ok: true, value: bridge.current };
  });
  await openWindow(bridge);
  await expect.poll(() => bridge.argsOf('pageReady')).toHaveLength(1);
  bridge.push('commandRun', { command: 'shortcuts' });
  known.resolve(undefined);
  await expect.element(dialog('Keyboard shortcuts')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await inbox();
  bridge.push('commandRun', { command: 'mentions' });
  await expect.element(heading('Mentions')).toBeVisible();
  bridge.push('commandRun', { command: 'leftColumn' });
  await expect.element(page.getByRole('navigation')).not.toBeInTheDocument();
});

test('what cannot be kept on this computer is said until it is dismissed', async () => {
  await openWindow(bridge);
  await inbox();
  bridge.changeState({ storageProblem: 'The disk is full. Free some space.' });
  await expect.element(page.getByRole('alert')).toMatchTextContent(/The disk is full\./);
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

const second = { ...account, id: '4@http://b.example', realmName: 'Side Project', userId: 4 };

test('several organizations stand in a rail with their counts, and keys go through them', async () => {
  bridge = new BridgeDouble({ accounts: [account, second] });
  bridge.current = { ...bridge.current, unread: unreadIn([withPeople(9), 3]) };
  await openWindow(bridge);
  const rail = page.getByRole('navigation', { name: 'Organizations' });
  await expect
    .element(rail.getByRole('button', { name: /Side Project.*3 unread messages/ }))
    .toBeVisible();
  await expect
    .element(rail.getByRole('button', { name: /^Office/ }))
    .toHaveAttribute('aria-current', 'true');
  await userEvent.keyboard('{Control>}2{/Control}');
  await expect
    .element(rail.getByRole('button', { name: /^Side Project/ }))
    .toHaveAttribute('aria-current', 'true');
  bridge.push('connectionChanged', {
    accountId: account.id,
    connection: { state: 'signed-out', reason: 'The key is not valid.' },
  });
  await expect
    .element(rail.getByRole('button', { name: /^Office.*needs your attention/ }))
    .toBeVisible();
});

test('one organization needs no rail; another one is added and one can go back', async () => {
  await openWindow(bridge);
  await inbox();
  await expect
    .element(page.getByRole('navigation', { name: 'Organizations' }))
    .not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Account of Ada Admin' }).click();
  await page.getByRole('button', { name: 'Add an organization' }).click();
  await expect.element(heading('Connect to an organization')).toBeVisible();
  await page.getByRole('button', { name: 'Back' }).click();
  await inbox();
});
