import type * as keytarTypes from 'keytar';
import type { KeyStore } from '#client/ports.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { systemWords } from '#shared/i18n/system-words.ts';

/** Where the hosted service's secret is kept, beside the API keys. */
export const HOST_SECRET = 'host-secret';
/** The same of the office's key (`node/tls/server-identity.ts`). */
export const IDENTITY_KEY = 'office-key';
/** The recovery code, until somebody has typed it once again and so has it. */
export const RECOVERY_CODE = 'recovery-code';

/** The operating system keeps no secrets for us now. */
export class KeychainError extends ExplainedError {
  override readonly name = 'KeychainError';
  readonly code = 'NO_KEYCHAIN';
}

const causes: Readonly<Partial<Record<NodeJS.Platform, Parameters<typeof systemWords>[0]>>> = {
  linux: 'keychain_linux',
  darwin: 'keychain_macos',
  win32: 'keychain_windows',
};

/**
 * The name under which this profile's secrets are filed. Each profile has its own, because two of them may hold
 * the same user id at the same loopback address.
 */
export const keychainService = (profileDir: string, defaultProfileDir: string): string =>
  profileDir === defaultProfileDir ? 'Hearth' : `Hearth ${profileDir}`;

/** @throws KeychainError, from every operation, where the system has no keychain or keeps it locked */
export function createKeychain(service: string): KeyStore {
  return {
    find: (account) =>
      ask(async (keytar) => (await keytar.getPassword(service, account)) ?? undefined),
    save: (account, secret) => ask((keytar) => keytar.setPassword(service, account, secret)),
    remove: (account) =>
      ask(async (keytar) => {
        await keytar.deletePassword(service, account);
      }),
  };
}

/** Asks for these secrets now, because the keychain takes its time; who wants one of them first gets that answer. */
export function prefetchSecret(keys: KeyStore, accounts: readonly string[]): KeyStore {
  const asked = new Map(accounts.map((account) => [account, keys.find(account)]));
  // Whoever wants it hears of a failure.
  for (const answer of asked.values()) answer.catch(() => undefined);

  function take(account: string): Promise<string | undefined> | undefined {
    const answer = asked.get(account);
    asked.delete(account);
    return answer;
  }

  return {
    find: (account) => take(account) ?? keys.find(account),
    save: (account, secret) => {
      void take(account);
      return keys.save(account, secret);
    },
    remove: (account) => {
      void take(account);
      return keys.remove(account);
    },
  };
}

type Keytar = Pick<typeof keytarTypes, 'getPassword' | 'setPassword' | 'deletePassword'>;

async function ask<T>(question: (keytar: Keytar) => Promise<T>): Promise<T> {
  try {
    // Loaded on use: where its system library is missing, the window still has to open and say so.
    const { default: keytar } = (await import('keytar')) as unknown as { readonly default: Keytar };
    return await question(keytar);
  } catch (cause) {
    throw new KeychainError(systemWords(causes[process.platform] ?? 'keychain_missing'), { cause });
  }
}
