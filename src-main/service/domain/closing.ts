/** Deactivating the organization, and the way back (API decisions, sections 1.2 and 10.3). */
import { badRequest } from '../../contract/errors.ts';
import type { Store } from '../store/port.ts';
import type { DomainContext } from './ports.ts';
import { fold } from '../../contract/fold.ts';
import { mayCall } from './rules/permissions.ts';
import { refusedSignIn, wrongCredentials } from './users.ts';

export interface ClosingOperations {
  /** From then on every key is refused. Queues stay, as long as they would without being asked. */
  readonly deactivateRealm: () => Promise<void>;
  /** @throws AUTHENTICATION_FAILED; BAD_REQUEST when it is no administrator or nothing is deactivated */
  readonly reactivateRealm: (email: string, password: string) => Promise<void>;
}

export const closingOperations = (
  store: Pick<Store, 'deactivateRealm' | 'findUserByEmail' | 'reactivateRealm'>,
  { credentials }: DomainContext,
): ClosingOperations => ({
  deactivateRealm: () => store.deactivateRealm(),
  async reactivateRealm(email, password) {
    const user = await store.findUserByEmail(fold(email));
    // An unknown address costs the same time as a wrong password.
    const hash = user?.bot_type === null ? user.password_hash : null;
    const isRight = await credentials.passwords.verify(hash, password);
    if (user === undefined || !isRight) throw wrongCredentials();
    if (user.is_active === 0) throw refusedSignIn('user disable');
    if (!mayCall('admin', { role: user.role, botType: user.bot_type })) {
      throw badRequest('Must be an organization administrator');
    }
    if (!(await store.reactivateRealm())) throw badRequest('The organization is not deactivated');
  },
});
