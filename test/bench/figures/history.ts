/** The newest page of a stream out of a store that holds many messages. */
import type { Connection } from '../load/connection.ts';
import { get } from '../load/requests.ts';
import { onOneCore } from '../one-core.ts';
import { openRawHistory, type RawHistory } from '../reference/history.ts';
import { type Row, shown } from '../report.ts';
import { databaseFile, streamName, STREAMS, type Account } from '../seed.ts';
import { warmUp, withMessages } from '../seeded.ts';
import { compare, inTurn, median, type Round } from '../statistics.ts';

export interface HistoryPlan {
  readonly messages: number;
  readonly rounds: number;
  /** Pages of one round. */
  readonly pages: number;
  /** On one core compiling takes its time from asking. */
  readonly warmUpMs: number;
}

const ACCOUNTS = 100;
const SIZES = [100, 1000];

interface Sides {
  readonly connection: Connection;
  readonly account: Account;
  readonly raw: RawHistory;
}

/** The median of the pages of a round: each takes another stream. */
async function timePages(
  count: number,
  page: (stream: string) => Promise<Buffer> | Buffer,
): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    await page(streamName(i % STREAMS));
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const requestOf = (account: Account, stream: string, rows: number): string =>
  get(account, '/messages', {
    anchor: 'newest',
    num_before: rows,
    num_after: 0,
    narrow: JSON.stringify([{ operator: 'stream', operand: stream }]),
    client_gravatar: 'true',
  });

async function checkPage({ connection, account }: Sides, rows: number): Promise<void> {
  const body = await connection.request(requestOf(account, streamName(0), rows));
  const { messages } = JSON.parse(body.toString()) as { readonly messages: readonly unknown[] };
  if (messages.length !== rows) throw new Error(`a page of ${String(messages.length)} messages`);
}

async function measureSize(sides: Sides, rows: number, plan: HistoryPlan): Promise<Row> {
  const { connection, account, raw } = sides;
  await checkPage(sides, rows);
  const timeService = (): Promise<number> =>
    timePages(plan.pages, (s) => connection.request(requestOf(account, s, rows)));
  const timeReference = (): Promise<number> => timePages(plan.pages, (s) => raw.page(s, rows));
  await warmUp(timeReference, plan.warmUpMs);
  await warmUp(timeService, plan.warmUpMs);
  const rounds: Round[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    const [figure, reference] = await inTurn(round, timeService, timeReference);
    rounds.push({ figure, reference });
  }
  return {
    name: `history page, ${rows.toLocaleString('en-US')} of ${plan.messages.toLocaleString('en-US')} messages`,
    unit: 'ms',
    ...compare(rounds),
    against: 'raw rows and JSON',
    target: { kind: 'at-most', ratio: 2 },
  };
}

/** A request that is asked for next to nothing: what any answer costs, however little there is to read for it. */
async function measureEmpty({ connection, account }: Sides, plan: HistoryPlan): Promise<Row> {
  const time = (): Promise<number> =>
    timePages(plan.pages, () => connection.request(get(account, '/users/me/pointer', {})));
  await warmUp(time);
  const times: number[] = [];
  for (let round = 0; round < plan.rounds; round++) times.push(await time());
  return shown({ name: 'a request that reads next to nothing', unit: 'ms' }, times);
}

/** @param tell  called with how long it took to fill the store */
export async function measureHistory(
  plan: HistoryPlan,
  tell: (line: string) => void,
): Promise<readonly Row[]> {
  const size = { accounts: ACCOUNTS, messages: plan.messages };
  return withMessages(size, tell, async ({ dataDir, account, connection, service }) => {
    const raw = openRawHistory(databaseFile(dataDir));
    const sides = { connection, account, raw };
    const rows = await onOneCore(service.pid, async () => {
      const rows: Row[] = [];
      for (const rowCount of SIZES) rows.push(await measureSize(sides, rowCount, plan));
      return [...rows, await measureEmpty(sides, plan)];
    });
    raw.close();
    return rows;
  });
}
