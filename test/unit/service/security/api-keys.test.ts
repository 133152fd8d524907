import { describe, expect, test } from 'vitest';
import { createApiKeys } from '#service/security/api-keys.ts';

const keys = createApiKeys(new Uint8Array(32).fill(1));
const others = createApiKeys(new Uint8Array(32).fill(2));

describe('a derived key', () => {
  test('a derived key is 32 letters and digits', () => {
    for (let userId = 1; userId <= 500; userId++) {
      expect(keys.derive(userId, 1)).toMatch(/^[A-Za-z0-9]{32}$/);
    }
  });

  test('a key is the same every time, and different for every account, generation and secret', () => {
    expect(keys.derive(1, 1)).toBe(keys.derive(1, 1));
    const all = [keys.derive(1, 1), keys.derive(2, 1), keys.derive(1, 2), others.derive(1, 1)];
    expect(new Set(all).size).toBe(4);
    expect(keys.derive(1, 11)).not.toBe(keys.derive(11, 1));
  });

  test('derived keys use every character equally often', () => {
    const counts = new Map<string, number>();
    const total = 4000;
    for (let userId = 1; userId <= total; userId++) {
      for (const letter of keys.derive(userId, 1)) {
        counts.set(letter, (counts.get(letter) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(62);
    const expected = (total * 32) / 62;
    const distances = [...counts.values()].map((count) => (count - expected) ** 2 / expected);
    // Chi-squared with 61 degrees of freedom: 100 is passed by chance once in a thousand secrets; taking a byte
    // modulo 62 without the rejection would give more than 900.
    expect(distances.reduce((sum, distance) => sum + distance, 0)).toBeLessThan(100);
  });
});

test('the hash of a key depends on the secret and shows nothing of the key [api-keys.hash-depends-secret]', () => {
  const key = keys.derive(1, 1);
  expect(keys.hash(key)).toMatch(/^[0-9a-f]{64}$/);
  expect(keys.hash(key)).toBe(keys.hash(key));
  expect(keys.hash(key)).not.toBe(others.hash(key));
  expect(keys.hash(key)).not.toContain(key);
});

test.each([
  ['', '', true],
  ['a', 'a', true],
  ['a', 'b', false],
  ['a', '', false],
  ['a', 'aa', false],
  ['é', 'é', true],
])('%j and %j are equal: %s', (a, b, isEqual) => {
  expect(keys.isEqual(a, b)).toBe(isEqual);
});

describe("an invitation's token", () => {
  test('a token names its invitation, and differs for every invitation, address and secret', () => {
    expect(keys.invitationToken(7, 'a@b.org')).toMatch(/^7-[A-Za-z0-9]{32}$/);
    expect(keys.invitationToken(7, 'a@b.org')).toBe(keys.invitationToken(7, 'a@b.org'));
    const all = [
      keys.invitationToken(7, 'a@b.org'),
      keys.invitationToken(8, 'a@b.org'),
      keys.invitationToken(7, 'c@b.org'),
      others.invitationToken(7, 'a@b.org'),
    ].map((token) => token.split('-')[1]);
    expect(new Set(all).size).toBe(4);
  });

  test('the token of an invitation is no API key', () => {
    expect(keys.invitationToken(1, '1')).not.toContain(keys.derive(1, 1));
  });
});
