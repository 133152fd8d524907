/** Accounts: profiles, sign-in, creation. */
import { ServiceError, variableMissing, unopenedRealm } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type {
  Caller,
  CallerActionSource,
  CallerDirectory,
  ActionSource,
} from '#service/core/ports/handlers.ts';
import type { Member, Profile } from '#shared/api/models/user.ts';
import type { AccountRow, NewAccount, Operation, Reading, Store } from '#service/db/port.ts';
import { callerOf, restoredFrom } from '#service/core/callers.ts';
import { change, OutdatedError, untilCurrent } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { fold } from '#shared/text/fold.ts';
import {
  checkEmail,
  checkFullName,
  checkKnownEmail,
  checkPassword,
} from '#service/core/rules/names.ts';
import {
  type AuditEntryMaker,
  auditEntryMaker,
} from '#service/features/organization/rules/audit.ts';
import { keyUses } from './key-uses.ts';
import { profileDataOf, profilesOf } from '../rules/profile.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { memberShape } from '#service/core/rules/shapes.ts';
import { createPerson, personAccount } from './new-accounts.ts';

export interface KeyGrant {
  readonly api_key: string;
  readonly email: string;
}

export interface UserOperations extends CallerDirectory {
  readonly getProfile: (caller: Caller) => Promise<Profile>;
  readonly listMembers: (options: {
    readonly clientGravatar: boolean;
    readonly includeProfile: boolean;
  }) => Promise<readonly Member[]>;
  /** @throws AUTHENTICATION_FAILED, BAD_REQUEST (API decisions 10.3) */
  readonly fetchApiKey: (
    source: ActionSource,
    email: string,
    password: string,
  ) => Promise<KeyGrant>;
  /** @throws BAD_REQUEST always, on a production server */
  readonly fetchDevelopmentApiKey: (
    source: ActionSource,
    email: string | undefined,
  ) => Promise<KeyGrant>;
  /** The account of an address and a password. @throws as `fetchApiKey` */
  readonly checkPassword: (
    source: ActionSource,
    email: string,
    password: string,
  ) => Promise<AccountRow>;
  /** The account of an address. @throws as `fetchDevelopmentApiKey` */
  readonly checkDevelopmentAccount: (
    source: ActionSource,
    email: string | undefined,
  ) => Promise<AccountRow>;
  /** Active people, by id. @throws BAD_REQUEST always, on a production server */
  readonly listDevelopmentUsers: () => Promise<
    readonly { readonly email: string; readonly isAdmin: boolean }[]
  >;
  /** @throws BAD_REQUEST */
  readonly createUser: (source: CallerActionSource, account: NewPerson) => Promise<number>;
}

export interface NewPerson {
  readonly email: string;
  readonly password: string;
  readonly fullName: string;
  readonly shortName: string | undefined;
}

const signInCauses = {
  'user disable': 'sign_in_account_disabled',
  'realm deactivated': 'sign_in_organization_deactivated',
  'password auth disabled': 'sign_in_with_password_disabled',
  incorrect_creds: 'sign_in_credentials_wrong',
  unregistered: 'sign_in_not_registered',
} as const;

/** @param reason  one of those of API decisions 10.3 */
export const refusedSignIn = (reason: keyof typeof signInCauses): ServiceError =>
  refusal(signInCauses[reason], {}, { reason });

/** The same words for an unknown address and a wrong password. */
export const wrongCredentials = (): ServiceError => refusedSignIn('incorrect_creds');

/**
 * Remembers that somebody could not sign in. The account is named only where there is one, because people type
 * passwords into the wrong field; and a disk that is full must not turn the refusal into another one, which nobody counts.
 */
export async function rememberFailure(
  store: Store,
  note: AuditEntryMaker,
  user: Pick<AccountRow, 'id'> | undefined,
  reason: string,
): Promise<void> {
  const failure = note('sign_in_failed', { userId: user?.id ?? null, details: { reason } });
  await store.addFailure(failure).catch(() => undefined);
}

