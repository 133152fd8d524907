/** Sealed archives made by `hearth backup`, and what opens them. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openArchive } from '#backup/archive/read-archive.ts';
import { readArchiveSummary } from '#backup/archive-description.ts';
import { sealHostKeys } from '#backup/sealed-copy.ts';
import { archivesIn } from '#test/support/archives.ts';
import { WAIT_LIMIT_MS } from '#test/support/patience.ts';
import { call, credentials } from '#test/support/service/service.ts';
import { canMount, fillDisk, smallDisk } from '#test/support/small-disk.ts';
import { hearth } from '../hearth-process.ts';
import { type Ended, serve, stop, temporaryFolder } from '../service-process.ts';

const hasAge = spawnSync('age', ['--version']).status === 0;
const isCi = process.env['CI'] === 'true' && process.platform === 'linux';

interface Office {
  readonly dataDir: string;
  readonly origin: string;
  readonly send: (content: string) => Promise<number>;
  readonly stop: () => Promise<Ended>;
}

async function startOffice(dataDir = temporaryFolder()): Promise<Office> {
  const service = serve('--dev', '--no-rate-limits', '--port', '0', '--data-dir', dataDir);
  const origin = await service.origin;
  const ben = await credentials(origin, 'ben@example.com');
  return {
    dataDir,
    origin,
    async send(content) {
      const message = { type: 'stream', to: 'general', topic: 'all', content };
      const { body } = await call(origin, ben, 'POST', '/messages', message);
      return Number(body['id']);
    },
    stop: () => stop(service),
  };
}

interface Sealed {
  readonly file: string;
  readonly code: string;
}

function sealedBy({ code, stdout, stderr }: Ended): Sealed {
  expect([code, stderr]).toEqual([0, '']);
  const found = /^sealed \d+ messages?, \d+\.\d MiB, into (.+)\n(?:recovery code: (.+)\n)?/.exec(
    stdout,
  );
  return { file: found?.[1] ?? '', code: found?.[2] ?? '' };
}

/** The data folder of an office that nobody serves, with one message; every test has one of its own. */
function stoppedOffice(): string {
  const dataDir = temporaryFolder();
  cpSync(office, dataDir, { recursive: true });
  return dataDir;
}

const office = mkdtempSync(join(tmpdir(), 'hearth-office-'));
beforeAll(async () => {
  const { send, stop: end } = await startOffice(office);
  await send('found by hand');
  await end();
});
afterAll(() => rmSync(office, { recursive: true }));

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

/** age asks for a passphrase at a terminal: `script` gives it one. */
function withPassphrase(passphrase: string, cwd: string, command: string): string {
  const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    ...{ cwd, encoding: 'utf8' },
    input: `${passphrase}\n`,
  });
  expect(status, stdout).toBe(0);
  return stdout;
}

