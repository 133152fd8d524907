/** Changing an account: what is asked of every change, and what it writes. */
import { refusal } from '#shared/api/refusal.ts';
import type { Role } from '#shared/policies/actor.ts';
import type {
  AccountColumns,
  AccountFacts,
  BotServiceRow,
  NewRecord,
  Operation,
  ProfileAnswer,
  Reading,
  Transaction,
} from '#service/db/port.ts';

export interface AccountChange {
  readonly columns: AccountColumns;
  readonly service?: Pick<BotServiceRow, 'payload_url' | 'interface'>;
  readonly answers?: readonly ProfileAnswer[];
  /** Roles of the bots that it owns. */
  readonly botRoles?: readonly { readonly id: number; readonly role: Role }[];
  readonly events: readonly NewRecord[];
}

/** Counts active ones. */
const MAX_BOTS = 60;

/**
 * An account with what a decision about it looks at.
 * @param otherId  an account that the decision also looks at, such as a new owner
 * @throws BAD_REQUEST when there is no such account
 */
export function* getFacts(
  tx: Reading,
  id: number,
  otherId: number | null = null,
): Operation<AccountFacts> {
  const facts = yield* tx.findAccountFacts(id, otherId);
  if (facts === undefined) throw refusal('no_such_user');
  return facts;
}

/** Before a bot comes to its owner. @throws BAD_REQUEST when there are too many */
export function* checkBotCount(tx: Reading, ownerId: number): Operation<void> {
  if ((yield* tx.countBots(ownerId)) < MAX_BOTS) return;
  throw refusal('too_many_owned_bots', { limit: MAX_BOTS });
}

function* checkColumns(tx: Reading, id: number, columns: AccountColumns): Operation<void> {
  const { email = '', email_key: emailKey, owner_id: ownerId } = columns;
  const other = emailKey === undefined ? undefined : yield* tx.findUserByEmail(emailKey);
  if (other !== undefined && other.id !== id) {
    throw refusal('email_taken', { email });
  }
  if (ownerId !== undefined) yield* checkBotCount(tx, ownerId);
}

/** Step: writes a change of an account and records it. @throws BAD_REQUEST when its new address is taken */
export function* changeAccount(
  tx: Transaction,
  id: number,
  { columns, service, answers = [], botRoles = [], events }: AccountChange,
): Operation<void> {
  yield* checkColumns(tx, id, columns);
  yield* tx.updateAccount(id, columns);
  for (const bot of botRoles) yield* tx.updateAccount(bot.id, { role: bot.role });
  if (service !== undefined) yield* tx.setBotService(id, service);
  yield* tx.setAnswers(id, answers);
  yield* tx.recordAll(events);
}
