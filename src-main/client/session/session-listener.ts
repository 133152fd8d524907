import type { Epoch } from '../../contract/epoch.ts';
import type { ClientState } from '../../bridge/models/client-state.ts';
import type { CacheStatus, Connection, ShownMessage } from '../../bridge/models/client.ts';

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
  readonly renewed: (epoch: Epoch) => void;
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
  /** Messages may have been missed before those told last: what is shown has to be fetched anew. */
  readonly reset: () => void;
}
