import { hash as argon2id } from '@node-rs/argon2';
import { describe, expect, test } from 'vitest';
import { createPasswords } from '#service/security/passwords.ts';

const passwords = createPasswords();

describe('a hashed password', () => {
  test('the hash of a password is argon2id of at least 19 MiB, with its own salt [passwords.hash-argon2id-least]', async () => {
    const first = await passwords.hash('correct horse');
    const parameters = /^\$argon2id\$v=19\$m=(\d+),(?:t=2,p=1|p=1,t=2)\$/.exec(first);
    expect(Number(parameters?.[1])).toBeGreaterThanOrEqual(19 * 1024);
    expect(await passwords.hash('correct horse')).not.toBe(first);
  });

  test('the hash verifies its own password and no other', async () => {
    const hash = await passwords.hash('pässwörd 🔑');
    expect(await passwords.verify(hash, 'pässwörd 🔑')).toBe(true);
    for (const wrong of ['', 'pässwörd', 'pässwörd 🔑 ', 'PÄSSWÖRD 🔑']) {
      expect(await passwords.verify(hash, wrong)).toBe(false);
    }
  });

  test('the letters and blanks of another keyboard are the same, and no others', async () => {
    const [composed, decomposed] = ['한글 é \u212b', '한글 é \u212b'.normalize('NFD')];
    for (const set of [composed, decomposed]) {
      const hash = await passwords.hash(set);
      for (const typed of [composed, decomposed, composed.replaceAll(' ', '\u00a0')])
        expect(await passwords.verify(hash, typed)).toBe(true);
      expect(await passwords.verify(hash, '한글 e \u212b')).toBe(false);
    }
  });

  test.each(['NFC', 'NFD'] as const)(
    'a hash from before passwords were normalised, of %s, verifies in either form',
    async (form) => {
      const hash = await argon2id('pässwörd \u00a0é'.normalize(form));
      expect(await passwords.verify(hash, 'pässwörd \u00a0é'.normalize('NFC'))).toBe(true);
      expect(await passwords.verify(hash, 'pässwörd \u00a0é'.normalize('NFD'))).toBe(true);
    },
  );

  test('a password may be empty or very long', async () => {
    const long = 'x'.repeat(100_000);
    expect(await passwords.verify(await passwords.hash(long), long)).toBe(true);
    expect(await passwords.verify(await passwords.hash(''), '')).toBe(true);
  });
});

describe('no account', () => {
  test('a missing account never verifies', async () => {
    expect(await passwords.verify(null, '')).toBe(false);
    expect(await passwords.verify(null, 'correct horse')).toBe(false);
  });

  test('a missing account takes the work that an existing one takes [passwords.missing-account-work]', async () => {
    const hash = await passwords.hash('correct horse');
    // The processor's time: what else runs on this computer is none of it.
    const workOf = async (subject: string | null): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < 5; i++) {
        const before = process.cpuUsage();
        await passwords.verify(subject, 'wrong');
        const { user, system } = process.cpuUsage(before);
        times.push(user + system);
      }
      return Math.min(...times);
    };
    expect((await workOf(null)) / (await workOf(hash))).toBeGreaterThan(0.5);
  });
});

test('a burst of sign-ins is worked off without taking the memory for all of them at once', async () => {
  const hash = await passwords.hash('correct horse');
  const before = process.memoryUsage().rss;
  let most = 0;
  const sample = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 1);
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, i) => passwords.verify(hash, i % 2 ? 'correct horse' : 'wrong')),
  );
  clearInterval(sample);
  expect(results).toEqual(Array.from({ length: 40 }, (_, i) => i % 2 === 1));
  // Forty at once would be 760 MiB.
  expect(most - before).toBeLessThan(200 * 1024 * 1024);
});

test('one that fails does not hold up the others', async () => {
  const broken = Array.from({ length: 5 }, () => passwords.verify('no hash', 'x'));
  expect((await Promise.allSettled(broken)).every(({ status }) => status === 'rejected')).toBe(
    true,
  );
  expect(await passwords.verify(null, 'x')).toBe(false);
});
