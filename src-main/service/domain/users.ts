/** Accounts: profiles, sign-in, creation. */
import { badRequest, ServiceError, variableMissing } from '../../contract/errors.ts';
import type { Caller, CallerDirectory, CallerRecord } from '../../contract/handlers.ts';
import type { Member, Profile } from '../../contract/models/user.ts';
import type { AccountRow, NewAccount, Store } from '../store/port.ts';
import type { DomainContext } from './ports.ts';
import { checkEmail, checkFullName, checkPassword, fold } from './rules/names.ts';
import { memberShape, userShape } from './rules/shapes.ts';
import { streamColors } from './rules/palette.ts';
import { subscribeEvents } from './stream-events.ts';

type UserStore = Pick<
  Store,
  | 'findUser'
  | 'findUserByEmail'
  | 'findUserByKeyHash'
  | 'listUsers'
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
  /** @throws BAD_REQUEST */
  readonly createUser: (account: NewPerson) => Promise<number>;
}

export interface NewPerson {
  readonly email: string;
  readonly password: string;
  readonly fullName: string;
  readonly shortName: string | undefined;
}

const callerOf = (row: AccountRow): CallerRecord => ({
  userId: row.id,
  email: row.email,
  fullName: row.full_name,
  role: row.role,
  botType: row.bot_type,
  ownerId: row.owner_id,
  keyGeneration: row.key_generation,
  isActive: row.is_active === 1,
});

const refused = (reason: string, message: string): ServiceError =>
  new ServiceError('AUTHENTICATION_FAILED', message, { reason });

const wrongCredentials = (): ServiceError =>
  refused('incorrect_creds', 'Your username or password is incorrect.');

const ownerIn = (users: readonly AccountRow[], user: AccountRow): AccountRow | undefined =>
  user.owner_id === null ? undefined : users.find((other) => other.id === user.owner_id);

function signIn(
  store: UserStore,
  context: DomainContext,
): Pick<UserOperations, 'fetchApiKey' | 'fetchDevelopmentApiKey'> {
  const { apiKeys, passwords } = context.credentials;
  const grant = (user: AccountRow): KeyGrant => ({
    api_key: apiKeys.derive(user.id, user.key_generation),
    email: user.email,
  });
  return {
    async fetchApiKey(email, password) {
      const address = checkEmail(email);
      const user = await store.findUserByEmail(fold(address));
      // An unknown address costs the same time as a wrong password.
      const hash = user?.bot_type === null ? user.password_hash : null;
      const isRight = await passwords.verify(hash, password);
      if (user === undefined || !isRight) throw wrongCredentials();
      if (user.is_active === 0) throw refused('user disable', 'Your account has been disabled.');
      return grant(user);
    },
    async fetchDevelopmentApiKey(email) {
      if (!context.isDevelopment) throw badRequest('Only available on a development server');
      if (email === undefined) throw variableMissing('username');
      const user = await store.findUserByEmail(fold(email));
      if (user === undefined) throw refused('unregistered', 'This user is not registered.');
      if (user.is_active === 0) throw refused('user disable', 'Your account has been disabled.');
      return grant(user);
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
      const targets = defaults.map(
        (stream) => ({ kind: 'existing', streamId: stream.id }) as const,
      );
      const users = await store.listUsers();
      return store.createUser(
        account,
        (id) => apiKeys.hash(apiKeys.derive(id, 1)),
        { targets, colors: [], palette: streamColors },
        {
          ...subscribeEvents(users, context.nowSeconds()),
          person: (id) => userShape(asRow(account, id), undefined, true),
        },
      );
    },
  };
}

const asRow = (account: NewAccount, id: number): AccountRow => ({
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
  timezone: '',
  pointer: -1,
  default_events_register_stream_id: null,
  default_all_public_streams: 0,
  joined_at: account.joinedAt,
  settings: '{}',
});

export function userOperations(store: UserStore, context: DomainContext): UserOperations {
  const asCaller = (row: AccountRow | undefined): CallerRecord | undefined =>
    row === undefined ? undefined : callerOf(row);
  return {
    findCallerByEmail: async (email) => asCaller(await store.findUserByEmail(fold(email))),
    findCallerByKeyHash: async (keyHash) => asCaller(await store.findUserByKeyHash(keyHash)),
    async getProfile(caller) {
      const user = await store.findUser(caller.userId);
      if (user === undefined) throw new Error('the caller has no account');
      const owner = user.owner_id === null ? undefined : await store.findUser(user.owner_id);
      return {
        ...memberShape(user, owner, { clientGravatar: false, includeProfile: true }),
        short_name: user.short_name,
        pointer: user.pointer,
        max_message_id: (await store.findNewestHeldId(user.id)) ?? -1,
        client_id: crypto.randomUUID(),
      };
    },
    async listMembers(options) {
      const users = await store.listUsers();
      return users.map((user) => memberShape(user, ownerIn(users, user), options));
    },
    ...signIn(store, context),
    ...creation(store, context),
  };
}
