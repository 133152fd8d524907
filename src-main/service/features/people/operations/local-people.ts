/** People as whoever sits at the computer of the service manages them, without a key. */
import { realmDeactivated, ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { fold } from '#shared/text/fold.ts';
import type { Role } from '#shared/policies/actor.ts';
import type { ActionSource } from '#service/core/ports/handlers.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import type {
  AccountRow,
  NewAccount,
  Operation,
  Reading,
  Store,
  StreamRow,
  Transaction,
} from '#service/db/port.ts';
import { checkEmail, checkFullName } from '#service/core/rules/names.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { joinNewcomers } from '#service/features/streams/operations/memberships.ts';
import { subscribeEvents } from '#service/features/streams/operations/stream-events.ts';
import { insertPerson, personAccount } from './new-accounts.ts';
import type { PasswordLinkOperations } from './password-links.ts';
import { changeUser, deactivate, reactivateIfNeeded } from './user-admin.ts';

export interface NewLocalPerson {
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  /** Names; null for the default streams. */
  readonly streams: readonly string[] | null;
}

export interface LocalPerson {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly isActive: boolean;
  readonly isBot: boolean;
}

/** One of those who were to be added, by their place among them, and why they cannot be. */
export interface UnusablePerson {
  readonly index: number;
  readonly field: 'email' | 'fullName' | 'streams';
  readonly reason: string;
  /** Who has the same address before them. */
  readonly sameAs?: number;
}

export interface AddOptions {
  /** Whoever has an account already is left out. */
  readonly skipsKnown: boolean;
  /** Nobody comes, and those who could not are told. */
  readonly isOnlyChecked: boolean;
}

export interface AddedPeople {
  /** Where there are any nobody was added. */
  readonly unusable: readonly UnusablePerson[];
  /** Each with a link to their first password. */
  readonly added: readonly (LocalPerson & { readonly link: string })[];
  /** Addresses that had an account before. */
  readonly known: readonly string[];
}

/** What is done to accounts that are there. */
export type AccountAction =
  { readonly kind: 'role'; readonly role: Role } | { readonly kind: 'deactivate' | 'reactivate' };

export interface LocalPeopleOperations {
  /** Deactivated accounts and bots included, by id. */
  readonly listPeople: () => Promise<readonly LocalPerson[]>;
  /**
   * All of them, or nobody.
   * @param made  what a link begins with, and the program that asks for it
   * @throws BAD_REQUEST where there is no organization to come into
   */
  readonly addPeople: (
    people: readonly NewLocalPerson[],
    options: AddOptions,
    made: { readonly origin: string; readonly client: string },
  ) => Promise<AddedPeople>;
  /** All of them, or nobody. @throws BAD_REQUEST, CANNOT_DEACTIVATE_LAST_USER, each with the address */
  readonly changePeople: (
    emails: readonly string[],
    action: AccountAction,
    client: string,
  ) => Promise<readonly LocalPerson[]>;
}

const localPerson = (row: AccountRow): LocalPerson => ({
  id: row.id,
  email: row.email,
  fullName: row.full_name,
  role: row.role,
  isActive: row.is_active === 1,
  isBot: row.bot_type !== null,
});

interface Newcomer {
  readonly account: NewAccount;
  readonly streams: readonly StreamRow[];
}

/** @throws BAD_REQUEST */
function* streamsNamed(tx: Reading, names: readonly string[]): Operation<readonly StreamRow[]> {
  const found = new Map<number, StreamRow>();
  for (const name of names) {
    const stream = yield* tx.findStreamByName(fold(name.trim()));
    if (stream === undefined) throw refusal('no_such_stream_name', { name: name.trim() });
    found.set(stream.id, stream);
  }
  return [...found.values()];
}

interface Checked {
  readonly newcomers: readonly Newcomer[];
  readonly known: readonly string[];
  readonly unusable: readonly UnusablePerson[];
}

/** Where somebody is checked now: what throws there is what cannot be used. */
interface Looking {
  field: UnusablePerson['field'];
}

/** Who has an account is answered by their address. @throws BAD_REQUEST */
function* checkPerson(
  tx: Reading,
  context: DomainContext,
  { email: given, fullName: name, role, streams }: NewLocalPerson,
  { looking, skipsKnown }: { readonly looking: Looking; readonly skipsKnown: boolean },
): Operation<{ account: NewAccount; streams: readonly StreamRow[] | null } | string> {
  const email = checkEmail(given);
  const isKnown = (yield* tx.findUserByEmail(fold(email))) !== undefined;
  if (isKnown && skipsKnown) return email;
  if (isKnown) throw refusal('email_taken', { email });
  looking.field = 'fullName';
  const fullName = checkFullName(name);
  looking.field = 'streams';
  const named = streams && (yield* streamsNamed(tx, streams));
  return { account: personAccount(context, { email, fullName, role }), streams: named };
}

