import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DamagedSecretError, loadSecret } from '#service/security/secret-file.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-secret-'));
  file = join(folder, 'secret');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the secret is made on first use, for its owner only, and stays [secret-file.made-first-use]', async () => {
  const secret = await loadSecret(file);
  expect(secret).toHaveLength(32);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(Buffer.from(await loadSecret(file))).toEqual(Buffer.from(secret));
  expect(readdirSync(folder)).toEqual(['secret']);
});

test('two folders have different secrets', async () => {
  const first = Buffer.from(await loadSecret(file));
  expect(Buffer.from(await loadSecret(join(folder, 'other')))).not.toEqual(first);
});

test('all that make it at once get the same one', async () => {
  const secrets = await Promise.all(Array.from({ length: 10 }, () => loadSecret(file)));
  const distinct = new Set(secrets.map((secret) => Buffer.from(secret).toString('hex')));
  expect([...distinct]).toEqual([readFileSync(file).toString('hex')]);
  expect(readdirSync(folder)).toEqual(['secret']);
});

test.each([0, 31, 33])('a file of %i bytes is damaged and left as it is', async (bytes) => {
  writeFileSync(file, Buffer.alloc(bytes));
  await expect(loadSecret(file)).rejects.toThrow(DamagedSecretError);
  expect(statSync(file).size).toBe(bytes);
});

test('a folder that is not there is the error of the system', async () => {
  await expect(loadSecret(join(folder, 'missing', 'secret'))).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
