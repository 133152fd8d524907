/** The messages themselves: written with their index, read with their people. */
import { fold } from '#shared/text/fold.ts';
import {
  conversationKeyOf,
  type MessageFeatures,
  featuresOf,
  isHeldMessage,
  searchedText,
} from '#client/cache/match-narrow.ts';
import type { RenamedTopic } from '#client/cache/message-changes.ts';
import type { Message } from '#shared/api/models/message.ts';
import {
  bitsOf,
  featureBits,
  featuresOfBits,
  messageOf,
  restOf,
  type WholeRow,
} from './message-codec.ts';
import { conversationToken, recipientToken } from '#shared/search/place-tokens.ts';
import { putHours } from './hours.ts';
import { PeopleTable } from './people-table.ts';
import type { Purge } from './purge.ts';
import { indexEntry, type Indexed, wordQuery } from './search-index.ts';
import { idList, type IdRow, idsOf, type Sql } from './sql.ts';

const AMONG = '(SELECT value FROM json_each(:ids))';
const WHOLE = `SELECT m.id, m.stream_id, m.conversation_id, m.sender_id, m.flags, m.has, m.sent_at,
    b.subject, b.content, b.source, b.rest, s.name AS stream_name, s.recipient_id, c.user_key
  FROM message m JOIN body b ON b.id = m.id
  LEFT JOIN stream s ON s.id = m.stream_id LEFT JOIN conversation c ON c.id = m.conversation_id`;
const FIND = `${WHOLE} WHERE m.id IN ${AMONG} ORDER BY m.id`;
const FIND_STORED = `SELECT m.id, m.stream_id, m.conversation_id, m.topic_id, m.sender_id, m.has, m.bytes,
    b.subject, b.content, b.source
  FROM message m JOIN body b ON b.id = m.id WHERE m.id IN ${AMONG}`;
const PUT = `INSERT INTO message
    (id, stream_id, conversation_id, topic_id, sender_id, flags, is_held, has, sent_at, bytes)
  VALUES (:id, :stream_id, :conversation_id, :topic_id, :sender_id, :flags, :is_held, :has, :sent_at, :bytes)
  ON CONFLICT (id) DO UPDATE SET stream_id = excluded.stream_id, conversation_id = excluded.conversation_id,
    topic_id = excluded.topic_id, sender_id = excluded.sender_id, flags = excluded.flags,
    is_held = excluded.is_held, has = excluded.has, sent_at = excluded.sent_at, bytes = excluded.bytes`;
const PUT_BODY = `INSERT INTO body (id, subject, content, source, rest)
  VALUES (:id, :subject, :content, :source, :rest)
  ON CONFLICT (id) DO UPDATE SET subject = excluded.subject, content = excluded.content,
    source = excluded.source, rest = excluded.rest`;
const PUT_FLAGS = 'UPDATE message SET flags = :flags, is_held = :is_held WHERE id = :id';
const PUT_REST = 'UPDATE body SET rest = :rest WHERE id = :id AND rest <> :rest';
const LIST_DISCUSSED = `SELECT m.id FROM message m JOIN body b ON b.id = m.id
  WHERE m.stream_id = :streamId AND m.is_held = 1 AND (json_type(b.rest, '$.reactions') IS NOT NULL
    OR json_type(b.rest, '$.submessages') IS NOT NULL)`;
const HAS_STALE = 'SELECT id FROM stale LIMIT 1';
const FRESH = 'DELETE FROM stale WHERE id = :id';
const DELETE = `DELETE FROM message WHERE id IN ${AMONG} RETURNING id, bytes`;
const DELETE_BODIES = `DELETE FROM body WHERE id IN ${AMONG}`;
const UNINDEX_ALL = `DELETE FROM search_index WHERE rowid IN ${AMONG}`;
// Changes one row by its key: where a statement may change several, the index first writes what it has gathered.
const COUNT = `UPDATE total SET messages = messages + :messages,
  message_bytes = message_bytes + :bytes WHERE id = 1`;
