/** What a stream tells of a queue that takes in nothing more until something of it is acknowledged (API decisions 8.4). */
import { expect, test } from 'vitest';
import { bareEvent } from '../../support/service/bare-events.ts';
import {
  callBy,
  callerOf,
  type ReceivedEvent,
  register,
  startEvents,
} from '../../support/service/event-service.ts';

const FULL = 10_000;
const HEARTBEAT_SECONDS = 20;

test('no heartbeat of a full queue goes beyond what was told, and the rest comes once there is room', async () => {
  const events = await startEvents({ heartbeatSeconds: HEARTBEAT_SECONDS });
  const { service, store, clock } = events;
  const { queueId, lastEventId } = await register(events, callerOf(2));
  const told: number[] = [];
  let lastId = lastEventId;
  const client = new AbortController();
  const sink = {
    write: (bytes: Uint8Array): boolean => {
      for (const line of new TextDecoder().decode(bytes).trimEnd().split('\n')) {
        const { id, type, ...event } = JSON.parse(line) as ReceivedEvent;
        if (type !== 'heartbeat') told.push(Number(event['number']));
        else if (told.length > 0) expect(id).toBeGreaterThanOrEqual(lastId);
        lastId = id;
      }
      return true;
    },
    onDrain: () => undefined,
    end: () => undefined,
    cut: () => undefined,
  };
  const open = { signal: client.signal, begin: () => sink };
  void service.openEventStream(callerOf(2), { queueId, lastEventId }, open);
  const sent = Array.from({ length: FULL + 500 }, (_, number) => number);
  const audience = { kind: 'users', userIds: [2] } as const;
  await Promise.all(
    sent.map((number) => store.appendEvent(bareEvent('numbered', audience, { number }))),
  );
  await expect.poll(() => told.length).toBe(FULL);
  // Several heartbeats of a client that acknowledges nothing.
  for (let beats = 0; beats < 3; beats += 1) await clock.advance(HEARTBEAT_SECONDS * 1000);
  expect(told.length).toBe(FULL);
  const { acknowledge } = service.handlers.events;
  await acknowledge(callBy(callerOf(2)), { queueId, lastEventId: lastId });
  await expect.poll(() => told.length).toBe(sent.length);
  expect(told).toEqual(sent);
  client.abort();
});
