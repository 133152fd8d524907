/** A page of history with nothing between the rows and their bytes. */
import Database from 'better-sqlite3';

const PAGE = `SELECT m.id, 'stream' AS type, s.id AS stream_id, s.name AS display_recipient, t.name AS subject,
    m.recipient_id, m.rendered AS content, 'text/html' AS content_type, m.sent_at AS timestamp,
    c.name AS client, m.is_me_message, m.sender_id, a.email AS sender_email, a.full_name AS sender_full_name,
    a.short_name AS sender_short_name, '' AS sender_realm_str
  FROM message m
  JOIN stream s ON s.recipient_id = m.recipient_id
  JOIN topic t ON t.id = m.topic_id
  JOIN client c ON c.id = m.client_id
  JOIN account a ON a.id = m.sender_id
  WHERE m.recipient_id = (SELECT recipient_id FROM stream WHERE name = :stream)
  ORDER BY m.id DESC LIMIT :limit`;

export interface RawHistory {
  /** The newest messages of a stream as JSON. */
  readonly page: (stream: string, limit: number) => Buffer;
  readonly close: () => void;
}

/** @param file  the service's own database, read beside it */
export function openRawHistory(file: string): RawHistory {
  const db = new Database(file, { readonly: true });
  const select = db.prepare(PAGE);
  return {
    page: (stream, limit) =>
      Buffer.from(JSON.stringify({ result: 'success', messages: select.all({ stream, limit }) })),
    close: () => db.close(),
  };
}
