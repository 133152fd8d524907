/** What several queues are told in the same words: written once for all of them. */
import { Recent, RecentVariants } from '../db/recently-used.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import { renderVariant } from '../core/rules/shapes.ts';
import { isAsStored } from './personalise.ts';
import { type Material, type Materials, messageIdOf, RECENT_CHARACTERS } from './event-messages.ts';
import type { Pending } from './queue-buffer.ts';
import { type Queue, takesPublic } from './queue.ts';
import { share, type Variation, variationOf, vary } from './shared-variants.ts';

interface Echo {
  readonly queueId: string;
  readonly localId: string;
}

/** The part of a queue that decides what it is told, and what is to be told now. */
export interface Receiver extends Pick<Queue, 'id' | 'userId' | 'options'> {
  readonly pending: readonly Pending[];
}

/** @param afterId  what is to be told lies above it, at most as many events as the limit */
export const receiverOf = (
  { id, userId, options, pending }: Queue,
  afterId = 0,
  limit = Infinity,
): Receiver => ({ id, userId, options, pending: pending.after(afterId, limit) });

/**
 * Whether the receiver sees what all see who are told of the message: it stands where it was sent to, nobody keeps an older
 * version, and whoever was no subscriber is told what it said when it was sent: later on they may have no access to it.
 */
export const isSame = ({ audience }: LoggedEvent, message: Material, queue: Receiver): boolean =>
  (audience.kind !== 'holders' || audience.recipientId === message.row.recipient_id) &&
  message.row.has_versions !== 1 &&
  (message.isAsSent || !takesPublic(queue.options));

const echoOf = ({ event }: Pending): Echo | null => event.payload['echo'] as Echo | null;

/** An event that is no message, with what it is told by. */
export const eventJson = ({ id, type }: LoggedEvent, payload: LoggedEvent['payload']): string =>
  JSON.stringify({ id, type, ...payload });

export function messageJson(
  pending: Pending,
  message: Material,
  queue: Pick<Queue, 'options'> & { readonly id: string | null },
): string {
  const { event, flags } = pending;
  const echo = echoOf(pending);
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

const isEchoFor = (pending: Pending, queue: Receiver): boolean =>
  echoOf(pending)?.queueId === queue.id;

/** The only variant of an event that is the same for all. */
const AS_STORED = 0;

const charactersIn = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0);

/** Queues that wait for the same get the same list, and need it written and put into bytes only once. */
export class SharedLists {
  readonly #material: Materials['get'];
  /** By the events in them, their flags and the way of rendering. */
  readonly #lists = new Recent<string, readonly string[]>(RECENT_CHARACTERS);
  /** By a list that queues share, and by the way of rendering. */
  readonly #byPending = new RecentVariants<readonly Pending[], readonly string[]>(
    RECENT_CHARACTERS,
  );
  /** By an event without flags, which is one object for all queues, and by the way of rendering. */
  readonly #texts = new RecentVariants<Pending, string>(RECENT_CHARACTERS);

  constructor(material: Materials['get']) {
    this.#material = material;
  }

  /** Undefined where something in the queue is special: it is written for that queue alone. */
  write(queue: Receiver): readonly string[] | undefined {
    const variation = variationOf(queue.pending);
    return variation === undefined ? this.#writeOwn(queue) : this.#writeVariation(variation, queue);
  }

  clear(): void {
    this.#lists.clear();
    this.#byPending.clear();
    this.#texts.clear();
  }

  /** The message of an event that can be written without waiting or asking. */
  #readyFor({ event }: Pending, queue: Receiver): Material | undefined {
    if (event.type !== 'message') return undefined;
    const found = this.#material(messageIdOf(event));
    if (found === undefined || found instanceof Promise) return undefined;
    return isSame(event, found, queue) ? found : undefined;
  }

  #writeOwn(queue: Receiver): readonly string[] | undefined {
    const { pending, options } = queue;
    const found: [Pending, Material | null][] = [];
    let key = String(renderVariant(options));
    for (const each of pending) {
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
  #readyIn(each: Pending, queue: Receiver): Material | null | undefined {
    if (isAsStored(each.event, queue.options)) return null;
    return isEchoFor(each, queue) ? undefined : this.#readyFor(each, queue);
  }

  /** A list that differs from a shared one where the account or the queue is named. */
  #writeVariation({ of, at }: Variation<Pending>, queue: Receiver): readonly string[] | undefined {
    const shared = this.#writeShared(of, queue);
    if (shared === undefined || at.length === 0) return shared;
    const named = new Map<number, string>();
    for (const index of at) {
      const pending = queue.pending[index];
      const message = pending && this.#readyFor(pending, queue);
      if (pending === undefined || message === undefined) return undefined;
      named.set(index, messageJson(pending, message, queue));
    }
    return vary(shared, at, (index) => named.get(index) ?? '');
  }

  #writeShared(pending: readonly Pending[], queue: Receiver): readonly string[] | undefined {
    const variant = renderVariant(queue.options);
    const known = this.#byPending.get(pending, variant);
    if (known !== undefined) return known;
    const written: string[] = [];
    for (const each of pending) {
      const message = this.#readyFor(each, queue);
      if (message === undefined) return undefined;
      written.push(this.#plainText(each, message, queue));
    }
    this.#byPending.set(pending, variant, share(written), charactersIn(written));
    return written;
  }

  #storedText(pending: Pending): string {
    const known = this.#texts.get(pending, AS_STORED);
    if (known !== undefined) return known;
    const text = eventJson(pending.event, pending.event.payload);
    this.#texts.set(pending, AS_STORED, text, text.length);
    return text;
  }

  #plainText(pending: Pending, message: Material, { options }: Receiver): string {
    const variant = renderVariant(options);
    const known = this.#texts.get(pending, variant);
    if (known !== undefined) return known;
    const text = messageJson(pending, message, { id: null, options });
    this.#texts.set(pending, variant, text, text.length);
    return text;
  }
}
