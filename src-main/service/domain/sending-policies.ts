/** What the organization's settings say about sending (API decisions, section 9.5). */
import { badRequest } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { AccountRow, NewMessage, Store } from '../store/port.ts';
import { canSendPrivately } from './rules/permissions.ts';
import { realmSettings } from './rules/realm-settings.ts';

export type PolicyStore = Pick<Store, 'findRealm' | 'findUser'>;

/** The reserved name that means no topic (API decisions, section 2.4). */
const NO_TOPIC = '(no topic)';

/** @throws BAD_REQUEST for a message without a topic, or a private one, where those are switched off */
export async function checkSendingPolicies(
  store: PolicyStore,
  caller: Caller,
  target: NewMessage['target'],
): Promise<void> {
  const settings = realmSettings(await store.findRealm());
  if (target.kind === 'stream') {
    if (settings.mandatory_topics && target.topicKey === NO_TOPIC) {
      throw badRequest('Topics are required in this organization');
    }
    return;
  }
  if (canSendPrivately(caller, [], settings)) return;
  const others: AccountRow[] = [];
  for (const id of target.userIds) {
    const user = id === caller.userId ? undefined : await store.findUser(id);
    if (user !== undefined) others.push(user);
  }
  if (!canSendPrivately(caller, others, settings)) {
    throw badRequest('Private messages are disabled in this organization');
  }
}
