/**
 * What the service knows an account by. Its address may be changed on another computer: this follows it there. Its key
 * ends when the password is changed here, which brings another one.
 */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import type { Api, Credentials } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import { createApiAt } from '../transport/api.ts';
import type { Clock, Http } from '../ports.ts';
import { findPerson } from './state/people.ts';

export interface OwnCredentials extends Credentials {
  /** The account has another address now. */
  readonly follow: (email: string) => void;
  /** After a refusal: whether what was used is the reason, and something else is known now. */
  readonly hasMoved: (used: Credentials) => Promise<boolean>;
  /** Makes a call after which the key may be another one: who is refused meanwhile waits for what it answers. */
  readonly renewing: <T extends { readonly api_key?: string | undefined }>(
    endpoint: AnyEndpoint,
    call: Promise<ApiOutcome<T>>,
  ) => Promise<ApiOutcome<T>>;
}

export interface OwnCredentialParts {
  readonly http: Http;
  readonly clock: Clock;
  readonly account: Account;
  /** Where its service is now. */
  readonly serverAddress: { readonly address: string };
  readonly key: string;
  /** Told the new address, to keep it. */
  readonly moved: (email: string) => void;
  /** Told the new key, to keep it. */
  readonly rekeyed: (key: string) => void;
}

/** By its number the service knows an account whatever its address is. */
const lastingOf = ({ userId }: Account, key: () => string): Credentials => ({
  email: String(userId),
  get key() {
    return key();
  },
});

export function createOwnCredentials(parts: OwnCredentialParts): OwnCredentials {
  const { http, clock, account, serverAddress, moved, rekeyed } = parts;
  let { key } = parts;
  let { email } = account;
  let asking: Promise<void> | undefined;
  let renewal: Promise<unknown> | undefined;
  /** The account's one key was replaced: it is the one to use where that was used here. */
  let replacement: string | undefined;
  const follow = (next: string): void => {
    if (next === email) return;
    email = next;
    moved(next);
  };
  const take = (next: string): void => {
    if (next === key) return;
    key = next;
    rekeyed(next);
  };
  const lasting = lastingOf(account, () => key);
  const api = createApiAt(serverAddress, { http, clock, credentials: lasting });
  const ask = async (): Promise<void> => {
    const profile = await api.call(endpoints.users.me, {});
    if (profile.ok) follow(profile.value.email);
  };
  return {
    get key() {
      return key;
    },
    get email() {
      return email;
    },
    follow,
    hasMoved: async (used) => {
      await renewal;
      if (used.key !== key) return true;
      if (used.email === email) {
        await (asking ??= ask().finally(() => {
          asking = undefined;
        }));
      }
      if (used.email !== email) return true;
      if (replacement === undefined) return false;
      take(replacement);
      replacement = undefined;
      return true;
    },
    renewing: async (endpoint, call) => {
      renewal = call;
      const outcome = await call;
      renewal = undefined;
      const next = outcome.ok ? outcome.value.api_key : undefined;
      if (next === undefined) return outcome;
      if (endpoint === endpoints.settings.update) take(next);
      else replacement = next;
      return outcome;
    },
  };
}

const renewsKey = (endpoint: AnyEndpoint): boolean =>
  endpoint === endpoints.settings.update || endpoint === endpoints.userAdmin.regenerateKey;

/** The same calls; one that was refused because of an address or a key of before is made once more, with that of now. */
export function followingAddress(api: Api, credentials: OwnCredentials): Api {
  async function again<T>(run: () => Promise<ApiOutcome<T>>): Promise<ApiOutcome<T>> {
    const { email, key } = credentials;
    const outcome = await run();
    if (outcome.ok || outcome.failure.code !== 'INVALID_API_KEY') return outcome;
    return (await credentials.hasMoved({ email, key })) ? run() : outcome;
  }
  return {
    ...api,
    call: (endpoint, args, options) => {
      const run = (): ReturnType<typeof api.call<typeof endpoint>> =>
        api.call(endpoint, args, options);
      return renewsKey(endpoint) ? credentials.renewing(endpoint, run()) : again(run);
    },
    stream: (position, options) => again(() => api.stream(position, options)),
    upload: (endpoint, args, file, options) =>
      again(() => api.upload(endpoint, args, file, options)),
  };
}

/** Tells when the account's own address is another one than in the state before. */
export function watchOwnAddress(
  ownUserId: number,
  changed: (email: string) => void,
): (changes: Partial<Pick<ClientState, 'people'>>) => void {
  let email: string | undefined;
  return ({ people }) => {
    const next = people && findPerson(people, ownUserId)?.email;
    if (next === undefined || next === email) return;
    // What was kept of an earlier run may be older than what the account is known by.
    const isFirst = email === undefined;
    email = next;
    if (!isFirst) changed(next);
  };
}
