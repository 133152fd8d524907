import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StartState } from '#shared/bridge/bridge.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { Connection, MessagePage, View } from '#shared/bridge/models/client.ts';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import { openingOf } from '#shared/bridge/models/opening.ts';
import { failure, success, type Outcome } from '#shared/bridge/outcome.ts';
import {
  createFirstAnswerStore,
  tellDifferences,
  type FirstAnswers,
  type FirstAnswerStore,
  type FirstCalls,
} from '#desktop/windows/first-answers.ts';
import { createTestLog, type TestLog } from '#test/support/desktop/desktop-log.ts';
import { account, officeState } from '#test/support/window/office.ts';

const lunch: View = { kind: 'stream', streamId: 1, topic: 'lunch' };
const shown = { accountId: account.id, view: lunch };
const page: MessagePage = {
  messages: [],
  anchorId: 7,
  hasOldest: true,
  hasNewest: true,
  isComplete: true,
};
const here: ClientState = {
  ...officeState,
  presences: { 2: { status: 'active', atSeconds: 1_700_000_000 } },
  typing: { '2': [2] },
};

/** What the accounts answer; a test changes it. */
interface Office {
  start: Outcome<StartState>;
  state: Outcome<ClientState>;
  messages: Outcome<MessagePage>;
  connection: Outcome<Connection>;
  hosting: Outcome<HostingStatus>;
}

let folder: string;
let log: TestLog;
let office: Office;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-first-'));
  log = createTestLog();
  await writeFile(join(folder, 'index.html'), 'a page');
  office = {
    start: success({
      ...{ shell: 'desktop', canHost: true, hosted: null, fixedAddress: null },
      ...{ isDevelopment: false, accounts: [account], problem: null },
    }),
    state: success(here),
    messages: success(page),
    connection: success({ state: 'live' }),
    hosting: success({ phase: 'running', address: 'http://127.0.0.1:9980' }),
  };
});
afterEach(() => rm(folder, { recursive: true }));

const calls = (): FirstCalls => ({
  start: async () => office.start,
  state: async () => office.state,
  messages: async () => office.messages,
  connection: async () => office.connection,
  hosting: async () => office.hosting,
});

const store = (version = '1.0.0'): FirstAnswerStore =>
  createFirstAnswerStore({ version, profileDir: folder, rendererDir: folder, log });

function taken(): FirstAnswers {
  const first = store().take();
  if (first === undefined) throw new Error('nothing was kept');
  return first;
}

async function keptAndTaken(): Promise<FirstAnswers> {
  await store().keep(calls(), shown);
  return taken();
}

/** What the page is told of what has changed. */
async function told(first: FirstAnswers): Promise<readonly unknown[]> {
  const events: unknown[] = [];
  await tellDifferences(first, calls(), {
    send: (event, payload) => void events.push([event, payload]),
    reload: () => void events.push('reload'),
  });
  return events;
}

test('the next start has what the page asks first', async () => {
  const first = await keptAndTaken();
  expect(first()).toEqual([
    { name: 'start', args: [], answer: office.start },
    { name: 'hosting', args: [], answer: success({ phase: 'off' }) },
    {
      name: 'connection',
      args: [account.id],
      answer: success({ state: 'connecting' }),
    },
    // Who is here and who writes is not what was.
    {
      name: 'state',
      args: [account.id],
      answer: success({ ...here, presences: {}, typing: {} }),
    },
    { name: 'messages', args: [account.id, openingOf(lunch)], answer: success(page) },
  ]);
});

test('answers are taken once, and nothing of them stays', async () => {
  await keptAndTaken();
  expect(store().take()).toBeUndefined();
  expect(await readdir(folder)).toEqual(['index.html']);
  expect(log.lines).toEqual([]);
});

test('who quits before the accounts are open finds the same at the next start', async () => {
  await store().keep(calls(), shown);
  const quick = store();
  const first = quick.take()?.();
  expect(first).toHaveLength(5);
  await quick.putBack();
  expect(taken()()).toEqual(first);
  // What was never there is not put back.
  await store().putBack();
  expect(store().take()).toBeUndefined();
});

test('where no messages were shown, and of another account, none are kept', async () => {
  for (const other of [
    undefined,
    { ...shown, view: null },
    { ...shown, accountId: 'signed out' },
  ]) {
    await store().keep(calls(), other);
    const names = taken()().map(({ name }) => name);
    expect(names).toEqual(['start', 'hosting', 'connection', 'state']);
  }
});

