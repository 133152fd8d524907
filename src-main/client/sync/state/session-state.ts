/** What a session knows of its account beside messages. Immutable: what did not change is the same object. */
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { PersistentMap } from './collections/persistent-map.ts';
import type { UnreadStore } from './unread.ts';

/** The part of a window's state that comes from the service. */
export type WindowState = Omit<ClientState, 'drafts' | 'outbox' | 'storageProblem' | 'lost'>;

/** A topic that the account muted. Where the account never saw the stream, only the name is known. */
export type MutedPlace =
  | { readonly streamId: number; readonly topic: string }
  | { readonly streamName: string; readonly topic: string };

export interface Typist {
  /** The `conversationKey` where it happens. */
  readonly key: string;
  readonly userId: number;
  readonly sinceSeconds: number;
}

export interface SessionState extends Omit<WindowState, 'unread' | 'starredCount'> {
  readonly unreadStore: UnreadStore;
  /** By id of the message. */
  readonly starred: PersistentMap<number, true>;
  /** The newest message that the account was told of, which may be deleted by now; -1 for none. */
  readonly maxMessageId: number;
  /** Those of streams too that it does not see at the moment. */
  readonly mutedPlaces: readonly MutedPlace[];
  /** Streams that it has left, by id. */
  readonly formerStreamIds: readonly number[];
  readonly typists: readonly Typist[];
}
