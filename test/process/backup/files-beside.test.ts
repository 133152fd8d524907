/** Archives of one folder whose files lie beside them, each once. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sealStream } from '#backup/archive/age.ts';
import { readWhole } from '#backup/archive/byte-reader.ts';
import { isStoredName, storedPath, STORED_FILES } from '#backup/archive/stored-files.ts';
import { removeExpired } from '#backup/retention.ts';
import { credentials } from '#test/support/service/service.ts';
import { hearth } from '../hearth-process.ts';
import { note, sendFile } from '../sent-files.ts';
import { serve, stop, temporaryFolder } from '../service-process.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'hearth-office-'));
const place = mkdtempSync(join(tmpdir(), 'hearth-archives-'));
let code = '';

interface Made {
  readonly result: string;
  readonly file: string;
  readonly recovery_code: string | null;
}

async function backUp(...more: readonly string[]): Promise<string> {
  const args = ['backup', place, '--data-dir', dataDir, '--json', ...more];
  const { stdout } = await hearth(args);
  const made = JSON.parse(stdout) as Made;
  expect(made.result).toBe('success');
  code = made.recovery_code ?? code;
  return made.file;
}

const storedNames = (): readonly string[] =>
  readdirSync(join(place, STORED_FILES), { recursive: true, encoding: 'utf8' })
    .map((path) => basename(path))
    .filter(isStoredName)
    .sort();

function codeFile(): string {
  const file = join(temporaryFolder(), 'code');
  writeFileSync(file, code);
  return file;
}

async function restoreFrom(file: string, ...more: readonly string[]) {
  const folder = join(temporaryFolder(), 'new');
  const ended = await hearth([
    ...['restore', file, '--data-dir', folder, '--code-file', codeFile(), '--yes', '--json'],
    ...more,
  ]);
  const said = JSON.parse(ended.stdout) as Readonly<Record<string, unknown>>;
  return { folder, said, status: ended.code };
}

/** What was uploaded, by its bytes. */
function uploadsIn(folder: string): readonly string[] {
  const root = join(folder, 'files', 'uploads');
  return readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8'))
    .sort();
}

afterAll(() => {
  for (const folder of [dataDir, place]) rmSync(folder, { recursive: true });
});

let first = '';
let second = '';

test('a file is sealed once, however many archives need it, and under a name that tells nothing [files-beside.sealed-once-many]', async () => {
  const service = serve('--dev', '--no-rate-limits', '--port', '0', '--data-dir', dataDir);
  const origin = await service.origin;
  const ben = await credentials(origin, 'ben@example.com');
  const upload = (name: string, text: string): Promise<string> =>
    sendFile(origin, ben, '/user_uploads', note(name, text));
  const plan = 'the plan\n'.repeat(20_000);
  await upload('plan.txt', plan);
  await upload('the-same.txt', plan);
  first = await backUp('--files-beside');
  const before = storedNames();
  expect(before).toHaveLength(1);
  await upload('menu.txt', 'soup');
  second = await backUp('--files-beside');
  expect(second).not.toBe(first);
  expect(storedNames()).toEqual(expect.arrayContaining([...before]));
  expect(storedNames()).toHaveLength(2);
  for (const name of storedNames()) {
    const sealed = readFileSync(storedPath(place, name));
    expect(sealed.includes('the plan')).toBe(false);
    // Packed before it was sealed.
    expect(sealed.length).toBeLessThan(plan.length / 10);
  }
  expect(await stop(service)).toMatchObject({ code: 0, stderr: '' });
  const { folder, said, status } = await restoreFrom(second);
  expect([status, said]).toMatchObject([0, { result: 'success', files: 3, lost_files: 0 }]);
  expect(uploadsIn(folder)).toEqual(['soup', plan, plan]);
  expect(uploadsIn((await restoreFrom(first)).folder)).toEqual([plan, plan]);
});

test('what is damaged or missing beside an archive is said, and sealed anew by the next one', async () => {
  const [one = '', other = ''] = storedNames().map((name) => storedPath(place, name));
  const bytes = readFileSync(one);
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  writeFileSync(one, bytes);
  rmSync(other);
  const refused = await restoreFrom(second);
  expect(refused.status).toBe(1);
  expect(refused.said).toMatchObject({
    message: expect.stringMatching(/The archive has 3 files beside it, .* 0 can be read/),
  });
  const accepted = await restoreFrom(second, '--accept-damage');
  expect(accepted.status).toBe(3);
  expect(accepted.said).toMatchObject({ result: 'success', lost_files: 3 });
  await backUp('--files-beside');
  expect(storedNames()).toHaveLength(2);
  // What the earlier one needs has come back, under another name.
  expect((await restoreFrom(second)).said).toMatchObject({ result: 'success', lost_files: 0 });
});