const UNINDEX = 'DELETE FROM search_index WHERE rowid = CAST(:id AS INTEGER)';
const INDEX = 'INSERT INTO search_index (rowid, tokens) VALUES (CAST(:id AS INTEGER), :tokens)';
const HAS_WORD = 'SELECT rowid FROM search_index WHERE search_index MATCH :query LIMIT 1';
const DELETE_WORD = 'DELETE FROM search_word WHERE word = :word';
const PUT_WORD = 'INSERT INTO search_word (word) VALUES (:word) ON CONFLICT DO NOTHING';
const UNINDEXED = 'SELECT unindexed_through AS id FROM search_state';
const SET_UNINDEXED = 'UPDATE search_state SET unindexed_through = :id';
const LIST_UNINDEXED = `SELECT m.id, m.stream_id, m.conversation_id, m.topic_id, m.sender_id, m.has, m.bytes,
    b.subject, b.content, b.source
  FROM message m JOIN body b ON b.id = m.id WHERE m.id <= :through ORDER BY m.id DESC LIMIT :limit`;
const FIND_TOPIC = 'SELECT id FROM topic WHERE stream_id = :streamId AND name_key = :key';
const PUT_TOPIC = 'INSERT INTO topic (stream_id, name_key) VALUES (:streamId, :key) RETURNING id';
const FIND_STREAM = 'SELECT recipient_id, name FROM stream WHERE id = :id';
const PUT_STREAM = `INSERT INTO stream (id, recipient_id, name) VALUES (:id, :recipientId, :name)
  ON CONFLICT (id) DO UPDATE SET recipient_id = excluded.recipient_id, name = excluded.name`;
const RENAME_STREAM = 'UPDATE stream SET name = :name WHERE id = :id';
const PUT_CONVERSATION = `INSERT INTO conversation (id, user_key, users) VALUES (:id, :key, :users)
  ON CONFLICT DO NOTHING`;
/** Words of more than that are left: looking for each of them would take too long. */
const MAX_PRUNED = 500;
/** What a message takes beside its texts, with its share of the indexes. */
const ROW_BYTES = 320;
const MAX_REMEMBERED = 20_000;

interface StoredRow extends IdRow {
  readonly stream_id: number | null;
  readonly conversation_id: number | null;
  readonly topic_id: number | null;
  readonly sender_id: number;
  readonly has: number;
  readonly bytes: number;
  readonly subject: string;
  readonly content: string;
  readonly source: string | null;
}

/** Where a message stands, in ids of this database. */
interface Placed {
  readonly streamId: number | null;
  readonly conversationId: number | null;
  readonly topicId: number | null;
}

const isSameText = (
  row: StoredRow,
  message: Message,
  placed: Placed,
  has: MessageFeatures,
): boolean =>
  row.content === message.content &&
  row.source === (message.source ?? null) &&
  row.subject === message.subject &&
  row.stream_id === placed.streamId &&
  row.conversation_id === placed.conversationId &&
  row.topic_id === placed.topicId &&
  row.sender_id === message.sender_id &&
  row.has === featureBits(has);

const recipientOf = ({ streamId, conversationId }: Placed): string =>
  streamId === null ? conversationToken(conversationId ?? 0) : recipientToken(streamId);

const indexedOf = (message: Message, placed: Placed, has: MessageFeatures): Indexed => ({
  recipient: recipientOf(placed),
  topicId: placed.topicId,
  topic: message.type === 'stream' ? message.subject : null,
  text: searchedText(message),
  senderId: message.sender_id,
  has: (kind) => has[kind],
});

interface Grown {
  readonly messages: number;
  readonly bytes: number;
}

export class MessageTable {
  readonly #sql: Sql;
  #unindexedThrough: number | undefined;
  readonly #purge: Pick<Purge, 'want'>;
  readonly #people: PeopleTable;
  /** What is known to be in the tables; forgotten when anything is rolled back. */
  readonly #words = new Set<string>();
  readonly #topics = new Map<string, number>();
  readonly #streams = new Map<number, string>();
  readonly #conversations = new Map<number, string>();

  constructor(sql: Sql, purge: Pick<Purge, 'want'>) {
    this.#sql = sql;
    this.#purge = purge;
    this.#people = new PeopleTable(sql);
  }

