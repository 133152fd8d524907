import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { Account, Connection } from '#shared/bridge/models/client.ts';
import { summarizeUnread, type UnreadSummary } from '#shared/policies/unread-counts.ts';
import type { Bridge } from '#preload/bridge.ts';

type Calls = Pick<Bridge, 'state' | 'connection' | 'on'>;
type Counted = Pick<ClientState, 'unread' | 'streams' | 'mutedTopics' | 'notifications'>;

export interface AccountBadge {
  readonly summary: UnreadSummary | null;
  /** Messages may be missed there: it is signed out or cannot be reached. */
  readonly hasProblem: boolean;
}

interface Known {
  readonly state: Counted | null;
  readonly connection: Connection | null;
}

const nothing: Known = { state: null, connection: null };

const counted = ({ unread, streams, mutedTopics, notifications }: Counted): Counted => ({
  unread,
  streams,
  mutedTopics,
  notifications,
});

/** What every organization wants of the person, for the rail of them. */
export class AccountBadges {
  readonly #bridge: Calls;
  #known = $state.raw<ReadonlyMap<string, Known>>(new Map());
  readonly stop: () => void;

  constructor(bridge: Calls) {
    this.#bridge = bridge;
    const stops = [
      bridge.on('stateChanged', ({ accountId, changes }) => {
        const { state } = this.#of(accountId);
        if (state !== null) this.#set(accountId, { state: counted({ ...state, ...changes }) });
      }),
      bridge.on('connectionChanged', ({ accountId, connection }) =>
        this.#set(accountId, { connection }),
      ),
    ];
    this.stop = () => {
      for (const stop of stops) stop();
    };
  }

  /** Asks for those that are not known yet. */
  async load(accounts: readonly Pick<Account, 'id'>[]): Promise<void> {
    const asked = accounts.filter(({ id }) => !this.#known.has(id));
    for (const { id } of asked) this.#set(id, {});
    await Promise.allSettled(
      asked.map(async ({ id }) => {
        const [state, connection] = await Promise.all([
          this.#bridge.state(id),
          this.#bridge.connection(id),
        ]);
        this.#set(id, {
          ...(state.ok ? { state: counted(state.value) } : {}),
          ...(connection.ok ? { connection: this.#of(id).connection ?? connection.value } : {}),
        });
      }),
    );
  }

  of(accountId: string): AccountBadge {
    const { state, connection } = this.#of(accountId);
    return {
      summary: state === null ? null : summarizeUnread(state.unread, state),
      hasProblem: connection?.state === 'signed-out' || connection?.state === 'offline',
    };
  }

  #of(accountId: string): Known {
    return this.#known.get(accountId) ?? nothing;
  }

  #set(accountId: string, change: Partial<Known>): void {
    this.#known = new Map(this.#known).set(accountId, { ...this.#of(accountId), ...change });
  }
}