const ownerIn = (users: readonly AccountRow[], user: AccountRow): AccountRow | undefined =>
  user.owner_id === null ? undefined : users.find((other) => other.id === user.owner_id);

/**
 * @throws AUTHENTICATION_FAILED when the account or the whole organization is deactivated, ORGANIZATION_CLOSED where
 *         it was restored and not opened
 */
async function checkActive(store: Store, user: AccountRow, source: ActionSource): Promise<void> {
  const realm = await store.findRealm();
  if (realm?.is_deactivated === 1) throw refusedSignIn('realm deactivated');
  if (user.is_active === 0) throw refusedSignIn('user disable');
  const backedUpAt = restoredFrom(realm);
  if (backedUpAt === undefined || (user.role === 'admin' && source.isLocal === true)) return;
  throw unopenedRealm(backedUpAt);
}

/**
 * The account whose password was found right, as it is where it is signed in.
 * @throws Outdated when it is another password by now, or the account or the organization is deactivated
 */
export function* stillSignedIn(tx: Reading, checked: AccountRow): Operation<AccountRow> {
  const user = yield* tx.findUser(checked.id);
  const isRealmActive = (yield* tx.findRealm())?.is_deactivated !== 1;
  const isSame = user?.password_hash === checked.password_hash && user.is_active === 1;
  if (!isSame || !isRealmActive)
    throw new OutdatedError('somebody changed the account that signs in');
  return user;
}

function checkDevelopment({ isDevelopment }: DomainContext): void {
  if (!isDevelopment) throw refusal('development_server_required');
}

function signInChecks(
  store: Store,
  context: DomainContext,
): Pick<UserOperations, 'checkPassword' | 'checkDevelopmentAccount'> {
  const { passwords } = context.credentials;

  /** Runs a check; what it refuses is written down with the account that it found. */
  async function remembering(
    source: ActionSource,
    find: () => Promise<AccountRow | undefined>,
    check: (user: AccountRow | undefined) => Promise<AccountRow>,
  ): Promise<AccountRow> {
    const user = await find();
    try {
      return await check(user);
    } catch (error) {
      const reason = error instanceof ServiceError ? error.data['reason'] : undefined;
      if (typeof reason === 'string') {
        await rememberFailure(store, auditEntryMaker(context, source), user, reason);
      }
      throw error;
    }
  }
  return {
    async checkPassword(source, email, password) {
      const address = checkKnownEmail(email);
      return remembering(
        source,
        () => store.findUserByEmail(fold(address)),
        async (user) => {
          if (!realmSettings(await store.findRealm()).password_auth_enabled) {
            throw refusedSignIn('password auth disabled');
          }
          // An unknown address costs the same time as a wrong password.
          const hash = user?.bot_type === null ? user.password_hash : null;
          const isRight = await passwords.verify(hash, password);
          if (user === undefined || !isRight) throw wrongCredentials();
          await checkActive(store, user, source);
          return user;
        },
      );
    },
    async checkDevelopmentAccount(source, email) {
      checkDevelopment(context);
      if (email === undefined) throw variableMissing('username');
      return remembering(
        source,
        () => store.findUserByEmail(fold(email)),
        async (user) => {
          if (user === undefined) throw refusedSignIn('unregistered');
          await checkActive(store, user, source);
          return user;
        },
      );
    },
  };
}

function signIn(
  store: Store,
  context: DomainContext,
): Pick<
  UserOperations,
  | 'fetchApiKey'
  | 'fetchDevelopmentApiKey'
  | 'checkPassword'
  | 'checkDevelopmentAccount'
  | 'listDevelopmentUsers'