test('an archive without files beside it has them itself', async () => {
  const elsewhere = temporaryFolder();
  const file = await backUp();
  cpSync(file, join(elsewhere, 'alone.hearth'));
  rmSync(file);
  const alone = await restoreFrom(join(elsewhere, 'alone.hearth'));
  expect(alone.said).toMatchObject({ result: 'success', lost_files: 0 });
  expect(uploadsIn(alone.folder)).toHaveLength(3);
});

test('a file that an earlier version sealed as it was is not sealed again, and comes back', async () => {
  const text = 'the plan\n'.repeat(20_000);
  const name = storedNames().find((each) => statSync(storedPath(place, each)).size > 500) ?? '';
  const { recipient } = JSON.parse(readFileSync(join(dataDir, 'recovery.json'), 'utf8')) as {
    readonly recipient: string;
  };
  const bytes = (async function* () {
    yield Buffer.from(text);
  })();
  const sealed = await readWhole((await sealStream(bytes, text.length, recipient)).bytes);
  expect(sealed.length).toBeGreaterThan(text.length);
  const sum = createHash('sha256').update(sealed).digest('hex');
  const ofBefore = `${name.slice(0, 32)}-${sum.slice(0, 32)}.age`;
  writeFileSync(storedPath(place, ofBefore), sealed);
  rmSync(storedPath(place, name));
  const before = storedNames();
  const newest = await backUp('--files-beside');
  expect(storedNames()).toEqual(before);
  const { folder, said } = await restoreFrom(newest);
  expect(said).toMatchObject({ result: 'success', lost_files: 0 });
  expect(uploadsIn(folder)).toEqual(['soup', text, text]);
});

const archives = (): readonly string[] =>
  readdirSync(place)
    .filter((name) => name.endsWith('.hearth'))
    .sort();

test('what no archive needs any more is removed a day later, and nothing where one cannot be read', async () => {
  const needed = storedNames();
  const stray = needed[0]!.replace(/^.{8}/, '00000000');
  cpSync(storedPath(place, needed[0]!), storedPath(place, stray), { recursive: true });
  const newest = join(place, archives().at(-1)!);
  await removeExpired(place, newest, 0);
  expect(storedNames()).toContain(stray);
  const longAgo = new Date(Date.now() - 25 * 60 * 60_000);
  for (const name of storedNames()) utimesSync(storedPath(place, name), longAgo, longAgo);
  writeFileSync(join(place, 'other.hearth'), 'is none');
  await removeExpired(place, newest, 0);
  expect(storedNames()).toContain(stray);
  rmSync(join(place, 'other.hearth'));
  await removeExpired(place, newest, 0);
  expect(storedNames()).toEqual(needed);
  expect(archives()).toEqual([basename(newest)]);
});

test.runIf(spawnSync('age', ['--version']).status === 0 || process.env['CI'] === 'true')(
  'a file beside an archive opens with age alone',
  () => {
    const opened = temporaryFolder();
    const archive = join(place, archives().at(-1)!);
    expect(spawnSync('tar', ['-xf', archive], { cwd: opened }).status).toBe(0);
    const readme = readFileSync(join(opened, 'README.txt'), 'utf8');
    expect(readme).toContain('stored-files.json');
    const named = readFileSync(join(opened, 'stored-files.txt'), 'utf8').trim().split('\n');
    expect(named.sort()).toEqual(storedNames());
    const texts = named.map((name) => {
      const command = `age --decrypt -i code.age -o opened ${storedPath(place, name)}`;
      const { status, stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
        ...{ cwd: opened, encoding: 'utf8', input: `${code}\n` },
      });
      expect(status, stdout).toBe(0);
      const file = join(opened, 'opened');
      const unpacked = spawnSync('gunzip', { input: readFileSync(file) });
      return (unpacked.status === 0 ? unpacked.stdout : readFileSync(file)).toString().slice(0, 4);
    });
    expect(texts.sort()).toEqual(['soup', 'the ']);
  },
);
