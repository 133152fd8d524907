/** The list of accounts as this computer keeps it, and the session that each has. */
import type { BridgeEvents } from '#shared/bridge/bridge.ts';
import type { Account, Connection } from '#shared/bridge/models/client.ts';
import { failure, type Outcome, success } from '#shared/bridge/outcome.ts';
import type { Emitter } from '../emitter.ts';
import type { ClientPorts } from '../ports.ts';
import type { Session } from '../session/session.ts';
import { withKeychain } from './keychain.ts';
import { isSameAccount, withKnownAddresses } from './known-addresses.ts';
import { signedInAgain, withKnownIdentity } from './next-identity-keys.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface Entry {
  readonly account: Account;
  /** Null where the keychain does not give it: then `connection` says why, and the session only reads. */
  readonly key: string | null;
  /** Null until it is opened. */
  readonly session: Session | null;
  readonly connection: Connection;
}

export const connecting: Connection = { state: 'connecting' };

export class AccountList {
  readonly #ports: Pick<ClientPorts, 'accounts' | 'keys'>;
  readonly #emit: Emitter<BridgeEvents>['emit'];
  readonly #entries = new Map<string, Entry>();
  #isLoaded = false;

  constructor(ports: Pick<ClientPorts, 'accounts' | 'keys'>, emit: Emitter<BridgeEvents>['emit']) {
    this.#ports = ports;
    this.#emit = emit;
  }

  /** A copy: what is changed meanwhile is not in it. */
  entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  accounts(): readonly Account[] {
    return this.entries().map(({ account }) => account);
  }

  find(accountId: string): Entry | undefined {
    return this.#entries.get(accountId);
  }

  /** In the place of the one that has its id. */
  set(entry: Entry): void {
    this.#entries.set(entry.account.id, entry);
  }

  delete(accountId: string): void {
    this.#entries.delete(accountId);
  }

  /** What was stored; once is enough. */
  async load(): Promise<Outcome<null>> {
    if (this.#isLoaded) return success(null);
    try {
      for (const account of await this.#ports.accounts.list()) {
        this.set({ account, key: null, session: null, connection: connecting });
      }
    } catch {
      return failure('NOT_STORED', clientWords('accounts_not_readable'));
    }
    this.#isLoaded = true;
    return success(null);
  }

  async save(accounts: readonly Account[] = this.accounts()): Promise<Outcome<null>> {
    try {
      await this.#ports.accounts.save(accounts);
      return success(null);
    } catch {
      return failure('NOT_STORED', clientWords('accounts_not_writable'));
    }
  }

  /** It goes on where the list cannot be written: the next start hears of it from the service again. */
  async alter(accountId: string, change: Partial<Account>): Promise<Outcome<null>> {
    const entry = this.find(accountId);
    if (entry === undefined) return success(null);
    const account = { ...entry.account, ...change };
    this.set({ ...entry, account });
    this.#emit('accountChanged', account);
    return this.save();
  }

  /** Where it cannot be kept this session goes on; the next start asks for the password. */
  async keepKey(accountId: string, key: string): Promise<void> {
    const entry = this.find(accountId);
    if (entry === undefined) return;
    this.set({ ...entry, key });
    await withKeychain(() => this.#ports.keys.save(accountId, key));
  }

  /**
   * By the id that it has here already: what is kept of it is filed under that, wherever its office is now. Another
   * account may be at that address by now.
   */
  named(account: Account): Account {
    const accounts = this.accounts();
    const before = accounts.find((each) => isSameAccount(each, account));
    const known = before && signedInAgain(before, account);
    let id = known?.id ?? account.id;
    while (accounts.some((each) => each !== before && each.id === id)) id = `${id}+`;
    if (known?.pin === undefined) return { ...account, id };
    const named = withKnownIdentity({ ...account, id }, known);
    const { address, addresses = [] } = known;
    return withKnownAddresses(named, [...(account.addresses ?? []), address, ...addresses]);
  }
}
