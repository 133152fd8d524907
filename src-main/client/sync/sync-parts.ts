/** What the sync of an account is made with, and whom it tells. */
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { Cache, CacheError } from '../cache/port.ts';
import type { ArrivedMessage } from '../notifications/notifier.ts';
import type { PendingFlag } from '../outbox/outbox-store.ts';
import type { Clock } from '../ports.ts';
import type { SessionState } from './state/session-state.ts';

/** What becomes of it is told in this order: what is new, what is different, what is gone, and then the state. */
export interface SyncListener {
  /** New messages, ascending, each once. */
  readonly arrived: (arrivals: readonly ArrivedMessage[]) => void;
  readonly changed: (messages: readonly ShownMessage[]) => void;
  readonly removed: (ids: readonly number[]) => void;
  readonly state: (changes: Partial<ClientState>) => void;
  /** Events told that something changed, but not into what: a new snapshot is needed. */
  readonly outdated: () => void;
}

export interface SyncStateParts {
  readonly ownUserId: number;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly listener: SyncListener;
  /** Flags that were changed here and of which the service does not know yet: they win over what it says. */
  readonly pendingFlags: () => readonly PendingFlag[];
  /** The cache could not be read, or not take what can be fetched again; everything goes on without that. */
  readonly failed: (error: CacheError) => void;
}

/** What the sync of an account knew whose cache was lost while it ran. */
export interface PreviousSyncState {
  readonly state: SessionState | null;
  /** Every message up to this one was told. */
  readonly newestMessageId: number | null;
}
