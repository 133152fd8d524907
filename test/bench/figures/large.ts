/** What must not grow with the number of messages: marking all read, registering, starting. */
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { openConnection } from '../load/connection.ts';
import { get, post } from '../load/requests.ts';
import { makeDataDir, removeDataDir, startService } from '../processes.ts';
import { openRawHistory, type RawHistory } from '../reference/history.ts';
import { openReferenceLog } from '../reference/log.ts';
import { limited, type Row } from '../report.ts';
import { type Account, databaseFile, seedMessages, seedOrganization } from '../seed.ts';
import { compare, median, type Round } from '../statistics.ts';
import { measureHere } from './own-machine.ts';

export interface LargePlan {
  readonly messages: number;
  readonly rounds: number;
}

const USERS = 200;
const STREAMS = 200;
const QUEUES = 1000;
const REGISTER_LIMIT_MS = 15;
const RESTART_LIMIT_MS = 500;
const RESIDENT_LIMIT_MIB = 120;

const shown = (count: number): string => count.toLocaleString('en-US');

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
};

function addQueues(dataDir: string): void {
  const db = new Database(databaseFile(dataDir));
  const insert = db.prepare(`INSERT INTO queue (id, account_id, options, registered_id,
    acknowledged_id, lifespan_seconds, last_seen_at) VALUES (?, ?, ?, 0, 0, 86400, ?)`);
  const options = JSON.stringify({
    applyMarkdown: true,
    clientGravatar: true,
    includeSubscribers: false,
    allPublicStreams: false,
    eventTypes: null,
    narrow: [],
  });
  db.transaction(() => {
    for (let index = 0; index < QUEUES; index++) {
      const seen = Math.floor(Date.now() / 1000);
      insert.run(`1:${String(index)}`, 1 + (index % USERS), options, seen);
    }
  })();
  db.close();
}

async function timeStart(dataDir: string): Promise<number> {
  const startedAt = performance.now();
  const service = await startService(dataDir);
  const response = await fetch(`http://127.0.0.1:${String(service.port)}/api/v1/server_settings`);
  await response.text();
  const time = performance.now() - startedAt;
  await service.stop();
  return time;
}

function measureRestart(
  dataDir: string,
  { raw, rounds }: { raw: RawHistory; rounds: number },
): Promise<Row> {
  const name = `start to first answer, ${shown(QUEUES)} queues`;
  return measureHere(name, { raw, limitMs: RESTART_LIMIT_MS, rounds }, () => timeStart(dataDir));
}

async function measureRegister(
  port: number,
  account: Account,
  { raw, rounds }: { raw: RawHistory; rounds: number },
): Promise<Row> {
  const connection = await openConnection(port);
  const name = `register, ${String(USERS)} users, ${String(STREAMS)} streams, 1,000 unread`;
  const row = await measureHere(name, { raw, limitMs: REGISTER_LIMIT_MS, rounds }, async () => {
    const times: number[] = [];
    for (let i = 0; i < 10; i++) {
      times.push(await timed(() => connection.request(post(account, '/register', {}))));
    }
    return median(times);
  });
  connection.close();
  return row;
}

/** Everything unread again, as if nothing had ever been marked. */
function forgetMarks(file: string): void {
  const db = new Database(file, { timeout: 5000 });
  db.exec('DELETE FROM read_mark; DELETE FROM read_exception');
  db.close();
}

async function measureMarkAll(
  port: number,
  { account, dataDir, messages, rounds }: LargePlan & { account: Account; dataDir: string },
): Promise<Row> {
  const connection = await openConnection(port);
  const emptyDir = await makeDataDir();
  const empty = openReferenceLog(join(emptyDir, 'empty.db'));
  const mark = post(account, '/mark_all_as_read', {});
  const small = get(account, '/users/me/pointer', {});
  const results: Round[] = [];
  for (let round = -1; round < rounds * 5; round++) {
    forgetMarks(databaseFile(dataDir));
    await connection.request(small);
    const figure = await timed(() => connection.request(mark));
    // A commit by itself, and a call that only reads: together they are what any durable call takes.
    const call = await timed(() => connection.request(small));
    const commit = await timed(() => {
      empty.append([{ senderId: 1, topicId: 1, content: '', sentAt: 0 }]);
      return Promise.resolve();
    });
    if (round >= 0) results.push({ figure, reference: call + commit });
  }
  connection.close();
  empty.close();
  await removeDataDir(emptyDir);
  return {
    name: `mark all as read, ${shown(messages)} unread`,
    unit: 'ms',
    ...compare(results),
    against: 'an empty durable commit and a call',
    target: { kind: 'at-most', ratio: 2 },
  };
}

export async function measureLarge(plan: LargePlan): Promise<readonly Row[]> {
  const dataDir = await makeDataDir();
  const [account] = await seedOrganization(dataDir, USERS, { streams: STREAMS });
  if (account === undefined) throw new Error('no accounts');
  seedMessages(dataDir, plan.messages);
  addQueues(dataDir);
  const { rounds } = plan;
  const raw = openRawHistory(databaseFile(dataDir));
  const restart = await measureRestart(dataDir, { raw, rounds });
  const service = await startService(dataDir);
  const register = await measureRegister(service.port, account, { raw, rounds });
  raw.close();
  const markAll = await measureMarkAll(service.port, { ...plan, account, dataDir });
  await service.stop();
  await removeDataDir(dataDir);
  return [restart, register, markAll];
}

/** A small office that nobody uses right now. */
export async function measureResident(): Promise<readonly Row[]> {
  const dataDir = await makeDataDir();
  const [account] = await seedOrganization(dataDir, 10);
  if (account === undefined) throw new Error('no accounts');
  seedMessages(dataDir, 100_000);
  const service = await startService(dataDir);
  const connection = await openConnection(service.port);
  await connection.request(post(account, '/register', {}));
  await connection.request(
    get(account, '/messages', { anchor: 'newest', num_before: 100, num_after: 0 }),
  );
  const resident = service.residentKiB();
  connection.close();
  await service.stop();
  await removeDataDir(dataDir);
  if (resident === undefined) return [];
  const row = { name: 'resident memory, 10 users, 100,000 messages', unit: 'MiB' } as const;
  return [limited(row, [resident / 1024], RESIDENT_LIMIT_MIB)];
}
