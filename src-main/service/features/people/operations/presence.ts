/** Presence (API decisions 7.3, 9.4 and 13). */
import { CLIENT_CHARACTERS } from '#shared/api/bounds.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Presences, PresenceStatus } from '#shared/api/models/presence.ts';
import type { AccountRow, PresenceRow, Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { fold } from '#shared/text/fold.ts';
import { cutCharacters } from '#service/core/rules/names.ts';
import {
  AGGREGATED,
  clientShape,
  FORGOTTEN_SECONDS,
  isNews,
  newestOf,
  presencesShape,
  stateOf,
} from '../rules/presence.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';

export interface PresenceList {
  readonly presences: Presences;
  /** UNIX seconds with their fraction. */
  readonly server_timestamp: number;
}

interface LastSeen {
  readonly status: PresenceStatus | 'offline';
  readonly timestamp: number;
}

/** By client; `aggregated` is the newest. */
export type UserPresence = Record<string, LastSeen> & { aggregated: LastSeen };

export interface PresenceOperations {
  readonly reportPresence: (
    caller: Caller,
    report: { readonly client: string; readonly status: PresenceStatus },
  ) => Promise<void>;
  readonly listPresences: () => Promise<PresenceList>;
  /**
   * @param who  an e-mail address or a user id
   * @throws BAD_REQUEST for a bot, an unknown account and one that was not seen in 14 days
   */
  readonly getPresence: (who: string) => Promise<UserPresence>;
}

/** @param nowMs  milliseconds since 1970 */
export function presenceOperations(store: Store, nowMs: () => number): PresenceOperations {
  const nowSeconds = (): number => Math.floor(nowMs() / 1000);
  const isDisabled = async (): Promise<boolean> =>
    realmSettings(await store.findRealm()).presence_disabled;

  async function reportsOf(user: AccountRow | undefined): Promise<readonly PresenceRow[]> {
    if (user === undefined || (await isDisabled())) return [];
    return store.listPresencesOf(user.id, nowSeconds() - FORGOTTEN_SECONDS);
  }

  return {
    reportPresence: (known, { client: given, status }) =>
      change(store, known, function* (tx, { userId, email }) {
        if (realmSettings(yield* tx.findRealm()).presence_disabled) return;
        const now = nowMs() / 1000;
        const seconds = Math.floor(now);
        const name = cutCharacters(given, CLIENT_CHARACTERS);
        const client = name === AGGREGATED ? `${name} client` : name;
        const forgetBefore = seconds - FORGOTTEN_SECONDS;
        const before = yield* tx.listPresencesOf(userId, forgetBefore);
        yield* tx.savePresence({ userId, client, status, nowSeconds: seconds, forgetBefore });
        if (!isNews(before, status, seconds)) return;
        const presence = { [client]: clientShape({ client, status, updated_at: seconds }) };
        const payload = { email, user_id: userId, server_timestamp: now, presence };
        yield* tx.record({ type: 'presence', audience: { kind: 'people' }, payload });
      }),
    async listPresences() {
      const rows = (await isDisabled())
        ? []
        : await store.listPresences(nowSeconds() - FORGOTTEN_SECONDS);
      return { presences: presencesShape(rows), server_timestamp: nowMs() / 1000 };
    },
    async getPresence(who) {
      const user = /^\d{1,15}$/.test(who)
        ? await store.findUser(Number(who))
        : await store.findUserByEmail(fold(who));
      if (user?.bot_type !== null && user !== undefined) {
        throw refusal('presence_of_bot');
      }
      const reports = await reportsOf(user);
      const newest = newestOf(reports);
      if (newest === undefined) throw refusal('no_presence', { user: who.slice(0, 254) });
      const seen = (row: PresenceRow, status: LastSeen['status']): LastSeen => ({
        status,
        timestamp: row.updated_at,
      });
      return {
        ...Object.fromEntries(reports.map((row) => [row.client, seen(row, row.status)])),
        [AGGREGATED]: seen(newest, stateOf(newest, nowSeconds())),
      };
    },
  };
}
