/** What an account is once the key of its office is stolen (API decisions 15.16). */
import type { Account } from '#shared/bridge/models/client.ts';
import type { NextKeyAddress } from '../session/restore-watch.ts';
import { withAddress } from './known-addresses.ts';

/** An office has another one with every recovery code. */
const MAX_SUCCESSORS = 8;

/** By any of these the office of an account may be heard of. */
export const fingerprintsOf = (account: Account | undefined): readonly string[] =>
  account?.pin === undefined ? [] : [account.pin, ...(account.successors ?? [])];

/** Those of before stay: whoever has stolen the key can tell of others, and take none away. */
export function withNextKey(account: Account, pin: string): Account {
  const { successors = [], revoked = [] } = account;
  const isKnown = successors.includes(pin) || revoked.includes(pin) || pin === account.pin;
  if (account.pin === undefined || isKnown || successors.length >= MAX_SUCCESSORS) return account;
  return { ...account, successors: [...successors, pin] };
}

/** The account by the other key; as it is where that is none of its office. */
export function withNextKeyInUse(
  account: Account,
  pin: string,
  { address, epoch }: NextKeyAddress,
): Account {
  const { pin: before, successors = [], revoked = [], epoch: _, ...rest } = account;
  if (before === undefined || !successors.includes(pin)) return account;
  const next = { ...rest, pin, revoked: [...revoked, before], ...(epoch && { epoch }) };
  return withAddress(next, address);
}

/** What is known of an account, when the same person signs in to whoever answers at its address now. */
export const signedInAgain = (known: Account, { pin, address }: Account): Account =>
  pin === undefined || pin === known.pin
    ? known
    : withNextKeyInUse(known, pin, { address, epoch: undefined });

/** What is known of an office beyond what somebody who signs in again has just seen. */
export function withKnownIdentity(account: Account, known: Account): Account {
  const { epoch, successors, revoked } = known;
  return {
    ...account,
    ...(epoch && { epoch }),
    ...(successors && { successors }),
    ...(revoked && { revoked }),
  };
}
