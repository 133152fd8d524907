import Database from 'better-sqlite3';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StoreOpenError } from '#service/db/port.ts';
import { FORM, OLDEST_FORM } from '#service/db/migrations/index.ts';
import { configure, openStore } from '#service/db/sqlite/open.ts';
import { startStoreProcess } from '#test/support/service/remote-store.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  seedRealm,
  temporaryDir,
  temporaryFile,
  toStream,
} from '#test/support/service/store.ts';

/** Why the file cannot be opened; fails the test when it can. */
async function refusal(file: string): Promise<StoreOpenError> {
  const reason: unknown = await openStore({ file }).then(
    async (store) => {
      await store.close();
      return undefined;
    },
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(StoreOpenError);
  const error = reason as StoreOpenError;
  expect(error.message).toMatch(/^[A-Z][^\n]+\.$/);
  expect(error.message).toContain(dirname(file));
  return error;
}

/** A closed database of a few hundred pages. */
async function filledFile(): Promise<string> {
  const file = temporaryFile();
  const store = await openForTest(file);
  await seedRealm(store);
  const content = 'word '.repeat(150);
  await Promise.all(
    Array.from({ length: 600 }, (_, index) =>
      store.appendMessage(newMessage({ content, target: toStream(1, `topic ${index % 9}`) })),
    ),
  );
  await store.close();
  return file;
}

function overwrite(file: string, position: number, bytes: Uint8Array): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

describe('a database that is open', () => {
  test('an open database has a write-ahead log', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    expect(connectForTest(file).pragma('journal_mode', { simple: true })).toBe('wal');
    expect(existsSync(`${file}-wal`)).toBe(true);
  });

  test('an open database flushes every commit to the disk and checks references', () => {
    const db = connectForTest(temporaryFile());
    configure(db);
    expect(db.pragma('synchronous', { simple: true })).toBe(2);
    expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    expect(db.pragma('foreign_keys', { simple: true })).toBe(1);
  });

  test('an open database leaves one whole file when it is closed', async () => {
    const file = temporaryFile();
    const store = await openForTest(file);
    await seedRealm(store);
    await store.appendMessage(newMessage());
    await store.close();
    expect(readdirSync(dirname(file)).sort()).toEqual([
      'hearth-reserve',
      'hearth-search.db',
      'hearth.db',
      'hearth.lock',
    ]);
    const copy = temporaryFile();
    copyFileSync(file, copy);
    const moved = await openForTest(copy);
    expect(await moved.findNewestHeldId(1)).toBe(1);
  });

  test('an open database refuses rows that refer to nothing', async () => {
    const store = await openForTest();
    await seedRealm(store);
    await expect(store.appendMessage(newMessage({ senderId: 99 }))).rejects.toMatchObject({
      code: 'SQLITE_CONSTRAINT_FOREIGNKEY',
    });
  });

  test('an open database cannot be opened a second time, by this process or another one', async () => {
    const file = temporaryFile();
    const remote = await startStoreProcess({ file });
    const error = await refusal(file);
    expect(error).toMatchObject({ code: 'IN_USE' });
    expect(error.message).toContain('in use by another running Hearth');
    await remote.kill();
    const store = await openForTest(file);
    expect(await refusal(file)).toMatchObject({ code: 'IN_USE' });
    await expect(startStoreProcess({ file })).rejects.toMatchObject({ code: 'IN_USE' });
    await store.close();
    await openForTest(file);
  });
});

