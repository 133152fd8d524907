import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failure, success } from '#shared/bridge/outcome.ts';
import { ChunkedUpload } from '#client/transport/event-batches.ts';
import { FakeClock, settle } from '#test/support/fake-clock.ts';
import { ada, ben } from '#test/support/service/wire-builders.ts';
import { startSession } from '#test/support/client/session.ts';

test('a long answer is taken in pieces, with a turn for others in between', async () => {
  const { service, clock, told } = await startSession();
  const ids = Array.from({ length: 400 }, () => service.sendPrivate(ben, [ada, ben]));
  const passing = clock.advance(0);
  while (told.order.length === 0) await settle();
  expect(told.order).toEqual(ids.slice(0, 250));
  await passing;
  expect(told.order).toEqual(ids);
});

test('what is unread of a long answer is told with its first piece and with its last, and what comes later at once', async () => {
  const { service, clock, told } = await startSession();
  const counts = (): readonly number[] =>
    told.states.flatMap(({ unread }) => unread?.['private:2']?.count ?? []);
  await clock.advance(1000);
  for (let count = 0; count < 700; count += 1) service.sendPrivate(ben, [ada, ben]);
  await clock.advance(0);
  expect(counts()).toEqual([250, 700]);
  service.sendPrivate(ben, [ada, ben]);
  await clock.advance(0);
  expect(counts()).toEqual([250, 700, 701]);
});

test('what its end says was read does not ring', async () => {
  const { service, clock, told } = await startSession();
  const ids = Array.from({ length: 400 }, () => service.sendPrivate(ben, [ada, ben]));
  const read = { type: 'update_message_flags', operation: 'add', op: 'add', flag: 'read' };
  service.emit({ ...read, messages: ids, all: false });
  await clock.advance(0);
  expect(told.order).toEqual(ids);
  expect(told.notices).toEqual([]);
});

test('a session that is stopped in between tells nothing more', async () => {
  const { service, session, clock, told } = await startSession();
  const ids = Array.from({ length: 400 }, () => service.sendPrivate(ben, [ada, ben]));
  const passing = clock.advance(0);
  while (told.order.length === 0) await settle();
  await session.stop();
  await passing;
  expect(told.order).toEqual(ids.slice(0, 250));
});

const number = (count: number, first = 1): readonly number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/**
 * What is delivered of the numbers that are taken; a piece with `refused` in it is not.
 * @param msOf  how long a piece takes
 */
function startPieces(refused?: number, msOf: (events: number) => number = () => 0) {
  const clock = new FakeClock();
  const delivered: (readonly number[])[] = [];
  const held: boolean[] = [];
  const ended = new AbortController();
  let busyMs = 0;
  const pieces = new ChunkedUpload({
    clock: { now: () => clock.now() + busyMs, random: clock.random, wait: clock.wait },
    signal: ended.signal,
    deliver: (events) => {
      busyMs += msOf(events.length);
      const numbers = events as readonly number[];
      if (refused !== undefined && numbers.includes(refused)) return failure('FULL', 'no room');
      delivered.push(numbers);
      return success(null);
    },
    delivering: (isUnderWay) => held.push(isUnderWay),
  });
  return { clock, delivered, ended, held, pieces };
}

test('what comes soon after many is gathered with them', async () => {
  const { clock, delivered, held, pieces } = startPieces();
  pieces.take(number(2));
  pieces.take(number(60, 3));
  expect([delivered, held]).toEqual([[number(2)], [true]]);
  for (let first = 63; first < 363; first += 60) pieces.take(number(60, first));
  pieces.take([363]);
  await clock.advance(0);
  expect(delivered.slice(1)).toEqual([number(250, 3), number(111, 253)]);
  expect(held).toEqual([true, false]);
  pieces.take([364]);
  expect(delivered.at(-1)).toEqual([364]);
});

const times = (count: number, size: number): readonly number[] => Array<number>(count).fill(size);

test.each([
  {
    how: 'halved where they take longer than 8 ms, down to 25 events',
    count: 600,
    wanted: [250, 125, 63, 32, ...times(5, 25), 5],
  },
  {
    how: 'halved at 15 ms, down to 60 events, while more than one piece waits',
    count: 1000,
    wanted: [250, 125, 63, ...times(6, 60), 30, ...times(6, 25), 22],
  },
])('pieces are $how', async ({ count, wanted }) => {
  const { clock, delivered, pieces } = startPieces(undefined, (events) => events / 2);
  pieces.take(number(count));
  await clock.advance(0);
  expect(delivered.map((piece) => piece.length)).toEqual(wanted);
});