describe('a sealed archive', () => {
  test('a sealed archive made while people write is one file for its owner alone, and the code is shown once', async () => {
    const office = await startOffice();
    await office.send('before');
    const into = temporaryFolder();
    const { file, code } = sealedBy(await hearth(['backup', into, '--data-dir', office.dataDir]));
    const after = office.send('after');
    expect(archivesIn(into).map((name) => join(into, name))).toEqual([file]);
    expect(file).toMatch(/Dev-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.hearth$/);
    expect(code.split(' ')).toHaveLength(13);
    const { keys, office: entries } = await openArchive(file, code);
    const names: string[] = [];
    for await (const { name, content } of entries) {
      names.push(name);
      const bytes = await collected(content);
      if (name !== 'about.json') continue;
      expect(readArchiveSummary(bytes.toString())).toMatchObject({ name: 'Dev', messages: 1 });
    }
    expect(names.slice(0, 3)).toEqual(['about.json', 'hearth.db.gz', 'development']);
    expect(keys?.secret).toBe(readFileSync(join(office.dataDir, 'secret')).toString('hex'));
    // What nothing seals stays in the data folder, and not for long.
    expect(readdirSync(office.dataDir).filter((name) => name.startsWith('gathering'))).toEqual([]);
    expect(readFileSync(file).includes('SQLite format 3')).toBe(false);
    const second = await hearth([
      ...['backup', mkdir(into, 'second'), '--data-dir', office.dataDir, '--json'],
    ]);
    expect(JSON.parse(second.stdout)).toMatchObject({
      ...{ result: 'success', recovery_code: null, has_keys: true, lost_files: [], warnings: [] },
    });
    await after;
    expect(await office.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test.runIf(hasAge || isCi)('a sealed archive opens with age and tar alone', async () => {
    const dataDir = stoppedOffice();
    const place = temporaryFolder();
    const { file, code } = sealedBy(await hearth(['backup', place, '--data-dir', dataDir]));
    expect(spawnSync('tar', ['-xf', file], { cwd: place }).status).toBe(0);
    expect(readFileSync(join(place, 'README.txt'), 'utf8')).toContain('age --decrypt -i code.age');
    withPassphrase(code, place, 'age --decrypt -i code.age -o office.tar office.tar.age');
    withPassphrase(code, place, 'age --decrypt -i code.age -o keys.json keys.age');
    expect(spawnSync('tar', ['-xf', 'office.tar'], { cwd: place }).status).toBe(0);
    expect(spawnSync('gunzip', ['hearth.db.gz'], { cwd: place }).status).toBe(0);
    const db = new Database(join(place, 'hearth.db'), { readonly: true });
    expect(db.prepare('SELECT content FROM message').pluck().all()).toEqual(['found by hand']);
    db.close();
    expect(JSON.parse(readFileSync(join(place, 'keys.json'), 'utf8'))).toMatchObject({
      secret: readFileSync(join(dataDir, 'secret')).toString('hex'),
    });
  });

  test('a sealed archive has another code after a new one was made, and the earlier archive keeps its own', async () => {
    const dataDir = stoppedOffice();
    const into = temporaryFolder();
    const first = sealedBy(await hearth(['backup', into, '--data-dir', dataDir]));
    const refused = await hearth(['recovery-code', '--data-dir', dataDir]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('add --new')]);
    const { stdout } = await hearth(['recovery-code', '--data-dir', dataDir, '--new', '--json']);
    const code = String((JSON.parse(stdout) as Record<string, unknown>)['recovery_code']);
    const other = mkdir(into, 'other');
    const second = sealedBy(await hearth(['backup', other, '--data-dir', dataDir]));
    expect(second.code).toBe('');
    await expect(openArchive(second.file, first.code)).rejects.toThrow(/does not open this/);
    await expect(openArchive(first.file, code)).rejects.toThrow(/does not open this/);
    for (const [file, opening] of [
      [second.file, code],
      [first.file, first.code],
    ] as const) {
      const { keys, close } = await openArchive(file, opening);
      expect(keys).not.toBeNull();
      await close();
    }
  });

  test('an archive of a folder whose keychain has the keys has them once the host has sealed them', async () => {
    const dataDir = stoppedOffice();
    rmSync(join(dataDir, 'secret'));
    const args = ['backup', temporaryFolder(), '--data-dir', dataDir] as const;
    const { code, stdout, stderr } = await hearth([...args, '--json']);
    const first = JSON.parse(stdout) as Record<string, unknown>;
    expect([code, stderr, first['has_keys']]).toEqual([0, '', false]);
    expect(first['warnings']).toEqual([expect.stringMatching(/has no keys.*signs in anew/)]);
    const keys = { secret: 'ab'.repeat(32), officeKey: null };
    await sealHostKeys(dataDir, keys);
    const again = await hearth(['backup', temporaryFolder(), '--data-dir', dataDir]);
    const archive = await openArchive(sealedBy(again).file, String(first['recovery_code']));
    expect(archive.keys).toEqual({ ...keys, successorKey: null });
    await archive.close();
  });
});

function mkdir(...path: readonly [string, string]): string {
  mkdirSync(join(...path));
  return join(...path);
}

test('a service makes an archive of its own, and says in one sentence why it could not', async () => {
  const dataDir = stoppedOffice();
  const into = temporaryFolder();
  const args = ['--data-dir', dataDir, '--port', '0', '--backup-to', into] as const;
  const without = await serve(...args).ended;
  expect([without.code, without.stdout]).toEqual([1, '']);
  expect(without.stderr).toMatch(/^The archives of --backup-to open with a recovery code.*\n$/);
  const told = await hearth(['recovery-code', '--data-dir', dataDir, '--json']);
  const code = String((JSON.parse(told.stdout) as Record<string, unknown>)['recovery_code']);
  const service = serve(...args, '--backup-at', '00:00');
  await service.origin;
  let logged = '';
  service.child.stderr?.on('data', (text) => (logged += String(text)));
  await expect
    .poll(() => logged, { timeout: WAIT_LIMIT_MS })
    .toMatch(/"level":"info","message":"backed up"/);
  expect(archivesIn(into)).toEqual([expect.stringMatching(/^Dev-.*\.hearth$/)]);
  expect(await stop(service)).toMatchObject({ code: 0 });
  const file = join(into, archivesIn(into)[0] ?? '');
  const { keys, close } = await openArchive(file, code);
  expect(keys).not.toBeNull();
  await close();

  const check = (...where: readonly string[]) =>
    hearth(['backup', ...where, '--check', '--data-dir', dataDir]);
  const recent = `is 0 h old: ${file}\n`;
  const isRecent = { code: 0, stderr: '', stdout: expect.stringContaining(recent) as string };
  expect(await check()).toMatchObject(isRecent);
  expect(await check(into)).toMatchObject(isRecent);
  const old = join(into, 'Dev-2020-02-03T04-05-06.hearth');
  renameSync(file, old);
  const isOld = { code: 1, stdout: expect.stringMatching(/is \d+ days old: .*\n$/) as string };
  expect(await check(into)).toMatchObject(isOld);
  expect(await check()).toMatchObject({ code: 1, stdout: `The newest backup is gone: ${file}\n` });
  const none = await check(temporaryFolder(), '--json');
  expect(none.code).toBe(1);
  expect(JSON.parse(none.stdout)).toMatchObject({ is_recent: false, file: null });
});

test.runIf(canMount)('a backup that failed is in the log and in the window', async () => {
  const dataDir = stoppedOffice();
  await hearth(['recovery-code', '--data-dir', dataDir]);
  const disk = await smallDisk(1);
  await fillDisk(disk);
  const place = ['--dev', '--data-dir', dataDir, '--port', '0', '--backup-to', disk] as const;
  const service = serve(...place);
  const origin = await service.origin;
  const ada = await credentials(origin, 'ada@example.com');
  const failed = { level: 'error', message: 'no backup was made' };
  await expect
    .poll(async () => (await call(origin, ada, 'GET', '/office/health')).body['warnings'], {
      timeout: WAIT_LIMIT_MS,
    })
    .toContainEqual(
      expect.objectContaining({ ...failed, details: expect.stringContaining('is full') as string }),
    );
  const { stderr } = await stop(service);
  expect(stderr).toMatch(/"level":"error","message":"no backup was made","into":.* is full/);
});

describe('no archive is made, nothing is left, and one sentence says why', () => {
  test.runIf(canMount)('where the disk is full', async () => {
    const dataDir = stoppedOffice();
    const disk = await smallDisk(1);
    await fillDisk(disk);
    const { code, stdout, stderr } = await hearth(['backup', disk, '--data-dir', dataDir]);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^The disk of .* is full.*\n$/);
    expect(readdirSync(disk)).toEqual(['ballast']);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('gathering'))).toEqual([]);
  });

  test('where it should go into the data folder, or there is no organization', async () => {
    const dataDir = temporaryFolder();
    const none = await hearth(['backup', temporaryFolder(), '--data-dir', dataDir, '--json']);
    expect(none.code).toBe(1);
    expect(JSON.parse(none.stdout)).toMatchObject({
      result: 'error',
      message: expect.stringContaining('no organization') as string,
    });
    expect(existsSync(join(dataDir, 'recovery.json'))).toBe(false);
    const code = await hearth(['recovery-code', '--data-dir', dataDir]);
    expect([code.code, code.stderr]).toEqual([1, expect.stringContaining('no organization')]);
    writeFileSync(join(dataDir, 'hearth.db'), '');
    const inside = await hearth(['backup', mkdir(dataDir, 'copies'), '--data-dir', dataDir]);
    expect([inside.code, inside.stderr]).toEqual([1, expect.stringContaining('data folder')]);
  });
});
