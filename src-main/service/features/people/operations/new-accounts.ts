/** Accounts that come into the organization, with their streams and every event of that. */
import { refusal } from '#shared/api/refusal.ts';
import { fold } from '#shared/text/fold.ts';
import type {
  AccountRow,
  NewAccount,
  Operation,
  StreamRow,
  Transaction,
} from '#service/db/port.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { userShape } from '#service/core/rules/shapes.ts';
import { joinStreams } from '#service/features/streams/operations/memberships.ts';
import { subscribeEvents } from '#service/features/streams/operations/stream-events.ts';

/** The account of a new person who has no password yet. */
export const personAccount = (
  { credentials: { gravatarHash }, nowSeconds }: Pick<DomainContext, 'credentials' | 'nowSeconds'>,
  { email, fullName, role }: Pick<NewAccount, 'email' | 'fullName' | 'role'>,
): NewAccount => ({
  email,
  emailKey: fold(email),
  fullName,
  fullNameKey: fold(fullName),
  shortName: email.split('@')[0] ?? email,
  role,
  botType: null,
  ownerId: null,
  passwordHash: null,
  isPasswordGiven: 0,
  gravatarHash: gravatarHash(email),
  joinedAt: nowSeconds(),
});

/** A new account as its row will be. */
const accountRow = (account: NewAccount, id: number): AccountRow => ({
  id,
  email: account.email,
  full_name: account.fullName,
  short_name: account.shortName,
  role: account.role,
  is_active: 1,
  bot_type: account.botType,
  owner_id: account.ownerId,
  password_hash: null,
  is_password_given: account.isPasswordGiven,
  key_generation: 1,
  key_floor: 0,
  gravatar_hash: account.gravatarHash,
  avatar_version: 1,
  avatar_file: null,
  timezone: '',
  pointer: -1,
  default_sending_stream_id: null,
  default_events_register_stream_id: null,
  default_all_public_streams: 0,
  joined_at: account.joinedAt,
  settings: '{}',
});

/** Step: the row of an account; answers its id. @throws BAD_REQUEST when the address is taken */
export function* insertAccount(
  tx: Transaction,
  { credentials: { apiKeys } }: Pick<DomainContext, 'credentials'>,
  account: NewAccount,
): Operation<number> {
  if ((yield* tx.findUserByEmail(account.emailKey)) !== undefined) {
    throw refusal('email_taken', { email: account.email });
  }
  return yield* tx.insertUser(account, (id) => apiKeys.hash(apiKeys.derive(id, 1)));
}

/** Step: a person, who is announced to everybody; answers their id. */
export function* insertPerson(
  tx: Transaction,
  context: Pick<DomainContext, 'credentials'>,
  account: NewAccount,
): Operation<number> {
  const id = yield* insertAccount(tx, context, account);
  yield* tx.record({
    type: 'realm_user',
    audience: { kind: 'realm' },
    payload: { op: 'add', person: userShape(accountRow(account, id), undefined, true) },
  });
  return id;
}

/** Step: the same, subscribed to streams. */
export function* createPerson(
  tx: Transaction,
  context: DomainContext,
  account: NewAccount,
  streams: readonly StreamRow[],
): Operation<number> {
  const events = subscribeEvents(yield* tx.listUsers(), context.nowSeconds());
  const id = yield* insertPerson(tx, context, account);
  const targets = streams.map((stream) => ({ kind: 'existing', stream }) as const);
  if (targets.length > 0) yield* joinStreams(tx, targets, [id], events);
  return id;
}
