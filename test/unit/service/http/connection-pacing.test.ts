import { expect, test } from 'vitest';
import { ConnectionThrottle } from '#service/http/connection-pacing.ts';
import { settle } from '#test/support/fake-clock.ts';

/** Everything that begins takes so long, and reads its request in a tick of its own, which takes as long again. */
function workshop(eachMs: number) {
  let nowMs = 0;
  const begun: number[] = [];
  const arrivals = new ConnectionThrottle(() => nowMs);
  return {
    begun,
    come: (number: number) =>
      arrivals.admit(() => {
        begun.push(number);
        nowMs += eachMs / 2;
        process.nextTick(() => (nowMs += eachMs / 2));
      }),
    pass: (ms: number) => (nowMs += ms),
  };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('those who come one by one are taken in at once', async () => {
  const { begun, come } = workshop(10);
  for (const number of upTo(3)) {
    come(number);
    expect(begun).toEqual(upTo(number + 1));
    await settle();
  }
});

test('of many who come at once a round takes in some, until all are in, in their order', async () => {
  const { begun, come } = workshop(1);
  // Each in a callback of its own, as the system tells of them.
  for (const number of upTo(40)) {
    come(number);
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  const sizes = [begun.length];
  while (begun.length < 40) {
    const before = begun.length;
    await settle();
    sizes.push(begun.length - before);
  }
  expect(begun).toEqual(upTo(40));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(4);
  expect(sizes.length).toBeLessThanOrEqual(12);
  await settle();
  come(40);
  expect(begun).toEqual(upTo(41));
});

test('one that takes longer than a round is alone in it', async () => {
  const { begun, come } = workshop(20);
  for (const number of upTo(3)) {
    come(number);
    await new Promise<void>((resolve) => process.nextTick(resolve));
  }
  expect(begun).toEqual([0]);
  await settle();
  expect(begun).toEqual([0, 1]);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
});

test('whoever comes while others wait does not overtake them', async () => {
  const { begun, come, pass } = workshop(1);
  come(0);
  pass(10);
  come(1);
  expect(begun).toEqual([0]);
  await settle();
  come(2);
  await settle();
  expect(begun).toEqual([0, 1, 2]);
});
