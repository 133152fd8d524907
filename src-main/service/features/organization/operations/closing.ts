/** Deactivating the organization, and the way back (API decisions 1.2 and 10.3). */
import { refusal } from '#shared/api/refusal.ts';
import type { CallerActionSource, ActionSource } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import { change, OutdatedError, untilCurrent } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '../rules/audit.ts';
import { fold } from '#shared/text/fold.ts';
import { mayCall } from '#service/core/rules/permissions.ts';
import {
  refusedSignIn,
  rememberFailure,
  wrongCredentials,
} from '#service/features/people/operations/users.ts';

export interface ClosingOperations {
  /** From then on every key is refused. Queues stay, as long as they would without being asked. */
  readonly deactivateRealm: (source: CallerActionSource) => Promise<void>;
  /** @throws AUTHENTICATION_FAILED; BAD_REQUEST when it is no administrator or nothing is deactivated */
  readonly reactivateRealm: (
    source: ActionSource,
    email: string,
    password: string,
  ) => Promise<void>;
}

export const closingOperations = (store: Store, context: DomainContext): ClosingOperations => ({
  deactivateRealm: (source) =>
    change(store, source.caller, (tx) =>
      tx.deactivateRealm(auditEntryMaker(context, source)('organization_deactivated')),
    ),
  reactivateRealm: (source, email, password) =>
    untilCurrent(async () => {
      const note = auditEntryMaker(context, source);
      const user = await store.findUserByEmail(fold(email));
      // An unknown address costs the same time as a wrong password.
      const hash = user?.bot_type === null ? user.password_hash : null;
      const isRight = await context.credentials.passwords.verify(hash, password);
      if (user === undefined || !isRight) {
        await rememberFailure(store, note, user, 'incorrect_creds');
        throw wrongCredentials();
      }
      await store.change(function* (tx) {
        const now = yield* tx.findUser(user.id);
        if (now?.password_hash !== user.password_hash) throw new OutdatedError('another password');
        if (now.is_active === 0) throw refusedSignIn('user disable');
        if (!mayCall('admin', { role: now.role, botType: now.bot_type })) {
          throw refusal('administrator_required');
        }
        const entry = note('organization_reactivated', { actorId: user.id });
        if (!(yield* tx.reactivateRealm(entry))) {
          throw refusal('organization_not_deactivated');
        }
      });
    }),
});
