import type { Audience } from '../../contract/log.ts';
import type { EmojiType } from '../../contract/models/emoji.ts';
import { keepHistorical } from './historical.ts';
import { findOne, list, type Operation, record, run, type Value } from './operation.ts';

/** One reaction with whom it is from. */
export interface ReactionRow {
  readonly message_id: number;
  readonly account_id: number;
  readonly email: string;
  readonly full_name: string;
  readonly reaction_type: EmojiType;
  readonly emoji_code: string;
  readonly emoji_name: string;
}

export interface NewReaction {
  readonly messageId: number;
  /** Where the message was when the caller was found to see it. */
  readonly recipientId: number;
  readonly userId: number;
  readonly type: EmojiType;
  readonly code: string;
  /** Kept only if nobody has reacted with this emoji before. */
  readonly name: string;
}

/** The keys of a reaction event beside `op`, `message_id` and `user_id`. */
export type ReactionPayload = (emoji: {
  readonly type: EmojiType;
  readonly code: string;
  readonly name: string;
}) => Readonly<Record<string, unknown>>;

/** Each length is a statement of its own, so that there are few of them. */
const IDS_AT_ONCE = 500;
const ANY_BETWEEN = `SELECT 1 FROM reaction WHERE message_id BETWEEN :lowId AND :highId LIMIT 1`;
const COLUMNS = `r.message_id, r.account_id, a.email, a.full_name, r.reaction_type, r.emoji_code, r.emoji_name`;

const listSql = (ids: string): string => `SELECT ${COLUMNS}
  FROM reaction r JOIN account a ON a.id = r.account_id WHERE r.message_id IN (${ids}) ORDER BY r.id`;
const LIST_ONE = listSql(':id0');
const LIST_MANY = listSql(
  Array.from({ length: IDS_AT_ONCE }, (_, index) => `:id${String(index)}`).join(', '),
);

const FIND_PLACE = `SELECT m.recipient_id, c.participants_key FROM message m
  LEFT JOIN conversation c ON c.recipient_id = m.recipient_id WHERE m.id = :messageId`;
const FIRST_NAME = `SELECT emoji_name AS name FROM reaction
  WHERE message_id = :messageId AND reaction_type = :type AND emoji_code = :code ORDER BY id LIMIT 1`;
const IS_ACTIVE = 'SELECT 1 FROM emoji WHERE id = :id AND is_deactivated = 0';
const FIND_OWN = `SELECT emoji_name AS name FROM reaction WHERE message_id = :messageId
  AND reaction_type = :type AND emoji_code = :code AND account_id = :userId`;
const INSERT = `INSERT INTO reaction (message_id, account_id, reaction_type, emoji_code, emoji_name)
  VALUES (:messageId, :userId, :type, :code, :name)`;
const DELETE = `DELETE FROM reaction WHERE message_id = :messageId AND reaction_type = :type
  AND emoji_code = :code AND account_id = :userId`;
const HISTORICAL_IDS = `SELECT account_id FROM message_flag
  WHERE message_id = :messageId AND flag = 'historical' ORDER BY account_id`;

function* readChunk(ids: readonly number[]): Operation<readonly ReactionRow[]> {
  const [first = 0] = ids;
  if (ids.length === 1) return yield* list<ReactionRow>(LIST_ONE, { id0: first });
  const values: Record<string, Value> = {};
  for (let index = 0; index < IDS_AT_ONCE; index += 1) {
    values[`id${String(index)}`] = ids[index] ?? first;
  }
  return yield* list<ReactionRow>(LIST_MANY, values);
}

export const reactionReads = {
  /** The reactions to messages, in the order of adding; messages without any are absent. */
  *listReactions(
    messageIds: readonly number[],
  ): Operation<ReadonlyMap<number, readonly ReactionRow[]>> {
    const found = new Map<number, ReactionRow[]>();
    if (messageIds.length === 0) return found;
    const lowId = messageIds.reduce((low, id) => Math.min(low, id));
    const highId = messageIds.reduce((high, id) => Math.max(high, id));
    // Most pages have none, and then one look is all it costs.
    if ((yield* findOne(ANY_BETWEEN, { lowId, highId })) === undefined) return found;
    for (let start = 0; start < messageIds.length; start += IDS_AT_ONCE) {
      for (const row of yield* readChunk(messageIds.slice(start, start + IDS_AT_ONCE))) {
        const known = found.get(row.message_id);
        if (known === undefined) found.set(row.message_id, [row]);
        else known.push(row);
      }
    }
    return found;
  },
};

interface PlaceRow {
  readonly recipient_id: number;
  /** Null for a stream. */
  readonly participants_key: string | null;
}

/** Step: who holds a message now, historical copies included. */
function* holdersOf(messageId: number, place: PlaceRow): Operation<Audience> {
  if (place.participants_key !== null) {
    return { kind: 'users', userIds: place.participants_key.split(',').map(Number) };
  }
  const rows = yield* list<{ account_id: number }>(HISTORICAL_IDS, { messageId });
  return {
    kind: 'holders',
    recipientId: place.recipient_id,
    messageId,
    publicStreamId: null,
    alsoUserIds: rows.map((row) => row.account_id),
  };
}

type Added = 'added' | 'already' | 'inactive' | 'missing';

export const reactionWrites = {
  /**
   * Adds a reaction and makes the account a holder of the message. Answers `already` where the account has reacted
   * so before, `inactive` for a deactivated emoji that nobody has put there, `missing` where the message is no
   * longer where it was.
   */
  *addReaction(reaction: NewReaction, payload: ReactionPayload): Operation<Added> {
    const { messageId, userId, type, code } = reaction;
    const place = yield* findOne<PlaceRow>(FIND_PLACE, { messageId });
    if (place?.recipient_id !== reaction.recipientId) return 'missing';
    const own = { messageId, userId, type, code };
    if ((yield* findOne(FIND_OWN, own)) !== undefined) return 'already';
    const first = yield* findOne<{ name: string }>(FIRST_NAME, { messageId, type, code });
    if (first === undefined && type === 'realm_emoji') {
      if ((yield* findOne(IS_ACTIVE, { id: Number(code) })) === undefined) return 'inactive';
    }
    const name = first?.name ?? reaction.name;
    yield* run(INSERT, { ...own, name });
    yield* keepHistorical(userId, messageId);
    yield* record({
      type: 'reaction',
      audience: yield* holdersOf(messageId, place),
      payload: { op: 'add', message_id: messageId, ...payload({ type, code, name }) },
    });
    return 'added';
  },
  /** Takes a reaction back; answers false where there is none. */
  *removeReaction(
    reaction: Omit<NewReaction, 'name' | 'recipientId'>,
    payload: ReactionPayload,
  ): Operation<boolean> {
    const { messageId, userId, type, code } = reaction;
    const own = { messageId, userId, type, code };
    const place = yield* findOne<PlaceRow>(FIND_PLACE, { messageId });
    const row = yield* findOne<{ name: string }>(FIND_OWN, own);
    if (place === undefined || row === undefined) return false;
    yield* run(DELETE, own);
    yield* record({
      type: 'reaction',
      audience: yield* holdersOf(messageId, place),
      payload: { op: 'remove', message_id: messageId, ...payload({ type, code, name: row.name }) },
    });
    return true;
  },
};
