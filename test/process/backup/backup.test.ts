/** Copies made by `hearth backup --plain` beside a service that may be running, and services that start on them. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { entryOf } from '#test/support/entries.ts';
import { png } from '#test/support/images.ts';
import { basicAuth, call, type Credentials, credentials } from '#test/support/service/service.ts';
import { canMount, fillDisk, smallDisk } from '#test/support/small-disk.ts';
import { note, sendFile } from '../sent-files.ts';
import {
  type Ended,
  runService,
  serve,
  type ServiceProcess,
  stop,
  temporaryFolder,
} from '../service-process.ts';

const canWait = process.platform !== 'win32';

const backUp = (dataDir: string, into: string): ServiceProcess =>
  runService([
    ...[process.execPath, entryOf('hearth'), 'backup', into],
    ...['--plain', '--data-dir', dataDir],
  ]);

const start = (dataDir: string): ServiceProcess =>
  serve('--dev', '--no-rate-limits', '--port', '0', '--data-dir', dataDir);

/** The one copy that there is, after a command that said so. */
function folderOf({ code, stdout, stderr }: Ended): string {
  expect([code, stderr]).toEqual([0, '']);
  return /^backed up \d+ messages?, \d+\.\d MiB, into (.+)\n$/.exec(stdout)?.[1] ?? '';
}

/** One sentence for people, and no folder with the name of a copy. */
function expectRefusal({ code, stdout, stderr }: Ended, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\sat .*:\d|Error:|node:/);
  expect([code, stdout]).toEqual([1, '']);
}

/** Every file of a folder with its bytes, as a list that can be compared. */
function filesIn(folder: string, below = folder): readonly [string, string][] {
  if (!existsSync(below)) return [];
  return readdirSync(below, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry): readonly [string, string][] => {
      const path = join(below, entry.name);
      if (entry.isDirectory()) return filesIn(folder, path);
      return [[relative(folder, path), readFileSync(path, 'latin1')]];
    });
}

const picture = (): File => new File([png], 'face.png', { type: 'image/png' });

async function messagesOf(origin: string, auth: Credentials): Promise<ReadonlyMap<number, string>> {
  const { body } = await call(origin, auth, 'GET', '/messages', {
    ...{ anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false },
  });
  const { messages } = body as unknown as { messages: { id: number; content: string }[] };
  return new Map(messages.map(({ id, content }) => [id, content]));
}

/** What `files` of a data folder holds of one kind. */
const placesIn = (dataDir: string, ...kind: readonly string[]): readonly string[] =>
  filesIn(join(dataDir, 'files', ...kind)).map(([name]) => join(dataDir, 'files', ...kind, name));

interface Office {
  readonly dataDir: string;
  readonly service: ServiceProcess;
  readonly origin: string;
  readonly ada: Credentials;
  readonly ben: Credentials;
}

async function startOffice(dataDir = temporaryFolder()): Promise<Office> {
  const service = start(dataDir);
  const origin = await service.origin;
  return {
    ...{ dataDir, service, origin },
    ada: await credentials(origin, 'ada@example.com'),
    ben: await credentials(origin, 'ben@example.com'),
  };
}

const send = async ({ origin, ben }: Office, content: string): Promise<number> => {
  const message = { type: 'stream', to: 'general', topic: 'all', content };
  const { body } = await call(origin, ben, 'POST', '/messages', message);
  return Number(body['id']);
};

const namesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => basename(path));

/**
 * Starts a command and waits until it has copied the database and comes to ben's picture, which has become a pipe:
 * there it stands still, with no upload copied yet, until it is let go on.
 */
async function standingStill(
  office: Office,
  into: string,
): Promise<[ServiceProcess, () => Promise<void>]> {
  const others = new Set(placesIn(office.dataDir, 'avatars'));
  await sendFile(office.origin, office.ben, '/users/me/avatar', picture());
  const face = placesIn(office.dataDir, 'avatars').find((place) => !others.has(place)) ?? '';
  rmSync(face);
  expect(spawnSync('mkfifo', [face]).status).toBe(0);
  const command = backUp(office.dataDir, into);
  await expect.poll(() => namesBelow(into)).toContain('avatars');
  return [command, async () => (await open(face, 'w')).close()];
}

