/** Messages as a cache gets them, and what resolves their names. */
import type { NarrowScope, ScopeStream } from '#client/cache/narrow-scope.ts';
import type { Message } from '#shared/api/models/message.ts';
import { ada, ben, privateMessage, streamMessage } from '../service/wire-builders.ts';

export interface CachedMessageSeed {
  /** Null for a private message. */
  readonly streamId?: number | null;
  readonly topic?: string;
  readonly text?: string;
  readonly isHeld?: boolean;
  readonly flags?: readonly string[];
}

export function cachedMessageOf(id: number, kept: CachedMessageSeed = {}): Message {
  const { streamId = 1, topic = 'topic', text = `text ${String(id)}`, isHeld = true } = kept;
  const content = `<p>${text}</p>`;
  const message =
    streamId === null
      ? privateMessage(id, ada, [ada, ben], content)
      : streamMessage(id, ada, { streamId, topic }, content);
  const recipient_id = streamId ?? 99;
  const flags = kept.flags ?? (isHeld ? ['read'] : ['read', 'historical']);
  return { ...message, recipient_id, source: text, flags: [...flags], is_held: isHeld };
}

/** Ben's, who follows streams 1 and 2; all of them are public. */
export function cacheScope(streamIds: readonly number[] = [1, 2, 3]): NarrowScope {
  const streams = streamIds.map((streamId): ScopeStream => ({
    streamId,
    isSubscribed: streamId < 3,
    isPrivate: false,
    isMuted: false,
    hasSharedHistory: true,
  }));
  return {
    ownUserId: ben.id,
    actor: { role: 'member', botType: null },
    streams,
    findStream: (operand) => streams.find(({ streamId }) => streamId === operand),
    findUserId: (operand) => (typeof operand === 'number' ? operand : undefined),
    isTopicMuted: () => false,
  };
}
