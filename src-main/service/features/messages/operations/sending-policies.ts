/** What the organization's settings say about sending (API decisions 9.5). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { NewMessage, Operation, Reading } from '#service/db/port.ts';
import { canSendPrivately } from '#shared/policies/messages.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';

/** The reserved name that means no topic (API decisions 2.4). */
const NO_TOPIC = '(no topic)';

/** @throws BAD_REQUEST for a message without a topic, or a private one, where those are switched off */
export function* checkSendingPolicies(
  tx: Reading,
  caller: Caller,
  target: NewMessage['target'],
): Operation<void> {
  const settings = realmSettings(yield* tx.findRealm());
  if (target.kind === 'stream') {
    if (settings.mandatory_topics && target.topicKey === NO_TOPIC) {
      throw refusal('topic_required');
    }
    return;
  }
  if (canSendPrivately(caller, [], settings)) return;
  const others: (number | null)[] = [];
  for (const id of target.userIds) {
    const user = id === caller.userId ? undefined : yield* tx.findUser(id);
    if (user !== undefined) others.push(user.bot_type);
  }
  if (!canSendPrivately(caller, others, settings)) {
    throw refusal('private_messages_disabled');
  }
}