  /** The database may be what it was before. */
  forget(): void {
    this.#unindexedThrough = undefined;
    this.#people.forget();
    for (const known of [this.#words, this.#topics, this.#streams, this.#conversations]) {
      known.clear();
    }
  }

  /** @param isHeld  where something else is known than the message tells */
  put(given: readonly Message[], isHeld?: boolean): void {
    if (given.length === 0) return;
    // Of one that is there twice, the last is what it is now.
    const messages = [...new Map(given.map((message) => [message.id, message])).values()];
    const ids = idList(messages.map(({ id }) => id));
    const rows = this.#sql.list<StoredRow>(FIND_STORED, { ids });
    const stored = new Map(rows.map((row) => [row.id, row]));
    putHours(this.#sql, messages);
    if (this.#sql.get(HAS_STALE) !== undefined) {
      for (const { id } of messages) this.#sql.run(FRESH, { id });
    }
    const before = { messages: 0, bytes: 0 };
    for (const message of messages) {
      const grown = this.#putOne(message, isHeld ?? isHeldMessage(message), stored.get(message.id));
      before.messages += grown.messages;
      before.bytes += grown.bytes;
    }
    this.#sql.run(COUNT, before);
  }

  /** Answers by how much there is more. */
  #putOne(message: Message, isHeld: boolean, stored: StoredRow | undefined): Grown {
    const sql = this.#sql;
    this.#people.putAll(message);
    const placed = this.#place(message);
    const has = featuresOf(message);
    const { id, subject, content } = message;
    const flags = { id, flags: bitsOf(message.flags), is_held: Number(isHeld) };
    const rest = { id, rest: restOf(message) };
    if (stored !== undefined && isSameText(stored, message, placed, has)) {
      sql.run(PUT_FLAGS, flags);
      sql.run(PUT_REST, rest);
      return { messages: 0, bytes: 0 };
    }
    const source = message.source ?? null;
    // The index takes about as much as the text that it was made of.
    const bytes = ROW_BYTES + content.length + rest.rest.length + 2 * (source ?? content).length;
    sql.run(PUT, {
      ...flags,
      stream_id: placed.streamId,
      conversation_id: placed.conversationId,
      topic_id: placed.topicId,
      sender_id: message.sender_id,
      has: featureBits(has),
      sent_at: message.timestamp,
      bytes,
    });
    sql.run(PUT_BODY, { ...rest, subject, content, source });
    if (stored !== undefined) sql.run(UNINDEX, { id });
    this.#index(message, placed, has);
    return { messages: stored === undefined ? 1 : 0, bytes: bytes - (stored?.bytes ?? 0) };
  }

  /** Messages up to this one are not in the index. */
  get unindexedThrough(): number {
    return (this.#unindexedThrough ??= this.#sql.get<IdRow>(UNINDEXED)?.id ?? 0);
  }

  /** Puts the newest of those into the index that are not there; answers whether there are more. */
  indexSome(limit: number): boolean {
    const rows = this.#sql.list<StoredRow>(LIST_UNINDEXED, {
      through: this.unindexedThrough,
      limit,
    });
    for (const row of rows) {
      const { stream_id: streamId, conversation_id: conversationId, topic_id: topicId } = row;
      const has = featuresOfBits(row.has);
      this.#putIndex(row.id, {
        recipient: recipientOf({ streamId, conversationId, topicId }),
        topicId,
        topic: streamId === null ? null : row.subject,
        text: row.source ?? searchedText({ content: row.content }),
        senderId: row.sender_id,
        has: (kind) => has[kind],
      });
    }
    const last = rows.length < limit ? 0 : (rows.at(-1)?.id ?? 1) - 1;
    this.#sql.run(SET_UNINDEXED, { id: last });
    this.#unindexedThrough = last;
    return last > 0;
  }

  /** Ascending. */
  find(ids: readonly number[]): readonly Message[] {
    if (ids.length === 0) return [];
    const rows = this.#sql.list<WholeRow>(FIND, { ids: idList(ids) });
    return rows.map((row) => messageOf(row, (id) => this.#people.get(id)));
  }

  /** Answers those that were there. */
  remove(ids: readonly number[]): readonly number[] {
    if (ids.length === 0) return [];
    const gone = this.#sql.list<IdRow & { readonly bytes: number }>(DELETE, { ids: idList(ids) });
    if (gone.length === 0) return [];
    const goneIds = { ids: idList(idsOf(gone)) };
    this.#sql.run(DELETE_BODIES, goneIds);
    this.#sql.run(UNINDEX_ALL, goneIds);
    const bytes = gone.reduce((sum, row) => sum + row.bytes, 0);
    this.#sql.run(COUNT, { messages: -gone.length, bytes: -bytes });
    return idsOf(gone).toSorted((a, b) => a - b);
  }

  /** The same for what was deleted, or may no longer be read: no word of it stays either. */
  erase(ids: readonly number[]): readonly number[] {
    const words = ids.length > MAX_PRUNED ? [] : this.#wordsOf(ids);
    const gone = this.remove(ids);
    if (gone.length === 0) return gone;
    for (const word of words) {
      if (this.#sql.get(HAS_WORD, { query: wordQuery(word) }) !== undefined) continue;
      this.#sql.run(DELETE_WORD, { word });
      this.#words.delete(word);
    }
    this.#purge.want();
    return gone;
  }

  #wordsOf(ids: readonly number[]): ReadonlySet<string> {
    const words = this.find(ids).flatMap((message) => [
      ...indexEntry(indexedOf(message, this.#place(message), featuresOf(message))).words,
    ]);
    return new Set(words);
  }

  findStream(
    streamId: number,
  ): { readonly name: string; readonly recipientId: number } | undefined {
    const row = this.#sql.get<{ recipient_id: number; name: string }>(FIND_STREAM, {
      id: streamId,
    });
    return row === undefined ? undefined : { name: row.name, recipientId: row.recipient_id };
  }

  rename(person: RenamedTopic): void {
    this.#people.rename(person);
  }

  /** What is held of a stream and shows what others did to it. */
  listDiscussed(streamId: number): readonly number[] {
    return idsOf(this.#sql.list<IdRow>(LIST_DISCUSSED, { streamId }));
  }

  renameStream(id: number, name: string): void {
    this.#sql.run(RENAME_STREAM, { id, name });
    this.#streams.delete(id);
  }

  #index(message: Message, placed: Placed, has: MessageFeatures): void {
    // The others have their turn.
    if (message.id <= this.unindexedThrough) return;
    this.#putIndex(message.id, indexedOf(message, placed, has));
  }

  #putIndex(id: number, message: Indexed): void {
    const { tokens, words } = indexEntry(message);
    this.#sql.run(INDEX, { id, tokens });
    for (const word of words) {
      if (this.#words.has(word)) continue;
      if (this.#words.size >= MAX_REMEMBERED) this.#words.clear();
      this.#sql.run(PUT_WORD, { word });
      this.#words.add(word);
    }
  }

  #place(message: Message): Placed {
    const { stream_id: streamId, recipient_id: recipientId } = message;
    if (streamId === undefined) {
      const key = conversationKeyOf(message) ?? '';
      if (this.#conversations.get(recipientId) !== key) {
        const users = key.split(',').length;
        this.#sql.run(PUT_CONVERSATION, { id: recipientId, key, users });
        this.#conversations.set(recipientId, key);
      }
      return { streamId: null, conversationId: recipientId, topicId: null };
    }
    const name = typeof message.display_recipient === 'string' ? message.display_recipient : '';
    const known = `${String(recipientId)} ${name}`;
    if (this.#streams.get(streamId) !== known) {
      this.#sql.run(PUT_STREAM, { id: streamId, recipientId, name });
      this.#streams.set(streamId, known);
    }
    return { streamId, conversationId: null, topicId: this.#openTopic(streamId, message.subject) };
  }

  #openTopic(streamId: number, subject: string): number {
    const key = fold(subject);
    const remembered = `${String(streamId)} ${key}`;
    const known = this.#topics.get(remembered);
    if (known !== undefined) return known;
    const found =
      this.#sql.get<IdRow>(FIND_TOPIC, { streamId, key }) ??
      this.#sql.get<IdRow>(PUT_TOPIC, { streamId, key });
    if (found === undefined) throw new Error('a topic was not made');
    if (this.#topics.size >= MAX_REMEMBERED) this.#topics.clear();
    this.#topics.set(remembered, found.id);
    return found.id;
  }
}
