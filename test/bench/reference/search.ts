/** A search with nothing between the index and the bytes of its answer. */
import Database from 'better-sqlite3';
import { attachSearchFile } from '#service/db/sqlite/search-file.ts';

const PAGE = `SELECT m.id, 'stream' AS type, s.id AS stream_id, s.name AS display_recipient, t.name AS subject,
    m.recipient_id, m.rendered AS content, m.rendered AS match_content, t.name AS match_subject,
    'text/html' AS content_type, m.sent_at AS timestamp, c.name AS client, m.is_me_message, m.sender_id,
    a.email AS sender_email, a.full_name AS sender_full_name, a.short_name AS sender_short_name,
    '' AS sender_realm_str
  FROM (SELECT rowid FROM search_index WHERE search_index MATCH :match ORDER BY rowid DESC LIMIT :limit) x
  CROSS JOIN message m ON m.id = x.rowid
  JOIN stream s ON s.recipient_id = m.recipient_id
  JOIN topic t ON t.id = m.topic_id
  JOIN client c ON c.id = m.client_id
  JOIN account a ON a.id = m.sender_id`;

export interface RawSearch {
  /** The newest hits as JSON. @param match  what the index is asked */
  readonly page: (match: string, limit: number) => Buffer;
  readonly recipientOf: (stream: string) => number;
  /** Words of the index with how many messages have each, the most frequent first. */
  readonly words: () => readonly { readonly word: string; readonly messages: number }[];
  readonly close: () => void;
}

/** @param file  the service's own database, read beside it */
export function openRawSearch(file: string): RawSearch {
  const db = new Database(file);
  attachSearchFile(db, file);
  db.pragma('query_only = ON');
  const select = db.prepare(PAGE);
  const recipient = db.prepare<[string], number>('SELECT recipient_id FROM stream WHERE name = ?');
  const count = db.prepare<[string], number>(
    'SELECT COUNT(*) FROM search_index WHERE search_index MATCH ?',
  );
  return {
    page: (match, limit) =>
      Buffer.from(JSON.stringify({ result: 'success', messages: select.all({ match, limit }) })),
    recipientOf: (stream) => recipient.pluck().get(stream) ?? 0,
    words: () =>
      db
        .prepare<[], string>("SELECT word FROM search_word WHERE word NOT GLOB '*[0-9]*'")
        .pluck()
        .all()
        .map((word) => ({ word, messages: count.pluck().get(`"${word}"`) ?? 0 }))
        .filter(({ messages }) => messages > 0)
        .sort((a, b) => b.messages - a.messages),
    close: () => db.close(),
  };
}
