/** What several queues are told in the same words: written once for all of them. */
import type { LoggedEvent } from '../../contract/log.ts';
import { renderVariant } from '../domain/rules/shapes.ts';
import { type Material, type Materials, messageIdOf } from './materials.ts';
import type { Pending, Queue } from './queue.ts';

/** Lists of events that are kept because several queues may be waiting for them. */
const MAX_SHARED = 200;

interface Echo {
  readonly queueId: string;
  readonly localId: string;
}

/** The part of a queue that decides what it is told. */
export type Receiver = Pick<Queue, 'id' | 'userId' | 'options' | 'pending'>;

/** Whether the message stands where it was sent to: since then, not everybody who was told of it may see it. */
export const isInPlace = ({ audience }: LoggedEvent, { row }: Material): boolean =>
  audience.kind !== 'holders' || audience.recipientId === row.recipient_id;

export function messageJson(
  { event, flags }: Pending,
  message: Material,
  queue: Pick<Queue, 'id' | 'options'>,
): string {
  const echo = event.payload['echo'] as Echo | null;
  const local =
    echo?.queueId === queue.id ? `,"local_message_id":${JSON.stringify(echo.localId)}` : '';
  const flagsJson = flags.length === 0 ? '[]' : JSON.stringify(flags);
  return (
    `{"id":${String(event.id)},"type":"message","message":${message.json(queue.options)},` +
    `"flags":${flagsJson}${local}}`
  );
}

export interface SharedLists {
  /** Undefined where something in the queue is special: it is written for that queue alone. */
  readonly write: (queue: Receiver) => readonly string[] | undefined;
  readonly clear: () => void;
}

/** The texts of an event without flags, by the way of rendering; such an event is one object for all queues. */
type PlainTexts = WeakMap<Pending, string[]>;

function plainText(
  texts: PlainTexts,
  pending: Pending,
  message: Material,
  queue: Receiver,
): string {
  const variant = renderVariant(queue.options);
  const known = texts.get(pending) ?? [];
  const text = (known[variant] ??= messageJson(pending, message, queue));
  texts.set(pending, known);
  return text;
}

/** Queues that wait for the same get the same list, and need it written and put into bytes only once. */
export function createSharedLists(material: Materials['get']): SharedLists {
  /** By the events in them, their flags and the way of rendering. */
  const lists = new Map<string, readonly string[]>();
  let texts: PlainTexts = new WeakMap();

  /** The message of an event that can be written without waiting or asking. */
  function readyFor({ event }: Pending, queue: Receiver): Material | undefined {
    if (event.type !== 'message') return undefined;
    if ((event.payload['echo'] as Echo | null)?.queueId === queue.id) return undefined;
    const found = material(messageIdOf(event));
    if (found === undefined || found instanceof Promise) return undefined;
    return isInPlace(event, found) ? found : undefined;
  }

  return {
    write(queue) {
      const { pending, options } = queue;
      const found: [Pending, Material][] = [];
      let key = String(renderVariant(options));
      for (const each of pending) {
        const message = readyFor(each, queue);
        if (message === undefined) return undefined;
        found.push([each, message]);
        key += ` ${String(each.event.id)}${each.flags.length === 0 ? '' : each.flags.join()}`;
      }
      const known = lists.get(key);
      if (known !== undefined) return known;
      const written = found.map(([each, message]) =>
        each.flags.length === 0
          ? plainText(texts, each, message, queue)
          : messageJson(each, message, queue),
      );
      if (lists.size >= MAX_SHARED) lists.clear();
      lists.set(key, written);
      return written;
    },
    clear() {
      lists.clear();
      texts = new WeakMap();
    },
  };
}