describe('a folder or file that may not be written', () => {
  /** Root may write anywhere, so that another account has to try. */
  const userId = process.getuid?.() === 0 ? { userId: 65_534 } : {};

  test('a folder that is not there is named', async () => {
    const file = join(temporaryDir(), 'none', 'hearth.db');
    expect(await refusal(file)).toMatchObject({ code: 'UNWRITABLE' });
  });

  test('a folder without the right to write is named', async () => {
    const file = temporaryFile();
    chmodSync(dirname(file), 0o555);
    const opening = startStoreProcess({ file, ...userId });
    await expect(opening).rejects.toMatchObject({ code: 'UNWRITABLE' });
    await expect(opening).rejects.toThrow(file);
    chmodSync(dirname(file), 0o755);
  });

  test('a file without the right to write is named, and its content stays as it is', async () => {
    const file = await filledFile();
    const before = readFileSync(file);
    chmodSync(dirname(file), 0o777);
    chmodSync(join(dirname(file), 'hearth.lock'), 0o666);
    chmodSync(file, 0o444);
    const opening = startStoreProcess({ file, ...userId });
    await expect(opening).rejects.toMatchObject({ code: 'UNWRITABLE' });
    await expect(opening).rejects.toThrow(file);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('a folder in the place of the file is named', async () => {
    const file = temporaryFile();
    mkdirSync(file);
    expect(await refusal(file)).toMatchObject({ code: 'UNWRITABLE' });
  });
});

describe('a file that is not a usable database', () => {
  test.for([
    ['NEWER', 'a newer version', FORM + 1, 'newer version of Hearth'],
    ['DAMAGED', 'a version before the first release', OLDEST_FORM - 1, 'before its first release'],
  ] as const)(
    'a file is refused as %s when %s wrote it, and stays as it is',
    async ([code, , form, sentence]) => {
      const file = await filledFile();
      const db = new Database(file);
      db.pragma(`user_version = ${form}`);
      db.close();
      const before = readFileSync(file);
      const error = await refusal(file);
      expect(error.code).toBe(code);
      expect(error.message).toContain(sentence);
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  test.for([0, 1, 7])(
    'a file is refused when another application wrote it (its version %i), and stays as it is',
    async (version) => {
      const file = temporaryFile();
      const db = new Database(file);
      db.exec('CREATE TABLE note (text TEXT)');
      db.pragma(`user_version = ${version}`);
      db.close();
      const before = readFileSync(file);
      const error = await refusal(file);
      expect(error.code).toBe('DAMAGED');
      expect(error.message).toContain('not a database of Hearth');
      expect(readFileSync(file).equals(before)).toBe(true);
    },
  );

  test('a file is refused when it holds something other than a database', async () => {
    const file = temporaryFile();
    writeFileSync(file, 'not a database at all, but long enough to look at\n'.repeat(200));
    expect(await refusal(file)).toMatchObject({ code: 'DAMAGED' });
  });

  test.for([50, 100, 511, 3000, 4096, 4097, 40_960, 100_000])(
    'a file is refused when it was cut to %i bytes',
    async (size) => {
      const file = await filledFile();
      expect(statSync(file).size).toBeGreaterThan(size);
      truncateSync(file, size);
      expect(await refusal(file)).toMatchObject({ code: 'DAMAGED' });
    },
  );

  test.for([0, 0xff])(
    'a file is refused when pages in its middle were overwritten with %i',
    async (byte) => {
      const file = await filledFile();
      const middle = Math.floor(statSync(file).size / 2 / 4096) * 4096;
      overwrite(file, middle, new Uint8Array(8192).fill(byte));
      expect(await refusal(file)).toMatchObject({ code: 'DAMAGED' });
    },
  );

  test.for(['DROP TABLE event_counter', 'DELETE FROM event_counter'])(
    'a file is refused when it lacks what every database has (%s)',
    async (sql) => {
      const file = await filledFile();
      const db = new Database(file);
      db.exec(sql);
      db.close();
      expect(await refusal(file)).toMatchObject({ code: 'DAMAGED' });
    },
  );

  test('a file holds no lock after it was refused', async () => {
    const file = await filledFile();
    const whole = readFileSync(file);
    overwrite(file, 0, new Uint8Array(4096).fill(1));
    await refusal(file);
    writeFileSync(file, whole);
    const store = await openForTest(file);
    expect(await store.findNewestHeldId(1)).toBe(600);
  });
});

test('a lock file that is no lock file is named, because deleting it helps', async () => {
  const file = await filledFile();
  const lock = join(dirname(file), 'hearth.lock');
  writeFileSync(lock, 'something else\n'.repeat(100));
  await expect(openStore({ file })).rejects.toMatchObject({ code: 'DAMAGED' });
  await expect(openStore({ file })).rejects.toThrow(`${lock} is damaged; delete it.`);
});

test('an empty file becomes a new database', async () => {
  const file = temporaryFile();
  writeFileSync(file, '');
  const store = await openForTest(file);
  expect(await store.findRealm()).toBeUndefined();
});
