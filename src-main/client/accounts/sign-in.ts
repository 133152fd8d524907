/** The way from what a person typed to an account and its key. */
import type { z } from 'zod';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type {
  Account,
  ConnectRequest,
  HostRequest,
  PasswordLinkRequest,
} from '#shared/bridge/models/client.ts';
import type { Failure, Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { originsFor } from '../transport/address.ts';
import type { Api, Credentials } from '../transport/api.ts';
import type { ApiFailure, ApiOutcome } from '../transport/answers.ts';
import { createApi, isWrongServer } from '../transport/api.ts';
import { refusal } from '../transport/answers.ts';
import type { Clock, DeviceName, Http, HttpFetchFile, ServerIdentityPort } from '../ports.ts';
import { fingerprintFor, pinnedFetch, pinnedHttp } from './server-identity.ts';
import { checkEmail, checkPassword } from '../session/form-checks.ts';
import { randomUuid } from '../outbox/uuid.ts';
import { withKnownAddresses } from './known-addresses.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** Somebody waits in front of the form, and several addresses may have to be tried. */
const PROBE_LIMIT_MS = 10_000;

export interface Network {
  readonly http: Http;
  readonly fetchFile?: HttpFetchFile;
  readonly clock: Clock;
  readonly serverIdentity?: ServerIdentityPort;
  /** The fingerprint of the office that an account of this computer has at an address. */
  readonly knownFingerprint?: (address: string) => string | undefined;
  /** Fingerprints by which that office goes on once its key is stolen. */
  readonly nextKeysAt?: (address: string) => readonly string[];
  /** Whether an office that an account here had is in other hands now. */
  readonly isRevoked?: (pin: string) => boolean;
  readonly device?: DeviceName;
}

type Settings = z.infer<typeof endpoints.server.settings.result>;

export interface FoundService {
  readonly address: string;
  /** The office's; null where only the system vouches for it, and where nobody has to. */
  readonly pin: string | null;
  /** Where else it may be, as somebody said. */
  readonly addresses?: readonly string[];
  readonly settings: Settings;
}

export interface JoinedAccount {
  readonly account: Account;
  readonly key: string;
}

/** Signs in to an organization that exists. */
export async function joinOrganization(
  network: Network,
  request: ConnectRequest,
): Promise<Outcome<JoinedAccount>> {
  const checked = checkEmail(request.email);
  if (!checked.ok) return checked;
  const found = await findService(network, request.address, request.words);
  if (!found.ok) return found;
  const there = networkOf(network, found.value);
  const credentials = await exchangePassword(there, found.value, request);
  return credentials.ok ? openProfile(there, found.value, credentials.value, false) : credentials;
}

/** Chooses a new password by a link, and signs in with it. */
export async function joinByPasswordLink(
  network: Network,
  { address, token, password, words }: PasswordLinkRequest,
): Promise<Outcome<JoinedAccount>> {
  const checked = checkPassword(password);
  if (!checked.ok) return checked;
  const found = await findService(network, address, words);
  if (!found.ok) return found;
  const there = networkOf(network, found.value);
  const api = createApi({ ...there, address: found.value.address });
  const used = await api.call(endpoints.passwordLinks.use, { token, newPassword: password });
  if (!used.ok) return linkRefusal(used.failure);
  const { email } = used.value;
  const credentials = await exchangePassword(there, found.value, { address, email, password });
  return credentials.ok ? openProfile(there, found.value, credentials.value, false) : credentials;
}

function linkRefusal(refused: ApiFailure): Outcome<never> {
  if (refused.code !== 'LINK_NOT_VALID') return passwordRefusal(refused);
  return failure(refused.code, clientWords('password_link_ended'));
}

/** Whatever the service has against a new password belongs beside its field. */
const passwordRefusal = (refused: ApiFailure): Outcome<never> =>
  refused.code === 'BAD_REQUEST' || refused.code === 'REQUEST_VARIABLE_INVALID'
    ? refusal({ ...refused, argument: 'password' })
    : refusal(refused);

/** Creates the organization of the service at an address and signs in as its administrator. */
export async function createOrganization(
  network: Network,
  address: string,
  request: HostRequest,
): Promise<Outcome<JoinedAccount>> {
  const found = await probe(network, address);
  if (!found.ok) return found;
  const { realm_name: existing } = found.value.settings;
  if (existing !== undefined) {
    const told = clientWords('organization_hosted_here', { organization: existing, address });
    return failure('ORGANIZATION_EXISTS', told);
  }
  const created = await createApi({ ...network, address }).call(
    endpoints.server.createOrganization,
    {
      realmName: request.realmName.trim(),
      fullName: request.fullName.trim(),
      email: request.email.trim(),
      password: request.password,
      ...(request.setupCode === undefined ? {} : { setupCode: request.setupCode.trim() }),
    },
  );
  if (!created.ok) return refusal(created.failure);
  const { email, api_key: key } = created.value;
  const own = await createApi({ ...network, address }).call(endpoints.devices.signIn, {
    username: email,
    password: request.password,
    ...network.device,
  });
  // What was answered is the account's one key, which stays for other programs.
  const credentials = { email, key: own.ok ? own.value.api_key : key };
  const settings = { ...found.value.settings, realm_name: request.realmName.trim() };
  return openProfile(network, { address, settings, pin: null }, credentials, true);
}

export const networkOf = (network: Network, { pin }: FoundService): Network =>
  pin === null
    ? network
    : {
        ...network,
        http: pinnedHttp(network.http, pin),
        ...(network.fetchFile && { fetchFile: pinnedFetch(network.fetchFile, pin) }),
      };

export async function findService(
  network: Network,
  typed: string,
  words: string | undefined,
): Promise<Outcome<FoundService>> {
  const origins = originsFor(typed);
  if (!origins.ok) return origins;
  const nothing = clientWords('nothing_answers', { address: placesOf(origins.value) });
  let best = failure('UNREACHABLE', nothing, 'address');
  for (const address of origins.value) {
    const found = await identifyServer(network, address, words);
    if (found.ok || isAboutWords(found.failure)) return found;
    // An answer of the wrong kind says more than no answer.
    if (found.failure.code !== 'UNREACHABLE') best = found;
  }
  return best;
}

/** They are asked for, or were wrong: another address would be another organization. */
export const isAboutWords = ({ code }: Failure): boolean =>
  code === 'WORDS_NEEDED' || code === 'WRONG_WORDS';

/** As a sentence names them: one or the other. */
export const placesOf = (origins: readonly string[]): string =>
  [origins.slice(0, -1).join(', '), ...origins.slice(-1)]
    .filter((place) => place !== '')
    .join(' or ');

/** Looked at before it is asked anything. */
export async function identifyServer(
  network: Network,
  address: string,
  words: string | undefined,
): Promise<Outcome<FoundService>> {
  const { serverIdentity, clock, knownFingerprint, isRevoked } = network;
  const known = { clock, knownFingerprint: knownFingerprint?.(address), words };
  const trust = { ...known, isRevoked, ...(serverIdentity && { serverIdentity }) };
  const pin = await fingerprintFor(trust, address);
  if (!pin.ok) return pin;
  if (pin.value === null) return probe(network, address);
  const found = await pinned(network, address, pin.value);
  if (found.ok || found.failure.code !== 'OTHER_OFFICE') return found;
  for (const successor of network.nextKeysAt?.(address) ?? []) {
    const next = await pinned(network, address, successor);
    if (next.ok) return next;
  }
  return found;
}

async function pinned(
  network: Network,
  address: string,
  pin: string,
): Promise<Outcome<FoundService>> {
  const found = await probe({ ...network, http: pinnedHttp(network.http, pin) }, address);
  return found.ok ? success({ ...found.value, pin }) : found;
}

async function probe(network: Network, address: string): Promise<Outcome<FoundService>> {
  const api = createApi({ ...network, address });
  const settings = await api.call(endpoints.server.settings, {}, { limitMs: PROBE_LIMIT_MS });
  if (settings.ok) return success({ address, settings: settings.value, pin: null });
  const { code } = settings.failure;
  if (isWrongServer(settings.failure)) {
    return failure('OTHER_OFFICE', settings.failure, 'address');
  }
  if (code === 'UNREACHABLE') {
    return failure(code, clientWords('nothing_answers', { address }), 'address');
  }
  if (code === 'BAD_ANSWER' || code === 'NOT_FOUND') {
    return failure('NOT_HEARTH', clientWords('not_a_service', { address }), 'address');
  }
  return refusal(settings.failure);
}

export async function exchangePassword(
  network: Network,
  { address, settings }: FoundService,
  request: ConnectRequest,
): Promise<Outcome<Credentials>> {
  const { email, password } = request;
  if (settings.realm_name === undefined) {
    return failure('NO_ORGANIZATION', clientWords('organization_missing', { address }), 'address');
  }
  const username = email.trim();
  const isWithoutPassword = password === '' && settings.authentication_methods['dev'] === true;
  if (password === '' && !isWithoutPassword) {
    return failure('BAD_REQUEST', clientWords('password_missing'), 'password');
  }
  const key = await signInDevice(
    network,
    address,
    isWithoutPassword ? { username } : { username, password },
  );
  if (!key.ok) return signInRefusal(key.failure, isWithoutPassword);
  const credentials = { email: key.value.email, key: key.value.api_key };
  return key.value.must_choose_password === true
    ? choosePassword(createApi({ ...network, address, credentials }), credentials, request)
    : success(credentials);
}

/** Whoever was given a password begins with one that only they know. */
async function choosePassword(
  api: Api,
  credentials: Credentials,
  { password, newPassword }: ConnectRequest,
): Promise<Outcome<Credentials>> {
  const chosen = await setPassword(api, password, newPassword);
  if (chosen.ok) return success({ ...credentials, key: chosen.value ?? credentials.key });
  // Nothing is kept of this sign-in: the next one is another device.
  await api.call(endpoints.devices.endCurrent, {});
  return chosen;
}

/** Answers the new key of the device. */
async function setPassword(
  api: Api,
  oldPassword: string,
  newPassword: string | undefined,
): Promise<Outcome<string | undefined>> {
  if (newPassword === undefined) {
    return failure('PASSWORD_GIVEN', clientWords('own_password_first'));
  }
  const checked = checkPassword(newPassword);
  if (!checked.ok) return checked;
  const changed = await api.call(endpoints.settings.update, { oldPassword, newPassword });
  return changed.ok ? success(changed.value.api_key) : passwordRefusal(changed.failure);
}

interface PasswordOf {
  readonly username: string;
  /** Absent on a development service. */
  readonly password?: string;
}

interface KeyAnswer {
  readonly api_key: string;
  readonly email: string;
  readonly must_choose_password?: boolean;
}

/** A key for this device alone; a service of before has one key for each account. */
async function signInDevice(
  { device, ...network }: Network,
  address: string,
  { username, password }: PasswordOf,
): Promise<ApiOutcome<KeyAnswer>> {
  const api = createApi({ ...network, address });
  const asked = password === undefined ? { username } : { username, password };
  const own = await api.call(endpoints.devices.signIn, { ...asked, ...device });
  if (own.ok || own.failure.code !== 'NOT_FOUND') return own;
  return password === undefined
    ? api.call(endpoints.users.devFetchApiKey, { username })
    : api.call(endpoints.users.fetchApiKey, { username, password });
}

function signInRefusal(refused: ApiFailure, isWithoutPassword: boolean): Outcome<never> {
  if (refused.code !== 'AUTHENTICATION_FAILED') return refusal(refused);
  if (isWithoutPassword) {
    return failure(refused.code, clientWords('sign_in_email_unknown'), 'email');
  }
  // The service's own sentence says more about other reasons, such as a deactivated account.
  return refused.reason === undefined || refused.reason === 'incorrect_creds'
    ? failure(refused.code, clientWords('password_wrong'), 'password')
    : refusal(refused);
}

export async function openProfile(
  network: Network,
  { address, settings, pin, addresses = [] }: FoundService,
  credentials: Credentials,
  isHosted: boolean,
): Promise<Outcome<JoinedAccount>> {
  const api = createApi({ ...network, address, credentials });
  const profile = await api.call(endpoints.users.me, {});
  if (!profile.ok) return refusal(profile.failure);
  const { user_id: userId, full_name: fullName, email } = profile.value;
  const account: Account = {
    // Without a fingerprint nothing but the address tells one organization from another.
    id: pin === null ? `${userId}@${address}` : randomUuid(),
    address,
    realmName: settings.realm_name ?? '',
    email,
    fullName,
    userId,
    isHosted,
    ...(pin === null ? {} : { pin }),
  };
  return success({ account: withKnownAddresses(account, addresses), key: credentials.key });
}
