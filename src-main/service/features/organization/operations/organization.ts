/** The organization itself: creating it, seeding a development one, what it tells before sign-in. */
import { refusal } from '#shared/api/refusal.ts';
import type { ActionSource, Distance } from '#service/core/ports/handlers.ts';
import type { Role } from '#shared/policies/actor.ts';
import type { ResultOf } from '#shared/api/endpoint.ts';
import type { api } from '#shared/api/endpoints/index.ts';
import type { NewRealm, NewStream, RealmRow, Store } from '#service/db/port.ts';
import { renderDescription } from '#service/markdown/render.ts';
import { restoredFrom } from '#service/core/callers.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import {
  authenticationMethodsOf,
  COMPATIBLE_VERSION,
} from '#service/core/rules/organization-defaults.ts';
import { auditEntryMaker } from '../rules/audit.ts';
import { mayAsk } from '#service/features/people/rules/join-requests.ts';
import { fold } from '#shared/text/fold.ts';
import {
  checkEmail,
  checkFullName,
  checkPassword,
  checkRealmName,
} from '#service/core/rules/names.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { streamColors } from '#service/features/streams/rules/stream-colors.ts';
import { signedNextHost } from './migration.ts';
import type { KeyGrant } from '#service/features/people/operations/users.ts';

export type ServerSettings = ResultOf<typeof api.server.settings>;

export interface OrganizationRequest {
  readonly realmName: string;
  readonly fullName: string;
  readonly email: string;
  readonly password: string;
  readonly setupCode: string | undefined;
}

export interface OrganizationOperations {
  readonly getServerSettings: (caller: {
    /** Scheme, host and port under which the caller reaches the service. */
    readonly origin: string;
    readonly isLocal: boolean;
    readonly distance: Distance;
  }) => Promise<ServerSettings>;
  /**
   * Creates the organization, its administrator and the stream `general`.
   * @param source  `isLocal`: whoever asks sits at the computer of the service and needs no setup code
   * @throws BAD_REQUEST for a bad name, address or password, without a setup code that is needed, and when there is an
   *   organization already; REQUEST_VARIABLE_INVALID for a wrong setup code
   */
  readonly createOrganization: (
    source: ActionSource & { readonly isLocal: boolean },
    request: OrganizationRequest,
  ) => Promise<KeyGrant>;
  /** Into an empty store: the organization that architecture 2 describes for `--dev`. */
  readonly seedDevelopment: () => Promise<void>;
}

interface SeedAccount {
  readonly email: string;
  readonly fullName: string;
  readonly role: Role;
  readonly botType: number | null;
  readonly owner: number | null;
}

const GENERAL = 'For everybody and everything';

const developmentAccounts: readonly SeedAccount[] = [
  { email: 'ada@example.com', fullName: 'Ada Admin', role: 'admin', botType: null, owner: null },
  { email: 'ben@example.com', fullName: 'Ben Member', role: 'member', botType: null, owner: null },
  {
    email: 'cleo@example.com',
    fullName: 'Cleo Member',
    role: 'member',
    botType: null,
    owner: null,
  },
  { email: 'gus@example.com', fullName: 'Gus Guest', role: 'guest', botType: null, owner: null },
  { email: 'hook-bot@example.com', fullName: 'Hook Bot', role: 'member', botType: 2, owner: 1 },
  { email: 'echo-bot@example.com', fullName: 'Echo Bot', role: 'member', botType: 1, owner: 0 },
];

interface Drafts {
  readonly account: (
    seed: SeedAccount,
    passwordHash: string | null,
  ) => NewRealm['accounts'][number];
  readonly stream: (name: string, description: string, isPrivate?: boolean) => NewStream;
}

const draftsOf = ({ credentials, nowSeconds }: DomainContext): Drafts => ({
  account: (seed, passwordHash) => ({
    ...seed,
    emailKey: fold(seed.email),
    fullNameKey: fold(seed.fullName),
    shortName: seed.email.split('@')[0] ?? seed.email,
    passwordHash,
    isPasswordGiven: 0,
    gravatarHash: credentials.gravatarHash(seed.email),
    joinedAt: nowSeconds(),
  }),
  stream: (name, description, isPrivate = false) => ({
    name,
    nameKey: fold(name),
    description,
    renderedDescription: renderDescription(description),
    isPrivate,
    isAnnouncementOnly: false,
    isHistoryPublic: !isPrivate,
    isDefault: name === 'general',
    creatorId: null,
    createdAt: nowSeconds(),
  }),
});

