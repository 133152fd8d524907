import { expect, test } from 'vitest';
import { ROUND, type TortureCounts, Tortured } from '#test/support/crash/torture.ts';
import { isLong, shortOrLong } from '#test/support/long.ts';
import { randomFrom } from '#test/support/random.ts';

/** The short form kills each kind of work in an order of its own each time: what one run does not meet, the next ones do. */
const kills = shortOrLong(ROUND.length, 1000);
/** Most of a round is waiting for a process to start or to be killed: others have the processor meanwhile. */
const offices = shortOrLong(1, 4);
/** How often the long form says how far it is, in kills of one office. */
const TELL_EVERY = 25;
const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 1_000_000));

function tell(office: number, counts: TortureCounts): void {
  if (isLong && counts.kills % TELL_EVERY === 0)
    process.stderr.write(`office ${String(office)}: ${JSON.stringify(counts)}\n`);
}

async function torture(office: number): Promise<TortureCounts> {
  const tortured = await Tortured.begin(randomFrom(seed + office));
  try {
    while (tortured.counts.kills < kills / offices) {
      await tortured.next();
      tell(office, tortured.counts);
    }
    await tortured.end();
  } finally {
    await tortured.abandon();
  }
  return tortured.counts;
}

test(
  `an office survives ${String(kills)} kills during sends, backups, restores and moves (TORTURE_SEED=${String(seed)})`,
  async () => {
    const all = await Promise.all(Array.from({ length: offices }, (_, office) => torture(office)));
    expect(all.reduce((sum, counts) => sum + counts.kills, 0)).toBe(kills);
    for (const counts of all) expect(counts.acknowledged).toBeGreaterThan(0);
  },
  kills * 20_000,
);
