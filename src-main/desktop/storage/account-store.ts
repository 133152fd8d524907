import type { AccountStore } from '#client/ports.ts';
import type { Log } from '#node/log.ts';
import { createProfileFile } from './profile-file.ts';

const loadCodec = async () => (await import('./account-codec.ts')).StoredAccounts;

export interface DesktopAccountStore extends AccountStore {
  /** Name of the file that a damaged list was moved to, once: asking clears it. */
  readonly takeDamaged: () => string | undefined;
}

/** The joined accounts in a file of the profile. */
export function createAccountStore(profileDir: string, log: Log): DesktopAccountStore {
  const file = createProfileFile(profileDir, 'accounts.json', loadCodec, { log });
  return {
    list: async () => (await file.read())?.accounts ?? [],
    save: (accounts) => file.write({ version: 1, accounts: [...accounts] }),
    takeDamaged: file.takeDamaged,
  };
}
