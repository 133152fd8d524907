/** What a client that waits for events costs in memory. */
import { accountsOf, openClients } from '../load/clients.ts';
import { type Side, startPair } from '../processes.ts';
import type { Row } from '../report.ts';
import { compare, inTurn, type Round } from '../statistics.ts';

export interface IdlePlan {
  readonly rounds: number;
  readonly polls: number;
}

const ACCOUNTS = 100;
/** What these bring is there only once: code, buffers, and all of the heap's young generation. */
const FIRST = 2000;

/** Resident memory that each of many waiting polls adds. */
async function memoryOfPoll(side: Side, polls: number): Promise<number | undefined> {
  const waiting = accountsOf(side.accounts, FIRST + polls);
  const warm = await openClients(side.port, waiting.slice(0, FIRST));
  const before = side.residentKiB();
  const pollers = await openClients(side.port, waiting.slice(FIRST));
  const after = side.residentKiB();
  await pollers.stop();
  await warm.stop();
  return before === undefined || after === undefined ? undefined : (after - before) / polls;
}

export async function measureIdle({ rounds: count, polls }: IdlePlan): Promise<readonly Row[]> {
  const rounds: Round[] = [];
  for (let round = 0; round < count; round++) {
    const { service, reference } = await startPair(ACCOUNTS);
    const [figure, bare] = await inTurn(
      round,
      () => memoryOfPoll(service, polls),
      () => memoryOfPoll(reference, polls),
    );
    await service.stop();
    await reference.stop();
    if (figure === undefined || bare === undefined) return [];
    rounds.push({ figure, reference: bare });
  }
  return [
    {
      name: `memory of an idle long poll, ${polls.toLocaleString('en-US')} beyond ${FIRST.toLocaleString('en-US')}`,
      unit: 'KiB',
      ...compare(rounds),
      against: 'bare server',
      target: { kind: 'at-most', ratio: 2 },
    },
  ];
}
