/** What the accounts together want of the person, told whenever it changes. */
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { Account, Connection } from '#shared/bridge/models/client.ts';
import type { Badge } from '#shared/policies/unread-counts.ts';
import { joinBadges, summarizeUnread } from '#shared/policies/unread-counts.ts';
import type { Attention } from '../ports.ts';

/** The part of a state that is counted. */
type Counted = Pick<ClientState, 'unread' | 'streams' | 'mutedTopics' | 'notifications'>;

const countedSlices: readonly (keyof Counted)[] = [
  'unread',
  'streams',
  'mutedTopics',
  'notifications',
];

const nothing: Badge = { wanted: 0, other: 0, badge: 0, problem: null };

export class Badges {
  readonly #setBadge: Attention['setBadge'];
  readonly #byAccount = new Map<string, Badge>();
  #told = JSON.stringify(nothing);

  constructor(setBadge: Attention['setBadge']) {
    this.#setBadge = setBadge;
  }

  /**
   * @param changes  the slices that changed; nothing is counted anew for others
   * @param state    all of it; null before anything is known
   */
  stateChanged(accountId: string, changes: Partial<ClientState>, state: Counted | null): void {
    if (state === null || !countedSlices.some((slice) => slice in changes)) return;
    const { wanted, other, badge } = summarizeUnread(state.unread, state);
    this.#set(accountId, { ...this.#of(accountId), wanted, other, badge });
  }

  connectionChanged({ id, realmName }: Account, connection: Connection): void {
    const problem = 'reason' in connection ? `${realmName}: ${connection.reason}` : null;
    this.#set(id, { ...this.#of(id), problem });
  }

  removed(accountId: string): void {
    this.#byAccount.delete(accountId);
    this.#tell();
  }

  #of(accountId: string): Badge {
    return this.#byAccount.get(accountId) ?? nothing;
  }

  #set(accountId: string, badge: Badge): void {
    this.#byAccount.set(accountId, badge);
    this.#tell();
  }

  #tell(): void {
    const badge = joinBadges([...this.#byAccount.values()]);
    const told = JSON.stringify(badge);
    if (told === this.#told) return;
    this.#told = told;
    this.#setBadge(badge);
  }
}
