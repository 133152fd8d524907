/** What several queues are told in the same words: written once for all of them. */
import { Recent, RecentVariants } from '../db/recently-used.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import { renderVariant } from '../core/rules/shapes.ts';
import { isSameForAll } from './personalise.ts';
import {
  type EventMessageSource,
  type EventMessages,
  messageIdOf,
  RECENT_CHARACTERS,
} from './event-messages.ts';
import type { QueuedEvent } from './queue-buffer.ts';
import { type Queue, takesPublic } from './queue.ts';
import { markShared, type ListVariation, variationOf, withReplaced } from './shared-variants.ts';

interface Echo {
  readonly queueId: string;
  readonly localId: string;
}

/** The part of a queue that decides what it is told, and what is to be told now. */
export interface Receiver extends Pick<Queue, 'id' | 'userId' | 'options'> {
  readonly events: readonly QueuedEvent[];
}

/** @param afterId  what is to be told lies above it, at most as many events as the limit */
export const receiverOf = (
  { id, userId, options, buffer: queued }: Queue,
  afterId = 0,
  limit = Infinity,
): Receiver => ({ id, userId, options, events: queued.after(afterId, limit) });

/**
 * Whether the receiver sees what all see who are told of the message: it stands where it was sent to, nobody keeps an older
 * version, and whoever was no subscriber is told what it said when it was sent: later on they may have no access to it.
 */
export const isSameMessage = (
  { audience }: LoggedEvent,
  message: EventMessageSource,
  queue: Receiver,
): boolean =>
  (audience.kind !== 'holders' || audience.recipientId === message.row.recipient_id) &&
  message.row.has_versions !== 1 &&
  (message.isAsSent || !takesPublic(queue.options));

const echoOf = ({ event }: QueuedEvent): Echo | null => event.payload['echo'] as Echo | null;

/** An event that is no message, with what it is told by. */
export const eventJson = ({ id, type }: LoggedEvent, payload: LoggedEvent['payload']): string =>
  JSON.stringify({ id, type, ...payload });

export function messageJson(
  queued: QueuedEvent,
  message: EventMessageSource,
  queue: Pick<Queue, 'options'> & { readonly id: string | null },
): string {
  const { event, flags } = queued;
  const echo = echoOf(queued);
  const local =
    echo !== null && echo.queueId === queue.id
      ? `,"local_message_id":${JSON.stringify(echo.localId)}`
      : '';
  const flagsJson = flags.length === 0 ? '[]' : JSON.stringify(flags);
  return (
    `{"id":${String(event.id)},"type":"message","message":${message.json(queue.options)},` +
    `"flags":${flagsJson}${local}}`
  );
}

const isEchoFor = (queued: QueuedEvent, queue: Receiver): boolean =>
  echoOf(queued)?.queueId === queue.id;

/** The only variant of an event that is the same for all. */
const AS_STORED = 0;

const charactersIn = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0);

/** Queues that wait for the same get the same list, and need it written and put into bytes only once. */
export class SharedPayloads {
  readonly #material: EventMessages['get'];
  /** By the events in them, their flags and the way of rendering. */
  readonly #lists = new Recent<string, readonly string[]>(RECENT_CHARACTERS);
  /** By a list that queues share, and by the way of rendering. */
  readonly #byPending = new RecentVariants<readonly QueuedEvent[], readonly string[]>(
    RECENT_CHARACTERS,
  );
  /** By an event without flags, which is one object for all queues, and by the way of rendering. */
  readonly #texts = new RecentVariants<QueuedEvent, string>(RECENT_CHARACTERS);

  constructor(material: EventMessages['get']) {
    this.#material = material;
  }

  /** Undefined where something in the queue is special: it is written for that queue alone. */
  write(queue: Receiver): readonly string[] | undefined {
    const variation = variationOf(queue.events);
    return variation === undefined ? this.#writeOwn(queue) : this.#writeVariation(variation, queue);
  }

  clear(): void {
    this.#lists.clear();
    this.#byPending.clear();
    this.#texts.clear();
  }

  /** The message of an event that can be written without waiting or asking. */
  #readyFor({ event }: QueuedEvent, queue: Receiver): EventMessageSource | undefined {
    if (event.type !== 'message') return undefined;
    const found = this.#material(messageIdOf(event));
    if (found === undefined || found instanceof Promise) return undefined;
    return isSameMessage(event, found, queue) ? found : undefined;
  }

  #writeOwn(queue: Receiver): readonly string[] | undefined {
    const { events: queued, options } = queue;
    const found: [QueuedEvent, EventMessageSource | null][] = [];
    let key = String(renderVariant(options));
    for (const each of queued) {
      const message = this.#readyIn(each, queue);
      if (message === undefined) return undefined;
      found.push([each, message]);
      key += ` ${String(each.event.id)}${each.flags.length === 0 ? '' : each.flags.join()}`;
    }
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const written = found.map(([each, message]) => {
      if (message === null) return this.#storedText(each);
      return each.flags.length === 0
        ? this.#plainText(each, message, queue)
        : messageJson(each, message, queue);
    });
    this.#lists.set(key, written, key.length + charactersIn(written));
    return written;
  }

  /** The same for a list that others may be told too; null for an event that is told as it is stored. */
  #readyIn(each: QueuedEvent, queue: Receiver): EventMessageSource | null | undefined {
    if (isSameForAll(each.event, queue.options)) return null;
    return isEchoFor(each, queue) ? undefined : this.#readyFor(each, queue);
  }

  /** A list that differs from a shared one where the account or the queue is named. */
  #writeVariation(
    { of, at }: ListVariation<QueuedEvent>,
    queue: Receiver,
  ): readonly string[] | undefined {
    const shared = this.#writeShared(of, queue);
    if (shared === undefined || at.length === 0) return shared;
    const named = new Map<number, string>();
    for (const index of at) {
      const queued = queue.events[index];
      const message = queued && this.#readyFor(queued, queue);
      if (queued === undefined || message === undefined) return undefined;
      named.set(index, messageJson(queued, message, queue));
    }
    return withReplaced(shared, at, (index) => named.get(index) ?? '');
  }

  #writeShared(queued: readonly QueuedEvent[], queue: Receiver): readonly string[] | undefined {
    const variant = renderVariant(queue.options);
    const known = this.#byPending.get(queued, variant);
    if (known !== undefined) return known;
    const written: string[] = [];
    for (const each of queued) {
      const message = this.#readyFor(each, queue);
      if (message === undefined) return undefined;
      written.push(this.#plainText(each, message, queue));
    }
    this.#byPending.set(queued, variant, markShared(written), charactersIn(written));
    return written;
  }

  #storedText(queued: QueuedEvent): string {
    const known = this.#texts.get(queued, AS_STORED);
    if (known !== undefined) return known;
    const text = eventJson(queued.event, queued.event.payload);
    this.#texts.set(queued, AS_STORED, text, text.length);
    return text;
  }

  #plainText(queued: QueuedEvent, message: EventMessageSource, { options }: Receiver): string {
    const variant = renderVariant(options);
    const known = this.#texts.get(queued, variant);
    if (known !== undefined) return known;
    const text = messageJson(queued, message, { id: null, options });
    this.#texts.set(queued, variant, text, text.length);
    return text;
  }
}
