/**
 * Messages that were committed together, as all see them who hold them and of whom they say nothing special: looked at once
 * for all queues in place of once for each.
 */
import { createObjectCache } from '../core/cache/attached.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import type { Viewer } from './listeners.ts';
import {
  type LoadedMessage,
  type EventMessageSource,
  messageIdOf,
  newMessageFlags,
} from './event-messages.ts';
import type { QueuedEvent } from './queue-buffer.ts';
import { type Queue, takesPublic } from './queue.ts';
import { markShared, withReplaced } from './shared-variants.ts';

/** Messages of one recipient, the first and the last one included. */
interface MessageSpan {
  readonly recipientId: number;
  firstId: number;
  lastId: number;
}

interface SharedBatch {
  readonly events: readonly QueuedEvent[];
  readonly messages: readonly EventMessageSource[];
  readonly spans: readonly MessageSpan[];
  /** Which of them are otherwise for an account, ascending. */
  readonly byUser: ReadonlyMap<number, readonly number[]>;
  /** Which of them a queue is told with a local id. */
  readonly byQueue: ReadonlyMap<string, readonly number[]>;
}

export interface SharedBatches {
  /**
   * What of the events is for the queue; undefined where that has to be found out event by event.
   * @param events  the same list for all that ask for the same, as long as nothing is committed
   */
  readonly eventsFor: (
    queue: Queue,
    listener: Viewer,
    events: readonly LoggedEvent[],
  ) => readonly QueuedEvent[] | undefined;
}

const takesMessages = ({ options }: Queue): boolean =>
  !takesPublic(options) && (options.eventTypes?.includes('message') ?? true);

function addAt<K>(groups: Map<K, number[]>, key: K, index: number): void {
  const known = groups.get(key);
  if (known === undefined) groups.set(key, [index]);
  // One may be sender and mentioned.
  else if (known.at(-1) !== index) known.push(index);
}

/** Whether the event is the same for whoever holds its message, but for those whom that names. */
const isForHolders = ({ type, audience }: LoggedEvent): boolean =>
  type === 'message' &&
  audience.kind === 'holders' &&
  audience.alsoUserIds === undefined &&
  audience.exceptUserIds === undefined;

function spansOf(messages: readonly EventMessageSource[]): readonly MessageSpan[] {
  const spans = new Map<number, MessageSpan>();
  for (const { row } of messages) {
    const { id, recipient_id: recipientId } = row;
    const known = spans.get(recipientId);
    if (known === undefined) spans.set(recipientId, { recipientId, firstId: id, lastId: id });
    else {
      known.firstId = Math.min(known.firstId, id);
      known.lastId = Math.max(known.lastId, id);
    }
  }
  return [...spans.values()];
}

function namedIn(events: readonly LoggedEvent[], messages: readonly EventMessageSource[]) {
  const byUser = new Map<number, number[]>();
  const byQueue = new Map<string, number[]>();
  messages.forEach(({ row, mentionedUserIds, alertedUserIds }, index) => {
    addAt(byUser, row.sender_id, index);
    for (const userId of mentionedUserIds) addAt(byUser, userId, index);
    for (const userId of alertedUserIds) addAt(byUser, userId, index);
    const echo = events[index]?.payload['echo'] as { readonly queueId: string } | null;
    if (echo !== null) addAt(byQueue, echo.queueId, index);
  });
  return { byUser, byQueue };
}

const none: readonly number[] = [];

function union(some: readonly number[], others: readonly number[]): readonly number[] {
  if (some.length === 0) return others;
  if (others.length === 0) return some;
  return [...new Set([...some, ...others])].sort((a, b) => a - b);
}

/**
 * @param material  of a message
 * @param plain     an event without flags as it waits in queues
 */
export function createSharedBatches(
  material: (messageId: number) => LoadedMessage | Promise<LoadedMessage>,
  plain: (event: LoggedEvent) => QueuedEvent,
): SharedBatches {
  const batches = createObjectCache<readonly LoggedEvent[], SharedBatch | null>();

  /** Null where they are not the same for all, undefined as long as that is not known. */
  function read(events: readonly LoggedEvent[]): SharedBatch | null | undefined {
    if (!events.every(isForHolders)) return null;
    const messages: EventMessageSource[] = [];
    for (const event of events) {
      const found = material(messageIdOf(event));
      if (found instanceof Promise) return undefined;
      // A wildcard mentions everybody.
      if (found === undefined || found.row.has_wildcard_mention === 1) return null;
      messages.push(found);
    }
    return {
      events: markShared(events.map(plain)),
      messages,
      spans: spansOf(messages),
      ...namedIn(events, messages),
    };
  }

  function batchOf(events: readonly LoggedEvent[]): SharedBatch | null | undefined {
    const known = batches.get(events);
    if (known !== undefined) return known;
    const batch = read(events);
    if (batch !== undefined) batches.set(events, batch);
    return batch;
  }

  return {
    eventsFor(queue, listener, events) {
      if (events.length === 0 || !takesMessages(queue)) return undefined;
      const batch = batchOf(events);
      if (batch === null || batch === undefined) return undefined;
      for (const { recipientId, firstId, lastId } of batch.spans) {
        if (!listener.isHolderOfAll(recipientId, firstId, lastId)) return undefined;
      }
      const { userId, id } = queue;
      const at = union(batch.byUser.get(userId) ?? none, batch.byQueue.get(id) ?? none);
      if (at.length === 0) return batch.events;
      return withReplaced(batch.events, at, (index) => {
        const [before, message] = [batch.events[index], batch.messages[index]];
        if (before === undefined || message === undefined) throw new Error('beyond the batch');
        const flags = newMessageFlags(message, userId);
        return flags.length === 0 ? before : { event: before.event, flags };
      });
    },
  };
}
