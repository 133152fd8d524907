/** What each kind of account may do with streams (API decisions, sections 10.4 and 10.5). */
import type { Access } from '../../../contract/endpoint.ts';
import { INCOMING_WEBHOOK_BOT, type Role } from '../../../contract/handlers.ts';
import type { StreamRow } from '../../store/port.ts';

export interface Actor {
  readonly role: Role;
  readonly botType: number | null;
}

/** What permissions ask of a stream. */
export interface StreamFacts {
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly isHistoryPublic: boolean;
}

export const factsOf = (stream: StreamRow): StreamFacts => ({
  isPrivate: stream.is_private === 1,
  isAnnouncementOnly: stream.is_announcement_only === 1,
  isHistoryPublic: stream.is_history_public === 1,
});

const GENERIC = 1;

/**
 * Whether an account of this kind may call an endpoint at all; null stands for nobody having signed in. That an
 * incoming-webhook bot may only send is decided when it authenticates.
 */
export function mayCall(access: Access, actor: Actor | null): boolean {
  if (access === 'anyone') return true;
  if (actor === null) return false;
  const isPerson = actor.botType === null;
  const isMember = actor.role !== 'guest';
  switch (access) {
    case 'account':
      return true;
    case 'person':
      return isPerson;
    case 'member':
      return isMember;
    case 'member-person':
      return isPerson && isMember;
    case 'admin':
      return isPerson && actor.role === 'admin';
  }
}

/** Public streams show to members; private ones to subscribers and, by name, to administrators. */
export function canSeeStream(actor: Actor, stream: StreamFacts, isSubscribed: boolean): boolean {
  if (isSubscribed) return true;
  return stream.isPrivate ? actor.role === 'admin' : actor.role !== 'guest';
}

/** Whether messages may be read that the account does not hold. */
export function canReadHistory(actor: Actor, stream: StreamFacts, isSubscribed: boolean): boolean {
  if (!stream.isPrivate) return actor.role !== 'guest' || isSubscribed;
  return isSubscribed && stream.isHistoryPublic;
}

/** What a sender reaches: for a bot, what it or its owner reaches. */
export interface Reach {
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  readonly isSubscribed: boolean;
}

/** For a stream that the sender can see. */
export function canPost(reach: Reach, stream: StreamFacts): boolean {
  if (stream.isAnnouncementOnly && !reach.isAdmin) return false;
  return stream.isPrivate || reach.isGuest ? reach.isSubscribed : true;
}

/** By the owner's reach a bot also finds the streams that it may post to. */
export function canFindToPost(reach: Reach, stream: StreamFacts): boolean {
  if (reach.isSubscribed) return true;
  return stream.isPrivate ? reach.isAdmin : !reach.isGuest;
}

const isPersonOrGenericBot = (actor: Actor): boolean =>
  actor.botType === null || actor.botType === GENERIC;

export const canCreateStreams = (actor: Actor): boolean =>
  actor.role !== 'guest' && isPersonOrGenericBot(actor);

export const canSubscribeOthers = (actor: Actor): boolean =>
  actor.role !== 'guest' && isPersonOrGenericBot(actor);

/** Others come into a private stream only through somebody who is in it. */
export function canSubscribe(actor: Actor, stream: StreamFacts, isSubscribed: boolean): boolean {
  if (isSubscribed) return true;
  if (stream.isPrivate) return false;
  return actor.role !== 'guest';
}

export const canListenToPublicStreams = (actor: Actor): boolean =>
  actor.role !== 'guest' && actor.botType !== INCOMING_WEBHOOK_BOT;
