/**
 * What the page asks for before it shows anything, with the answers of when the application ended. It is painted by them while
 * everything else is still to be loaded, 170 ms sooner; what has become of them is told afterwards.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import type { BridgeCalls, FirstAnswer } from '#preload/bridge.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { View } from '#shared/bridge/models/client.ts';
import { openingOf } from '#shared/bridge/models/opening.ts';
import { success, type Outcome } from '#shared/bridge/outcome.ts';
import type { Log } from '#node/log.ts';
import { writeAtomically, type CheckedTexts } from '../storage/profile-file.ts';
import type { MainWindow } from './window.ts';

type FirstName = 'start' | 'hosting' | 'state' | 'connection' | 'messages';

/** What is asked of the accounts. */
export type FirstCalls = Pick<BridgeCalls, FirstName>;

type AnyAnswer = { readonly [N in FirstName]: FirstAnswer<N> }[FirstName];

/** The account that was shown last, and the messages of it. */
export interface LastShown {
  readonly accountId: string;
  readonly view: View | null;
}

/** Read where they are first asked for. */
export type FirstAnswers = () => readonly AnyAnswer[];

const FILE = 'first-answers.bin';
const PAGE_FILE = 'index.html';
/** Whoever has more than that waits for the whole: reading it would take as long. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Answers are good for the page that asked for them and the version that gave them; those of others may have another shape. */
interface Stored {
  readonly version: string;
  readonly page: string;
  readonly checked: CheckedTexts;
  readonly answers: Uint8Array;
}

export interface FirstAnswerStore {
  /**
   * Takes them out, once: from then on what they tell of changes. Undefined where the application did not end by itself the
   * last time, where another page asked or another version answered, and where the file is damaged.
   */
  readonly take: () => FirstAnswers | undefined;
  /**
   * Keeps what the page will ask for at the next start. Where the accounts have a problem, or there is too much to answer,
   * nothing is kept, and that start waits for everything.
   */
  readonly keep: (calls: FirstCalls, shown: LastShown | undefined) => Promise<void>;
  /** Keeps those that were taken: the accounts were never opened, so nothing has changed. */
  readonly putBack: () => Promise<void>;
  /** Of this version, as the page is: what was checked before is taken with the answers, and kept with them. */
  readonly checked: CheckedTexts;
  /** The page has heard what became of them: they are not kept in memory any longer. */
  readonly forget: () => void;
}

interface StoreParts {
  /** Of the application. */
  readonly version: string;
  readonly profileDir: string;
  readonly rendererDir: string;
  readonly log: Log;
}

export function createFirstAnswerStore({
  version,
  profileDir,
  rendererDir,
  log,
}: StoreParts): FirstAnswerStore {
  const file = join(profileDir, FILE);
  const readPage = (): string => readFileSync(join(rendererDir, PAGE_FILE), 'utf8');

  let taken: { readonly content: Buffer; readonly answers: Uint8Array } | undefined;
  let known: readonly AnyAnswer[] | undefined;
  const checkedTexts: CheckedTexts = new Map();

  /** At once: at a start of the application every turn of the loop takes far longer than reading a small file. */
  function take(): FirstAnswers | undefined {
    let content: Buffer;
    try {
      content = readFileSync(file);
      rmSync(file);
    } catch (error) {
      const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isAbsent) log.warn('the first answers could not be taken', { error });
      return undefined;
    }
    try {
      const stored = deserialize(content) as Stored;
      if (stored.version !== version || stored.page !== readPage()) return undefined;
      for (const [name, text] of stored.checked) checkedTexts.set(name, text);
      taken = { content, answers: stored.answers };
      return () => (known ??= taken === undefined ? [] : readAnswers(taken.answers, log));
    } catch (error) {
      log.warn('the first answers are damaged', { error });
      return undefined;
    }
  }

  async function keep(calls: FirstCalls, shown: LastShown | undefined): Promise<void> {
    const answers = await answersOf(calls, shown);
    if (answers === undefined) return;
    const content = serialize({
      version,
      page: readPage(),
      checked: checkedTexts,
      answers: serialize(answers),
    } satisfies Stored);
    if (content.length <= MAX_BYTES) await writeAtomically(file, content);
  }

  return {
    take,
    keep,
    checked: checkedTexts,
    putBack: async () => {
      if (taken !== undefined) await writeAtomically(file, taken.content);
    },
    forget: () => {
      taken = undefined;
      known = [];
    },
  };
}