describe('a copy', () => {
  test('a copy that is made while people write has all that was acknowledged before, and starts', async () => {
    const office = await startOffice();
    const { origin, ada, service } = office;
    const uri = await sendFile(origin, ada, '/user_uploads', note('plan.txt', 'the plan'));
    const face = await sendFile(origin, ada, '/users/me/avatar', picture());
    await sendFile(origin, ada, '/realm/emoji/party', picture());
    const acknowledged = new Map<number, string>();
    let isWriting = true;
    const write = async (writer: number): Promise<void> => {
      for (let count = 0; isWriting; count++) {
        const content = `message ${String(count)} of ${String(writer)}`;
        acknowledged.set(await send(office, content), content);
      }
    };
    const first = await send(office, `[plan.txt](${uri})`);
    acknowledged.set(first, `[plan.txt](${uri})`);
    const writers = [1, 2, 3, 4].map(write);
    const before = new Map(acknowledged);
    const folder = folderOf(await backUp(office.dataDir, temporaryFolder()).ended);
    expect(acknowledged.size).toBeGreaterThan(before.size);
    isWriting = false;
    await Promise.all(writers);
    const everything = await messagesOf(origin, ada);
    expect(await stop(service)).toMatchObject({ code: 0, stderr: '' });

    const again = start(folder);
    const at = await again.origin;
    // With the key of before.
    const kept = await messagesOf(at, ada);
    for (const [id, content] of before) expect(kept.get(id)).toBe(content);
    for (const [id, content] of kept) expect(everything.get(id)).toBe(content);
    const headers = { authorization: basicAuth(ada) };
    expect(await (await fetch(`${at}${uri}`, { headers })).text()).toBe('the plan');
    const shown = new Uint8Array(await (await fetch(new URL(face, at))).arrayBuffer());
    expect(shown).toEqual(png);
    expect(placesIn(folder, 'avatars', '1', 'emoji')).toHaveLength(1);
    expect(await stop(again)).toMatchObject({ code: 0, stderr: '' });
  });

  test('a copy of a data folder whose service was killed has all of it, for its owner alone [backup.copy-data-folder]', async () => {
    const office = await startOffice();
    const { dataDir, origin, ben } = office;
    await sendFile(origin, ben, '/user_uploads', note('one.txt'));
    await send(office, 'only in the log that SQLite writes ahead');
    office.service.child.kill('SIGKILL');
    await office.service.ended;
    const into = temporaryFolder();
    const ended = await backUp(dataDir, into).ended;
    expect(ended.stdout).toMatch(/^backed up 1 message, \d+\.\d MiB, into /);
    const folder = folderOf(ended);
    expect(readdirSync(into)).toEqual([relative(into, folder)]);
    expect(relative(into, folder)).toMatch(/^hearth-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/);
    const keys = ['office-key', 'office-pin', 'secret'];
    expect(readdirSync(folder).sort()).toEqual(['development', 'files', 'hearth.db', ...keys]);
    expect(filesIn(join(folder, 'files'))).toEqual(filesIn(join(dataDir, 'files')));
    for (const name of ['development', ...keys]) {
      expect(readFileSync(join(folder, name))).toEqual(readFileSync(join(dataDir, name)));
    }
    if (process.platform === 'win32') return;
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const [name] of filesIn(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    }
  });

  test.runIf(canWait)(
    'a copy that is killed in the middle does not have the name of a copy',
    async () => {
      const office = await startOffice();
      const into = temporaryFolder();
      const [command] = await standingStill(office, into);
      command.child.kill('SIGKILL');
      await command.ended;
      expect(readdirSync(into)).toEqual([expect.stringMatching(/^hearth-.*\.partial$/)]);
      await stop(office.service);
    },
  );

  test.runIf(canWait)('a copy that is given up in the middle leaves nothing', async () => {
    const office = await startOffice();
    await sendFile(office.origin, office.ben, '/user_uploads', note('one.txt'));
    const into = temporaryFolder();
    const [command, goOn] = await standingStill(office, into);
    command.child.kill('SIGTERM');
    await goOn();
    expectRefusal(await command.ended, /^The copy was given up/);
    expect(readdirSync(into)).toEqual([]);
    await stop(office.service);
  });

  test.runIf(canWait)(
    'a copy has no file that is deleted while it is made, and no row of it',
    async () => {
      const office = await startOffice();
      const { origin, ben } = office;
      for (const name of ['gone.txt', 'kept.txt']) {
        await sendFile(origin, ben, '/user_uploads', note(name));
      }
      const { body } = await call(origin, ben, 'GET', '/attachments');
      const { attachments } = body as unknown as { attachments: { id: number; name: string }[] };
      const gone = attachments.find(({ name }) => name === 'gone.txt');
      await sendFile(origin, office.ada, '/users/me/avatar', picture());
      const [face = ''] = placesIn(office.dataDir, 'avatars');
      const into = temporaryFolder();
      const [command, goOn] = await standingStill(office, into);
      // One that is copied already when it is replaced.
      await expect.poll(() => namesBelow(into)).toContain(basename(face));
      await sendFile(origin, office.ada, '/users/me/avatar', picture());
      const deleted = await call(origin, ben, 'DELETE', `/attachments/${String(gone?.id)}`);
      expect(deleted.status).toBe(200);
      await goOn();
      const folder = folderOf(await command.ended);
      const copy = new Database(join(folder, 'hearth.db'), { readonly: true });
      expect(copy.prepare('SELECT name FROM attachment').pluck().all()).toEqual(['kept.txt']);
      copy.close();
      expect(placesIn(folder, 'avatars')).toHaveLength(2);
      expect(namesBelow(folder)).not.toContain(basename(face));
      const uploads = filesIn(join(folder, 'files', 'uploads'));
      expect(uploads.map(([, bytes]) => bytes)).toEqual(['kept.txt']);
      await stop(office.service);
    },
  );

  test('a copy tells which files the data folder itself has lost, and is kept', async () => {
    const office = await startOffice();
    for (const name of ['one.txt', 'two.txt', 'three.txt']) {
      await sendFile(office.origin, office.ben, '/user_uploads', note(name));
    }
    await stop(office.service);
    const [lost = '', short = ''] = placesIn(office.dataDir, 'uploads');
    rmSync(lost);
    truncateSync(short, 1);
    const into = temporaryFolder();
    const { code, stdout, stderr } = await backUp(office.dataDir, into).ended;
    expect(stdout).toMatch(/^backed up 0 messages/);
    expect(stderr).toContain(`2 files that ${office.dataDir} itself has lost`);
    expect(stderr).toContain(relative(office.dataDir, lost));
    expect(code).toBe(3);
    const [name = ''] = readdirSync(into);
    expect(name).not.toContain('partial');
    expect(placesIn(join(into, name), 'uploads')).toHaveLength(2);
  });

  test('a copy without a secret says what that means', async () => {
    const { dataDir, service } = await startOffice();
    await stop(service);
    rmSync(join(dataDir, 'secret'));
    const { code, stderr } = await backUp(dataDir, temporaryFolder()).ended;
    expect([code, stderr]).toEqual([0, expect.stringMatching(/no file secret.*signs in anew/)]);
  });
});

