/** A message as it is stored: its columns, each declared here, and how it is written and selected. */
import {
  marked,
  type MessageMark,
  type MessageMarks,
  markNames,
} from '#shared/api/models/message-marks.ts';
import type { Value } from '#service/db/operation.ts';
import { before, seenMark } from '#service/features/reading/queries/narrow-sql.ts';

export type Flag = 0 | 1;

/** A message with its topic and the requesting account's flags. */
export interface MessageRow extends Readonly<Record<MessageMark, Flag>> {
  readonly id: number;
  readonly recipient_id: number;
  readonly stream_id: number | null;
  readonly stream_name: string | null;
  /** Null for a private message. */
  readonly topic: string | null;
  readonly sender_id: number;
  readonly client: string;
  readonly content: string;
  readonly rendered: string;
  /** UNIX seconds. */
  readonly sent_at: number;
  readonly edited_at: number | null;
  /** Numbers the last change; grows with each. 0 for a message as it was sent. */
  readonly edit_number: number;
  /** UNIX seconds; null unless a member gave it back after a restore. */
  readonly recovered_at: number | null;
  /** Whether some account may see it, or the name of its stream, as it was before. */
  readonly has_versions?: Flag;
}

/** What a message takes in memory beside its texts. */
const ENTRY_BYTES = 2000;

/** About what a message takes in memory: its texts, and the JSON of its ways of being rendered. */
export const bytesOfMessage = ({
  content,
  rendered,
}: Pick<MessageRow, 'content' | 'rendered'>): number =>
  ENTRY_BYTES + 3 * (content.length + rendered.length);

export interface PersonalMessageRow extends MessageRow {
  readonly is_held: Flag;
  /** The account may no longer read what becomes of it, nor do anything to it. */
  readonly is_lost: Flag;
  /** The last change that the account sees; null where it sees the message as it is now. */
  readonly kept_edit_id: number | null;
  readonly is_read: Flag;
  /** Flags beside `read`, joined by blanks; null where none is set. */
  readonly flags: string | null;
  /** The message as everybody sees it: the same object until that may have changed. Only where it is kept in memory. */
  readonly shared?: MessageRow;
}

export const FROM = `FROM message m
  JOIN client c ON c.id = m.client_id
  LEFT JOIN stream s ON s.recipient_id = m.recipient_id
  LEFT JOIN topic t ON t.id = m.topic_id`;
/** A column as the account saw it last, where it may not read what became of it. */
export const seen = (former: string, present: string): string =>
  `COALESCE(CASE WHEN v.edit_id IS NULL THEN NULL ELSE ${before(former)} END, ${present})`;
const TOPIC = 'COALESCE(m.topic_name, t.name)';
export const SEEN_TOPIC = seen('prev_topic', TOPIC);

interface Column {
  /** Of the message as it is. */
  readonly now: string;
  /** As the account sees it, which may no longer read what becomes of it; absent where that is the same. */
  readonly seen?: string;
}

const ofTable = (name: string, former?: string): Column => ({
  now: `m.${name}`,
  ...(former === undefined ? {} : { seen: seen(former, `m.${name}`) }),
});

const columns: Readonly<Record<Exclude<keyof MessageRow, 'has_versions'>, Column>> = {
  id: ofTable('id'),
  recipient_id: ofTable('recipient_id'),
  stream_id: { now: 's.id' },
  stream_name: { now: 's.name', seen: 'COALESCE(la.stream_name, s.name)' },
  topic: { now: TOPIC, seen: SEEN_TOPIC },
  sender_id: ofTable('sender_id'),
  client: { now: 'c.name' },
  content: ofTable('content', 'prev_content'),
  rendered: ofTable('rendered', 'prev_rendered'),
  ...marked(markNames, (name) => ({ now: `m.${name}`, seen: seenMark(name) })),
  sent_at: ofTable('sent_at'),
  edited_at: {
    now: 'm.edited_at',
    seen: `CASE WHEN v.edit_id IS NULL THEN m.edited_at ELSE (SELECT MAX(e.edited_at) FROM message_edit e
      WHERE e.message_id = m.id AND e.id <= v.edit_id AND e.is_named = 1) END`,
  },
  edit_number: ofTable('edit_number'),
  recovered_at: ofTable('recovered_at'),
};

const selected = (of: (column: Column) => string): string =>
  Object.entries(columns)
    .map(([name, column]) => `${of(column)} AS ${name}`)
    .join(', ');

export const COLUMNS = selected(({ now }) => now);
/** As an account sees them that has a version `v` of the message, or none, and has lost access `la` to its place, or not. */
export const SEEN_COLUMNS = `${selected(({ now, seen: then }) => then ?? now)},
  v.edit_id AS kept_edit_id, la.account_id IS NOT NULL AS is_lost`;

/** What follows from the text of a message. */
const textNames = ['content', 'rendered', ...markNames] as const;
type TextName = (typeof textNames)[number];
const firstNames = [
  ...(['recipient_id', 'topic_id', 'topic_name', 'sender_id', 'client_id', 'sent_at'] as const),
  ...textNames,
] as const;
/** What every new message has, by its columns. */
export type FirstValues = Readonly<Record<(typeof firstNames)[number], Value>>;

/** Values are named as their columns. @param more  columns beside `FirstValues` */
export function insertMessage(...more: readonly string[]): string {
  const names = [...firstNames, ...more];
  return `INSERT INTO message (${names.join(', ')}) VALUES (:${names.join(', :')})`;
}
export const SET_TEXT = textNames.map((name) => `${name} = :${name}`).join(', ');

type TextColumns = { -readonly [K in TextName]: MessageRow[K] };

export function textColumns(
  message: MessageMarks & Pick<MessageRow, 'content' | 'rendered'>,
): Readonly<TextColumns> {
  const { content, rendered } = message;
  const columns = { content, rendered } as TextColumns;
  for (const name of markNames) columns[name] = message[name] ? 1 : 0;
  return columns;
}
