/** Where an office may be found: an account belongs to its fingerprint, and addresses come and go. */
import type { Account } from '#shared/bridge/models/client.ts';

/** An office has few; what was of use long ago goes first. */
const MAX_OTHERS = 12;

/** An office is spoken to over TLS alone, and a page or a path is no address. */
const isOrigin = (text: string): boolean =>
  text.startsWith('https://') && URL.canParse(text) && new URL(text).origin === text;

/** The account with these beside what was known; only one whose office is known by its fingerprint has any. */
export function withKnownAddresses(account: Account, addresses: readonly string[]): Account {
  const { addresses: before = [], ...rest } = account;
  if (account.pin === undefined) return rest;
  const all = new Set([...addresses.filter(isOrigin), ...before]);
  all.delete(account.address);
  return all.size === 0 ? rest : { ...rest, addresses: [...all].slice(0, MAX_OTHERS) };
}

/** The account once its office was found at another address; the one of before is the first to be tried again. */
export const withAddress = (account: Account, address: string): Account =>
  address === account.address
    ? account
    : withKnownAddresses({ ...account, address }, [account.address]);

/** Whether both are the same person of the same office. Where no fingerprint is known the address stands for it. */
export const isSameAccount = (one: Account, other: Account): boolean =>
  one.userId === other.userId &&
  (one.address === other.address || (one.pin !== undefined && one.pin === other.pin));
