/** An office that was restored on another computer: whoever still runs it here is told, and stops (API decisions 15.11). */
import { badRequest } from '#shared/api/errors.ts';
import { type Epoch, isLaterEpoch } from '#shared/api/restore-generation.ts';
import type { Deed } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { noting } from '../rules/audit.ts';

export interface EpochOperations {
  /**
   * Takes notice of an epoch that somebody has seen. A later one than this office's closes it here.
   * @returns the epoch of this office; absent for one that was never restored
   * @throws BAD_REQUEST where it is not signed by this office
   */
  readonly meetEpoch: (deed: Deed, shown: Epoch) => Promise<{ readonly epoch?: Epoch }>;
}

export const epochOperations = (store: Store, context: DomainContext): EpochOperations => ({
  async meetEpoch(deed, shown) {
    if (!context.credentials.isOwnEpoch(shown)) {
      throw badRequest('This epoch is not signed by the key of this organization');
    }
    const epoch = await store.change(function* (tx) {
      const own = yield* tx.findEpoch();
      if (isLaterEpoch(shown, own) && (yield* tx.findRealm()) !== undefined) {
        yield* tx.sealRealm(shown, noting(context, deed)('organization_succeeded'));
      }
      return own;
    });
    return epoch === undefined ? {} : { epoch };
  },
});
