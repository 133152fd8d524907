/** What a stream tells a client that takes or acknowledges nothing for a while (API decisions 8.4). */
import { expect, test } from 'vitest';
import { bareEvent } from '#test/support/service/bare-events.ts';
import {
  callBy,
  callerOf,
  type ReceivedEvent,
  register,
  startEvents,
} from '#test/support/service/event-service.ts';

const FULL = 10_000;
const HEARTBEAT_SECONDS = 20;

/** An open stream of user 2, and what it told. */
async function startReader() {
  const events = await startEvents({ heartbeatSeconds: HEARTBEAT_SECONDS });
  const { service, store } = events;
  const { queueId, lastEventId } = await register(events, callerOf(2));
  const client = new AbortController();
  const reader = {
    told: [] as number[],
    lastId: lastEventId,
    isSlow: false,
    isCut: false,
    /** Bytes of each write. */
    sizes: [] as number[],
  };
  let drained = (): void => undefined;
  const sink = {
    write: (bytes: Uint8Array): boolean => {
      reader.sizes.push(bytes.length);
      for (const line of new TextDecoder().decode(bytes).trimEnd().split('\n')) {
        const { id, type, ...event } = JSON.parse(line) as ReceivedEvent;
        if (type !== 'heartbeat') reader.told.push(Number(event['number']));
        else if (reader.told.length > 0) expect(id).toBeGreaterThanOrEqual(reader.lastId);
        reader.lastId = id;
      }
      return !reader.isSlow;
    },
    onDrain: (listener: () => void) => {
      drained = listener;
    },
    end: () => undefined,
    cut: () => {
      reader.isCut = true;
    },
  };
  const open = { signal: client.signal, begin: () => sink };
  void service.openEventStream(callerOf(2), { queueId, lastEventId }, open);
  // The first line says only that the way is open.
  await expect.poll(() => reader.lastId).toBeGreaterThan(lastEventId);
  const audience = { kind: 'users', userIds: [2] } as const;
  /** @param lengthOf  of a text that goes with each event, in characters */
  const send = async (
    first: number,
    count: number,
    lengthOf: (number: number) => number = () => 0,
  ): Promise<readonly number[]> => {
    const numbers = Array.from({ length: count }, (_, index) => first + index);
    await Promise.all(
      numbers.map((number) => {
        const payload = { number, text: 'x'.repeat(lengthOf(number)) };
        return store.appendEvent(bareEvent('numbered', audience, payload));
      }),
    );
    return numbers;
  };
  const leave = (): void => client.abort();
  return { ...events, queueId, reader, send, drain: () => drained(), leave };
}

test('no heartbeat of a full queue goes beyond what was told, and the rest comes once there is room', async () => {
  const { service, clock, queueId, reader, send, leave } = await startReader();
  const sent = await send(0, FULL + 500);
  await expect.poll(() => reader.told.length).toBe(FULL);
  // Several heartbeats of a client that acknowledges nothing.
  for (let beats = 0; beats < 3; beats += 1) await clock.advance(HEARTBEAT_SECONDS * 1000);
  expect(reader.told.length).toBe(FULL);
  const { acknowledge } = service.handlers.events;
  await acknowledge(callBy(callerOf(2)), { queueId, lastEventId: reader.lastId });
  await expect.poll(() => reader.told.length).toBe(sent.length);
  expect(reader.told).toEqual(sent);
  leave();
});

test('a heartbeat that finds a reader behind is left out, and what waits comes once it reads on', async () => {
  const { clock, reader, send, drain, leave } = await startReader();
  reader.isSlow = true;
  const first = await send(0, 1);
  await expect.poll(() => reader.told).toEqual(first);
  const second = await send(1, 5);
  await clock.advance(HEARTBEAT_SECONDS * 1000);
  expect(reader.told).toEqual(first);
  reader.isSlow = false;
  drain();
  await expect.poll(() => reader.told).toEqual([...first, ...second]);
  const third = await send(6, 1);
  await expect.poll(() => reader.told).toEqual([...first, ...second, ...third]);
  leave();
});

test('a reader that is slow is told everything, and one that takes nothing is cut off', async () => {
  const { clock, reader, send, drain, leave } = await startReader();
  const beat = (): Promise<void> => clock.advance(HEARTBEAT_SECONDS * 1000);
  reader.isSlow = true;
  const sent = await send(0, 700);
  // Each heartbeat finds it behind, and it has taken what was written before.
  while (reader.told.length < sent.length) {
    const known = reader.told.length;
    await beat();
    drain();
    await expect.poll(() => reader.told.length).toBeGreaterThan(known);
    expect(reader.isCut).toBe(false);
  }
  expect(reader.told).toEqual(sent);
  await beat();
  expect(reader.isCut).toBe(false);
  await beat();
  expect(reader.isCut).toBe(true);
  leave();
});

test('no more goes out at once than 1 MiB, unless one event alone is longer', async () => {
  const MIB = 1024 * 1024;
  const { reader, send, leave } = await startReader();
  const longer = 150;
  const sent = await send(0, 400, (number) => (number === longer ? 2 * MIB : (number % 7) * 5000));
  await expect.poll(() => reader.told.length).toBe(sent.length);
  expect(reader.told).toEqual(sent);
  expect(reader.sizes.filter((size) => size > MIB)).toHaveLength(1);
  // Not an event each either.
  expect(reader.sizes.length).toBeLessThan(sent.length / 4);
  leave();
});