function developmentRealm(drafts: Drafts, createdAt: number): NewRealm {
  const everybody = developmentAccounts.map((_, index) => index);
  return {
    name: 'Dev',
    createdAt,
    accounts: developmentAccounts.map((seed) => drafts.account(seed, null)),
    streams: [
      { stream: drafts.stream('general', GENERAL), members: everybody },
      { stream: drafts.stream('engineering', 'How we build it'), members: [0, 1] },
      { stream: drafts.stream('leads', 'Plans', true), members: [0, 1] },
    ],
    palette: streamColors,
    entries: () => [],
  };
}

/** Whoever comes first owns the organization. @throws BAD_REQUEST, REQUEST_VARIABLE_INVALID unless it is somebody who may see the service start */
function checkSetup(
  { setupCode }: DomainContext,
  given: string | undefined,
  isLocal: boolean,
): void {
  if (given === undefined || given.trim() === '') {
    if (isLocal) return;
    throw refusal('setup_code_missing');
  }
  const verdict = setupCode.take(given);
  if (verdict === 'right') return;
  throw refusal(
    verdict === 'wrong' ? 'setup_code_wrong' : 'setup_code_ended',
    {},
    { var_name: 'setup_code', bad_value: given.slice(0, 200) },
  );
}

function creation(
  store: Store,
  context: DomainContext,
): Omit<OrganizationOperations, 'getServerSettings'> {
  const { apiKeys, passwords } = context.credentials;
  const keyHashOf = (id: number): string => apiKeys.hash(apiKeys.derive(id, 1));
  const drafts = draftsOf(context);

  return {
    async createOrganization(source, request) {
      if ((await store.findRealm()) === undefined)
        checkSetup(context, request.setupCode, source.isLocal);
      const email = checkEmail(request.email);
      const name = checkRealmName(request.realmName);
      const fullName = checkFullName(request.fullName);
      const passwordHash = await passwords.hash(checkPassword(request.password));
      const seed: SeedAccount = { email, fullName, role: 'admin', botType: null, owner: null };
      const note = auditEntryMaker(context, source);
      const [id] = await store.createRealm(
        {
          name,
          createdAt: context.nowSeconds(),
          accounts: [drafts.account(seed, passwordHash)],
          streams: [{ stream: drafts.stream('general', GENERAL), members: [0] }],
          palette: streamColors,
          entries: ([actorId]) =>
            actorId === undefined
              ? []
              : [note('organization_created', { actorId, details: { name } })],
        },
        keyHashOf,
      );
      return { api_key: apiKeys.derive(id ?? 0, 1), email };
    },
    async seedDevelopment() {
      if ((await store.findRealm()) !== undefined) return;
      await store.createRealm(developmentRealm(drafts, context.nowSeconds()), keyHashOf);
    },
  };
}

const takesRequests = (realm: RealmRow, distance: Distance): boolean =>
  realm.is_deactivated === 0 &&
  restoredFrom(realm) === undefined &&
  mayAsk(realmSettings(realm), distance);

export function organizationOperations(
  store: Store,
  context: DomainContext,
): OrganizationOperations {
  return {
    async getServerSettings({ origin, isLocal, distance }) {
      const realm = await store.findRealm();
      const epoch = await store.findRestoreGeneration();
      const successor = signedNextHost(realm);
      const settings = {
        authentication_methods: authenticationMethodsOf(context.isDevelopment),
        chat_version: context.version,
        zulip_version: COMPATIBLE_VERSION,
        push_notifications_enabled: false,
        is_incompatible: false,
        email_auth_enabled: true,
        require_email_format_usernames: true,
        external_authentication_methods: [],
      };
      if (realm === undefined)
        return isLocal ? settings : { ...settings, setup_code_required: true };
      return {
        ...settings,
        realm_uri: origin,
        realm_name: realm.name,
        realm_icon: realmSettings(realm).icon_url,
        realm_description: renderDescription(realm.description),
        ...(takesRequests(realm, distance) ? { join_requests: true } : {}),
        ...(epoch && { epoch }),
        ...(successor && { successor: { ...successor, addresses: [...successor.addresses] } }),
      };
    },
    ...creation(store, context),
  };
}