const problem = { code: 'KEYCHAIN', message: 'The keychain is locked.' };

test.each<[what: string, change: (answers: Office) => void]>([
  ['nobody is signed in', (all) => (all.start = altered(all.start, { accounts: [] }))],
  ['an account has a problem', (all) => (all.start = altered(all.start, { problem }))],
  ['the accounts cannot be had', (all) => (all.start = failure('NOT_STORED', 'No.'))],
  ['the account is not open', (all) => (all.state = failure('NOT_CONNECTED', 'No.'))],
  ['it is more than a start gains by', (all) => (all.state = success(endless()))],
])('nothing is kept where %s', async (_what, change) => {
  change(office);
  await store().keep(calls(), shown);
  expect(store().take()).toBeUndefined();
  expect(log.lines).toEqual([]);
});

function altered<T>(outcome: Outcome<T>, change: Partial<T>): Outcome<T> {
  return outcome.ok ? success({ ...outcome.value, ...change }) : outcome;
}

const endless = (): ClientState => ({ ...here, alertWords: ['word'.repeat(2 ** 20)] });

test('answers for another page, or of another version, are not used', async () => {
  await store().keep(calls(), shown);
  await writeFile(join(folder, 'index.html'), 'a page with another script');
  expect(store().take()).toBeUndefined();
  expect(await readdir(folder)).toEqual(['index.html']);
  await store('1.0.0').keep(calls(), shown);
  expect(store('1.0.1').take()).toBeUndefined();
});

test('texts that were checked are taken with the answers', async () => {
  const ended = store();
  ended.checked.set('preferences.json', '{}');
  await ended.keep(calls(), shown);
  const next = store();
  expect([...next.checked]).toEqual([]);
  next.take();
  expect([...next.checked]).toEqual([['preferences.json', '{}']]);
});

test('of a damaged file no start fails', async () => {
  await store().keep(calls(), shown);
  const [name = ''] = (await readdir(folder)).filter((each) => each !== 'index.html');
  const whole = await readFile(join(folder, name));
  for (const damaged of [Buffer.alloc(0), Buffer.alloc(whole.length), whole.subarray(0, 40)]) {
    await writeFile(join(folder, name), damaged);
    expect(store().take()).toBeUndefined();
    expect(await readdir(folder)).toEqual(['index.html']);
  }
  expect(log.lines.map(({ level }) => level)).toEqual(['warn', 'warn', 'warn']);
  // What is inside is read when the window is there.
  await writeFile(join(folder, name), whole.fill(0, whole.length - 300, whole.length - 100));
  expect(taken()()).toEqual([]);
  expect(log.lines).toHaveLength(4);
});

test('what has not changed is not told', async () => {
  const first = await keptAndTaken();
  office.connection = success({ state: 'connecting' });
  office.hosting = success({ phase: 'off' });
  office.state = success({ ...here, presences: {}, typing: {} });
  expect(await told(first)).toEqual([]);
});

test('of what has changed that is told which did', async () => {
  const first = await keptAndTaken();
  office.start = altered(office.start, { canHost: false });
  office.state = success({ ...here, typing: {}, starredCount: 99 });
  office.messages = success({ ...page, anchorId: null });
  expect(await told(first)).toEqual([
    ['startChanged', office.start.ok && office.start.value],
    ['hostingChanged', { phase: 'running', address: 'http://127.0.0.1:9980' }],
    ['connectionChanged', { accountId: account.id, connection: { state: 'live' } }],
    [
      'stateChanged',
      { accountId: account.id, changes: { presences: here.presences, starredCount: 99 } },
    ],
    ['messagesReset', { accountId: account.id }],
  ]);
});

test.each<[what: string, change: Partial<StartState>]>([
  ['an account has a problem', { problem }],
  ['nobody is signed in any more', { accounts: [] }],
])(
  'where %s the page is told that, and nothing of what it shows no longer',
  async (_what, change) => {
    const first = await keptAndTaken();
    office.start = altered(office.start, change);
    office.state = failure('NOT_CONNECTED', 'This account is not on this computer.');
    expect(await told(first)).toEqual([['startChanged', office.start.ok && office.start.value]]);
  },
);

test('where an account cannot be opened any more the page begins anew', async () => {
  const first = await keptAndTaken();
  office.state = failure('NOT_CONNECTED', 'The key is no longer in the keychain.');
  expect((await told(first)).at(-1)).toBe('reload');
});
