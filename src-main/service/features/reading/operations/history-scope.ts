/** How far a page reaches beyond what the account holds. */
import type { Caller } from '#service/core/ports/handlers.ts';
import type { HistoryScope } from '#shared/api/narrow.ts';
import type { Store } from '#service/db/port.ts';
import { canReadHistory } from '#shared/policies/streams.ts';
import { factsOf } from '#service/core/rules/permissions.ts';

/** The recipients of the streams of which the caller is shown all history. */
export async function listScopedRecipients(
  store: Store,
  caller: Caller,
  historyScope: Exclude<HistoryScope, 'held'>,
): Promise<readonly number[]> {
  const streams = await store.listHistories(caller.userId);
  return streams.flatMap((stream) => {
    const isSubscribed = stream.is_subscribed === 1;
    const isReached = isSubscribed || historyScope === 'readable';
    return isReached && canReadHistory(caller, factsOf(stream), isSubscribed)
      ? [stream.recipient_id]
      : [];
  });
}
