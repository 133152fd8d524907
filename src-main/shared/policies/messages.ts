/** Who may write privately, and change or delete a message (API decisions 7.1 and 7.2). */
import type { Actor } from './actor.ts';

/**
 * Where private messages are switched off (policy 2), bots may still write them and be written to.
 * @param others  the types of those who are written to, the sender left out
 */
export const canSendPrivately = (
  sender: Pick<Actor, 'botType'>,
  others: readonly Actor['botType'][],
  settings: { readonly private_message_policy: number },
): boolean =>
  settings.private_message_policy === 1 ||
  sender.botType !== null ||
  (others.length === 1 && others[0] !== null);

/** What permissions ask of a message and of the one who wants to change it. */
export interface MessageFacts {
  readonly isOwn: boolean;
  /** How long ago it was sent. */
  readonly ageSeconds: number;
  /** Whether it stands in the topic that means none. */
  readonly hasNoTopic: boolean;
}

export type MayChange = 'yes' | 'not-allowed' | 'too-late';

/** Whoever was still typing when the time ended may send (API decisions 7.2). */
export const EDIT_GRACE_SECONDS = 20;
const TOPIC_EDIT_SECONDS = 86_400;

const within = (ageSeconds: number, limitSeconds: number): MayChange =>
  ageSeconds <= limitSeconds ? 'yes' : 'too-late';

/** The author, for a time. */
export function mayEditContent(
  { isOwn, ageSeconds }: MessageFacts,
  settings: { readonly message_content_edit_limit_seconds: number },
  graceSeconds = 0,
): MayChange {
  if (!isOwn) return 'not-allowed';
  const limit = settings.message_content_edit_limit_seconds;
  return limit === 0 ? 'yes' : within(ageSeconds, limit + graceSeconds);
}

/** The author and administrators always; others where there is no topic, or members for a day if all may. */
export function mayEditTopic(
  actor: Actor,
  { isOwn, ageSeconds, hasNoTopic }: MessageFacts,
  settings: { readonly allow_community_topic_editing: boolean },
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
  settings: {
    readonly allow_message_deleting: boolean;
    readonly message_content_delete_limit_seconds: number;
  },
): MayChange {
  if (actor.role === 'admin') return 'yes';
  if (!isOwn || !settings.allow_message_deleting) return 'not-allowed';
  const limit = settings.message_content_delete_limit_seconds;
  return limit === 0 ? 'yes' : within(ageSeconds, limit);
}
