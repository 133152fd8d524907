/** One send to few and to many subscribers: what it writes and how long it takes. */
import Database from 'better-sqlite3';
import { openConnection, type Connection } from '../load/connection.ts';
import { post } from '../load/requests.ts';
import { makeDataDir, removeDataDir, startService } from '../processes.ts';
import type { Row } from '../report.ts';
import { type Account, databaseFile, seedOrganization, streamName, topicName } from '../seed.ts';
import { compare, inTurn, median, type Round } from '../statistics.ts';

export interface FanOutPlan {
  readonly rounds: number;
  readonly sends: number;
}

const SIZES = [10, 100, 1000, 10_000] as const;
const WARM_UP = 500;

/** Every row of every table, those that a full-text index is made of excepted: it is filled afterwards. */
function countRows(file: string): number {
  const db = new Database(file, { readonly: true });
  const tables = db
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%search%' AND name NOT LIKE 'sqlite_%'",
    )
    .pluck()
    .all();
  const rows = tables.map((table) =>
    Number(db.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get()),
  );
  db.close();
  return rows.reduce((sum, count) => sum + count, 0);
}

interface Sender {
  readonly connection: Connection;
  readonly account: Account;
}

const request = ({ account }: Sender, stream: number): string =>
  post(account, '/messages', {
    type: 'stream',
    to: streamName(stream),
    topic: topicName(1),
    content: 'The same few words to each of them',
  });

async function timeSends(sender: Sender, stream: number, count: number): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const startedAt = performance.now();
    await sender.connection.request(request(sender, stream));
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

const shown = (size: number): string => size.toLocaleString('en-US');

async function rowsOfSend(sender: Sender, file: string): Promise<readonly Row[]> {
  const written: number[] = [];
  for (let stream = 0; stream < SIZES.length; stream++) {
    const before = countRows(file);
    await sender.connection.request(request(sender, stream));
    written.push(countRows(file) - before);
  }
  const reference = written[0] ?? 0;
  return SIZES.slice(1).map((size, index) => ({
    name: `rows written by a send to ${shown(size)} subscribers`,
    unit: 'rows',
    ...compare([{ figure: written[index + 1] ?? 0, reference }]),
    against: 'a send to 10',
    target: { kind: 'at-most', ratio: 1 },
  }));
}

async function timeOfSend(sender: Sender, plan: FanOutPlan): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let stream = 1; stream < SIZES.length; stream++) {
    const rounds: Round[] = [];
    for (let round = 0; round < plan.rounds; round++) {
      const [figure, reference] = await inTurn(
        round,
        () => timeSends(sender, stream, plan.sends),
        () => timeSends(sender, 0, plan.sends),
      );
      rounds.push({ figure, reference });
    }
    rows.push({
      name: `one send to ${shown(SIZES[stream] ?? 0)} subscribers`,
      unit: 'ms',
      ...compare(rounds),
      against: 'a send to 10',
      target: { kind: 'at-most', ratio: 1.2 },
    });
  }
  return rows;
}

export async function measureFanOut(plan: FanOutPlan): Promise<readonly Row[]> {
  const dataDir = await makeDataDir();
  const [account] = await seedOrganization(dataDir, SIZES.at(-1) ?? 0, {
    streams: SIZES.length,
    isMember: (stream, member) => member < (SIZES[stream] ?? 0),
  });
  if (account === undefined) throw new Error('no accounts');
  const service = await startService(dataDir);
  const sender = { account, connection: await openConnection(service.port) };
  await timeSends(sender, 0, WARM_UP);
  // The first message to a stream also writes its topic and its day.
  for (let stream = 1; stream < SIZES.length; stream++) await timeSends(sender, stream, 1);
  const rows = [
    ...(await rowsOfSend(sender, databaseFile(dataDir))),
    ...(await timeOfSend(sender, plan)),
  ];
  sender.connection.close();
  await service.stop();
  await removeDataDir(dataDir);
  return rows;
}
