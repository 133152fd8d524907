import { expect, test } from 'vitest';
import { Tortured } from '../support/crash/torture.ts';
import { shortOrLong } from '../support/long.ts';
import { randomFrom } from '../support/random.ts';

const rounds = shortOrLong(25, 1000);
const seed = Number(process.env['TORTURE_SEED'] ?? Math.floor(Math.random() * 1_000_000));

test(
  `an office survives ${String(rounds)} kills during sends, backups, restores and moves (TORTURE_SEED=${String(seed)})`,
  async () => {
    const tortured = await Tortured.begin(randomFrom(seed));
    try {
      for (let round = 0; round < rounds; round += 1) await tortured.round();
      await tortured.end();
    } finally {
      await tortured.abandon();
    }
    expect(tortured.counts).toMatchObject({ kills: rounds });
    expect(tortured.counts.acknowledged).toBeGreaterThan(0);
  },
  rounds * 20_000,
);
