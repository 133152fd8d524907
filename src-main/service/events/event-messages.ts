/** Messages as events need them, the most recent ones kept. */
import { Recent, RecentVariants } from '../db/recently-used.ts';
import type { LoggedEvent } from '../db/event-log.ts';
import {
  type MessagePeople,
  messageShape,
  type RenderOptions,
  renderVariant,
} from '../core/rules/shapes.ts';
import type { ComputeMac } from '../core/rules/message-macs.ts';
import { type AppendedMessage, bytesOfMessage, type MessageRow, type Store } from '../db/port.ts';

/** A message as far as events need it. */
export interface EventMessageSource {
  readonly row: MessageRow;
  readonly people: MessagePeople;
  readonly mentionedUserIds: ReadonlySet<number>;
  readonly alertedUserIds: ReadonlySet<number>;
  /** It was made when the message was sent, and not read later on. */
  readonly isAsSent: boolean;
  /** The `message` object as JSON, by rendering. */
  readonly json: (options: RenderOptions) => string;
}

/** Every queue asks for the same few messages: what is in memory is answered without a promise. */
export type LoadedMessage = EventMessageSource | undefined;

export const messageIdOf = (event: LoggedEvent): number => Number(event.payload['message_id']);

/** Nearly everybody has none of nearly every message: one list for all. */
export const noFlags: readonly string[] = [];

const isWithoutFlagsFor = (
  { row, mentionedUserIds, alertedUserIds }: EventMessageSource,
  userId: number,
): boolean =>
  row.sender_id !== userId &&
  row.has_wildcard_mention === 0 &&
  !mentionedUserIds.has(userId) &&
  !alertedUserIds.has(userId);

/** The reader's flags of a new message (API decisions 5). */
export function newMessageFlags(source: EventMessageSource, userId: number): readonly string[] {
  if (isWithoutFlagsFor(source, userId)) return noFlags;
  const flags: string[] = [];
  if (source.row.sender_id === userId) flags.push('read');
  if (source.mentionedUserIds.has(userId)) flags.push('mentioned');
  if (source.row.has_wildcard_mention === 1) flags.push('wildcard_mentioned');
  if (source.alertedUserIds.has(userId)) flags.push('has_alert_word');
  return flags;
}

/** Hardly any message names anybody, and each of the most recent ones is kept: one set for all of those. */
const nobody: ReadonlySet<number> = new Set();
const setOf = (userIds: readonly number[]): ReadonlySet<number> =>
  userIds.length === 0 ? nobody : new Set(userIds);

function createEventMessage(
  row: MessageRow,
  people: MessagePeople,
  about: {
    readonly mentioned: readonly number[];
    readonly alerted: readonly number[];
    readonly isAsSent: boolean;
  },
  write: WriteMessage,
): EventMessageSource {
  return {
    row,
    people,
    mentionedUserIds: setOf(about.mentioned),
    alertedUserIds: setOf(about.alerted),
    isAsSent: about.isAsSent,
    json: (options) => write(row, people, options),
  };
}

/** A message as JSON. */
type WriteMessage = (row: MessageRow, people: MessagePeople, options: RenderOptions) => string;

/**
 * Characters. Whoever waits is told of a message at once, and then in the same words: what is kept for longer outlives the next
 * collection of what is young, and costs more than it saves.
 */
export const RECENT_CHARACTERS = 64 * 1024;

/** Writes what was asked for lately only once. */
function createMessageWriter(prove: ComputeMac | undefined): WriteMessage {
  const recent = new RecentVariants<MessageRow, string>(RECENT_CHARACTERS);
  return (row, people, options) => {
    const variant = renderVariant(options);
    const known = recent.get(row, variant);
    if (known !== undefined) return known;
    const text = JSON.stringify(messageShape(row, people, options, prove));
    recent.set(row, variant, text, text.length);
    return text;
  };
}

/** The message as one account sees it. */
export const withRow = (
  source: EventMessageSource,
  row: MessageRow,
  people: MessagePeople,
): EventMessageSource => ({
  ...source,
  row,
  people,
  json: (options) => JSON.stringify(messageShape(row, people, options)),
});

const bytesOf = (loaded: LoadedMessage): number =>
  bytesOfMessage(loaded?.row ?? { content: '', rendered: '' });

export interface EventMessages {
  /** Undefined when the message was deleted since. */
  readonly get: (messageId: number) => LoadedMessage | Promise<LoadedMessage>;
  /** Settles when it is there, or could not be made; undefined where it is there at once. */
  readonly add: (appended: AppendedMessage) => Promise<void> | undefined;
  readonly forget: (messageId: number) => void;
}

export interface MessageLookups {
  readonly peopleOf: (row: MessageRow) => MessagePeople | Promise<MessagePeople>;
  /** For our own clients, which can give messages back. */
  readonly prove?: ComputeMac;
}

/** What messages are made of, the most recent ones kept. */
export function createEventMessages(
  store: Store,
  { peopleOf, prove }: MessageLookups,
  maxBytes: number,
): EventMessages {
  const messages = new Recent<number, LoadedMessage | Promise<LoadedMessage>>(maxBytes);
  const write = createMessageWriter(prove);

  async function read(messageId: number): Promise<LoadedMessage> {
    const row = await store.findMessage(messageId);
    if (row === undefined) return undefined;
    const mentioned = await store.listFlaggedUserIds(messageId, 'mentioned');
    const alerted = await store.listFlaggedUserIds(messageId, 'has_alert_word');
    const about = { mentioned, alerted, isAsSent: false };
    return createEventMessage(row, await peopleOf(row), about, write);
  }

  /** What was forgotten while it was read may be out of date, and is read anew the next time. */
  async function keep(messageId: number, loading: Promise<LoadedMessage>): Promise<void> {
    const isCurrent = (): boolean => messages.get(messageId) === loading;
    try {
      const found = await loading;
      if (isCurrent()) messages.set(messageId, found, bytesOf(found));
    } catch {
      // Whoever asked is told; it is not kept.
      if (isCurrent()) messages.delete(messageId);
    }
  }

  function load(messageId: number, loading: Promise<LoadedMessage>): Promise<void> {
    // Its size is counted when it is known.
    messages.set(messageId, loading, 0);
    return keep(messageId, loading);
  }

  function readAndKeep(messageId: number): Promise<LoadedMessage> {
    const loading = read(messageId);
    void load(messageId, loading);
    return loading;
  }

  return {
    get: (messageId) => messages.get(messageId) ?? readAndKeep(messageId),
    add({ row, mentionedUserIds: mentioned, alertedUserIds: alerted }) {
      const make = (people: MessagePeople): EventMessageSource =>
        createEventMessage(row, people, { mentioned, alerted, isAsSent: true }, write);
      const people = peopleOf(row);
      if (people instanceof Promise) return load(row.id, people.then(make));
      messages.set(row.id, make(people), bytesOfMessage(row));
      return undefined;
    },
    forget: (messageId) => messages.delete(messageId),
  };
}
