/** Acknowledged, and so durable, messages per second into one stream. */
import { join } from 'node:path';
import { countCommits } from '../batch-size.ts';
import { accountsOf, openClients } from '../load/clients.ts';
import { openSenders, type Senders } from '../load/senders.ts';
import { makeDataDir, removeDataDir, type Side, startPair } from '../processes.ts';
import { openReferenceLog, type NewRow, type ReferenceLog } from '../reference/log.ts';
import type { Row, Target } from '../report.ts';
import { databaseFile } from '../seed.ts';
import { compare, inTurn, type Round } from '../statistics.ts';
import { textSource } from '../texts.ts';

export interface SendsPlan {
  readonly rounds: number;
  readonly windowMs: number;
}

const SENDERS = 64;
const ACCOUNTS = 100;
const WARM_UP = 3000;
/** Few enough to stay in the write-ahead log, where their commits are counted. */
const COUNTED = 2000;

interface Window {
  readonly perSecond: number;
  /** Processor time of the server for one message; undefined where the system does not tell. */
  readonly cpuMicroseconds: number | undefined;
}

interface Loaded {
  readonly senders: Senders;
  readonly measure: (senders: number, ms: number) => Promise<Window>;
  readonly stop: () => Promise<void>;
}

async function load(side: Side, queues: number): Promise<Loaded> {
  const pollers = await openClients(side.port, accountsOf(side.accounts, queues));
  const senders = await openSenders(side.port, side.accounts.slice(-SENDERS));
  return {
    senders,
    async measure(count, ms) {
      const before = side.cpuMs();
      const { messages, seconds } = await senders.sendFor(count, ms);
      const after = side.cpuMs();
      const isKnown = before !== undefined && after !== undefined;
      return {
        perSecond: messages / seconds,
        cpuMicroseconds: isKnown ? (1000 * (after - before)) / messages : undefined,
      };
    },
    async stop() {
      senders.close();
      await pollers.stop();
      await side.stop();
    },
  };
}

/** Messages in one transaction when all senders are at work. */
async function measureBatch(side: Side, senders: Senders): Promise<number> {
  const file = databaseFile(side.dataDir);
  const before = countCommits(file);
  await senders.sendMany(SENDERS, COUNTED);
  return Math.max(1, Math.round(COUNTED / (countCommits(file) - before)));
}

function rowSource(): () => NewRow {
  const nextText = textSource(5);
  let count = 0;
  return () => ({
    senderId: 1 + (count % ACCOUNTS),
    topicId: 1 + (count++ % 10),
    content: nextText().content,
    sentAt: Math.floor(Date.now() / 1000),
  });
}

/** Rows per second of the bare database, without any server. */
function rawRate(log: ReferenceLog, batch: number, ms: number): number {
  const nextRow = rowSource();
  const batches = Array.from({ length: 200 }, () => Array.from({ length: batch }, nextRow));
  const startedAt = performance.now();
  let written = 0;
  for (let i = 0; performance.now() - startedAt < ms; i = (i + 1) % batches.length) {
    written += log.append(batches[i] ?? []).length;
  }
  return (1000 * written) / (performance.now() - startedAt);
}

interface Rounds {
  readonly againstServer: readonly Round[];
  readonly cpu: readonly Round[];
  readonly againstRaw: readonly Round[];
}

interface Sides {
  readonly service: Loaded;
  readonly reference: Loaded;
  readonly raw: ReferenceLog;
}

/** @param batch  rows in a transaction of the bare database */
async function measureRounds(
  { service, reference, raw }: Sides,
  senders: number,
  batch: number,
  plan: SendsPlan,
): Promise<Rounds> {
  const [againstServer, cpu, againstRaw]: [Round[], Round[], Round[]] = [[], [], []];
  for (let round = 0; round < plan.rounds; round++) {
    const [ours, bare] = await inTurn(
      round,
      () => service.measure(senders, plan.windowMs),
      () => reference.measure(senders, plan.windowMs),
    );
    const figure = ours.perSecond;
    againstServer.push({ figure, reference: bare.perSecond });
    againstRaw.push({ figure, reference: rawRate(raw, batch, plan.windowMs / 2) });
    if (ours.cpuMicroseconds === undefined || bare.cpuMicroseconds === undefined) continue;
    cpu.push({ figure: ours.cpuMicroseconds, reference: bare.cpuMicroseconds });
  }
  return { againstServer, cpu, againstRaw };
}

const plural = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`;

/** By waiting queues. */
const wanted: ReadonlyMap<number, number> = new Map([
  [1, 0.5],
  [100, 0.6],
  [1000, 0.7],
]);

const targetOf = (senders: number, queues: number): Target | null => {
  const ratio = senders === 1 ? undefined : wanted.get(queues);
  return ratio === undefined ? null : { kind: 'at-least', ratio };
};

function rowsOf(rounds: Rounds, senders: number, batch: number, queues: number): readonly Row[] {
  const load = `${plural(senders, 'sender')}, ${plural(queues, 'queue')}`;
  const sends: Row[] = [
    {
      name: `sends, ${load}`,
      unit: '/s',
      ...compare(rounds.againstServer),
      against: 'bare server',
      target: targetOf(senders, queues),
    },
    {
      name: `sends, ${load}`,
      unit: '/s',
      ...compare(rounds.againstRaw),
      against: `raw SQLite, ${String(batch)} a transaction`,
      target: null,
    },
  ];
  if (rounds.cpu.length === 0) return sends;
  const cpu: Row = {
    name: `processor time of a send, ${load}`,
    unit: 'µs',
    ...compare(rounds.cpu),
    against: 'bare server',
    target: null,
  };
  return [...sends, cpu];
}

/** @param queues  how many clients wait for events meanwhile, each getting every message */
export async function measureSends(queues: number, plan: SendsPlan): Promise<readonly Row[]> {
  const rawDir = await makeDataDir();
  const raw = openReferenceLog(join(rawDir, 'raw.db'));
  const pair = await startPair(ACCOUNTS);
  const service = await load(pair.service, queues);
  const reference = await load(pair.reference, queues);
  const batch = await measureBatch(pair.service, service.senders);
  await service.senders.sendMany(SENDERS, WARM_UP);
  await reference.senders.sendMany(SENDERS, WARM_UP);
  const sides = { service, reference, raw };
  const rows: Row[] = [];
  for (const senders of [SENDERS, 1]) {
    const perTransaction = senders === 1 ? 1 : batch;
    const rounds = await measureRounds(sides, senders, perTransaction, plan);
    rows.push(...rowsOf(rounds, senders, perTransaction, queues));
  }
  await service.stop();
  await reference.stop();
  raw.close();
  await removeDataDir(rawDir);
  return rows;
}
