/** What an account may do with streams (API decisions 10.4 and 10.5). */
import { INCOMING_WEBHOOK_BOT } from '../api/bot-types.ts';
import { type Actor, isPersonOrGenericBot, meetsPolicy } from './actor.ts';

/** What permissions ask of a stream. */
export interface StreamFacts {
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly hasSharedHistory: boolean;
}

/** Whether messages may be read that the account does not hold. */
export function canReadHistory(
  actor: Actor,
  stream: Omit<StreamFacts, 'isAnnouncementOnly'>,
  isSubscribed: boolean,
): boolean {
  if (!stream.isPrivate) return actor.role !== 'guest' || isSubscribed;
  return isSubscribed && stream.hasSharedHistory;
}

/** What a sender reaches: for a bot, what it or its owner reaches. */
export interface SenderAccess {
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  readonly isSubscribed: boolean;
}

/** What somebody reaches who posts as they are. */
export const accessOf = ({ role }: Pick<Actor, 'role'>, isSubscribed: boolean): SenderAccess => ({
  isAdmin: role === 'admin',
  isGuest: role === 'guest',
  isSubscribed,
});

/** For a stream that the sender can see. */
export function canPost(access: SenderAccess, stream: StreamFacts): boolean {
  if (stream.isAnnouncementOnly && !access.isAdmin) return false;
  return stream.isPrivate || access.isGuest ? access.isSubscribed : true;
}

/** By the owner's reach a bot also finds the streams that it may post to. */
export function canFindToPost(access: SenderAccess, stream: StreamFacts): boolean {
  if (access.isSubscribed) return true;
  return stream.isPrivate ? access.isAdmin : !access.isGuest;
}

/** Public streams show to members; private ones to subscribers and, by name, to administrators. */
export const canSeeStream = (actor: Actor, stream: StreamFacts, isSubscribed: boolean): boolean =>
  canFindToPost(accessOf(actor, isSubscribed), stream);

const isAllowed = (actor: Actor, policy: number): boolean =>
  actor.role !== 'guest' && isPersonOrGenericBot(actor) && meetsPolicy(actor, policy);

export const canCreateStreams = (
  actor: Actor,
  settings: { readonly create_stream_policy: number },
): boolean => isAllowed(actor, settings.create_stream_policy);

export const canSubscribeOthers = (
  actor: Actor,
  settings: { readonly invite_to_stream_policy: number },
): boolean => isAllowed(actor, settings.invite_to_stream_policy);

export const canUnsubscribeOthers = (actor: Actor): boolean =>
  actor.role === 'admin' && actor.botType === null;

/** Others come into a private stream only through somebody who is in it. */
export function canSubscribe(actor: Actor, stream: StreamFacts, isSubscribed: boolean): boolean {
  if (isSubscribed) return true;
  if (stream.isPrivate) return false;
  return actor.role !== 'guest';
}

export const canListenToPublicStreams = (actor: Actor): boolean =>
  actor.role !== 'guest' && actor.botType !== INCOMING_WEBHOOK_BOT;
