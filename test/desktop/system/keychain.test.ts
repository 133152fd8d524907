import { randomUUID } from 'node:crypto';
import keytar from 'keytar';
import { afterEach, expect, test } from 'vitest';
import {
  prefetchSecret,
  createKeychain,
  KeychainError,
  keychainService,
} from '#desktop/system/keychain.ts';

const service = `Hearth test ${randomUUID()}`;
afterEach(async () => {
  for (const { account } of await keytar.findCredentials(service)) {
    await keytar.deletePassword(service, account);
  }
});

test('a saved key is in the keychain of the system until it is removed [keychain.saved-key-system]', async () => {
  const keys = createKeychain(service);
  expect(await keys.find('8@http://127.0.0.1:9981')).toBeUndefined();
  await keys.save('8@http://127.0.0.1:9981', 'first');
  await keys.save('8@http://127.0.0.1:9981', 'second');
  expect(await keytar.getPassword(service, '8@http://127.0.0.1:9981')).toBe('second');
  expect(await keys.find('8@http://127.0.0.1:9981')).toBe('second');
  await keys.remove('8@http://127.0.0.1:9981');
  await keys.remove('8@http://127.0.0.1:9981');
  expect(await keytar.findCredentials(service)).toEqual([]);
});

test('a secret that was asked for ahead is the one of then, once', async () => {
  const keys = createKeychain(service);
  await keys.save('8@http://127.0.0.1:9981', 'of then');
  const ahead = prefetchSecret(keys, ['8@http://127.0.0.1:9981', '9@http://127.0.0.1:9981']);
  const found = ahead.find('8@http://127.0.0.1:9981');
  expect(await found).toBe('of then');
  await keys.save('8@http://127.0.0.1:9981', 'of now');
  expect(await ahead.find('8@http://127.0.0.1:9981')).toBe('of now');
  expect(await ahead.find('9@http://127.0.0.1:9981')).toBeUndefined();
});

test('what is kept or removed meanwhile counts, and not the answer from before', async () => {
  const keys = createKeychain(service);
  const accounts = ['8@http://127.0.0.1:9981', '9@http://127.0.0.1:9981'] as const;
  for (const account of accounts) await keys.save(account, 'old');
  const ahead = prefetchSecret(keys, accounts);
  await ahead.save(accounts[0], 'new');
  await ahead.remove(accounts[1]);
  expect(await ahead.find(accounts[0])).toBe('new');
  expect(await ahead.find(accounts[1])).toBeUndefined();
});

test('a keychain that fails ahead fails for whoever asks', async () => {
  const locked = {
    find: () => Promise.reject(new KeychainError('locked')),
    save: async () => undefined,
    remove: async () => undefined,
  };
  const ahead = prefetchSecret(locked, ['8@http://127.0.0.1:9981']);
  await new Promise(setImmediate);
  await expect(ahead.find('8@http://127.0.0.1:9981')).rejects.toThrow('locked');
});

test('two profiles do not share their keys', () => {
  expect(keychainService('/home/ada/.config/Hearth', '/home/ada/.config/Hearth')).toBe('Hearth');
  expect(keychainService('/tmp/other', '/home/ada/.config/Hearth')).toBe('Hearth /tmp/other');
});
