/** The way from what a person typed to an account and its key. */
import type { z } from 'zod';
import { api as endpoints } from '../contract/api/index.ts';
import type { Account, ConnectRequest, HostRequest } from '../contract/models/client.ts';
import type { Outcome } from '../contract/outcome.ts';
import { failure, success } from '../contract/outcome.ts';
import { originsFor } from './address.ts';
import type { ApiFailure, Credentials } from './api.ts';
import { createApi, refusal } from './api.ts';
import type { Clock, Http } from './ports.ts';
import { checkEmail } from './request-rules.ts';

/** Somebody waits in front of the form, and several addresses may have to be tried. */
const PROBE_LIMIT_MS = 10_000;

interface Network {
  readonly http: Http;
  readonly clock: Clock;
}

type Settings = z.infer<typeof endpoints.server.settings.result>;

interface FoundService {
  readonly address: string;
  readonly settings: Settings;
}

export interface Joined {
  readonly account: Account;
  readonly key: string;
}

/** Signs in to an organization that exists. */
export async function joinOrganization(
  network: Network,
  request: ConnectRequest,
): Promise<Outcome<Joined>> {
  const checked = checkEmail(request.email);
  if (!checked.ok) return checked;
  const found = await findService(network, request.address);
  if (!found.ok) return found;
  const credentials = await exchangePassword(network, found.value, request);
  return credentials.ok ? openProfile(network, found.value, credentials.value, false) : credentials;
}

/** Creates the organization of the service at an address and signs in as its administrator. */
export async function createOrganization(
  network: Network,
  address: string,
  request: HostRequest,
): Promise<Outcome<Joined>> {
  const found = await probe(network, address);
  if (!found.ok) return found;
  const { realm_name: existing } = found.value.settings;
  if (existing !== undefined) {
    const sentence = `This computer hosts ${existing} already. Sign in to it at ${address} instead.`;
    return failure('ORGANIZATION_EXISTS', sentence);
  }
  const created = await createApi({ ...network, address }).call(
    endpoints.server.createOrganization,
    {
      realmName: request.realmName.trim(),
      fullName: request.fullName.trim(),
      email: request.email.trim(),
      password: request.password,
    },
  );
  if (!created.ok) return refusal(created.failure);
  const credentials = { email: created.value.email, key: created.value.api_key };
  const settings = { ...found.value.settings, realm_name: request.realmName.trim() };
  return openProfile(network, { address, settings }, credentials, true);
}

async function findService(network: Network, typed: string): Promise<Outcome<FoundService>> {
  const origins = originsFor(typed);
  if (!origins.ok) return origins;
  let best: Outcome<FoundService> | undefined;
  for (const address of origins.value) {
    const found = await probe(network, address);
    if (found.ok) return found;
    // An answer of the wrong kind says more than no answer.
    if (best === undefined || found.failure.code !== 'UNREACHABLE') best = found;
  }
  return best ?? failure('UNREACHABLE', 'Nothing answers there.', 'address');
}

async function probe(network: Network, address: string): Promise<Outcome<FoundService>> {
  const api = createApi({ ...network, address });
  const settings = await api.call(endpoints.server.settings, {}, { limitMs: PROBE_LIMIT_MS });
  if (settings.ok) return success({ address, settings: settings.value });
  const { code } = settings.failure;
  if (code === 'UNREACHABLE') {
    const sentence = `Nothing answers at ${address}. Check the address, and that the service runs.`;
    return failure(code, sentence, 'address');
  }
  if (code === 'BAD_ANSWER' || code === 'NOT_FOUND') {
    const sentence = `What answers at ${address} is not a Hearth service. Check the address.`;
    return failure('NOT_HEARTH', sentence, 'address');
  }
  return refusal(settings.failure);
}

async function exchangePassword(
  network: Network,
  { address, settings }: FoundService,
  { email, password }: ConnectRequest,
): Promise<Outcome<Credentials>> {
  if (settings.realm_name === undefined) {
    const sentence = `The service at ${address} has no organization yet. Create one on its computer.`;
    return failure('NO_ORGANIZATION', sentence, 'address');
  }
  const username = email.trim();
  const isWithoutPassword = password === '' && settings.authentication_methods['dev'] === true;
  if (password === '' && !isWithoutPassword) {
    return failure('BAD_REQUEST', 'Enter your password.', 'password');
  }
  const api = createApi({ ...network, address });
  const key = isWithoutPassword
    ? await api.call(endpoints.users.devFetchApiKey, { username })
    : await api.call(endpoints.users.fetchApiKey, { username, password });
  if (key.ok) return success({ email: key.value.email, key: key.value.api_key });
  return signInRefusal(key.failure, isWithoutPassword);
}

function signInRefusal(refused: ApiFailure, isWithoutPassword: boolean): Outcome<never> {
  if (refused.code !== 'AUTHENTICATION_FAILED') return refusal(refused);
  if (isWithoutPassword) {
    return failure(refused.code, 'No account here has this e-mail address.', 'email');
  }
  // Of the other reasons, such as a deactivated account, the service's own sentence says more.
  return refused.reason === undefined || refused.reason === 'incorrect_creds'
    ? failure(refused.code, 'The e-mail address or the password is wrong.', 'password')
    : refusal(refused);
}

async function openProfile(
  network: Network,
  { address, settings }: FoundService,
  credentials: Credentials,
  isHosted: boolean,
): Promise<Outcome<Joined>> {
  const api = createApi({ ...network, address, credentials });
  const profile = await api.call(endpoints.users.me, {});
  if (!profile.ok) return refusal(profile.failure);
  const { user_id: userId, full_name: fullName, email } = profile.value;
  const account: Account = {
    id: `${userId}@${address}`,
    address,
    realmName: settings.realm_name ?? '',
    email,
    fullName,
    userId,
    isHosted,
  };
  return success({ account, key: credentials.key });
}
