/**
 * What a send has to write at the least: a row for the message and one for its event, with the indexes that reading
 * needs, flushed by the same policy. Nothing is looked up, checked or rendered.
 */
import Database from 'better-sqlite3';

export interface NewRow {
  readonly senderId: number;
  readonly topicId: number;
  readonly content: string;
  /** UNIX seconds. */
  readonly sentAt: number;
}

const SCHEMA = `
CREATE TABLE message (
  id INTEGER PRIMARY KEY AUTOINCREMENT, recipient_id INTEGER NOT NULL, topic_id INTEGER, topic_name TEXT,
  sender_id INTEGER NOT NULL, client_id INTEGER NOT NULL, content TEXT NOT NULL, rendered TEXT NOT NULL,
  is_me_message INTEGER NOT NULL, has_wildcard_mention INTEGER NOT NULL, has_link INTEGER NOT NULL,
  has_image INTEGER NOT NULL, has_attachment INTEGER NOT NULL, sent_at INTEGER NOT NULL, edited_at INTEGER
) STRICT;
CREATE INDEX message_by_recipient ON message (recipient_id);
CREATE INDEX message_by_topic ON message (topic_id) WHERE topic_id IS NOT NULL;
CREATE INDEX message_by_sender ON message (sender_id);
CREATE TABLE event (
  id INTEGER PRIMARY KEY, type TEXT NOT NULL, audience TEXT NOT NULL, payload TEXT NOT NULL
) STRICT;`;

const INSERT_MESSAGE = `INSERT INTO message (recipient_id, topic_id, sender_id, client_id, content, rendered,
    is_me_message, has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
  VALUES (1, :topicId, :senderId, 1, :content, :rendered, 0, 0, 0, 0, 0, :sentAt)`;
const INSERT_EVENT = `INSERT INTO event (id, type, audience, payload)
  VALUES (:id, 'message', :audience, :payload)`;

export const renderedOf = (content: string): string => `<p>${content}</p>`;

export interface ReferenceLog {
  /** Writes all rows in one transaction; answers their ids, which are also those of their events. */
  readonly append: (rows: readonly NewRow[]) => readonly number[];
  readonly close: () => void;
}

export function openReferenceLog(file: string): ReferenceLog {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('wal_autocheckpoint = 10000');
  db.pragma('cache_size = -65536');
  db.exec(SCHEMA);
  const insertMessage = db.prepare(INSERT_MESSAGE);
  const insertEvent = db.prepare(INSERT_EVENT);

  function appendOne(row: NewRow): number {
    const result = insertMessage.run({ ...row, rendered: renderedOf(row.content) });
    const id = Number(result.lastInsertRowid);
    insertEvent.run({
      id,
      audience: JSON.stringify({
        kind: 'holders',
        recipientId: 1,
        messageId: id,
        publicStreamId: 1,
      }),
      payload: JSON.stringify({ message_id: id, echo: null }),
    });
    return id;
  }

  const together = db.transaction((rows: readonly NewRow[]) => rows.map(appendOne));
  return { append: (rows) => together.immediate(rows), close: () => db.close() };
}
