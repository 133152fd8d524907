import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * MiB that are left of what many rounds of the work have made, each followed by collections of the young generation alone: what
 * nothing leads to but something dead that has grown old is still there.
 */
export function outlivingMiB(rounds: number, work: (round: number) => void): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: { readonly type: 'minor' }) => void;
  const collectYoung = (): void => {
    // Whoever outlives two of them has grown old.
    for (let times = 0; times < 2; times++) collect({ type: 'minor' });
  };
  collectYoung();
  const before = process.memoryUsage().heapUsed;
  for (let round = 0; round < rounds; round++) {
    work(round);
    collectYoung();
  }
  return (process.memoryUsage().heapUsed - before) / 2 ** 20;
}
