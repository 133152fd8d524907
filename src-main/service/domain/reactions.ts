/** Reactions to messages (API decisions, sections 5 and 7.1). */
import { badRequest, invalidMessage, variableMissing } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Reaction } from '../../contract/models/message.ts';
import type { ReactionPayload, ReactionRow, Store } from '../store/port.ts';
import { getVisibleMessage, type MessageAccessStore } from './message-access.ts';
import {
  type EmojiChoice,
  type EmojiRequest,
  findOwnReaction,
  type ReactionChoice,
  resolveEmoji,
} from './rules/emoji.ts';

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

type ReactionStore = MessageAccessStore &
  Pick<Store, 'addReaction' | 'listEmoji' | 'listReactions' | 'removeReaction'>;

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

/** The reactions that messages show, by message; messages without any are absent. */
export async function loadReactions(
  store: Pick<Store, 'listReactions'>,
  messageIds: readonly number[],
): Promise<ReadonlyMap<number, Reaction[]>> {
  const rows = await store.listReactions(messageIds);
  return new Map(Array.from(rows, ([id, reactions]) => [id, reactions.map(shapeOf)]));
}

const payloadOf =
  ({ userId, email, fullName }: Caller): ReactionPayload =>
  ({ type, code, name }) => ({
    emoji_name: name,
    emoji_code: code,
    reaction_type: type,
    user_id: userId,
    user: { user_id: userId, id: userId, email, full_name: fullName },
  });

const unfit = ({ name, code }: EmojiRequest): Error =>
  badRequest(
    code === undefined
      ? `Emoji '${name.slice(0, 100)}' does not exist`
      : `There is no emoji '${name.slice(0, 100)}' with the code '${code.slice(0, 100)}'`,
  );

export function reactionOperations(store: ReactionStore): ReactionOperations {
  async function find(wanted: EmojiRequest): Promise<EmojiChoice> {
    const isCustomWanted = wanted.type !== 'unicode_emoji';
    const found = resolveEmoji(wanted, isCustomWanted ? await store.listEmoji() : []);
    if (found === undefined) throw unfit(wanted);
    return found;
  }

  return {
    async addReaction(caller, messageId, wanted) {
      const message = await getVisibleMessage(store, caller, messageId);
      const emoji = await find(wanted);
      const { userId } = caller;
      const reaction = { ...emoji, messageId, userId, recipientId: message.recipient_id };
      const outcome = await store.addReaction(reaction, payloadOf(caller));
      if (outcome === 'already') throw badRequest('Reaction already exists');
      if (outcome === 'inactive') throw unfit({ ...wanted, code: undefined });
      if (outcome === 'missing') throw invalidMessage();
    },
    async removeReaction(caller, messageId, wanted) {
      if (wanted.name === undefined && wanted.code === undefined) {
        throw variableMissing('emoji_name');
      }
      await getVisibleMessage(store, caller, messageId);
      const all = (await store.listReactions([messageId])).get(messageId) ?? [];
      const own = all.filter((row) => row.account_id === caller.userId);
      const row = findOwnReaction(own, wanted);
      const { userId } = caller;
      const isRemoved =
        row !== undefined &&
        (await store.removeReaction(
          { messageId, userId, type: row.reaction_type, code: row.emoji_code },
          payloadOf(caller),
        ));
      if (!isRemoved) throw badRequest("Reaction doesn't exist");
    },
  };
}
