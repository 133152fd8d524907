/** What people are told, and how soon, while others ask for much; and what the service holds after a long load. */
import { setTimeout as delay } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { accountsOf, openClients, type Transport } from '../load/clients.ts';
import { openConnection } from '../load/connection.ts';
import { openOpenLoop, whole } from '../load/open-loop.ts';
import { encode, get, post, postHead } from '../load/requests.ts';
import { prepareReturn } from '../load/returning.ts';
import { makeDataDir, removeDataDir, type Started, startService } from '../processes.ts';
import { onOneCore } from '../one-core.ts';
import { openRawHistory, type RawHistory } from '../reference/history.ts';
import { limited, type Row } from '../report.ts';
import { type Account, databaseFile, seedMessages, seedOrganization, streamName } from '../seed.ts';
import { median } from '../statistics.ts';
import { limitedHere, measureHere, type Paced, paced } from './own-machine.ts';

export interface BesidePlan {
  readonly messages: number;
  readonly rounds: number;
  readonly windowMs: number;
  /** How long the service is under load before its memory is read. */
  readonly loadMs: number;
}

const ACCOUNTS = 101;
const REGISTRATIONS = 1000;
const PAGE = 5000;
const QUIET_MS = 8000;
const WARM_UP_MS = 2000;
/** Each takes some milliseconds: a few of them are what the machine does in that moment. */
const REGISTRATIONS_IN_ROUND = 20;
const WARM_UP_REGISTRATIONS = 50;
/** What goes through 50,000 is hardly run by those with 1,000. */
const LARGE_WARM_UP_REGISTRATIONS = 20;
const BOTS = 20;
const DELIVER_EVERY_MS = 200;
/** For others, while everybody returns. */
const RETURN_LIMIT_MS = 50;
/** Until the last of a thousand is back who have 100,000 messages unread: as long as a thousand registrations with 50,000 may take. */
const LATE_RETURN_LIMIT_MS = 15_000;
const LATE_SENDS_PER_SECOND = 20;
/** What may come on top, on that machine. */
const MARGIN_MS = 20;
/** Whoever writes is here already: a new connection stands behind all those that were opened before it. */
const CONNECTIONS = 20;

interface Office {
  readonly service: Started;
  readonly sender: Account;
  readonly others: readonly Account[];
  readonly dataDir: string;
  readonly close: () => Promise<void>;
}

async function openOffice(messages: number): Promise<Office> {
  const dataDir = await makeDataDir();
  const [sender, ...others] = await seedOrganization(dataDir, ACCOUNTS);
  if (sender === undefined) throw new Error('no accounts');
  if (messages > 0) seedMessages(dataDir, messages);
  const service = await startService(dataDir);
  const close = async (): Promise<void> => {
    await service.stop();
    await removeDataDir(dataDir);
  };
  return { service, sender, others, dataDir, close };
}

async function timeRegistrations({ service, others }: Office, count: number): Promise<number> {
  const connection = await openConnection(service.port);
  const times: number[] = [];
  for (let i = 0; i < count; i++) {
    const [account] = others;
    if (account === undefined) break;
    const startedAt = performance.now();
    await connection.request(post(account, '/register', {}));
    times.push(performance.now() - startedAt);
  }
  connection.close();
  return median(times);
}

async function registrationRows(
  office: Office,
  raw: RawHistory,
  { rounds }: BesidePlan,
): Promise<readonly Row[]> {
  const register = (unread: string, limitMs: number): Promise<Row> =>
    measureHere(`register with ${unread} unread`, { raw, limitMs, rounds: 2 * rounds }, () =>
      timeRegistrations(office, REGISTRATIONS_IN_ROUND),
    );
  const few = await onOneCore(office.service.pid, async () => {
    await timeRegistrations(office, WARM_UP_REGISTRATIONS);
    return register('1,000', 8);
  });
  const db = new Database(databaseFile(office.dataDir), { timeout: 5000 });
  db.exec('DELETE FROM read_mark');
  db.close();
  // What they leave is collected by a helper beside the thread that answers: on one core it would be in the way.
  await timeRegistrations(office, LARGE_WARM_UP_REGISTRATIONS);
  return [few, await register('50,000', 15), ...(await lateReturnRows(office, raw))];
}

/** A thousand who return to all messages unread, while a hundred others get messages. */
async function lateReturnRows(office: Office, raw: RawHistory): Promise<readonly Row[]> {
  const returnAtOnce = await prepareReturn({
    port: office.service.port,
    accounts: accountsOf(office.others, REGISTRATIONS),
  });
  let backMs = 0;
  const returning = await paced(raw, () =>
    p99Beside(office, LATE_SENDS_PER_SECOND, LATE_RETURN_LIMIT_MS, async () => {
      const startedAt = performance.now();
      await returnAtOnce();
      backMs = performance.now() - startedAt;
    }),
  );
  const name = '1,000 registrations at once, all messages unread';
  return [
    limitedHere(`${name}: until all are back`, LATE_RETURN_LIMIT_MS, [
      { ...returning, result: backMs },
    ]),
    limitedHere(`send to receive, 100 streams, p99, ${name}`, RETURN_LIMIT_MS, [returning]),
  ];
}

