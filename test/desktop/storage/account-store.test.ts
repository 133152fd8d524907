import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Account } from '#shared/bridge/models/client.ts';
import { createAccountStore } from '#desktop/storage/account-store.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';

const account: Account = {
  id: '8@http://127.0.0.1:9981',
  address: 'http://127.0.0.1:9981',
  realmName: 'Änne & Söhne',
  email: 'ada@example.com',
  fullName: 'Ada Admin',
  userId: 8,
  isHosted: true,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-accounts-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a profile without a list has no accounts', async () => {
  const store = createAccountStore(join(folder, 'missing'), createTestLog());
  expect(await store.list()).toEqual([]);
  expect(store.takeDamaged()).toBeUndefined();
});

test('saved accounts are read back by the next start', async () => {
  await createAccountStore(join(folder, 'new'), createTestLog()).save([account]);
  expect(await createAccountStore(join(folder, 'new'), createTestLog()).list()).toEqual([account]);
});

test('a list of before, whose accounts have one address each, is read as it is', async () => {
  const pin = `${'a'.repeat(51)}q`;
  const old = {
    ...{ id: '8@https://192.168.1.20:9981', address: 'https://192.168.1.20:9981', pin },
    ...{ realmName: 'Office', email: 'ada@example.com', fullName: 'Ada Admin', userId: 8 },
    isHosted: false,
  };
  const text = JSON.stringify({ version: 1, accounts: [old] }, undefined, 2);
  await writeFile(join(folder, 'accounts.json'), `${text}\n`);
  const store = createAccountStore(folder, createTestLog());
  expect(await store.list()).toEqual([old]);
  const moved = { ...old, address: 'https://192.168.1.21:9981', addresses: [old.address] };
  await store.save([moved]);
  expect(await createAccountStore(folder, createTestLog()).list()).toEqual([moved]);
});

test('the last of several lists saved at the same time stays, whole', async () => {
  const store = createAccountStore(folder, createTestLog());
  const lists = Array.from({ length: 20 }, (_, n) => Array<Account>(20 - n).fill(account));
  await Promise.all(lists.map((list) => store.save(list)));
  expect(await store.list()).toEqual([account]);
  expect(await readdir(folder)).toEqual(['accounts.json']);
});

test.each([
  ['an empty file', ''],
  ['a file cut off', '{"version":1,"accounts":[{"id":"8@'],
  ['another shape', '{"version":1,"accounts":[{"id":8}]}'],
  ['a later version', '{"version":2,"accounts":[]}'],
  [
    'an address of another scheme',
    JSON.stringify({ version: 1, accounts: [{ ...account, address: 'file:///etc' }] }),
  ],
])('%s is moved aside with its content, and said', async (_name, content) => {
  await writeFile(join(folder, 'accounts.json'), content);
  const log = createTestLog();
  const store = createAccountStore(folder, log);
  expect(await store.list()).toEqual([]);
  const damaged = store.takeDamaged();
  expect(await readdir(folder)).toEqual([damaged]);
  expect(await readFile(join(folder, damaged!), 'utf8')).toBe(content);
  expect(store.takeDamaged()).toBeUndefined();
  expect(log.lines).toEqual([{ level: 'error', message: expect.stringContaining('damaged') }]);
});

test('a damaged list that is asked for twice at once is moved aside once', async () => {
  await writeFile(join(folder, 'accounts.json'), '');
  const store = createAccountStore(folder, createTestLog());
  expect(await Promise.all([store.list(), store.list()])).toEqual([[], []]);
  expect(await readdir(folder)).toEqual([store.takeDamaged()]);
});
