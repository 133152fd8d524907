/** What is added to messages after they were sent: reactions, and submessages. */
import { findOne, type Operation } from '#service/db/operation.ts';
import { listReactions, type ReactionRow } from './reactions.ts';
import { listSubmessages, type SubmessageRow } from './submessages.ts';

/** Each in the order of adding, by message; messages without any are absent. */
export interface MessageExtras {
  readonly reactions: ReadonlyMap<number, readonly ReactionRow[]>;
  readonly submessages: ReadonlyMap<number, readonly SubmessageRow[]>;
}

interface ExtrasPresence {
  readonly has_reactions: 0 | 1;
  readonly has_submessages: 0 | 1;
}

const anyOf = (table: string): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE message_id BETWEEN :lowId AND :highId)`;
const ANY = `SELECT ${anyOf('reaction')} AS has_reactions, ${anyOf('submessage')} AS has_submessages`;

const nothing: MessageExtras['reactions'] & MessageExtras['submessages'] = new Map<number, never>();

export const extrasReads = {
  *listAdded(messageIds: readonly number[]): Operation<MessageExtras> {
    if (messageIds.length === 0) return { reactions: nothing, submessages: nothing };
    const lowId = messageIds.reduce((low, id) => Math.min(low, id));
    const highId = messageIds.reduce((high, id) => Math.max(high, id));
    // Most pages have neither, and then one look is all they cost.
    const any = yield* findOne<ExtrasPresence>(ANY, { lowId, highId });
    const reactions = any?.has_reactions === 1 ? yield* listReactions(messageIds) : nothing;
    const submessages = any?.has_submessages === 1 ? yield* listSubmessages(messageIds) : nothing;
    return { reactions, submessages };
  },
};
