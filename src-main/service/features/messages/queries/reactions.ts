import type { EmojiType } from '#shared/api/models/emoji.ts';
import { keepHistorical } from '#service/features/reading/queries/historical-flags.ts';
import { list, type Operation, run, type Value } from '#service/db/operation.ts';

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
  readonly userId: number;
  readonly type: EmojiType;
  readonly code: string;
  readonly name: string;
}

/** Each length is a statement of its own, so that there are few of them. */
const IDS_AT_ONCE = 500;
const COLUMNS = `r.message_id, r.account_id, a.email, a.full_name, r.reaction_type, r.emoji_code, r.emoji_name`;

const listSql = (ids: string): string => `SELECT ${COLUMNS}
  FROM reaction r JOIN account a ON a.id = r.account_id WHERE r.message_id IN (${ids}) ORDER BY r.id`;
const LIST_ONE = listSql(':id0');
const LIST_MANY = listSql(
  Array.from({ length: IDS_AT_ONCE }, (_, index) => `:id${String(index)}`).join(', '),
);

const INSERT = `INSERT INTO reaction (message_id, account_id, reaction_type, emoji_code, emoji_name)
  VALUES (:messageId, :userId, :type, :code, :name)`;
const DELETE = `DELETE FROM reaction WHERE message_id = :messageId AND reaction_type = :type
  AND emoji_code = :code AND account_id = :userId`;

function* readChunk(ids: readonly number[]): Operation<readonly ReactionRow[]> {
  const [first = 0] = ids;
  if (ids.length === 1) return yield* list<ReactionRow>(LIST_ONE, { id0: first });
  const values: Record<string, Value> = {};
  for (let index = 0; index < IDS_AT_ONCE; index += 1) {
    values[`id${String(index)}`] = ids[index] ?? first;
  }
  return yield* list<ReactionRow>(LIST_MANY, values);
}

/** Step: the reactions to messages, in the order of adding; messages without any are absent. */
export function* listReactions(
  messageIds: readonly number[],
): Operation<ReadonlyMap<number, readonly ReactionRow[]>> {
  const found = new Map<number, ReactionRow[]>();
  for (let start = 0; start < messageIds.length; start += IDS_AT_ONCE) {
    for (const row of yield* readChunk(messageIds.slice(start, start + IDS_AT_ONCE))) {
      const known = found.get(row.message_id);
      if (known === undefined) found.set(row.message_id, [row]);
      else known.push(row);
    }
  }
  return found;
}

export const reactionReads = { listReactions };

export const reactionWrites = {
  /** Adds a reaction and makes the account a holder of the message. */
  *addReaction(reaction: NewReaction): Operation<void> {
    yield* run(INSERT, { ...reaction });
    yield* keepHistorical(reaction.userId, reaction.messageId);
  },
  *removeReaction({ messageId, userId, type, code }: Omit<NewReaction, 'name'>): Operation<void> {
    yield* run(DELETE, { messageId, userId, type, code });
  },
};
