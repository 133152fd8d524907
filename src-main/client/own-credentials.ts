/** What the service knows an account by. Its address may be changed on another computer: this follows it there. */
import { api as endpoints } from '../contract/api/index.ts';
import type { ClientState } from '../contract/models/client-state.ts';
import type { Account } from '../contract/models/client.ts';
import type { Api, ApiOutcome, Credentials } from './api.ts';
import { createApi } from './api.ts';
import type { Clock, Http } from './ports.ts';
import { findPerson } from './state/people.ts';

export interface OwnCredentials extends Credentials {
  /** The account has another address now. */
  readonly follow: (email: string) => void;
  /** After a refusal: whether the address that was used is the reason, and another one is known now. */
  readonly hasMoved: (used: string) => Promise<boolean>;
}

export interface OwnCredentialParts {
  readonly http: Http;
  readonly clock: Clock;
  readonly account: Account;
  readonly key: string;
  /** Told the new address, to keep it. */
  readonly moved: (email: string) => void;
}

export function createOwnCredentials(parts: OwnCredentialParts): OwnCredentials {
  const { http, clock, account, key, moved } = parts;
  let { email } = account;
  let asking: Promise<void> | undefined;
  const follow = (next: string): void => {
    if (next === email) return;
    email = next;
    moved(next);
  };
  // By its number the service knows an account whatever its address is.
  const lasting = { email: String(account.userId), key };
  const api = createApi({ http, clock, address: account.address, credentials: lasting });
  const ask = async (): Promise<void> => {
    const profile = await api.call(endpoints.users.me, {});
    if (profile.ok) follow(profile.value.email);
  };
  return {
    key,
    get email() {
      return email;
    },
    follow,
    hasMoved: async (used) => {
      if (used === email) {
        await (asking ??= ask().finally(() => {
          asking = undefined;
        }));
      }
      return used !== email;
    },
  };
}

/** The same calls; one that was refused because of an address of before is made once more, with that of now. */
export function followingAddress(api: Api, credentials: OwnCredentials): Api {
  async function again<T>(run: () => Promise<ApiOutcome<T>>): Promise<ApiOutcome<T>> {
    const used = credentials.email;
    const outcome = await run();
    if (outcome.ok || outcome.failure.code !== 'INVALID_API_KEY') return outcome;
    return (await credentials.hasMoved(used)) ? run() : outcome;
  }
  return {
    ...api,
    call: (endpoint, args, options) => again(() => api.call(endpoint, args, options)),
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
