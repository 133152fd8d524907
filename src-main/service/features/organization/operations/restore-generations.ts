/** An office that was restored on another computer: whoever still runs it here is told, and stops (API decisions 15.11). */
import { refusal } from '#shared/api/refusal.ts';
import {
  type RestoreGeneration,
  isLaterRestoreGeneration,
} from '#shared/api/restore-generation.ts';
import type { ActionSource } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '../rules/audit.ts';

export interface RestoreGenerationOperations {
  /**
   * Takes notice of a restore generation that somebody has seen. A later one than this office's closes it here.
   * @returns the restore generation of this office; absent for one that was never restored
   * @throws BAD_REQUEST where it is not signed by this office
   */
  readonly noteRestoreGeneration: (
    source: ActionSource,
    shown: RestoreGeneration,
  ) => Promise<{ readonly epoch?: RestoreGeneration }>;
}

export const restoreGenerationOperations = (
  store: Store,
  context: DomainContext,
): RestoreGenerationOperations => ({
  async noteRestoreGeneration(source, shown) {
    if (!context.credentials.isOwnGeneration(shown)) {
      throw refusal('restore_generation_unsigned');
    }
    const epoch = await store.change(function* (tx) {
      const own = yield* tx.findRestoreGeneration();
      if (isLaterRestoreGeneration(shown, own) && (yield* tx.findRealm()) !== undefined) {
        yield* tx.sealRealm(shown, auditEntryMaker(context, source)('organization_succeeded'));
      }
      return own;
    });
    return epoch === undefined ? {} : { epoch };
  },
});