/** Every one of them is looked at, so that who mends a list sees all that is wrong with it. */
function* checkPeople(
  tx: Reading,
  context: DomainContext,
  people: readonly NewLocalPerson[],
  skipsKnown: boolean,
): Operation<Checked> {
  const defaults = yield* tx.listDefaultStreams();
  const places = new Map<string, number>();
  const newcomers: Newcomer[] = [];
  const known: string[] = [];
  const unusable: UnusablePerson[] = [];
  for (const [index, person] of people.entries()) {
    const looking: Looking = { field: 'email' };
    const key = fold(person.email.trim());
    const sameAs = places.get(key);
    if (sameAs !== undefined) {
      const reason = `The e-mail address '${person.email.trim()}' comes twice`;
      unusable.push({ index, field: 'email', reason, sameAs });
      continue;
    }
    try {
      const checked = yield* checkPerson(tx, context, person, { looking, skipsKnown });
      places.set(key, index);
      if (typeof checked === 'string') known.push(checked);
      else {
        const { account, streams } = checked;
        // Guests see only what they are added to, as those who are invited without streams.
        newcomers.push({ account, streams: streams ?? (account.role === 'guest' ? [] : defaults) });
      }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      unusable.push({ index, field: looking.field, reason: error.message });
    }
  }
  return { newcomers, known, unusable };
}

/** Whoever adds somebody to what has gone on elsewhere would look for them in vain. */
function* checkOpen(tx: Reading): Operation<void> {
  const realm = yield* tx.findRealm();
  if (realm === undefined) throw refusal('no_organization');
  if (realm.is_deactivated === 1) throw realmDeactivated();
}

/** Step: the accounts with their streams, told once a stream. */
function* insertAll(
  tx: Transaction,
  context: DomainContext,
  source: ActionSource,
  newcomers: readonly Newcomer[],
): Operation<readonly LocalPerson[]> {
  const note = auditEntryMaker(context, source);
  const joining = new Map<number, { readonly stream: StreamRow; readonly userIds: number[] }>();
  const added: LocalPerson[] = [];
  const events = subscribeEvents(yield* tx.listUsers(), context.nowSeconds(), {
    note,
    callerId: 0,
  });
  for (const { account, streams } of newcomers) {
    const { email, fullName, role } = account;
    const id = yield* insertPerson(tx, context, account);
    yield* tx.record(note('user_created', { userId: id, details: { name: fullName, email } }));
    for (const stream of streams) {
      const at = joining.get(stream.id) ?? { stream, userIds: [] };
      at.userIds.push(id);
      joining.set(stream.id, at);
    }
    added.push({ id, email, fullName, role, isActive: true, isBot: false });
  }
  yield* joinNewcomers(tx, [...joining.values()], events);
  return added;
}

/** @throws what `work` refuses, with the address that it is about */
function* about<T>(email: string, work: Operation<T>): Operation<T> {
  try {
    return yield* work;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { code, message, data, failureCause } = error;
    throw new ServiceError(code, `${email}: ${message}`, data, failureCause);
  }
}

function* changeOne(
  tx: Transaction,
  context: DomainContext,
  source: ActionSource,
  { email, action }: { readonly email: string; readonly action: AccountAction },
): Operation<LocalPerson> {
  const user = yield* tx.findUserByEmail(fold(email.trim()));
  if (user === undefined) throw refusal('no_account_with_email');
  const note = auditEntryMaker(context, source);
  if (action.kind === 'role') {
    yield* changeUser(tx, note, { userId: user.id, role: action.role });
  } else if (action.kind === 'deactivate') yield* deactivate(tx, note, user.id);
  else yield* reactivateIfNeeded(tx, context, note, user.id);
  return localPerson((yield* tx.findUser(user.id)) ?? user);
}

export const localPeopleOperations = (
  store: Store,
  context: DomainContext,
  { makeFirstLink }: Pick<PasswordLinkOperations, 'makeFirstLink'>,
): LocalPeopleOperations => ({
  listPeople: async () => (await store.listUsers()).map(localPerson),
  addPeople: (people, { skipsKnown, isOnlyChecked }, { origin, client }) =>
    store.changeInParts(function* (tx) {
      yield* checkOpen(tx);
      const checked = yield* checkPeople(tx, context, people, skipsKnown);
      const { newcomers, known, unusable } = checked;
      if (isOnlyChecked || unusable.length > 0) return { unusable, added: [], known: [] };
      const source = { caller: null, address: '', client };
      const added: (LocalPerson & { readonly link: string })[] = [];
      for (const person of yield* insertAll(tx, context, source, newcomers)) {
        added.push({ ...person, link: yield* makeFirstLink(tx, source, person.id, origin) });
      }
      return { unusable, added, known };
    }),
  changePeople: (emails, action, client) =>
    store.change(function* (tx) {
      const source = { caller: null, address: '', client };
      const changed: LocalPerson[] = [];
      for (const email of emails) {
        changed.push(yield* about(email, changeOne(tx, context, source, { email, action })));
      }
      return changed;
    }),
});
