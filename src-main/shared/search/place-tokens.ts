/** Tokens of an index that say where a message is and what it has: a search in one place looks at no other. */
import { MARK } from './index-tokens.ts';
import { type HasKind, hasKinds, type NarrowCondition } from './narrow.ts';

/** Of a stream, and of a conversation where both are numbered together. */
export const recipientToken = (id: number): string => `${MARK}r${String(id)}`;
export const conversationToken = (id: number): string => `${MARK}c${String(id)}`;
export const topicToken = (id: number): string => `${MARK}t${String(id)}`;
const senderToken = (id: number): string => `${MARK}s${String(id)}`;
const PRIVATE = `${MARK}p`;
const hasTokens: Readonly<Record<HasKind, string>> = {
  link: `${MARK}l`,
  image: `${MARK}i`,
  attachment: `${MARK}a`,
};

export interface IndexedPlace {
  /** Of the stream or the conversation. */
  readonly recipient: string;
  /** Null for a private message. */
  readonly topicId: number | null;
  readonly senderId: number;
  readonly has: (kind: HasKind) => boolean;
}

export const placeTokens = ({
  recipient,
  topicId,
  senderId,
  has,
}: IndexedPlace): readonly string[] => [
  recipient,
  senderToken(senderId),
  topicId === null ? PRIVATE : topicToken(topicId),
  ...hasKinds.filter(has).map((kind) => hasTokens[kind]),
];

/** A message meets the condition that has one of them; undefined where no token tells. */
export function conditionTokens(condition: NarrowCondition<never>): readonly string[] | undefined {
  switch (condition.kind) {
    case 'sender':
      return condition.userIds.map(senderToken);
    case 'private':
      return [PRIVATE];
    case 'link':
    case 'image':
    case 'attachment':
      return [hasTokens[condition.kind]];
    default:
      return undefined;
  }
}
