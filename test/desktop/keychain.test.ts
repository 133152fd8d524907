import { randomUUID } from 'node:crypto';
import keytar from 'keytar';
import { afterEach, expect, test } from 'vitest';
import { createKeychain, keychainService } from '../../src-main/desktop/keychain.ts';

const service = `Hearth test ${randomUUID()}`;
afterEach(async () => {
  for (const { account } of await keytar.findCredentials(service)) {
    await keytar.deletePassword(service, account);
  }
});

test('a saved key is in the keychain of the system until it is removed', async () => {
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

test('two profiles do not share their keys', () => {
  expect(keychainService('/home/ada/.config/Hearth', '/home/ada/.config/Hearth')).toBe('Hearth');
  expect(keychainService('/tmp/other', '/home/ada/.config/Hearth')).toBe('Hearth /tmp/other');
});
