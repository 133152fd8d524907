/** Full-text search in a store that holds many messages. */
import Database from 'better-sqlite3';
import type { HistoryScope } from '#shared/api/narrow.ts';
import { recipientToken } from '#shared/search/place-tokens.ts';
import { parseQuery } from '#shared/search/query.ts';
import type { Connection } from '../load/connection.ts';
import { get } from '../load/requests.ts';
import { onOneCore } from '../one-core.ts';
import { openRawSearch, type RawSearch } from '../reference/search.ts';
import type { Row } from '../report.ts';
import { databaseFile, streamName, type Account } from '../seed.ts';
import { warmUp, withMessages } from '../seeded.ts';
import { compare, inTurn, median, percentile, type Round } from '../statistics.ts';

export interface SearchPlan {
  readonly messages: number;
  readonly rounds: number;
  /** Searches of one round. */
  readonly searches: number;
  /** On one core compiling takes its time from asking. */
  readonly warmUpMs: number;
}

const ACCOUNTS = 100;
const HITS = 100;

interface Query {
  readonly operand: string;
  /** What the bare index is asked for the same. */
  readonly match: string;
  readonly stream?: string;
  /** What was received where it is absent. */
  readonly reach?: HistoryScope;
}

interface Kind {
  readonly name: string;
  readonly queries: readonly Query[];
  readonly limitMs: number;
}

interface Sides {
  readonly connection: Connection;
  readonly account: Account;
  readonly raw: RawSearch;
}

const tokenOf = (word: string): string => parseQuery(word).words[0] ?? word;

/** Words in a row out of the newest message that has so many. */
function phrases(file: string, count: number): readonly string[] {
  const db = new Database(file, { readonly: true });
  const texts = db
    .prepare<[number], string>('SELECT content FROM message ORDER BY id DESC LIMIT ?')
    .pluck()
    .all(count * 20);
  db.close();
  return texts
    .map((text) => text.split(' ').slice(0, 3))
    .filter((words) => words.length === 3 && words.every((word) => /^[a-z]+$/.test(word)))
    .slice(0, count)
    .map((words) => words.join(' '));
}

function kindsOf(raw: RawSearch, file: string): readonly Kind[] {
  // The word of every topic is in each message.
  const words = raw.words().filter(({ word }) => word !== 'topic');
  const slice = (from: number, to: number): readonly string[] =>
    words.slice(from, to).map(({ word }) => word);
  const plain = (word: string): Query => ({ operand: word, match: `"${tokenOf(word)}"` });
  const common = slice(0, 20);
  const rare = slice(-20, words.length);
  const inStream = (word: string, index: number): Query => {
    const stream = streamName(index);
    const place = recipientToken(raw.recipientOf(stream));
    return { operand: word, match: `"${tokenOf(word)}" AND "${place}"`, stream };
  };
  const everywhere = (word: string): Query => ({ ...plain(word), reach: 'readable' });
  const phrase = (text: string): Query => ({
    operand: `"${text}"`,
    match: `"${text.split(' ').map(tokenOf).join(' ')}"`,
  });
  const prefix = (word: string): Query => {
    const letters = word.slice(0, 3);
    return { operand: `${letters}*`, match: `"${letters}" *` };
  };
  const long = words.filter(({ word }) => word.length > 3).map(({ word }) => word);
  return [
    { name: 'rare word', queries: rare.map(plain), limitMs: 5 },
    { name: 'common word', queries: common.map(plain), limitMs: 5 },
    { name: 'rare word in a stream', queries: rare.map(inStream), limitMs: 5 },
    { name: 'common word in a stream', queries: common.map(inStream), limitMs: 5 },
    { name: 'rare word in all that may be read', queries: rare.map(everywhere), limitMs: 5 },
    { name: 'common word in all that may be read', queries: common.map(everywhere), limitMs: 5 },
    { name: 'phrase', queries: phrases(file, 20).map(phrase), limitMs: 10 },
    {
      name: 'prefix of 3 letters',
      queries: long
        .slice(0, 400)
        .filter((_, i) => i % 20 === 0)
        .map(prefix),
      limitMs: 25,
    },
  ];
}

const requestOf = (account: Account, { operand, stream, reach }: Query): string =>
  get(account, '/messages', {
    anchor: 'newest',
    num_before: HITS,
    num_after: 0,
    narrow: JSON.stringify([
      ...(stream === undefined ? [] : [{ operator: 'stream', operand: stream }]),
      { operator: 'search', operand },
    ]),
    client_gravatar: 'true',
    ...(reach === undefined ? {} : { reach }),
  });

async function timeSearches(
  queries: readonly Query[],
  count: number,
  search: (query: Query) => Promise<Buffer> | Buffer,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const query = queries[i % queries.length];
    if (query === undefined) throw new Error('no queries');
    const startedAt = performance.now();
    await search(query);
    times.push(performance.now() - startedAt);
  }
  return times;
}

/** The median as a ratio to the bare index, and the slowest twentieth as a ratio to the limit. */
async function measureKind(sides: Sides, kind: Kind, plan: SearchPlan): Promise<readonly Row[]> {
  const { connection, account, raw } = sides;
  const medians: Round[] = [];
  const slowest: Round[] = [];
  const timeService = (): Promise<readonly number[]> =>
    timeSearches(kind.queries, plan.searches, (query) =>
      connection.request(requestOf(account, query)),
    );
  const timeReference = (): Promise<readonly number[]> =>
    timeSearches(kind.queries, plan.searches, ({ match }) => raw.page(match, HITS));
  await warmUp(timeReference, plan.warmUpMs);
  await warmUp(timeService, plan.warmUpMs);
  for (let round = 0; round < plan.rounds; round++) {
    const [figures, references] = await inTurn(round, timeService, timeReference);
    medians.push({ figure: median(figures), reference: median(references) });
    slowest.push({ figure: percentile(figures, 0.95), reference: kind.limitMs });
  }
  const shown = `search, ${kind.name}, ${plan.messages.toLocaleString('en-US')} messages`;
  return [
    {
      name: shown,
      unit: 'ms',
      ...compare(medians),
      against: 'bare index, rows and JSON',
      target: { kind: 'at-most', ratio: 3 },
    },
    {
      name: `${shown}, p95`,
      unit: 'ms',
      ...compare(slowest),
      against: 'the limit on the reference machine',
      target: { kind: 'at-most', ratio: 1 },
    },
  ];
}

/** @param tell  called with how long it took to fill the store */
export async function measureSearch(
  plan: SearchPlan,
  tell: (line: string) => void,
): Promise<readonly Row[]> {
  const size = { accounts: ACCOUNTS, messages: plan.messages };
  return withMessages(size, tell, async ({ dataDir, account, connection, service }) => {
    const raw = openRawSearch(databaseFile(dataDir));
    const rows = await onOneCore(service.pid, async () => {
      const rows: Row[] = [];
      for (const kind of kindsOf(raw, databaseFile(dataDir))) {
        rows.push(...(await measureKind({ connection, account, raw }, kind, plan)));
      }
      return rows;
    });
    raw.close();
    return rows;
  });
}