test('the old spelling makes the same copy with the same line and status, and names the new one', async () => {
  const office = await startOffice();
  await sendFile(office.origin, office.ben, '/user_uploads', note('one.txt'));
  await stop(office.service);
  const { dataDir } = office;
  const copy = (): Promise<Ended> =>
    serve('--backup', temporaryFolder(), '--data-dir', dataDir).ended;
  const warning =
    '--backup is an old spelling of "npm run hearth -- backup DIR --plain": use that.\n';
  const whole = await copy();
  folderOf({ ...whole, stderr: whole.stderr.replace(warning, '') });
  expect(whole.stderr).toBe(warning);
  rmSync(placesIn(dataDir, 'uploads')[0] ?? '');
  const { code, stdout, stderr } = await copy();
  expect(stdout).toMatch(/^backed up 0 messages, .*\n$/);
  expect(stderr.split('\n')).toEqual([warning.trimEnd(), expect.stringContaining('1 file'), '']);
  expect(code).toBe(1);
});

const office = mkdtempSync(join(tmpdir(), 'hearth-office-'));
afterAll(() => rmSync(office, { recursive: true }));

/** A data folder that no service uses; every test has one of its own. */
async function stoppedOffice(): Promise<string> {
  if (!existsSync(join(office, 'hearth.db'))) {
    const { origin, ben, service } = await startOffice(office);
    await sendFile(origin, ben, '/user_uploads', note('large.bin', 'x'.repeat(3 * 1024 ** 2)));
    await stop(service);
  }
  const dataDir = temporaryFolder();
  cpSync(office, dataDir, { recursive: true });
  return dataDir;
}