test('pieces are doubled where they take less than half of what they may', async () => {
  let eventsPerMs = 1;
  const { clock, delivered, pieces } = startPieces(undefined, (events) => events / eventsPerMs);
  pieces.take(number(600));
  await clock.advance(0);
  const before = delivered.length;
  eventsPerMs = 10;
  pieces.take(number(1000, 601));
  await clock.advance(0);
  const sizes = delivered.slice(before).map((piece) => piece.length);
  expect(sizes).toEqual([25, 50, ...times(7, 100), ...times(4, 50), 25]);
});

test('who waits for the end does not wait for turns once nobody else is to have one', async () => {
  const { delivered, ended, held, pieces } = startPieces();
  pieces.take(number(600));
  ended.abort();
  expect(await pieces.settled()).toEqual(success(null));
  expect(delivered.flat()).toEqual(number(600));
  expect(held).toEqual([true, false]);
});

test('property: everything is delivered once and in order, up to the first piece that cannot be', async () => {
  const sizes = fc.array(
    fc.oneof(fc.integer({ max: 40, min: 1 }), fc.integer({ max: 700, min: 1 })),
  );
  const turns = fc.infiniteStream(fc.boolean());
  await fc.assert(
    fc.asyncProperty(sizes, turns, fc.option(fc.nat(3000)), async (counts, turn, refused) => {
      const { clock, delivered, held, pieces } = startPieces(refused ?? undefined);
      let taken = 0;
      for (const count of counts) {
        pieces.take(number(count, taken + 1));
        taken += count;
        if (turn.next().value === true) await clock.advance(0);
      }
      await clock.advance(0);
      const isRefused = refused !== null && refused >= 1 && refused <= taken;
      expect((await pieces.settled()).ok).toBe(!isRefused);
      const told = delivered.flat();
      expect(told).toEqual(number(told.length));
      if (!isRefused) expect(told.length).toBe(taken);
      else expect(told.length).toBeLessThan(refused);
      expect(held.length % 2).toBe(0);
    }),
  );
});

test('who reads is held up while as many wait as make two pieces, and let go where they cannot be delivered', async () => {
  const { clock, delivered, pieces } = startPieces(800);
  const read: number[] = [];
  const reading = async (): Promise<void> => {
    for (const first of [1, 201, 401, 601]) {
      pieces.take(number(200, first));
      await pieces.room();
      read.push(first);
    }
  };
  const done = reading();
  await settle();
  expect([read, delivered]).toEqual([[1, 201], []]);
  await clock.advance(0);
  await done;
  expect(read).toEqual([1, 201, 401, 601]);
  expect(pieces.failed.aborted).toBe(true);
  expect(delivered.flat()).toEqual(number(750));
});

test('nothing is delivered past what was thrown', async () => {
  const clock = new FakeClock();
  const delivered: unknown[] = [];
  const pieces = new ChunkedUpload({
    clock,
    signal: new AbortController().signal,
    deliver: (events) => {
      if (delivered.length > 0) throw new Error('a bug');
      delivered.push(...events);
      return success(null);
    },
    delivering: () => undefined,
  });
  pieces.take(number(300));
  await clock.advance(0);
  pieces.take([301]);
  await expect(pieces.settled()).rejects.toThrow('a bug');
  expect(pieces.failed.aborted).toBe(true);
  expect(delivered).toEqual(number(250));
});

test('pieces are smaller where they take long, and grow again', async () => {
  const sizes: number[] = [];
  const turns: (() => void)[] = [];
  let nowMs = 0;
  let msPerEvent = 1;
  const pieces = new ChunkedUpload({
    clock: {
      now: () => nowMs,
      random: () => 0,
      wait: () => new Promise((resolve) => turns.push(resolve)),
    },
    signal: new AbortController().signal,
    deliver: (events) => {
      sizes.push(events.length);
      nowMs += events.length * msPerEvent;
      return success(null);
    },
    delivering: () => undefined,
  });
  const pass = async (count: number): Promise<void> => {
    for (let turn = 0; turn < count; turn += 1) {
      turns.shift()?.();
      await settle();
    }
  };
  pieces.take(number(1500));
  await pass(4);
  expect(sizes).toEqual([250, 125, 63, 60]);
  msPerEvent = 0.02;
  await pass(4);
  expect(sizes.slice(4)).toEqual([60, 120, 240, 250]);
});
