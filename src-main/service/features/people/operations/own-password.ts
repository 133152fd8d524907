/** The own password, asked for beside a key that may have been found somewhere. */
import { wrongPassword } from '#shared/api/errors.ts';
import type { CallerActionSource } from '#service/core/ports/handlers.ts';
import type { AccountRow, Operation, Reading, Store } from '#service/db/port.ts';
import { OutdatedError } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { rememberFailure } from './users.ts';

/** Whether it is the caller's. @throws WRONG_PASSWORD, which the audit log tells and the limits count */
export type CheckOwnPassword = (
  source: CallerActionSource,
  user: AccountRow | undefined,
  given: string,
) => Promise<void>;

export const ownPasswordCheck =
  (store: Store, context: DomainContext): CheckOwnPassword =>
  async (source, user, given) => {
    const { passwords } = context.credentials;
    if (await passwords.verify(user?.password_hash ?? null, given)) return;
    await rememberFailure(store, auditEntryMaker(context, source), user, 'old_password');
    throw wrongPassword();
  };

/** Where the password counts that was found right. @throws Outdated when it, or the address, is another one by now */
export function* stillOwn(tx: Reading, checked: AccountRow | undefined): Operation<void> {
  const now = checked && (yield* tx.findUser(checked.id));
  const isSame = now?.password_hash === checked?.password_hash && now?.email === checked?.email;
  if (!isSame) throw new OutdatedError('the password that was checked is another one');
}
