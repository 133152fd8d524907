/**
 * Events as bytes. A message is serialised once for each way of rendering it; what differs by account (flags, the
 * sender's own local id) is put around the shared text.
 */
import { marksOfAll, marksWithSource } from '#shared/api/models/message-marks.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import { flagsOf, markShape } from '../core/rules/shapes.ts';
import type { AppendedMessage, PersonalMessageRow, Store } from '../db/port.ts';
import type { Personalise } from './personalise.ts';
import {
  createEventMessages,
  type LoadedMessage,
  type MessageLookups,
  messageIdOf,
  withRow,
} from './event-messages.ts';
import type { QueuedEvent } from './queue-buffer.ts';
import {
  eventJson,
  isSameMessage,
  messageJson,
  type Receiver,
  SharedPayloads,
} from './shared-lists.ts';
import { TimeSlicer } from './time-slicer.ts';

/** Events as they are told. */
export interface SerializedEvents {
  readonly events: readonly string[];
  /** What can no longer be told. */
  readonly removed: ReadonlySet<QueuedEvent>;
}

const nothing: ReadonlySet<QueuedEvent> = new Set();

export interface Payloads {
  /** Undefined when the message was deleted since. */
  readonly message: (messageId: number) => LoadedMessage | Promise<LoadedMessage>;
  /** What is pending in a queue, each event as JSON, without messages that were deleted since. */
  readonly serialize: (queue: Receiver) => Promise<SerializedEvents>;
  /** The same where all that is pending can be written without waiting, as nearly always; undefined where not. */
  readonly serializeNow: (queue: Receiver) => readonly string[] | undefined;
}

export interface PayloadCache extends Payloads {
  /** Takes over what new events bring along; settles when that can be told without waiting, undefined where it can be at once. */
  readonly remember: (events: readonly LoggedEvent[]) => Promise<unknown> | undefined;
  /** Forgets what the event may have changed. */
  readonly forget: (event: LoggedEvent) => void;
}

/** What is asked of operations about messages. */
export interface EventMessageLookups extends MessageLookups {
  /** Undefined when it does not exist or the account may not see it. */
  readonly findVisible: (
    userId: number,
    messageId: number,
  ) => Promise<PersonalMessageRow | undefined>;
}

/** The messages that an event changes or ends. */
function changedIds({ type, payload }: LoggedEvent): readonly number[] {
  if (type === 'update_message') return payload['message_ids'] as readonly number[];
  return type === 'delete_message' ? [Number(payload['message_id'])] : [];
}

/** The keys that only an edit of the content has. */
const contentKeys: ReadonlySet<string> = new Set([
  'orig_content',
  'orig_rendered_content',
  'prev_rendered_content_version',
  'content',
  'rendered_content',
  ...marksOfAll,
]);

const withoutContent = (payload: LoggedEvent['payload']): LoggedEvent['payload'] =>
  Object.fromEntries(Object.entries(payload).filter(([key]) => !contentKeys.has(key)));

type WriteEvent = (queued: QueuedEvent, queue: Receiver) => Promise<string | undefined>;

/** One event for one queue; undefined where it can no longer be told. */
function eventWriter(
  material: Payloads['message'],
  { findVisible, peopleOf }: EventMessageLookups,
  personalise: Personalise,
): WriteEvent {
  async function messageFor(queued: QueuedEvent, queue: Receiver): Promise<string | undefined> {
    const { event } = queued;
    const found = material(messageIdOf(event));
    const message = found instanceof Promise ? await found : found;
    if (message === undefined) return undefined;
    if (isSameMessage(event, message, queue)) return messageJson(queued, message, queue);
    const seen = await findVisible(queue.userId, message.row.id);
    if (seen === undefined) return undefined;
    if (seen.kept_edit_id === null && seen.is_lost === 0) {
      return messageJson(queued, message, queue);
    }
    return messageJson(queued, withRow(message, seen, await peopleOf(seen)), queue);
  }

  /** The message that the event names, or where that one is gone, another one that was moved with it. */
  async function toldOf({ payload }: LoggedEvent, named: number, userId: number) {
    const moved = 'orig_subject' in payload ? (payload['message_ids'] as readonly number[]) : [];
    for (const id of [named, ...moved.filter((each) => each !== named)]) {
      const row = await findVisible(userId, id);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  /** With the receiver's own flags, and what the message has, as they are now; what the message said is not told once it is gone. */
  async function updateFor({ event }: QueuedEvent, queue: Receiver): Promise<string | undefined> {
    const named = messageIdOf(event);
    const row = await toldOf(event, named, queue.userId);
    if (row === undefined) return undefined;
    const { proofs, ...told } = event.payload;
    const withSource = queue.options.withSource === true;
    const payload = {
      ...(row.id === named ? told : { ...withoutContent(told), message_id: row.id }),
      ...(withSource && proofs !== undefined ? { proofs } : {}),
    };
    const isRewritten = withSource && 'content' in payload;
    const has = isRewritten ? markShape(row, marksWithSource) : {};
    return eventJson(event, { ...payload, flags: flagsOf(row), ...has });
  }

  async function otherFor({ event }: QueuedEvent, queue: Receiver): Promise<string> {
    return eventJson(event, await personalise(event, queue.options));
  }

  // Each queue of a changed message needs reads of its own: a thousand of them are not to hold up everybody else.
  const turns = new TimeSlicer();

  return (queued, queue) => {
    if (queued.event.type === 'message') return messageFor(queued, queue);
    return queued.event.type === 'update_message'
      ? turns.run(() => updateFor(queued, queue))
      : otherFor(queued, queue);
  };
}

export function createPayloads(
  store: Store,
  sources: EventMessageLookups,
  maxBytes: number,
  personalise: Personalise,
): PayloadCache {
  const messages = createEventMessages(store, sources, maxBytes);
  const shared = new SharedPayloads(messages.get);
  const write = eventWriter(messages.get, sources, personalise);
  const serializeNow: Payloads['serializeNow'] = (queue) =>
    queue.events.length > 0 ? shared.write(queue) : undefined;

  return {
    message: messages.get,
    remember(events) {
      const adding = events.flatMap(({ type, attached }) => {
        const isNew = type === 'message' && attached !== undefined;
        return (isNew ? messages.add(attached as AppendedMessage) : undefined) ?? [];
      });
      return adding.length === 0 ? undefined : Promise.all(adding);
    },
    forget(event) {
      const ids = changedIds(event);
      for (const id of ids) messages.forget(id);
      if (ids.length > 0) shared.clear();
    },
    serializeNow,
    async serialize(queue) {
      const now = serializeNow(queue);
      if (now !== undefined) return { events: now, removed: nothing };
      const events: string[] = [];
      const removed = new Set<QueuedEvent>();
      for (const queued of queue.events) {
        const written = await write(queued, queue);
        if (written === undefined) removed.add(queued);
        else events.push(written);
      }
      return { events, removed };
    },
  };
}