function readAnswers(stored: Uint8Array, log: Log): readonly AnyAnswer[] {
  try {
    return deserialize(stored) as AnyAnswer[];
  } catch (error) {
    log.warn('the first answers are damaged', { error });
    return [];
  }
}

async function answersOf(
  calls: FirstCalls,
  shown: LastShown | undefined,
): Promise<readonly AnyAnswer[] | undefined> {
  const start = await calls.start();
  if (!start.ok || start.value.problem !== null) return undefined;
  const { accounts } = start.value;
  const account = accounts.find(({ id }) => id === shown?.accountId) ?? accounts[0];
  if (account === undefined) return undefined;
  const state = await calls.state(account.id);
  if (!state.ok) return undefined;
  const answers: AnyAnswer[] = [
    { name: 'start', args: [], answer: start },
    // As these are at every start.
    { name: 'hosting', args: [], answer: success({ phase: 'off' }) },
    { name: 'connection', args: [account.id], answer: success({ state: 'connecting' }) },
    { name: 'state', args: [account.id], answer: success(unlit(state.value)) },
  ];
  if (shown?.accountId !== account.id || shown.view === null) return answers;
  const request = openingOf(shown.view);
  const messages = await calls.messages(account.id, request);
  if (messages.ok)
    answers.push({ name: 'messages', args: [account.id, request], answer: messages });
  return answers;
}

/** Who is here now, and writes now, is gone by the next start. */
const unlit = (state: ClientState): ClientState => ({ ...state, presences: {}, typing: {} });

/** Asks once more what the page was answered from the file, and tells it of everything that is different. */
export async function tellDifferences(
  first: FirstAnswers,
  calls: FirstCalls,
  window: Pick<MainWindow, 'send' | 'reload'>,
): Promise<void> {
  for (const known of first()) {
    const next = await tellDifference(known, calls, window);
    if (next === 'reload') window.reload();
    if (next !== 'go-on') return;
  }
}

/** Whether the page is told of the others too, has to begin anew, or shows something else by now. */
type Next = 'go-on' | 'reload' | 'end';

async function tellDifference(
  known: AnyAnswer,
  calls: FirstCalls,
  { send }: Pick<MainWindow, 'send'>,
): Promise<Next> {
  switch (known.name) {
    case 'start': {
      const now = await calls.start();
      const next = tellOf(known.answer, now, (start) => send('startChanged', start));
      return now.ok && (now.value.problem !== null || now.value.accounts.length === 0)
        ? 'end'
        : next;
    }
    case 'hosting':
      return tellOf(known.answer, await calls.hosting(), (status) =>
        send('hostingChanged', status),
      );
    case 'connection': {
      const [accountId] = known.args;
      const now = await calls.connection(accountId);
      return tellOf(known.answer, now, (connection) =>
        send('connectionChanged', { accountId, connection }),
      );
    }
    case 'state': {
      const [accountId] = known.args;
      const now = await calls.state(accountId);
      return tellOf(known.answer, now, (state, before) =>
        send('stateChanged', { accountId, changes: changedSlices(before, state) }),
      );
    }
    case 'messages': {
      const [accountId, request] = known.args;
      const now = await calls.messages(accountId, request);
      if (!isDeepStrictEqual(now, known.answer)) send('messagesReset', { accountId });
      return 'go-on';
    }
  }
}

function tellOf<T>(known: Outcome<T>, now: Outcome<T>, tell: (now: T, before: T) => void): Next {
  if (!now.ok || !known.ok) return 'reload';
  if (!isDeepStrictEqual(now.value, known.value)) tell(now.value, known.value);
  return 'go-on';
}

function changedSlices(before: ClientState, now: ClientState): Partial<ClientState> {
  const names = Object.keys(now) as (keyof ClientState)[];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(now[name], before[name]))
      .map((name) => [name, now[name]]),
  );
}
