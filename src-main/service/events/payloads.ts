/**
 * Events as bytes. A message is serialised once for each way of rendering it; what differs by account (flags, the
 * sender's own local id) is put around the shared text.
 */
import type { LoggedEvent } from '../db/event-log.ts';
import { flagsOf, hasShape } from '../core/rules/shapes.ts';
import type { AppendedMessage, PersonalMessageRow, Store } from '../db/port.ts';
import type { Fill } from './personalise.ts';
import {
  createMaterials,
  type Loaded,
  type MaterialSources,
  messageIdOf,
  withRow,
} from './event-messages.ts';
import type { Pending } from './queue-buffer.ts';
import { eventJson, isSame, messageJson, type Receiver, SharedLists } from './shared-lists.ts';
import { Turns } from './time-slicer.ts';

/** Events as they are told. */
export interface Written {
  readonly events: readonly string[];
  /** What can no longer be told. */
  readonly gone: ReadonlySet<Pending>;
}

const nothing: ReadonlySet<Pending> = new Set();

export interface Payloads {
  /** Undefined when the message was deleted since. */
  readonly material: (messageId: number) => Loaded | Promise<Loaded>;
  /** What is pending in a queue, each event as JSON, without messages that were deleted since. */
  readonly serialize: (queue: Receiver) => Promise<Written>;
  /** The same where all that is pending can be written without waiting, as nearly always; undefined where not. */
  readonly serializeNow: (queue: Receiver) => readonly string[] | undefined;
}

export interface PayloadCache extends Payloads {
  /** Takes over what new events bring along; settles when that can be told without waiting, undefined where it can be at once. */
  readonly remember: (events: readonly LoggedEvent[]) => Promise<unknown> | undefined;
  /** Forgets what the event may have changed. */
  readonly forget: (event: LoggedEvent) => void;
}

/** What is asked of the domain about messages. */
export interface MessageSources extends MaterialSources {
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
  'is_me_message',
]);

const withoutContent = (payload: LoggedEvent['payload']): LoggedEvent['payload'] =>
  Object.fromEntries(Object.entries(payload).filter(([key]) => !contentKeys.has(key)));

type WriteEvent = (pending: Pending, queue: Receiver) => Promise<string | undefined>;

/** One event for one queue; undefined where it can no longer be told. */
function eventWriter(
  material: Payloads['material'],
  { findVisible, peopleOf }: MessageSources,
  fill: Fill,
): WriteEvent {
  async function messageFor(pending: Pending, queue: Receiver): Promise<string | undefined> {
    const { event } = pending;
    const found = material(messageIdOf(event));
    const message = found instanceof Promise ? await found : found;
    if (message === undefined) return undefined;
    if (isSame(event, message, queue)) return messageJson(pending, message, queue);
    const seen = await findVisible(queue.userId, message.row.id);
    if (seen === undefined) return undefined;
    if (seen.kept_edit_id === null && seen.is_lost === 0) {
      return messageJson(pending, message, queue);
    }
    return messageJson(pending, withRow(message, seen, await peopleOf(seen)), queue);
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
  async function updateFor({ event }: Pending, queue: Receiver): Promise<string | undefined> {
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
    const has = isRewritten ? hasShape(row) : {};
    return eventJson(event, { ...payload, flags: flagsOf(row), ...has });
  }

  async function otherFor({ event }: Pending, queue: Receiver): Promise<string> {
    return eventJson(event, await fill(event, queue.options));
  }

  // Each queue of a changed message needs reads of its own: a thousand of them are not to hold up everybody else.
  const turns = new Turns();

  return (pending, queue) => {
    if (pending.event.type === 'message') return messageFor(pending, queue);
    return pending.event.type === 'update_message'
      ? turns.take(() => updateFor(pending, queue))
      : otherFor(pending, queue);
  };
}

export function createPayloads(
  store: Store,
  sources: MessageSources,
  maxBytes: number,
  fill: Fill,
): PayloadCache {
  const materials = createMaterials(store, sources, maxBytes);
  const shared = new SharedLists(materials.get);
  const write = eventWriter(materials.get, sources, fill);
  const serializeNow: Payloads['serializeNow'] = (queue) =>
    queue.pending.length > 0 ? shared.write(queue) : undefined;

  return {
    material: materials.get,
    remember(events) {
      const adding = events.flatMap(({ type, attached }) => {
        const isNew = type === 'message' && attached !== undefined;
        return (isNew ? materials.add(attached as AppendedMessage) : undefined) ?? [];
      });
      return adding.length === 0 ? undefined : Promise.all(adding);
    },
    forget(event) {
      const ids = changedIds(event);
      for (const id of ids) materials.forget(id);
      if (ids.length > 0) shared.clear();
    },
    serializeNow,
    async serialize(queue) {
      const now = serializeNow(queue);
      if (now !== undefined) return { events: now, gone: nothing };
      const events: string[] = [];
      const gone = new Set<Pending>();
      for (const pending of queue.pending) {
        const written = await write(pending, queue);
        if (written === undefined) gone.add(pending);
        else events.push(written);
      }
      return { events, gone };
    },
  };
}
