/** What several queues are told in the same words: written once for all of them. */
import type { LoggedEvent } from '../ports/log.ts';
import { renderVariant } from '../domain/rules/shapes.ts';
import { type Material, type Materials, messageIdOf } from './materials.ts';
import { type Pending, type Queue, takesPublic } from './queue.ts';

/** Limits lists of events, and their texts, that are kept because several queues may be waiting for them. */
const MAX_CHARACTERS = 2 * 1024 * 1024;

interface Echo {
  readonly queueId: string;
  readonly localId: string;
}

/** The part of a queue that decides what it is told. */
export interface Receiver extends Pick<Queue, 'id' | 'userId' | 'options'> {
  pending: readonly Pending[];
}

/**
 * Whether the receiver sees what all see who are told of the message: it stands where it was sent to, nobody keeps an older
 * version, and whoever was no subscriber is told what it said when it was sent: later on they may have no access to it.
 */
export const isSame = ({ audience }: LoggedEvent, message: Material, queue: Receiver): boolean =>
  (audience.kind !== 'holders' || audience.recipientId === message.row.recipient_id) &&
  message.row.has_versions !== 1 &&
  (message.isAsSent || !takesPublic(queue.options));

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
  let characters = 0;

  function clear(): void {
    lists.clear();
    texts = new WeakMap();
    characters = 0;
  }

  /** The message of an event that can be written without waiting or asking. */
  function readyFor({ event }: Pending, queue: Receiver): Material | undefined {
    if (event.type !== 'message') return undefined;
    if ((event.payload['echo'] as Echo | null)?.queueId === queue.id) return undefined;
    const found = material(messageIdOf(event));
    if (found === undefined || found instanceof Promise) return undefined;
    return isSame(event, found, queue) ? found : undefined;
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
      // The texts, too: events that hold on to them are kept for long.
      if (characters >= MAX_CHARACTERS) clear();
      lists.set(key, written);
      characters += written.reduce((sum, { length }) => sum + length, key.length);
      return written;
    },
    clear,
  };
}
