/** A service over a real database file and a clock of the test's, called below HTTP. */
import { dirname } from 'node:path';
import { onTestFinished } from 'vitest';
import { events } from '#shared/api/endpoints/events.ts';
import type { ParamsOf } from '#shared/api/endpoint.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Role } from '#shared/policies/actor.ts';
import { Serialized } from '#service/core/ports/handlers.ts';
import type { Limits } from '#shared/limits.ts';
import { decodeParams } from '#shared/api/wire.ts';
import { createFileStore } from '#node/files/file-store.ts';
import { createWebClient } from '#node/network/web-client.ts';
import { loadConfusables } from '#node/confusables.ts';
import { createService, type Service } from '#service/service.ts';
import type { Store } from '#service/db/port.ts';
import { openStore } from '#service/db/sqlite/open.ts';
import { FakeClock } from '../fake-clock.ts';
import { indexingHere } from './indexing.ts';
import { emailOf, plainStream, type RealmSeed, seedRealm, temporaryFile } from './store.ts';

export interface ReceivedEvent {
  readonly id: number;
  readonly type: string;
  readonly [key: string]: unknown;
}

export const callerOf = (userId: number, role: Role = 'member'): Caller => ({
  userId,
  email: emailOf(userId),
  fullName: `User ${userId}`,
  role,
  botType: null,
  ownerId: null,
});

export interface EventService {
  readonly store: Store;
  readonly clock: FakeClock;
  readonly service: Service;
  /** What went wrong where nobody waits for an answer. */
  readonly errors: unknown[];
  /** Ends the process, as far as one can without ending it: with `stop` the clean way, without as a crash does. */
  readonly restart: (how: 'stop' | 'crash') => Promise<EventService>;
}

export interface EventServiceOptions {
  readonly queueIdleSeconds: number;
  readonly heartbeatSeconds: number;
  readonly longpollSeconds: number;
  readonly limits?: Partial<Limits>;
}

const usual: EventServiceOptions = {
  queueIdleSeconds: 600,
  heartbeatSeconds: 50,
  longpollSeconds: 55,
};

async function start(
  file: string,
  clock: FakeClock,
  options: EventServiceOptions,
  seed?: RealmSeed,
): Promise<EventService> {
  const store = await openStore({ file, commitMs: Infinity });
  if ((await store.findRealm()) === undefined) await seedRealm(store, seed);
  const errors: unknown[] = [];
  const service = await createService({
    store,
    indexing: indexingHere(file),
    credentials: {
      apiKeys: {
        derive: (id) => `key ${id}`,
        deriveDevice: (id) => `device key ${id}`,
        hash: (key) => `hash of ${key}`,
        random: () => 'random',
        messageMac: (about) => `proof of ${about}`,
        invitationToken: (id) => `${id}-token`,
        isEqual: (a, b) => a === b,
      },
      passwords: { hash: async (password) => password, verify: async () => false },
      gravatarHash: () => '0',
      isOwnGeneration: () => false,
    },
    setupCode: { take: () => 'wrong' },
    files: createFileStore(dirname(file)),
    web: createWebClient({ allowPrivateAddresses: true }),
    clock,
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (message, data) => void errors.push([message, data]),
    },
    options: { isDevelopment: false, ...options },
    version: '0.0.0',
    addresses: () => [],
    ownOrigins: () => [],
    findNextIdentityKey: async () => undefined,
    databaseBytes: async () => 0,
    warned: () => [],
    loadConfusables,
  });
  return {
    store,
    clock,
    service,
    errors,
    async restart(how) {
      if (how === 'stop') await service.stop();
      await store.close();
      // A clock of its own: what the ended process still waited for never comes.
      const later = new FakeClock();
      await later.advance(clock.now() - later.now());
      return start(file, later, options);
    },
  };
}

/** Two members of one public stream, unless a test asks for something else. */
export async function startEvents(
  options: Partial<EventServiceOptions> = {},
  seed?: RealmSeed,
): Promise<EventService> {
  const started = await start(temporaryFile(), new FakeClock(), { ...usual, ...options }, seed);
  onTestFinished(async () => {
    await started.store.close().catch(() => undefined);
  });
  return started;
}

/** Accounts 1 (admin) to 3 and guest 4; public streams 1 and 2, private stream 3. */
export const mixedRealm: RealmSeed = {
  roles: ['admin', 'member', 'member', 'guest'],
  streams: [
    { stream: plainStream('general'), memberIds: [1, 2, 3, 4] },
    { stream: plainStream('other'), memberIds: [1] },
    { stream: plainStream('secret', { isPrivate: true }), memberIds: [1, 2] },
  ],
};

type PollParams = ParamsOf<typeof events.poll>;

async function* nothing(): AsyncGenerator<never> {
  // There is no body.
}

/** A call of a handler, as the given account makes it. */
export const callBy = (caller: Caller, signal = new AbortController().signal) => ({
  caller,
  client: 'test',
  address: '127.0.0.1',
  signal,
  origin: 'http://service.test',
  sharedOrigin: 'http://service.test',
  isLocal: true,
  distance: 'near' as const,
  body: null,
  files: [],
  incoming: nothing(),
  piece: nothing(),
  countMore: () => undefined,
});

/** @param arguments_  as they are written on the wire, but decoded */
export async function register(
  { service }: EventService,
  caller: Caller,
  arguments_: Readonly<Record<string, unknown>> = {},
): Promise<{ readonly queueId: string; readonly lastEventId: number; readonly state: unknown }> {
  const params = decodeParams(events.register.params, arguments_);
  const state = await service.handlers.events.register(callBy(caller), params);
  if (state instanceof Serialized) throw new Error('a registration is not serialized');
  return { queueId: state.queue_id, lastEventId: state.last_event_id, state };
}

export interface FetchOptions {
  readonly lastEventId?: number;
  readonly dontBlock?: boolean;
  readonly signal?: AbortSignal;
}

export async function fetchEvents(
  { service }: EventService,
  caller: Caller,
  queueId: string,
  options: FetchOptions = {},
): Promise<readonly ReceivedEvent[]> {
  const defaults: PollParams = decodeParams(events.poll.params, { queue_id: queueId });
  const { lastEventId, dontBlock = false } = options;
  const answer = await service.handlers.events.poll(callBy(caller, options.signal), {
    ...defaults,
    lastEventId,
    dontBlock,
  });
  if (!(answer instanceof Serialized)) throw new Error('a fetch of a queue is serialized');
  return (
    JSON.parse(answer.json + Buffer.concat(answer.tail).toString()) as {
      events: readonly ReceivedEvent[];
    }
  ).events;
}

export async function deleteQueue(
  { service }: EventService,
  caller: Caller,
  queueId: string,
): Promise<void> {
  await service.handlers.events.deleteQueue(callBy(caller), { queueId });
}
