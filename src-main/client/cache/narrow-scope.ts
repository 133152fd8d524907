/** What resolves the names of a narrow and the rules that depend on the account (API decisions 3). */
import type { Actor } from '#shared/policies/actor.ts';

export interface NarrowScope {
  readonly ownUserId: number;
  readonly actor: Actor;
  /** By id or, without case, by name; undefined for a stream that the account may not see. */
  readonly findStream: (operand: string | number) => ScopeStream | undefined;
  /** By id or, without case, by address. */
  readonly findUserId: (operand: string | number) => number | undefined;
  readonly isTopicMuted: (streamId: number, topic: string) => boolean;
  /** All that the account may see, and left ones as far as their settings are known. */
  readonly streams: readonly ScopeStream[];
  /** No older message is unread; absent where it is not known. Null where none is. */
  readonly oldestUnreadId?: number | null | undefined;
}

export interface ScopeStream {
  readonly streamId: number;
  readonly isSubscribed: boolean;
  readonly isPrivate: boolean;
  readonly isMuted: boolean;
  readonly hasSharedHistory: boolean;
}
