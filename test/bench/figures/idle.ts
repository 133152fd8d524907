/** What a client that waits for events costs in memory. */
import { accountsOf, openClients } from '../load/clients.ts';
import { type Side, startPair } from '../processes.ts';
import type { Row } from '../report.ts';
import { compare, type Round } from '../statistics.ts';

export interface IdlePlan {
  readonly polls: number;
}

const ACCOUNTS = 20;

/** Resident memory that each of many waiting polls adds. */
async function memoryOfPoll(side: Side, polls: number): Promise<number | undefined> {
  const waiting = accountsOf(side.accounts, polls);
  // The first ones bring in code and buffers that are there only once.
  const warm = await openClients(side.port, waiting.slice(0, ACCOUNTS));
  const before = side.residentKiB();
  const pollers = await openClients(side.port, waiting);
  const after = side.residentKiB();
  await pollers.stop();
  await warm.stop();
  return before === undefined || after === undefined ? undefined : (after - before) / polls;
}

export async function measureIdle({ polls }: IdlePlan): Promise<readonly Row[]> {
  const pair = await startPair(ACCOUNTS);
  const figure = await memoryOfPoll(pair.service, polls);
  const reference = await memoryOfPoll(pair.reference, polls);
  await pair.service.stop();
  await pair.reference.stop();
  if (figure === undefined || reference === undefined) return [];
  const rounds: Round[] = [{ figure, reference }];
  return [
    {
      name: `memory of an idle long poll, ${polls.toLocaleString('en-US')} of them`,
      unit: 'KiB',
      ...compare(rounds),
      against: 'bare server',
      target: { kind: 'at-most', ratio: 2 },
    },
  ];
}