> {
  const { apiKeys } = context.credentials;
  const grant = (user: AccountRow): KeyGrant => ({
    api_key: apiKeys.derive(user.id, user.key_generation),
    email: user.email,
  });
  const checks = signInChecks(store, context);
  const signedIn = (source: ActionSource, check: () => Promise<AccountRow>): Promise<KeyGrant> =>
    untilCurrent(async () => {
      const checked = await check();
      return store.change(function* (tx) {
        const user = yield* stillSignedIn(tx, checked);
        const whose = { actorId: user.id, userId: user.id };
        yield* tx.record(auditEntryMaker(context, source)('sign_in', whose));
        return grant(user);
      });
    });
  return {
    ...checks,
    fetchApiKey: (source, email, password) =>
      signedIn(source, () => checks.checkPassword(source, email, password)),
    fetchDevelopmentApiKey: (source, email) =>
      signedIn(source, () => checks.checkDevelopmentAccount(source, email)),
    async listDevelopmentUsers() {
      checkDevelopment(context);
      return (await store.listUsers())
        .filter((user) => user.is_active === 1 && user.bot_type === null)
        .map(({ email, role }) => ({ email, isAdmin: role === 'admin' }));
    },
  };
}

function creation(store: Store, context: DomainContext): Pick<UserOperations, 'createUser'> {
  const { passwords } = context.credentials;
  return {
    async createUser(source, person) {
      const email = checkEmail(person.email);
      const fullName = checkFullName(person.fullName);
      const passwordHash = await passwords.hash(checkPassword(person.password));
      const known = personAccount(context, { email, fullName, role: 'member' });
      const shortName = person.shortName?.trim() ?? known.shortName;
      const account: NewAccount = { ...known, shortName, passwordHash, isPasswordGiven: 1 };
      return change(store, source.caller, function* (tx) {
        const userId = yield* createPerson(tx, context, account, yield* tx.listDefaultStreams());
        const details = { name: fullName, email };
        yield* tx.record(auditEntryMaker(context, source)('user_created', { userId, details }));
        return userId;
      });
    },
  };
}

const directory = (
  store: Store,
): Pick<CallerDirectory, 'findCallerByEmail' | 'findCallerByKeyHash'> => ({
  findCallerByEmail: (email) =>
    store.read(function* (tx) {
      const user = yield* tx.findUserByEmail(fold(email));
      return user && (yield* callerOf(tx, user));
    }),
  findCallerByKeyHash: (keyHash) =>
    store.read(function* (tx) {
      const user = yield* tx.findUserByKeyHash(keyHash);
      if (user !== undefined) return yield* callerOf(tx, user);
      const device = yield* tx.findDeviceByKeyHash(keyHash);
      const owner = device && (yield* tx.findUser(device.account_id));
      if (device === undefined || owner === undefined) return undefined;
      const caller = yield* callerOf(tx, owner);
      return { ...caller, deviceId: device.id, keyGeneration: device.key_generation };
    }),
});

export function userOperations(store: Store, context: DomainContext): UserOperations {
  return {
    ...directory(store),
    directoryVersion: store.directoryVersion,
    noteKeyUse: keyUses(store, context.nowSeconds),
    async getProfile(caller) {
      const user = await store.findUser(caller.userId);
      if (user === undefined) throw new Error('the caller has no account');
      const owner = user.owner_id === null ? undefined : await store.findUser(user.owner_id);
      return {
        ...memberShape(user, owner, {
          clientGravatar: false,
          includeProfile: true,
          profile: profileDataOf(await store.listProfileValuesOf(user.id)),
        }),
        short_name: user.short_name,
        pointer: user.pointer,
        max_message_id: (await store.findNewestHeldId(user.id)) ?? -1,
        client_id: crypto.randomUUID(),
      };
    },
    async listMembers(options) {
      const users = await store.listUsers();
      const profileOf = profilesOf(options.includeProfile ? await store.listProfileValues() : []);
      return users.map((user) =>
        memberShape(user, ownerIn(users, user), { ...options, profile: profileOf(user.id) }),
      );
    },
    ...signIn(store, context),
    ...creation(store, context),
  };
}
