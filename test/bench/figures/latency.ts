/** From the first byte of a send to the arrival of the message at those who wait for it, and what the server works for it. */
import { accountsOf, openClients, type Transport } from '../load/clients.ts';
import type { Histogram } from '../load/histogram.ts';
import { openOpenLoop, whole } from '../load/open-loop.ts';
import { type Side, startPair } from '../processes.ts';
import type { Row } from '../report.ts';
import { compare, inTurn } from '../statistics.ts';

export interface LatencyPlan {
  readonly rounds: number;
  readonly windowMs: number;
  readonly warmUpMs: number;
}

export interface Load {
  readonly transport: Transport;
  readonly clients: number;
  readonly sendsPerSecond: number;
}

const ACCOUNTS = 101;
/**
 * Fetches get fewer sends where the bare server alone would fill more of its core, in per cent: from there on requests queue up,
 * and a tenth more work is several times the wait. Where the loads were set, 20 sends/s to 1,000 were half of a core.
 */
const BARE_BUSY = 60;

interface Window {
  readonly times: Histogram;
  /** Per cent of a core; undefined where the system does not tell. */
  readonly busyPercent: number | undefined;
}

interface Loaded {
  readonly measure: (sendsPerSecond: number, ms: number) => Promise<Window>;
  readonly stop: () => Promise<void>;
}

async function load(side: Side, plan: Load): Promise<Loaded> {
  const { port, accounts } = side;
  const waiting = accountsOf(accounts.slice(0, -1), plan.clients);
  const clients = await openClients(port, waiting, plan.transport);
  const sender = accounts.at(-1);
  if (sender === undefined) throw new Error('no accounts');
  const loop = await openOpenLoop({ to: port, sender, clients: [clients] });
  return {
    async measure(sendsPerSecond, ms) {
      const before = side.cpuMs();
      const { times, seconds } = whole(await loop.measure(sendsPerSecond, ms));
      const after = side.cpuMs();
      const isKnown = before !== undefined && after !== undefined;
      return { times, busyPercent: isKnown ? (after - before) / (10 * seconds) : undefined };
    },
    async stop() {
      loop.close();
      await clients.stop();
      await side.stop();
    },
  };
}

type Pair = readonly [Window, Window];

/** @param borne  sends per second, of all rounds */
function nameOf({ transport, clients }: Load, borne: readonly number[]): string {
  const [low, high] = [Math.min(...borne), Math.max(...borne)].map(String);
  const sends = low === high ? low : `${String(low)} to ${String(high)}`;
  const waiting = `${transport === 'poll' ? 'queue' : 'stream'}${clients === 1 ? '' : 's'}`;
  return `${String(clients)} ${waiting}, ${String(sends)} sends/s`;
}

/** Sends per second as this machine bears them now, by what the bare server worked under some of them. */
function bearable(plan: Load, sendsPerSecond: number, { busyPercent = 0 }: Window): number {
  if (plan.transport === 'stream' || busyPercent === 0) return plan.sendsPerSecond;
  const borne = Math.round((sendsPerSecond * BARE_BUSY) / busyPercent);
  return Math.max(1, Math.min(plan.sendsPerSecond, borne));
}

function rowsOf(rounds: readonly Pair[], plan: Load, borne: readonly number[]): readonly Row[] {
  const load = nameOf(plan, borne);
  const against = plan.transport === 'poll' ? 'bare server' : 'bare server with streams';
  const times: readonly Row[] = [0.5, 0.99].map((share) => ({
    name: `send to receive, ${load}, p${String(share * 100)}`,
    unit: 'ms',
    ...compare(
      rounds.map(([service, reference]) => ({
        figure: service.times.percentile(share),
        reference: reference.times.percentile(share),
      })),
    ),
    against,
    target: { kind: 'at-most', ratio: 1.5 },
  }));
  const busy = rounds.flatMap(([{ busyPercent: figure }, { busyPercent: reference }]) =>
    figure === undefined || reference === undefined ? [] : [{ figure, reference }],
  );
  if (busy.length === 0) return times;
  const name = `core busy, ${load}`;
  // Only the times of polls have a target.
  const target = plan.transport === 'poll' ? null : ({ kind: 'at-most', ratio: 2 } as const);
  return [...times, { name, unit: '%', ...compare(busy), against, target }];
}

export async function measureLatency(
  loadPlan: Load,
  { rounds, windowMs, warmUpMs }: LatencyPlan,
): Promise<readonly Row[]> {
  const pair = await startPair(ACCOUNTS);
  const service = await load(pair.service, loadPlan);
  const reference = await load(pair.reference, loadPlan);
  await service.measure(loadPlan.sendsPerSecond, warmUpMs);
  await reference.measure(loadPlan.sendsPerSecond, warmUpMs);
  let bare = await reference.measure(loadPlan.sendsPerSecond, warmUpMs);
  const borne: number[] = [];
  const measured: Pair[] = [];
  for (let round = 0; round < rounds; round++) {
    // The machine is another one from minute to minute.
    const sendsPerSecond = bearable(loadPlan, borne.at(-1) ?? loadPlan.sendsPerSecond, bare);
    const pair = await inTurn(
      round,
      () => service.measure(sendsPerSecond, windowMs),
      () => reference.measure(sendsPerSecond, windowMs),
    );
    borne.push(sendsPerSecond);
    measured.push(pair);
    [, bare] = pair;
  }
  await service.stop();
  await reference.stop();
  return rowsOf(measured, loadPlan, borne);
}
