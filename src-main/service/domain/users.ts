/** Accounts: profiles, sign-in, creation. */
import { badRequest, ServiceError, variableMissing } from '../../contract/errors.ts';
import type { Caller, CallerDirectory, CallerRecord } from '../../contract/handlers.ts';
import type { Member, Profile } from '../../contract/models/user.ts';
import type { AccountRow, NewAccount, Store } from '../store/port.ts';
import type { DomainContext } from './ports.ts';
import { fold } from '../../contract/fold.ts';
import { checkEmail, checkFullName, checkPassword } from './rules/names.ts';
import { profileDataOf, profilesOf } from './rules/profile.ts';
import { realmSettings } from './rules/realm-settings.ts';
import { memberShape, userShape } from './rules/shapes.ts';
import { streamColors } from './rules/palette.ts';
import { subscribeEvents } from './stream-events.ts';

type UserStore = Pick<
  Store,
  | 'findRealm'
  | 'findUser'
  | 'findUserByEmail'
  | 'findUserByKeyHash'
  | 'listUsers'
  | 'listProfileValues'
  | 'listProfileValuesOf'
  | 'findNewestHeldId'
  | 'createUser'
  | 'listStreams'
>;

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
  /** @throws AUTHENTICATION_FAILED, BAD_REQUEST (API decisions, section 10.3) */
  readonly fetchApiKey: (email: string, password: string) => Promise<KeyGrant>;
  /** @throws BAD_REQUEST always, on a production server */
  readonly fetchDevelopmentApiKey: (email: string | undefined) => Promise<KeyGrant>;
  /** Active people, by id. @throws BAD_REQUEST always, on a production server */
  readonly listDevelopmentUsers: () => Promise<
    readonly { readonly email: string; readonly isAdmin: boolean }[]
  >;
  /** @throws BAD_REQUEST */
  readonly createUser: (account: NewPerson) => Promise<number>;
}

export interface NewPerson {
  readonly email: string;
  readonly password: string;
  readonly fullName: string;
  readonly shortName: string | undefined;
}

const callerOf = (row: AccountRow, isRealmActive: boolean): CallerRecord => ({
  userId: row.id,
  email: row.email,
  fullName: row.full_name,
  role: row.role,
  botType: row.bot_type,
  ownerId: row.owner_id,
  keyGeneration: row.key_generation,
  isActive: row.is_active === 1,
  isRealmActive,
});

const signInRefusals = {
  'user disable': 'Your account has been disabled.',
  'realm deactivated': 'This organization has been deactivated.',
  'password auth disabled': 'Signing in with a password is switched off.',
  incorrect_creds: 'Your username or password is incorrect.',
  unregistered: 'This user is not registered.',
} as const;

/** @param reason  one of those of API decisions, section 10.3 */
export const refusedSignIn = (reason: keyof typeof signInRefusals): ServiceError =>
  new ServiceError('AUTHENTICATION_FAILED', signInRefusals[reason], { reason });

/** The same words for an unknown address and a wrong password. */
export const wrongCredentials = (): ServiceError => refusedSignIn('incorrect_creds');

const ownerIn = (users: readonly AccountRow[], user: AccountRow): AccountRow | undefined =>
  user.owner_id === null ? undefined : users.find((other) => other.id === user.owner_id);

/** @throws AUTHENTICATION_FAILED when the account or the whole organization is deactivated */
async function checkActive(store: Pick<Store, 'findRealm'>, user: AccountRow): Promise<void> {
  if ((await store.findRealm())?.is_deactivated === 1) {
    throw refusedSignIn('realm deactivated');
  }
  if (user.is_active === 0) throw refusedSignIn('user disable');
}

function checkDevelopment({ isDevelopment }: DomainContext): void {
  if (!isDevelopment) throw badRequest('Only available on a development server');
}

function signIn(
  store: UserStore,
  context: DomainContext,
): Pick<UserOperations, 'fetchApiKey' | 'fetchDevelopmentApiKey' | 'listDevelopmentUsers'> {
  const { apiKeys, passwords } = context.credentials;
  const grant = (user: AccountRow): KeyGrant => ({
    api_key: apiKeys.derive(user.id, user.key_generation),
    email: user.email,
  });
  return {
    async fetchApiKey(email, password) {
      const address = checkEmail(email);
      if (!realmSettings(await store.findRealm()).password_auth_enabled) {
        throw refusedSignIn('password auth disabled');
      }
      const user = await store.findUserByEmail(fold(address));
      // An unknown address costs the same time as a wrong password.
      const hash = user?.bot_type === null ? user.password_hash : null;
      const isRight = await passwords.verify(hash, password);
      if (user === undefined || !isRight) throw wrongCredentials();
      await checkActive(store, user);
      return grant(user);
    },
    async fetchDevelopmentApiKey(email) {
      checkDevelopment(context);
      if (email === undefined) throw variableMissing('username');
      const user = await store.findUserByEmail(fold(email));
      if (user === undefined) throw refusedSignIn('unregistered');
      await checkActive(store, user);
      return grant(user);
    },
    async listDevelopmentUsers() {
      checkDevelopment(context);
      return (await store.listUsers())
        .filter((user) => user.is_active === 1 && user.bot_type === null)
        .map(({ email, role }) => ({ email, isAdmin: role === 'admin' }));
    },
  };
}

function creation(store: UserStore, context: DomainContext): Pick<UserOperations, 'createUser'> {
  const { apiKeys, passwords, gravatarHash } = context.credentials;
  return {
    async createUser(person) {
      const email = checkEmail(person.email);
      const fullName = checkFullName(person.fullName);
      const account: NewAccount = {
        email,
        emailKey: fold(email),
        fullName,
        fullNameKey: fold(fullName),
        shortName: person.shortName?.trim() ?? email.split('@')[0] ?? email,
        role: 'member',
        botType: null,
        ownerId: null,
        passwordHash: await passwords.hash(checkPassword(person.password)),
        gravatarHash: gravatarHash(email),
        joinedAt: context.nowSeconds(),
      };
      const defaults = (await store.listStreams()).filter((stream) => stream.is_default === 1);
      const targets = defaults.map((stream) => ({ kind: 'default', streamId: stream.id }) as const);
      const users = await store.listUsers();
      return store.createUser(
        account,
        (id) => apiKeys.hash(apiKeys.derive(id, 1)),
        { targets, colors: [], palette: streamColors },
        {
          ...subscribeEvents(users, context.nowSeconds()),
          person: (id) => userShape(accountRow(account, id), undefined, true),
        },
      );
    },
  };
}

/** A new account as its row will be. */
export const accountRow = (account: NewAccount, id: number): AccountRow => ({
  id,
  email: account.email,
  full_name: account.fullName,
  short_name: account.shortName,
  role: account.role,
  is_active: 1,
  bot_type: account.botType,
  owner_id: account.ownerId,
  password_hash: null,
  key_generation: 1,
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

export function userOperations(store: UserStore, context: DomainContext): UserOperations {
  async function asCaller(row: AccountRow | undefined): Promise<CallerRecord | undefined> {
    if (row === undefined) return undefined;
    return callerOf(row, (await store.findRealm())?.is_deactivated !== 1);
  }
  return {
    findCallerByEmail: async (email) => asCaller(await store.findUserByEmail(fold(email))),
    findCallerByKeyHash: async (keyHash) => asCaller(await store.findUserByKeyHash(keyHash)),
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
