import { expect, test } from 'vitest';
import type { Account } from '#shared/bridge/models/client.ts';
import {
  metAgain,
  pinsOf,
  remembering,
  succeededBy,
  succeedingBy,
} from '#client/accounts/next-identity-keys.ts';

const address = 'https://10.0.0.1:9981';
const epoch = { n: 9, id: 'ab'.repeat(16), parent: '', signature: null };
const account: Account = {
  ...{ id: 'a', address, realmName: 'Office', email: 'ada@example.com', fullName: 'Ada' },
  ...{ userId: 1, isHosted: false, pin: 'old', epoch: { ...epoch, n: 99 } },
};

test('whoever has stolen the key can tell of further successors, and take none away', () => {
  const first = succeedingBy(account, 'next');
  const names = Array.from({ length: 20 }, (_, index) => `thief ${String(index)}`);
  const told = names.reduce(succeedingBy, first);
  expect(told.successors?.[0]).toBe('next');
  expect(told.successors).toHaveLength(8);
  expect(succeedingBy(first, 'next')).toBe(first);
  expect(pinsOf(first)).toEqual(['old', 'next']);
});

test('with its successor the office begins anew: other pin, other epochs, the old pin refused', () => {
  const known = succeedingBy(account, 'next');
  const there = { address: 'https://10.0.0.2:9981', epoch };
  expect(succeededBy(known, 'stranger', there)).toBe(known);
  const next = succeededBy(known, 'next', there);
  expect(next).toEqual({
    ...account,
    ...{ pin: 'next', revoked: ['old'], epoch, address: there.address, addresses: [address] },
  });
  // Neither comes the old one back as a successor, nor is it forgotten by signing in.
  expect(succeedingBy(next, 'old')).toBe(next);
  expect(remembering({ ...account, pin: 'next' }, next)).toMatchObject({ revoked: ['old'], epoch });
});

test('whoever signs in again where the successor answers has the account of before', () => {
  const known = succeedingBy(account, 'next');
  expect(metAgain(known, account)).toBe(known);
  expect(metAgain(known, { ...account, pin: 'next' })).toMatchObject({
    ...{ id: 'a', pin: 'next', revoked: ['old'] },
  });
  expect(metAgain(known, { ...account, pin: 'stranger' })).toBe(known);
});
