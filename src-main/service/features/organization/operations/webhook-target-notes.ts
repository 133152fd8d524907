/** What outgoing bots may reach inside the office's network is said at its computer alone; the audit log tells of it. */
import type { Store } from '#service/db/port.ts';
import { auditEntryMaker } from '../rules/audit.ts';

export const auditTargetChanges =
  (store: Store, context: { readonly nowSeconds: () => number }) =>
  (name: string, isAllowed: boolean, client: string): Promise<void> =>
    store.change(function* (tx) {
      const note = auditEntryMaker(context, { caller: null, address: '', client });
      const type = isAllowed ? 'webhook_target_allowed' : 'webhook_target_removed';
      yield* tx.record(note(type, { details: { name } }));
    });