const changed = (dataDir: string, change: (db: Database.Database) => void): void => {
  const db = new Database(join(dataDir, 'hearth.db'));
  db.pragma('foreign_keys = OFF');
  change(db);
  db.close();
};

describe('no copy is made, and one sentence says why', () => {
  const made = (path: string): string => {
    mkdirSync(path);
    return path;
  };
  const written = (path: string, text: string): string => {
    writeFileSync(path, text);
    return path;
  };

  test('where it should go', async () => {
    const dataDir = await stoppedOffice();
    const elsewhere = temporaryFolder();
    const link = join(elsewhere, 'link');
    symlinkSync(dataDir, link, 'junction');
    const cases: readonly (readonly [string, RegExp])[] = [
      [join(elsewhere, 'none'), /none for the copy: make it first/],
      [written(join(elsewhere, 'file'), ''), /no folder .*file for the copy/],
      [dataDir, /lies in the data folder/],
      [made(join(dataDir, 'copies')), /lies in the data folder/],
      [link, /lies in the data folder/],
    ];
    for (const [into, sentence] of cases) {
      expectRefusal(await backUp(dataDir, into).ended, sentence);
    }
    expect(readdirSync(elsewhere).sort()).toEqual(['file', 'link']);
    expect(readdirSync(join(dataDir, 'copies'))).toEqual([]);
    // A folder beside it whose name begins alike lies outside.
    folderOf(await backUp(dataDir, made(`${dataDir}-copies`)).ended);
    rmSync(`${dataDir}-copies`, { recursive: true });
  });

  test.each<[string, (dataDir: string) => void, RegExp]>([
    [
      'a folder without a database',
      (dir) => rmSync(join(dir, 'hearth.db')),
      /has no organization.*--data-dir/,
    ],
    [
      'a database without an organization',
      (dir) => changed(dir, (db) => db.exec('DELETE FROM realm')),
      /has no organization.*--data-dir/,
    ],
    [
      'an empty database',
      (dir) => writeFileSync(join(dir, 'hearth.db'), ''),
      /has no organization.*--data-dir/,
    ],
    [
      'a newer version',
      (dir) => changed(dir, (db) => db.pragma('user_version = 9999')),
      /newer version of Hearth/,
    ],
    [
      'no database at all',
      (dir) => writeFileSync(join(dir, 'hearth.db'), 'nothing '.repeat(1000)),
      /is damaged/,
    ],
    ['a damaged secret', (dir) => writeFileSync(join(dir, 'secret'), 'short'), /secret is damaged/],
    [
      'a reference to nothing',
      (dir) => changed(dir, (db) => db.exec('INSERT INTO alert_word VALUES (999, 1, 1, 1)')),
      /is damaged \(a row of alert_word refers/,
    ],
    [
      'rows that its rules forbid',
      (dir) =>
        changed(dir, (db) => {
          db.unsafeMode();
          db.pragma('writable_schema = ON');
          db.exec(`UPDATE sqlite_schema SET sql = replace(sql, 'avatar_file TEXT', 'avatar_file TEXT NOT NULL')
            WHERE name = 'account'`);
        }),
      /is damaged \(NULL value in account.avatar_file\)/,
    ],
  ])('%s', async (_, damage, sentence) => {
    const dataDir = await stoppedOffice();
    damage(dataDir);
    const into = temporaryFolder();
    expectRefusal(await backUp(dataDir, into).ended, sentence);
    expect(readdirSync(into)).toEqual([]);
  });

  describe.runIf(canMount)('a disk', () => {
    test('a disk that is full, from the beginning or in the middle, takes no copy, and one sentence says why', async () => {
      const dataDir = await stoppedOffice();
      const disk = await smallDisk(2);
      expectRefusal(await backUp(dataDir, disk).ended, /^The disk of .* is full/);
      expect(readdirSync(disk)).toEqual([]);
      await fillDisk(disk);
      expectRefusal(await backUp(dataDir, disk).ended, /^The disk of .* is full/);
      expect(readdirSync(disk)).toEqual(['ballast']);
    });

    test('a disk that cannot be written takes no copy, and one sentence says why', async () => {
      const dataDir = await stoppedOffice();
      const disk = await smallDisk(2);
      expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0);
      expectRefusal(await backUp(dataDir, disk).ended, /cannot be written \(EROFS\)/);
    });
  });
});
