import { expect, test } from 'vitest';
import type { Account } from '#shared/bridge/models/client.ts';
import {
  signedInAgain,
  fingerprintsOf,
  withKnownIdentity,
  withNextKeyInUse,
  withNextKey,
} from '#client/accounts/next-identity-keys.ts';

const address = 'https://10.0.0.1:9981';
const epoch = { n: 9, id: 'ab'.repeat(16), parent: '', signature: null };
const account: Account = {
  ...{ id: 'a', address, realmName: 'Office', email: 'ada@example.com', fullName: 'Ada' },
  ...{ userId: 1, isHosted: false, pin: 'old', epoch: { ...epoch, n: 99 } },
};

test('whoever has stolen the key can tell of further successors, and take none away', () => {
  const first = withNextKey(account, 'next');
  const names = Array.from({ length: 20 }, (_, index) => `thief ${String(index)}`);
  const told = names.reduce(withNextKey, first);
  expect(told.successors?.[0]).toBe('next');
  expect(told.successors).toHaveLength(8);
  expect(withNextKey(first, 'next')).toBe(first);
  expect(fingerprintsOf(first)).toEqual(['old', 'next']);
});

test('with its successor the office begins anew: other pin, other epochs, the old pin refused', () => {
  const known = withNextKey(account, 'next');
  const there = { address: 'https://10.0.0.2:9981', epoch };
  expect(withNextKeyInUse(known, 'stranger', there)).toBe(known);
  const next = withNextKeyInUse(known, 'next', there);
  expect(next).toEqual({
    ...account,
    ...{ pin: 'next', revoked: ['old'], epoch, address: there.address, addresses: [address] },
  });
  // Neither comes the old one back as a next key, nor is it forgotten by signing in.
  expect(withNextKey(next, 'old')).toBe(next);
  expect(withKnownIdentity({ ...account, pin: 'next' }, next)).toMatchObject({
    revoked: ['old'],
    epoch,
  });
});

test('whoever signs in again where the successor answers has the account of before', () => {
  const known = withNextKey(account, 'next');
  expect(signedInAgain(known, account)).toBe(known);
  expect(signedInAgain(known, { ...account, pin: 'next' })).toMatchObject({
    ...{ id: 'a', pin: 'next', revoked: ['old'] },
  });
  expect(signedInAgain(known, { ...account, pin: 'stranger' })).toBe(known);
});
