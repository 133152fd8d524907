import type { NextKeyAddress } from './restore-watch.ts';
import type { RestoreGeneration } from '#shared/api/restore-generation.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { CacheStatus, Connection, ShownMessage } from '#shared/bridge/models/client.ts';

/** What a session tells while it runs. */
export interface SessionListener {
  /** Each message once, ascending. */
  readonly arrived: (messages: readonly ShownMessage[]) => void;
  readonly changed: (messages: readonly ShownMessage[]) => void;
  readonly removed: (ids: readonly number[]) => void;
  readonly state: (changes: Partial<ClientState>) => void;
  /** The account signs in by another address from now on. */
  readonly moved: (email: string) => void;
  /** The account signs in with another key from now on. */
  readonly rekeyed: (key: string) => void;
  /** The organization goes on from a backup or on another computer since. */
  readonly renewed: (epoch: RestoreGeneration) => void;
  /** The office goes on with the key of this fingerprint, once its own is stolen. */
  readonly nextKeyAnnounced: (pin: string) => void;
  /** It does so from now on. */
  readonly nextKeyInUse: (pin: string, at: NextKeyAddress) => void;
  /** The office was found at another address. */
  readonly relocated: (address: string) => void;
  /** Where else it may be, as it says itself. */
  readonly reachable: (addresses: readonly string[]) => void;
  readonly connection: (connection: Connection) => void;
  readonly cache: (status: CacheStatus) => void;
  /** `share` from 0 to 1. */
  readonly uploadProgress: (progress: {
    readonly uploadId: string;
    readonly share: number;
  }) => void;
  /** `share` from 0 to 1. */
  readonly saveProgress: (progress: { readonly saveId: string; readonly share: number }) => void;
  /** Messages may have been missed before those told last: what is shown has to be fetched anew. */
  readonly reset: () => void;
}

/** A session that ends tells nothing more. */
export function untilStopped(listener: SessionListener, signal: AbortSignal): SessionListener {
  const unlessStopped =
    <T>(tell: (payload: T) => void) =>
    (payload: T): void => {
      if (!signal.aborted) tell(payload);
    };
  return {
    arrived: unlessStopped(listener.arrived),
    changed: unlessStopped(listener.changed),
    removed: unlessStopped(listener.removed),
    state: unlessStopped(listener.state),
    moved: unlessStopped(listener.moved),
    // The old key is worth nothing, also to the next session.
    rekeyed: listener.rekeyed,
    renewed: unlessStopped(listener.renewed),
    nextKeyAnnounced: unlessStopped(listener.nextKeyAnnounced),
    nextKeyInUse: (pin, at) => {
      if (!signal.aborted) listener.nextKeyInUse(pin, at);
    },
    relocated: unlessStopped(listener.relocated),
    reachable: unlessStopped(listener.reachable),
    connection: unlessStopped(listener.connection),
    cache: unlessStopped(listener.cache),
    uploadProgress: unlessStopped(listener.uploadProgress),
    saveProgress: unlessStopped(listener.saveProgress),
    reset: () => {
      if (!signal.aborted) listener.reset();
    },
  };
}