/** Of 100 clients on streams that get messages while something else is done: the p99 of their times. */
async function p99Beside(
  { service, sender, others }: Office,
  sendsPerSecond: number,
  ms: number,
  work: () => Promise<void>,
): Promise<number> {
  const clients = await openClients(service.port, accountsOf(others, 100), 'stream');
  const loop = await openOpenLoop({
    to: service.port,
    sender,
    clients: [clients],
    connections: CONNECTIONS,
  });
  await loop.measure(sendsPerSecond, WARM_UP_MS);
  const measuring = loop.measure(sendsPerSecond, ms);
  await work();
  const p99 = whole(await measuring).times.percentile(0.99);
  loop.close();
  await clients.stop();
  return p99;
}

/** Asks for one large page after the other until the time is over. */
async function readPages({ service, sender }: Office, ms: number): Promise<void> {
  const connection = await openConnection(service.port);
  const page = get(sender, '/messages', { anchor: 'newest', num_before: PAGE, num_after: 0 });
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt) await connection.request(page);
  connection.close();
}

/** As many as twenty services may each deliver to their bots: 300 a minute. */
async function deliver({ service, sender }: Office, ms: number): Promise<void> {
  const bots = Array.from({ length: BOTS }, async (_, number) => {
    const connection = await openConnection(service.port);
    const name = `service${String(number)}`;
    const made = post(sender, '/bots', { full_name: name, short_name: name, bot_type: 2 });
    const { api_key: key } = JSON.parse(String(await connection.request(made))) as {
      readonly api_key: string;
    };
    const query = encode({ api_key: key, stream: streamName(1) });
    const body = JSON.stringify({ topic: name, content: 'The build has passed' });
    const delivery = postHead(sender, `/external/ifttt?${query}`, body.length) + body;
    const startedAt = performance.now();
    for (let sent = 0; sent * DELIVER_EVERY_MS < ms; sent++) {
      const wait = startedAt + sent * DELIVER_EVERY_MS - performance.now();
      await delay(Math.max(0, wait));
      await connection.request(delivery);
    }
    connection.close();
  });
  await Promise.all(bots);
}

const withMargin = (
  name: string,
  { result, slowness }: Paced<number>,
  without: { readonly ms: number; readonly what: string },
): Row => ({
  ...limited({ name, unit: 'ms' }, [result], without.ms + MARGIN_MS * slowness),
  against: `${without.what}, and ${String(MARGIN_MS)} ms as above`,
});

async function besideRows(
  office: Office,
  raw: RawHistory,
  { windowMs }: BesidePlan,
): Promise<readonly Row[]> {
  const returnAtOnce = await prepareReturn({
    port: office.service.port,
    accounts: accountsOf(office.others, REGISTRATIONS),
  });
  const returning = await paced(raw, () => p99Beside(office, 20, windowMs, returnAtOnce));
  const alone = await p99Beside(office, 100, windowMs, () => Promise.resolve());
  const reading = await paced(raw, () =>
    p99Beside(office, 100, windowMs, () => readPages(office, windowMs)),
  );
  const asMany = await p99Beside(office, 200, windowMs, () => Promise.resolve());
  const delivering = await paced(raw, () =>
    p99Beside(office, 100, windowMs, () => deliver(office, windowMs)),
  );
  const during = 'send to receive, 100 streams, p99';
  return [
    limitedHere(`${during}, 1,000 registrations at once`, RETURN_LIMIT_MS, [returning]),
    withMargin(`${during}, one reads pages of 5,000`, reading, {
      ms: alone,
      what: 'without the reader',
    }),
    withMargin(`${during}, 20 services deliver 100/s`, delivering, {
      ms: asMany,
      what: 'as many messages of people alone',
    }),
  ];
}

async function residentAfter(
  [clients, sendsPerSecond, limitMiB]: readonly [number, number, number],
  transport: Transport,
  ms: number,
): Promise<readonly Row[]> {
  const office = await openOffice(0);
  // What only the start needed goes back in the first quiet moment.
  await delay(QUIET_MS);
  const start = office.service.residentKiB();
  const waiting = await openClients(
    office.service.port,
    accountsOf(office.others, clients),
    transport,
  );
  const loop = await openOpenLoop({
    ...{ to: office.service.port, sender: office.sender, clients: [waiting] },
  });
  whole(await loop.measure(sendsPerSecond, ms));
  const end = office.service.residentKiB();
  loop.close();
  await waiting.stop();
  await office.close();
  if (start === undefined || end === undefined) return [];
  const name = `resident after ${String(ms / 1000)} s of ${String(clients)} streams, ${String(sendsPerSecond)} sends/s`;
  return [
    limited({ name: 'resident at the start', unit: 'MiB' }, [start / 1024], 105),
    limited({ name, unit: 'MiB' }, [end / 1024], limitMiB),
  ];
}

export async function measureBeside(
  plan: BesidePlan,
  tell: (line: string) => void,
): Promise<readonly Row[]> {
  const office = await openOffice(plan.messages);
  tell('beside those who register and read ...');
  const raw = openRawHistory(databaseFile(office.dataDir));
  const rows = [
    ...(await besideRows(office, raw, plan)),
    ...(await registrationRows(office, raw, plan)),
  ];
  raw.close();
  await office.close();
  for (const load of [[100, 100, 180] as const, [1000, 20, 235] as const]) {
    tell(`memory after ${String(plan.loadMs / 1000)} s ...`);
    rows.push(...(await residentAfter(load, 'stream', plan.loadMs)));
  }
  return rows;
}
