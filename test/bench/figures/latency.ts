/** From the first byte of a send to the arrival of the message at those who wait for it. */
import { openOpenLoop, type OpenLoop } from '../load/open-loop.ts';
import { accountsOf, startPollers } from '../load/pollers.ts';
import { type Side, startPair } from '../processes.ts';
import type { Row } from '../report.ts';
import { compare, inTurn, percentile } from '../statistics.ts';

export interface LatencyPlan {
  readonly rounds: number;
  readonly windowMs: number;
  readonly warmUpMs: number;
}

const ACCOUNTS = 101;

interface Loaded {
  readonly loop: OpenLoop;
  readonly stop: () => Promise<void>;
}

async function load(side: Side, queues: number): Promise<Loaded> {
  const { port, accounts } = side;
  const pollers = await startPollers(port, accountsOf(accounts.slice(0, -1), queues));
  const sender = accounts.at(-1);
  if (sender === undefined) throw new Error('no accounts');
  const loop = await openOpenLoop({ port, sender, pollers, queues });
  return {
    loop,
    async stop() {
      loop.close();
      await pollers.stop();
      await side.stop();
    },
  };
}

type Latencies = readonly number[];

function rowsOf(
  rounds: readonly (readonly [Latencies, Latencies])[],
  queues: number,
  rate: number,
): readonly Row[] {
  return [0.5, 0.99].map((share) => ({
    name: `send to receive, ${String(queues)} queue${queues === 1 ? '' : 's'}, ${String(rate)} sends/s, p${String(share * 100)}`,
    unit: 'ms',
    ...compare(
      rounds.map(([service, reference]) => ({
        figure: percentile(service, share),
        reference: percentile(reference, share),
      })),
    ),
    against: 'bare server',
    target: { kind: 'at-most', ratio: 1.5 },
  }));
}

export async function measureLatency(
  queues: number,
  rate: number,
  plan: LatencyPlan,
): Promise<readonly Row[]> {
  const pair = await startPair(ACCOUNTS);
  const service = await load(pair.service, queues);
  const reference = await load(pair.reference, queues);
  await service.loop.measure(rate, plan.warmUpMs);
  await reference.loop.measure(rate, plan.warmUpMs);
  const rounds: (readonly [Latencies, Latencies])[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    rounds.push(
      await inTurn(
        round,
        () => service.loop.measure(rate, plan.windowMs),
        () => reference.loop.measure(rate, plan.windowMs),
      ),
    );
  }
  await service.stop();
  await reference.stop();
  return rowsOf(rounds, queues, rate);
}
