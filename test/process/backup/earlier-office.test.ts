/** The service of an earlier version, with the code of today: its data folder, its unit, its archives. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { archivesIn } from '#test/support/archives.ts';
import {
  earlierKeychain,
  earlierOffice,
  unpackEarlierOffice,
} from '#test/support/earlier-office.ts';
import { entryOf } from '#test/support/entries.ts';
import { basicAuth, call, type Credentials } from '#test/support/service/service.ts';
import { runService, serve, stop, temporaryFolder } from '../service-process.ts';
import { restoreOpen } from './restore-open.ts';

const { office, hosted } = earlierOffice;
const { ada, ben, gus, bot, phone, cam, lostPhone } = office.accounts;

const statusFor = async (origin: string, who: Credentials): Promise<number> =>
  (await call(origin, who, 'GET', '/users/me')).status;

const statusesFor = (origin: string, people: readonly Credentials[]): Promise<readonly number[]> =>
  Promise.all(people.map((who) => statusFor(origin, who)));

async function contents(
  origin: string,
  who: Credentials,
  ...narrow: readonly (readonly [operator: string, operand: string])[]
): Promise<readonly string[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false, narrow };
  const { body } = await call(origin, who, 'GET', '/messages', page);
  return (body['messages'] as readonly { readonly content: string }[]).map((each) => each.content);
}

async function fileAt(origin: string, who: Credentials, uri: string): Promise<Buffer> {
  const response = await fetch(`${origin}${uri}`, { headers: { authorization: basicAuth(who) } });
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

async function expectUploads(origin: string): Promise<void> {
  const plan = await fileAt(origin, ben, office.uploads.plan);
  expect(plan.toString()).toBe('the plan of the harbour\n'.repeat(2000));
  const picture = await fileAt(origin, ben, office.uploads.picture);
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
}

/** What systemd would start: the words of the unit, with the program of today and a port that is free. */
function wordsOfUnit(root: string): readonly string[] {
  const unit = readFileSync(join(root, 'hearth.service'), 'utf8');
  const line = /^ExecStart=(.*)$/m.exec(unit)?.[1] ?? '';
  const words = Array.from(line.matchAll(/"([^"]*)"/g), ([, word = '']) => word);
  const entry = words.findIndex((word) => word.endsWith('/out/main/hearth.js'));
  const port = words.indexOf(String(office.port));
  return words.with(0, process.execPath).with(entry, entryOf('hearth')).with(port, '0');
}

describe('what an earlier version left of a service', () => {
  test('it is served by its unit, with every key, message, file and invitation', async () => {
    const root = temporaryFolder();
    unpackEarlierOffice(root);
    const service = runService(wordsOfUnit(root));
    const origin = await service.origin;
    expect(await statusesFor(origin, [ada, ben, gus, bot, phone])).toEqual(Array(5).fill(200));
    expect(await statusesFor(origin, [cam, lostPhone])).toEqual([401, 401]);
    const login = { username: ben.email, password: office.benPassword };
    expect(await call(origin, null, 'POST', '/fetch_api_key', login)).toMatchObject({
      status: 200,
      body: { api_key: ben.key },
    });
    expect(await contents(origin, gus, ['stream', 'kitchen'], ['topic', 'lunch'])).toEqual([
      'soup on the pier today',
      'the cook has another number',
      'a guest asks for bread',
    ]);
    expect(await contents(origin, ben, ['search', 'pier'])).toHaveLength(2);
    expect(await contents(origin, ada, ['stream', 'board'])).toContain('the number is forty two');
    expect(await contents(origin, ben)).not.toContain('the number is forty two');
    await expectUploads(origin);
    const guest = { token: office.invitation, full_name: 'Dan', email: 'dan@example.com' };
    const joined = await call(origin, null, 'POST', '/invites/accept', {
      ...guest,
      password: 'a password of Dan',
    });
    const dan = { email: guest.email, key: String(joined.body['api_key']) };
    expect(await statusesFor(origin, [dan])).toEqual([200]);
    // The unit asks for archives, and the first one is made at once.
    const isNew = (name: string): boolean => name.endsWith('.hearth') && name !== office.archive;
    const made = (): readonly string[] => archivesIn(join(root, 'office-archives')).filter(isNew);
    await expect.poll(made).toHaveLength(1);
    const { code, stderr } = await stop(service);
    expect(code).toBe(0);
    expect(stderr).not.toMatch(/"level":"(?:warn|error)"/);
  });
});

interface Kept {
  readonly archive: string;
  readonly code: string;
}

/** Serves what comes out of an archive. */
async function restored({ archive, code }: Kept, work: (origin: string) => Promise<void>) {
  const folder = temporaryFolder();
  const codeFile = join(folder, 'code');
  writeFileSync(codeFile, code);
  const dataDir = join(folder, 'new');
  const options = ['--data-dir', dataDir, '--code-file', codeFile, '--keep-keys', '--yes'];
  const ended = await restoreOpen([archive, ...options]);
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringContaining('Accounts, who was') });
  const service = serve('--data-dir', dataDir, '--port', '0');
  await work(await service.origin);
  await stop(service);
}

describe('archives of an earlier version', () => {
  const root = mkdtempSync(join(tmpdir(), 'hearth-earlier-'));
  beforeAll(() => {
    unpackEarlierOffice(root);
  });
  afterAll(() => rmSync(root, { recursive: true }));

  test('one of a service comes back, without whom and what was shut out after it', async () => {
    const archive = join(root, 'office-archives', office.archive);
    await restored({ archive, code: office.recoveryCode }, async (origin) => {
      expect(await statusesFor(origin, [ada, ben, gus, bot, phone])).toEqual(Array(5).fill(200));
      expect(await statusesFor(origin, [cam, lostPhone])).toEqual([401, 401]);
      const lunch = await contents(origin, ben, ['stream', 'kitchen'], ['topic', 'lunch']);
      expect(lunch).toEqual(expect.arrayContaining(['soup on the pier today']));
      expect(lunch).not.toContain('the word that is taken back');
      await expectUploads(origin);
    });
  });

  test('one of a hosting desktop comes back by the code that its keychain has', async () => {
    const archive = join(root, 'profile', hosted.archive);
    const code = earlierKeychain['recovery-code'] ?? '';
    await restored({ archive, code }, async (origin) => {
      const accounts = hosted.accounts;
      expect(await statusesFor(origin, [accounts.ada, accounts.mia])).toEqual([200, 200]);
      expect(await statusesFor(origin, [accounts.eve])).toEqual([401]);
      const topic = await contents(origin, accounts.mia, ['topic', 'lanterns']);
      expect(topic).toEqual([expect.stringMatching(/^hang them up/), 'they hang already']);
      const file = await fileAt(origin, accounts.ada, hosted.upload);
      expect(file.toString()).toBe('lantern,oil\n'.repeat(3000));
    });
  });
});
