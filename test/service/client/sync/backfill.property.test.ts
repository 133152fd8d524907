/** What the background fill fetches, against a service that counts what it gave. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BackfillWorld } from '#test/support/client/fill-world.ts';
import { shortOrLong } from '#test/support/long.ts';

type Step = (world: BackfillWorld) => Promise<void> | void;

const stream = fc.constantFrom(1, 2, 3);
const place = fc.constantFrom(1, 2, 3, null);
const index = fc.nat(200);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.nat(3).map((count) => (world: BackfillWorld) => world.turn(count)) },
  place.map((where) => (world: BackfillWorld) => world.arrive(where)),
  index.map((at) => (world: BackfillWorld) => world.delete(at)),
  index.map((at) => (world: BackfillWorld) => world.edit(at)),
  fc.tuple(index, stream).map(
    ([at, to]) =>
      (world: BackfillWorld) =>
        world.move(at, to),
  ),
  stream.map((id) => (world: BackfillWorld) => world.join(id)),
  stream.map((id) => (world: BackfillWorld) => world.leave(id)),
  fc.constant((world: BackfillWorld) => world.restart()),
);
const old = fc.tuple(place, fc.boolean());

/** Of what is held where the account may no longer look nobody tells it anything. */
function expectWhole(world: BackfillWorld): void {
  const readable = world.messages.filter(world.isReadable);
  const ids = readable.map(({ id }) => id);
  const kept = new Map(world.cache.find(ids).map((each) => [each.id, each]));
  expect([...kept.keys()]).toEqual(ids.toSorted((a, b) => a - b));
  const told = readable.filter(
    ({ streamId }) => streamId === null || world.subscribed.has(streamId),
  );
  for (const { id, streamId, isHeld, text } of told) {
    expect(kept.get(id)?.stream_id ?? null).toBe(streamId);
    if (isHeld) expect(kept.get(id)?.source).toBe(text);
  }
  for (const each of world.places()) expect(world.cache.coveredFrom(each)).toBe(0);
  expect(world.cache.findStale(1)).toEqual([]);
}

test('the fill leaves every message here as it is, and asks for none twice without a reason', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(old, { minLength: 10, maxLength: 60 }),
      fc.array(step, { maxLength: 25 }),
      async (before, steps) => {
        const world = new BackfillWorld(4);
        try {
          for (const [where, isHeld] of before) world.add(where, where === null || isHeld);
          await world.begin();
          for (const run of steps) await run(world);
          await world.finish();
          expectWhole(world);
          const often = [...world.given].filter(
            ([id, count]) => count > 1 + (world.reasons.get(id) ?? 0),
          );
          expect(often).toEqual([]);
        } finally {
          world.close();
        }
      },
    ),
    { numRuns: shortOrLong(25, 500) },
  );
});

test('a stream that is joined while the fill runs is brought as far as the others, and then goes on with them', async () => {
  const world = new BackfillWorld(10);
  try {
    for (let id = 0; id < 100; id += 1) world.add(1 + (id % 3), id % 3 !== 2);
    await world.begin();
    await world.turn(2);
    world.join(3);
    world.reasons.clear();
    await world.finish();
    expect(world.given.size).toBe(100);
    expect(Math.max(...world.given.values())).toBe(1);
    // Four pages for what was joined at most, eight for all the rest.
    expect(world.pages).toBeLessThanOrEqual(13);
  } finally {
    world.close();
  }
});

test('the fill rests as long as the service has nothing else to do, and many times longer while others ask', async () => {
  const world = new BackfillWorld(500);
  try {
    for (let id = 0; id < 20_000; id += 1) world.add(1, true);
    world.pageMs = 15;
    await world.begin();
    await world.turn(9);
    const pauses = (): readonly number[] => world.turns.pauses.splice(0);
    const first = pauses();
    expect(first.slice(0, 3)).toEqual([250, 250, 250]);
    expect(Math.max(...first.slice(4))).toBeLessThan(30);
    // Each page waits for three others.
    world.pageMs = 60;
    await world.turn(10);
    expect(Math.min(...pauses().slice(2))).toBeGreaterThan(800);
    world.pageMs = 600;
    await world.turn(4);
    expect(pauses().slice(2)).toEqual([1000, 1000]);
    world.pageMs = 15;
    await world.turn(3);
    expect(Math.max(...pauses())).toBeLessThan(30);
  } finally {
    world.close();
  }
});
