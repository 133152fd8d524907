/** What each kind of account may do with streams (API decisions 10.4 and 10.5). */
import { INCOMING_WEBHOOK_BOT } from '#shared/api/bot-types.ts';
import type { Access } from '#shared/api/endpoint.ts';
import { badRequest } from '#shared/api/errors.ts';
import type { Role } from '../ports/handlers.ts';
import type { StreamRow } from '#service/db/port.ts';
import type { RealmSettings } from './organization-settings.ts';

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

export const factsOf = (
  stream: Pick<StreamRow, 'is_private' | 'is_announcement_only' | 'is_history_public'>,
): StreamFacts => ({
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

const refusals: Readonly<Record<Access, string>> = {
  anyone: '',
  account: 'This needs an account',
  person: 'This endpoint does not accept bot requests',
  member: 'Not allowed for guest users',
  'member-person': 'Not allowed for guest users and bots',
  admin: 'Must be an organization administrator',
};

/** @throws BAD_REQUEST for an account that may not call an endpoint of this access */
export function checkAccess(access: Access, actor: Actor | null): void {
  if (!mayCall(access, actor)) throw badRequest(refusals[access]);
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
export interface SenderAccess {
  readonly isAdmin: boolean;
  readonly isGuest: boolean;
  readonly isSubscribed: boolean;
}

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

const isPersonOrGenericBot = (actor: Actor): boolean =>
  actor.botType === null || actor.botType === GENERIC;

/** Policies of the organization: 1 every member, 2 administrators only. A bot is a member like any other. */
export const meetsPolicy = (actor: Actor, policy: number): boolean =>
  policy === 1 || actor.role === 'admin';

export const canCreateStreams = (
  actor: Actor,
  settings: Pick<RealmSettings, 'create_stream_policy'>,
): boolean =>
  actor.role !== 'guest' &&
  isPersonOrGenericBot(actor) &&
  meetsPolicy(actor, settings.create_stream_policy);

export const canSubscribeOthers = (
  actor: Actor,
  settings: Pick<RealmSettings, 'invite_to_stream_policy'>,
): boolean =>
  actor.role !== 'guest' &&
  isPersonOrGenericBot(actor) &&
  meetsPolicy(actor, settings.invite_to_stream_policy);

export const canUnsubscribeOthers = (actor: Actor): boolean =>
  actor.role === 'admin' && actor.botType === null;

/**
 * Where private messages are switched off (policy 2), bots may still write them and be written to.
 * @param others  who is written to, the sender left out
 */
export const canSendPrivately = (
  sender: Pick<Actor, 'botType'>,
  others: readonly { readonly bot_type: number | null }[],
  settings: Pick<RealmSettings, 'private_message_policy'>,
): boolean =>
  settings.private_message_policy === 1 ||
  sender.botType !== null ||
  (others.length === 1 && others[0]?.bot_type !== null);

/** Others come into a private stream only through somebody who is in it. */
export function canSubscribe(actor: Actor, stream: StreamFacts, isSubscribed: boolean): boolean {
  if (isSubscribed) return true;
  if (stream.isPrivate) return false;
  return actor.role !== 'guest';
}

export const canAddEmoji = (
  actor: Actor,
  settings: Pick<RealmSettings, 'add_emoji_by_admins_only'>,
): boolean =>
  actor.role === 'admin' || (actor.role !== 'guest' && !settings.add_emoji_by_admins_only);

export const canDeactivateEmoji = (
  actor: Actor & { readonly userId: number },
  authorId: number,
): boolean => actor.userId === authorId || actor.role === 'admin';

export const canListenToPublicStreams = (actor: Actor): boolean =>
  actor.role !== 'guest' && actor.botType !== INCOMING_WEBHOOK_BOT;

/** What permissions ask of a message and of the one who wants to change it. */
export interface MessageFacts {
  readonly isOwn: boolean;
  /** How long ago it was sent. */
  readonly ageSeconds: number;
  /** Whether it stands in the topic that means none. */
  readonly hasNoTopic: boolean;
}

export type MayChange = 'yes' | 'not-allowed' | 'too-late';

const EDIT_GRACE_SECONDS = 20;
const TOPIC_EDIT_SECONDS = 86_400;

const within = (ageSeconds: number, limitSeconds: number): MayChange =>
  ageSeconds <= limitSeconds ? 'yes' : 'too-late';

/** The author, for a time; whoever was still typing when it ended may send (API decisions 7.2). */
export function mayEditContent(
  { isOwn, ageSeconds }: MessageFacts,
  settings: Pick<RealmSettings, 'message_content_edit_limit_seconds'>,
): MayChange {
  if (!isOwn) return 'not-allowed';
  const limit = settings.message_content_edit_limit_seconds;
  return limit === 0 ? 'yes' : within(ageSeconds, limit + EDIT_GRACE_SECONDS);
}

/** The author and administrators always; others where there is no topic, or members for a day if all may. */
export function mayEditTopic(
  actor: Actor,
  { isOwn, ageSeconds, hasNoTopic }: MessageFacts,
  settings: Pick<RealmSettings, 'allow_community_topic_editing'>,
): MayChange {
  if (isOwn || actor.role === 'admin' || hasNoTopic) return 'yes';
  if (!settings.allow_community_topic_editing || actor.role === 'guest') return 'not-allowed';
  return within(ageSeconds, TOPIC_EDIT_SECONDS);
}

export const canMoveBetweenStreams = (actor: Actor): boolean => actor.role === 'admin';

/** Administrators always; the author for a time, where authors may at all (API decisions 7.1). */
export function mayDeleteMessage(
  actor: Actor,
  { isOwn, ageSeconds }: MessageFacts,
  settings: Pick<RealmSettings, 'allow_message_deleting' | 'message_content_delete_limit_seconds'>,
): MayChange {
  if (actor.role === 'admin') return 'yes';
  if (!isOwn || !settings.allow_message_deleting) return 'not-allowed';
  const limit = settings.message_content_delete_limit_seconds;
  return limit === 0 ? 'yes' : within(ageSeconds, limit);
}

/**
 * By the organization's policy: 1 every member, 2 administrators alone create generic bots, 3 administrators alone
 * create any (API decisions 9.5).
 */
export function canCreateBot(actor: Actor, botType: number, policy: number): boolean {
  if (actor.botType !== null || actor.role === 'guest') return false;
  if (actor.role === 'admin' || policy === 1) return true;
  return policy === 2 && botType !== GENERIC;
}

/** Its owner and administrators (API decisions 7.4). */
export const canManageBot = (
  actor: Actor & { readonly userId: number },
  ownerId: number | null,
): boolean => actor.botType === null && (actor.role === 'admin' || actor.userId === ownerId);

/** A bot posts where its owner may: whoever could choose another owner could choose what it reaches. */
export const canGiveBotAway = (actor: Actor): boolean =>
  actor.botType === null && actor.role === 'admin';

export const canInvite = (
  actor: Actor,
  settings: Pick<RealmSettings, 'invite_by_admins_only'>,
): boolean =>
  actor.botType === null &&
  (actor.role === 'admin' || (actor.role === 'member' && !settings.invite_by_admins_only));

/** Nobody makes others more than they are themselves. */
export const canInviteAs = (inviter: Role, role: Role): boolean =>
  role !== 'admin' || inviter === 'admin';

/** Who sees an invitation and its link, and may revoke it. */
export const canManageInvitation = (
  actor: Actor & { readonly userId: number },
  inviterId: number,
): boolean => actor.role === 'admin' || actor.userId === inviterId;
