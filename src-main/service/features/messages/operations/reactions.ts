/** Reactions to messages (API decisions 5 and 7.1). */
import { variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Reaction } from '#shared/api/models/message.ts';
import type {
  MessageExtras,
  NewEvent,
  Operation,
  ReactionRow,
  Reading,
  Store,
} from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkQuota } from '#service/core/quotas.ts';
import { getActableMessage } from './message-access.ts';
import {
  type EmojiChoice,
  type EmojiRequest,
  findOwnReaction,
  type ReactionChoice,
  resolveEmoji,
} from '#service/core/rules/emoji.ts';

export interface ReactionOperations {
  /** @throws BAD_REQUEST when the message or the emoji is not to be had, or the caller has reacted so already */
  readonly addReaction: (caller: Caller, messageId: number, wanted: EmojiRequest) => Promise<void>;
  /** @throws BAD_REQUEST when the caller has not reacted so; REQUEST_VARIABLE_MISSING when nothing is named */
  readonly removeReaction: (
    caller: Caller,
    messageId: number,
    wanted: ReactionChoice,
  ) => Promise<void>;
}

const shapeOf = (row: ReactionRow): Reaction => ({
  emoji_name: row.emoji_name,
  emoji_code: row.emoji_code,
  reaction_type: row.reaction_type,
  user_id: row.account_id,
  user: {
    id: row.account_id,
    user_id: row.account_id,
    email: row.email,
    full_name: row.full_name,
  },
});

/** The reactions that messages show, by message. */
export const reactionShapes = (rows: MessageExtras['reactions']): ReadonlyMap<number, Reaction[]> =>
  new Map(Array.from(rows, ([id, reactions]) => [id, reactions.map(shapeOf)]));

const reactionEvent = (
  op: 'add' | 'remove',
  messageId: number,
  { userId, email, fullName }: Caller,
  { type, code, name }: EmojiChoice,
): Omit<Extract<NewEvent, { type: 'reaction' }>, 'audience'> => ({
  type: 'reaction',
  payload: {
    op,
    message_id: messageId,
    emoji_name: name,
    emoji_code: code,
    reaction_type: type,
    user_id: userId,
    user: { user_id: userId, id: userId, email, full_name: fullName },
  },
});

const unfit = ({ name, code }: EmojiRequest): Error =>
  code === undefined
    ? refusal('no_such_emoji', { name: name.slice(0, 100) })
    : refusal('no_such_emoji_code', { name: name.slice(0, 100), code: code.slice(0, 100) });

const isOf = (row: ReactionRow, { type, code }: Pick<EmojiChoice, 'type' | 'code'>): boolean =>
  row.reaction_type === type && row.emoji_code === code;

/**
 * The emoji as the message shows it: the name that the first person gave it stays.
 * @throws BAD_REQUEST when there is none, or it is deactivated and nobody has put it there
 */
function* chooseEmoji(
  tx: Reading,
  wanted: EmojiRequest,
  given: readonly ReactionRow[],
): Operation<EmojiChoice> {
  const custom = wanted.type === 'unicode_emoji' ? [] : yield* tx.listEmoji();
  const found = resolveEmoji(wanted, custom);
  if (found === undefined) throw unfit(wanted);
  const first = given.find((row) => isOf(row, found));
  if (first !== undefined) return { ...found, name: first.emoji_name };
  const isActive = custom.some((row) => String(row.id) === found.code && row.is_deactivated === 0);
  if (found.type === 'realm_emoji' && !isActive) throw unfit({ ...wanted, code: undefined });
  return found;
}

function* listGiven(tx: Reading, messageId: number): Operation<readonly ReactionRow[]> {
  return (yield* tx.listReactions([messageId])).get(messageId) ?? [];
}

export const reactionOperations = (
  store: Store,
  { limits }: Pick<DomainContext, 'limits'>,
): ReactionOperations => ({
  addReaction: (known, messageId, wanted) =>
    change(store, known, function* (tx, caller) {
      const message = yield* getActableMessage(tx, caller, messageId);
      const given = yield* listGiven(tx, messageId);
      const emoji = yield* chooseEmoji(tx, wanted, given);
      const { userId } = caller;
      if (given.some((row) => row.account_id === userId && isOf(row, emoji))) {
        throw refusal('reaction_exists');
      }
      yield* checkQuota(tx, limits, { kind: 'reactions', caller, messageId });
      yield* tx.addReaction({ ...emoji, messageId, userId });
      const audience = yield* tx.findAudience(message);
      yield* tx.record({ ...reactionEvent('add', messageId, caller, emoji), audience });
    }),
  removeReaction: (known, messageId, wanted) =>
    change(store, known, function* (tx, caller) {
      if (wanted.name === undefined && wanted.code === undefined) {
        throw variableMissing('emoji_name');
      }
      const message = yield* getActableMessage(tx, caller, messageId);
      const { userId } = caller;
      const own = (yield* listGiven(tx, messageId)).filter((row) => row.account_id === userId);
      const row = findOwnReaction(own, wanted);
      if (row === undefined) throw refusal('no_such_reaction');
      const { reaction_type: type, emoji_code: code, emoji_name: name } = row;
      yield* tx.removeReaction({ messageId, userId, type, code });
      const event = reactionEvent('remove', messageId, caller, { type, code, name });
      yield* tx.record({ ...event, audience: yield* tx.findAudience(message) });
    }),
});
