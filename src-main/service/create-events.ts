/** Joins the event log, its queues and those who wait on them. */
import type { Clock } from '#node/clock.ts';
import type { Log } from '#node/log.ts';
import { findVisibleMessage } from './features/messages/operations/message-access.ts';
import { macFunctionOf, type ComputeTag } from './core/rules/message-macs.ts';
import type { DomainCredentials } from './core/ports/environment.ts';
import { peopleOf, type PeopleOf } from './features/reading/operations/people-in-messages.ts';
import type { EventQueues } from './features/register/handlers/events.ts';
import { createPersonalise } from './events/personalise.ts';
import { createViewers } from './events/listeners.ts';
import { createLogTail } from './events/log-tail.ts';
import { createPayloads, type EventMessageLookups } from './events/payloads.ts';
import { Polls } from './events/polls.ts';
import { Registry } from './events/queue-registry.ts';
import { createScanner } from './events/scan.ts';
import { EventStreams } from './events/streams.ts';
import { Waiters } from './events/waiters.ts';
import { defaultLimits, type Limits } from '#shared/limits.ts';
import type { LoggedEvent } from './db/event-log.ts';
import type { Store } from './db/port.ts';

/** Messages whose people were looked up together: topics differ, and nobody asks for those of long ago. */
const MAX_ASKED = 1000;

/** Looks up again whom messages name when anything about people and places has changed. */
function recentPeopleOf(store: Store): PeopleOf {
  let [people, version, asked] = [peopleOf(store), store.directoryVersion(), 0];
  return (row) => {
    const current = store.directoryVersion();
    if (current !== version || asked === MAX_ASKED) {
      [people, version, asked] = [peopleOf(store), current, 0];
    }
    asked += 1;
    return people(row);
  };
}

const messageSources = (store: Store, sign: ComputeTag): EventMessageLookups => ({
  prove: macFunctionOf(sign),
  peopleOf: recentPeopleOf(store),
  findVisible: (userId, messageId) =>
    store.read(function* (tx) {
      const user = yield* tx.findUser(userId);
      if (user === undefined) return undefined;
      const reader = { userId, role: user.role, botType: user.bot_type };
      return yield* findVisibleMessage(tx, reader, messageId);
    }),
});

interface EventNeeds {
  readonly store: Store;
  readonly credentials: Pick<DomainCredentials, 'apiKeys'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly options: {
    readonly queueIdleSeconds: number;
    readonly heartbeatSeconds: number;
    readonly longpollSeconds: number;
    readonly limits?: Partial<Limits>;
  };
}

/** The tail's part of what is kept in memory; messages take about three times what their events take. */
const TAIL_SHARE = 1 / 4;

/** A second, where the times are those of an office. */
const sweepInterval = (...seconds: readonly number[]): number =>
  Math.max(1, (1000 * Math.min(...seconds)) / 50);

export async function createEvents(parts: EventNeeds): Promise<EventQueues> {
  const { store, credentials, clock, log, options } = parts;
  const limits = { ...defaultLimits, ...options.limits };
  const rows = await store.listQueues();
  // From here to `onCommit` nothing waits: what is committed in between would be in no tail.
  const tailBytes = limits.memoryBytes * TAIL_SHARE;
  const tail = createLogTail(store, tailBytes);
  const viewers = createViewers(store);
  // A cache of people would go stale; a message's people are looked up once for all queues anyway.
  const personalise = createPersonalise(store, credentials.apiKeys.derive);
  const sources = messageSources(store, credentials.apiKeys.messageMac);
  const payloads = createPayloads(store, sources, limits.memoryBytes - tailBytes, personalise);
  const maxQueued = limits.queueEvents;
  const scanner = createScanner({ store, tail, viewers, payloads, maxQueued });
  const registry = new Registry({
    store,
    rows,
    clock,
    log,
    idleSeconds: options.queueIdleSeconds,
    limits,
  });
  const { heartbeatSeconds, longpollSeconds } = options;
  const waiters = new Waiters({
    store,
    registry,
    scanner,
    clock,
    lookEveryMs: sweepInterval(heartbeatSeconds, longpollSeconds),
    maxWaiting: limits.waitingRequests,
    // Each waits on a queue of its own, though perhaps on one that was dropped meanwhile.
    maxWaitingOfOne: limits.queuesPerAccount,
  });
  const shared = {
    store,
    waiters,
    scanner,
    payloads,
    clock,
    random: Math.random,
    heartbeatSeconds,
  };
  store.onCommit((committed) => {
    const remembered = payloads.remember(committed);
    const events = committed.map(({ id, type, audience, payload }) => ({
      id,
      type,
      audience,
      payload,
    }));
    endQueues(events, { registry, waiters });
    tail.append(events);
    registry.noteEvents(events);
    for (const event of events) {
      viewers.forget(event);
      payloads.forget(event);
    }
    const wake = (): void => {
      waiters.wake(events);
    };
    // Once it is remembered nobody has to wait for what all are told.
    if (remembered === undefined) wake();
    else void remembered.then(wake);
  });
  return {
    registry,
    waiters,
    polls: new Polls({ ...shared, longpollSeconds }),
    eventStreams: new EventStreams({ ...shared, registry }),
  };
}

/** The queues of a deactivated account end with it. */
function endQueues(
  events: readonly LoggedEvent[],
  { registry, waiters }: Pick<EventQueues, 'registry' | 'waiters'>,
): void {
  for (const { type, payload } of events) {
    if (type !== 'realm_user' || payload['op'] !== 'remove') continue;
    const { user_id: userId } = payload['person'] as { readonly user_id: number };
    for (const queue of registry.forgetAccount(userId)) waiters.release(queue);
  }
}
