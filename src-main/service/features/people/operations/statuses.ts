/** What people say about themselves (API decisions 7.3). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { checkStatusText } from '../rules/statuses.ts';

export interface StatusOperations {
  /** @throws BAD_REQUEST when nothing is given, or the text is too long */
  readonly setStatus: (
    caller: Caller,
    change: { readonly away: boolean | undefined; readonly statusText: string | undefined },
  ) => Promise<void>;
}

export const statusOperations = (store: Store): StatusOperations => ({
  async setStatus(caller, { away, statusText }) {
    if (away === undefined && statusText === undefined) {
      throw refusal('status_unchanged');
    }
    const text = statusText === undefined ? undefined : checkStatusText(statusText);
    await change(store, caller, (tx, { userId }) => tx.setStatus(userId, { isAway: away, text }));
  },
});
