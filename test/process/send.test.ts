/** `hearth send`, from a shell and from a pipe. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readZuliprc } from '#cli/send-message.ts';
import { ben, startTestService, type TestService } from '../support/service/api.ts';
import { hearth } from './hearth-process.ts';

let service: TestService;
let folder: string;
let zuliprc: string;
let keyFile: string;
let withBundle: string;
beforeAll(async () => {
  service = await startTestService();
  folder = mkdtempSync(join(tmpdir(), 'hearth-send-'));
  const key = await service.keyOf(ben);
  zuliprc = join(folder, 'zuliprc');
  writeFileSync(zuliprc, `[api]\nemail=${ben}\nkey=${key}\nsite=${service.origin}\n`);
  withBundle = join(folder, 'zuliprc-bundle');
  const bundle = join(folder, 'none.pem');
  writeFileSync(withBundle, `[api]\nemail=${ben}\nkey=${key}\ncert_bundle=${bundle}\n`);
  keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${key}\n`);
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const to = ['--stream', 'general', '--topic', 'builds'];
const raw = { apply_markdown: false };

describe('hearth send', () => {
  test('hearth send posts what stands on the command line, as the account of a zuliprc', async () => {
    const { code, stdout, stderr } = await hearth([
      'send',
      'It is green',
      ...to,
      '--config',
      zuliprc,
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const id = Number(/^posted as (\d+)\n$/.exec(stdout)?.[1]);
    expect(await service.read(ben, id, raw)).toMatchObject({
      content: 'It is green',
      subject: 'builds',
      display_recipient: 'general',
      sender_email: ben,
    });
  });

  test('hearth send posts what comes through a pipe, by options and a key file, and tells programs', async () => {
    const account = ['--url', service.origin, '--email', ben, '--key-file', keyFile];
    const { code, stdout } = await hearth(['send', ...to, ...account, '--json'], 'one\ntwo\n');
    expect(code).toBe(0);
    const said = JSON.parse(stdout) as { readonly result: string; readonly id: number };
    expect(said).toMatchObject({ result: 'success', warnings: [] });
    expect(await service.read(ben, said.id, raw)).toMatchObject({ content: 'one\ntwo' });
  });

  test.each<[string, () => readonly string[], RegExp]>([
    [
      'no such stream',
      () => ['hi', '--stream', 'nowhere', '--topic', 'a', '--config', zuliprc],
      /nowhere/,
    ],
    ['nothing to send', () => [...to, '--config', zuliprc], /^There is nothing to send\n$/],
    ['no file', () => ['hi', ...to, '--config', join(folder, 'none')], /cannot be read\n$/],
    [
      'a wrong key',
      () => ['hi', ...to, '--config', zuliprc, '--key-file', zuliprc],
      /Invalid API key/,
    ],
    [
      'nobody there',
      () => ['hi', ...to, '--config', zuliprc, '--url', 'http://127.0.0.1:9'],
      /cannot be reached/,
    ],
    [
      'no certificates',
      () => ['hi', ...to, '--config', withBundle, '--url', 'https://127.0.0.1:9'],
      /^The file of certificates .*none\.pem cannot be read\n$/,
    ],
    ['no address', () => ['hi', ...to, '--config', zuliprc, '--url', 'chat'], /not an address/],
  ])('hearth send says in one sentence why nothing was posted: %s', async (_, args, expected) => {
    const { code, stdout, stderr } = await hearth(['send', ...args()]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(expected);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

test('a zuliprc is read as programs of the era write it', () => {
  const source =
    '# mine\n[other]\nkey=no\n[api]\r\nemail = a@b.example\nkey=k=y\nsite: https://c.example\n';
  expect(readZuliprc(source)).toEqual({
    email: 'a@b.example',
    key: 'k=y',
    site: 'https://c.example',
  });
});
