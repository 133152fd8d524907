import Database from 'better-sqlite3';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OutboxStore, StoredItem } from '#client/outbox/outbox-store.ts';
import type { StoredDraft } from '#shared/bridge/models/client.ts';
import { openSqliteOutbox } from '#desktop/storage/outbox-store.ts';
import { connectForTest, temporaryDir } from '#test/support/service/store.ts';

const newFile = (): string => join(temporaryDir(), 'account', 'outbox.db');

function open(file: string): OutboxStore {
  const { outbox, problem } = openSqliteOutbox(file);
  onTestFinished(outbox.close);
  expect(problem).toBe(null);
  return outbox;
}

const item = (number: number, more: Partial<StoredItem> = {}): StoredItem => ({
  conversation: { kind: 'stream', streamId: 1, topic: 'Öffnungszeiten' },
  content: `message ${String(number)}`,
  localId: `id-${String(number)}`,
  writtenAtSeconds: 1_700_000_000 + number,
  state: 'waiting',
  failure: '',
  mayBeSent: false,
  ...more,
});

const draft = (key: string, more: Partial<StoredDraft> = {}): StoredDraft => ({
  key,
  view: { kind: 'private', userIds: [1, 2] },
  topic: null,
  content: `draft of ${key}`,
  changedAtSeconds: 1_700_000_000.5,
  ...more,
});

const namesBeside = (file: string): readonly string[] => readdirSync(dirname(file));

describe('what is written', () => {
  test('what is written is there after the file is closed and opened again, in the order in which it came', () => {
    const file = newFile();
    const first = open(file);
    for (const number of [3, 1, 2]) first.putItem(item(number, { refusal: { code: 'NONE' } }));
    const cause = { name: 'message_too_long', values: { bytes: 10_001, limit: 10_000 } };
    const refusal = { code: 'BAD_REQUEST', cause };
    const failed = item(1, { state: 'failed', failure: 'No.', refusal, mayBeSent: true });
    first.putItem(failed);
    first.putItem(item(2));
    first.putDraft(draft('a'));
    first.putDraft(draft('b', { topic: 't', view: { kind: 'search', terms: [] } }));
    first.putDraft(draft('a', { content: 'changed' }));
    first.putFlags([{ messageId: 1, flag: 'read', isSet: true }]);
    const before = [first.listItems(), first.listDrafts(), first.listFlags()];
    expect(first.listItems().map(({ localId }) => localId)).toEqual(['id-3', 'id-1', 'id-2']);
    first.close();
    const second = open(file);
    expect([second.listItems(), second.listDrafts(), second.listFlags()]).toEqual(before);
    expect(second.listItems().slice(1)).toEqual([failed, item(2)]);
  });

  test('what is written is there without the file having been closed', () => {
    const file = newFile();
    open(file).putItem(item(1));
    expect(connectForTest(file).prepare('SELECT content FROM item').pluck().all()).toEqual([
      'message 1',
    ]);
  });

  test('what is written can be read by nobody else [outbox-store.written-read-nobody]', () => {
    const file = newFile();
    open(file).putItem(item(1));
    const modes = namesBeside(file).map((name) => statSync(join(dirname(file), name)).mode & 0o777);
    expect(modes.length).toBeGreaterThan(1);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(statSync(dirname(file)).mode & 0o777).toBe(0o700);
  });

  test.each(['{', '{"code":7}'])('a message is there whatever its refusal says: %s', (refusal) => {
    const file = newFile();
    const store = open(file);
    store.putItem(item(1));
    connectForTest(file).prepare('UPDATE item SET refusal = ?').run(refusal);
    expect(store.listItems()).toEqual([item(1)]);
  });

  test('a message replaces the draft that it was, both or neither', () => {
    const store = open(newFile());
    store.putDraft(draft('a'));
    store.submit(item(1), 'a');
    expect([store.listItems(), store.listDrafts()]).toEqual([[item(1)], []]);
    store.putDraft(draft('a'));
    const broken = { ...item(2), failure: null } as unknown as StoredItem;
    expect(() => store.submit(broken, 'a')).toThrow();
    expect([store.listItems(), store.listDrafts()]).toEqual([[item(1)], [draft('a')]]);
  });

  test('a mark that was changed again is not removed with the one that was told', () => {
    const store = open(newFile());
    const [read, unread] = [true, false].map((isSet) => ({
      messageId: 1,
      flag: 'read' as const,
      isSet,
    }));
    if (read === undefined || unread === undefined) throw new Error('two marks');
    store.putFlags([read, { ...read, messageId: 2 }]);
    store.putFlags([unread]);
    store.removeFlags([read, { ...read, messageId: 2 }]);
    expect(store.listFlags()).toEqual([unread]);
  });
});

describe('a full disk', () => {
  test('an outbox on a full disk refuses with a sentence, keeps nothing by halves, and takes writes again when there is space', () => {
    const file = newFile();
    const store = open(file);
    store.putDraft(draft('a'));
    // As many pages as there are, seen from every connection.
    const limited = withPageLimit(file, 0);
    const long = item(1, { content: 'x'.repeat(100_000) });
    expect(() => limited.submit(long, 'a')).toThrow(
      expect.objectContaining({ name: 'OutboxError', code: 'DISK_FULL' }),
    );
    expect([limited.listItems(), limited.listDrafts()]).toEqual([[], [draft('a')]]);
    limited.close();
    store.submit(long, 'a');
    expect([store.listItems(), store.listDrafts()]).toEqual([[long], []]);
  });

  /** The library's own answer to a disk without space, from a file that may not grow. */
  function withPageLimit(file: string, more: number): OutboxStore {
    const pragma = Object.getOwnPropertyDescriptor(Database.prototype, 'pragma')?.value as (
      this: Database.Database,
      source: string,
      options?: object,
    ) => unknown;
    const limitedPragma = function (this: Database.Database, source: string, options?: object) {
      const answer = pragma.call(this, source, options);
      if (source.startsWith('application_id =')) {
        const pages = Number(pragma.call(this, 'page_count', { simple: true }));
        pragma.call(this, `max_page_count = ${String(pages + more)}`);
      }
      return answer;
    };
    Object.defineProperty(Database.prototype, 'pragma', {
      value: limitedPragma,
      configurable: true,
    });
    try {
      return open(file);
    } finally {
      Object.defineProperty(Database.prototype, 'pragma', { value: pragma, configurable: true });
    }
  }
});

describe('a damaged file', () => {
  function filled(count: number): string {
    const file = newFile();
    const store = open(file);
    store.putItem(item(0));
    const db = new Database(file);
    const put = db.prepare(`INSERT INTO item
        (local_id, conversation, content, written_at, state, failure, may_be_sent)
      SELECT ?, conversation, ?, written_at, state, failure, may_be_sent FROM item WHERE seq = 1`);
    db.transaction(() => {
      for (let number = 1; number < count; number += 1) {
        put.run(`id-${String(number)}`, `message ${String(number)} ${'x'.repeat(800)}`);
      }
    })();
    db.close();
    store.putDraft(draft('a'));
    store.close();
    return file;
  }

  /** Overwrites a page that holds the given text. */
  function damage(file: string, text: string): void {
    const bytes = readFileSync(file);
    const page = Math.floor(bytes.indexOf(text) / 4096);
    bytes.fill(0xab, page * 4096, (page + 1) * 4096);
    writeFileSync(file, bytes);
  }

  test('a damaged file is moved aside as it was, and all that can be read of it is here', () => {
    const file = filled(200);
    damage(file, 'message 100 ');
    const bytes = readFileSync(file);
    const { outbox, problem } = openSqliteOutbox(file);
    onTestFinished(outbox.close);
    const numbers = outbox.listItems().map(({ localId }) => Number(localId.slice(3)));
    expect(numbers.length).toBeGreaterThan(180);
    expect(numbers).not.toContain(100);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect([numbers[0], numbers.at(-1)]).toEqual([0, 199]);
    expect(outbox.listDrafts()).toEqual([draft('a')]);
    expect(problem).toMatch(/was damaged\. \d+ messages and 1 draft could be read and are here/);
    const aside = namesBeside(file).find((name) => name.includes('.damaged-'));
    expect(problem).toContain(aside);
    expect(readFileSync(join(dirname(file), aside ?? '')).equals(bytes)).toBe(true);
    outbox.putItem(item(1000));
    outbox.close();
    expect(open(file).listItems().at(-1)).toEqual(item(1000));
    expect(namesBeside(file).filter((name) => /reading|salvaged/.test(name))).toEqual([]);
  });

  test.each([
    ['is no database at all', Buffer.from('not a database at all'.repeat(1000))],
    ['is empty of everything but zeros', Buffer.alloc(20_000)],
  ])('a damaged file that %s is kept aside, and writing goes on', (_, bytes) => {
    const file = filled(1);
    writeFileSync(file, bytes);
    const { outbox, problem } = openSqliteOutbox(file);
    onTestFinished(outbox.close);
    expect(problem).toMatch(/Nothing in it could be read any more/);
    const aside = namesBeside(file).find((name) => name.includes('.damaged-')) ?? '';
    expect(readFileSync(join(dirname(file), aside)).equals(bytes)).toBe(true);
    outbox.putItem(item(1));
    expect(outbox.listItems()).toEqual([item(1)]);
  });

  test('a damaged file is replaced also where the computer went off between moving it away and putting the new one there', () => {
    const file = filled(3);
    const salvaged = readFileSync(file);
    const dir = dirname(file);
    writeFileSync(`${file}.salvaged`, salvaged);
    writeFileSync(join(dir, `${basename(file)}-wal`), 'the log of the damaged file');
    writeFileSync(`${file}.damaged-then`, 'the damaged file');
    // The damaged file has its new name already.
    rmSync(file);
    expect(open(file).listItems()).toHaveLength(3);
    expect(existsSync(`${file}.salvaged`)).toBe(false);
  });

  test('damage found while a file is open is told with the write that found it, and the next write goes on', () => {
    // More than the library keeps in memory.
    const file = filled(22_000);
    const store = open(file);
    damage(file, 'message 100 ');
    expect(() => {
      store.putItem(item(100));
    }).toThrow(/found to be damaged\. Try again/);
    store.putItem(item(30_000));
    expect(store.listItems().length).toBeGreaterThan(21_980);
    expect(store.listItems().at(-1)).toEqual(item(30_000));
    expect(namesBeside(file).some((name) => name.includes('.damaged-'))).toBe(true);
  });
});

/** Makes it what builds before causes wrote. */
function makeEarlier(file: string, form: number): void {
  const db = new Database(file);
  db.exec('ALTER TABLE item DROP COLUMN refusal');
  db.pragma(`user_version = ${String(form)}`);
  db.close();
}

test.each([1, 2])(
  'a file of form %i keeps what is in it, and is one of this form from then on',
  (form) => {
    const file = newFile();
    const before = open(file);
    const unexplained = item(1, { state: 'failed', failure: 'No.' });
    before.putItem(unexplained);
    before.close();
    makeEarlier(file, form);
    const store = open(file);
    expect(store.listItems()).toEqual([unexplained]);
    const explained = item(2, { refusal: { code: 'DISK_FULL' } });
    store.putItem(explained);
    expect(store.listItems()).toEqual([unexplained, explained]);
    expect(connectForTest(file).pragma('user_version', { simple: true })).toBe(3);
  },
);

test('a file of a newer version is left as it is, and says what to do', () => {
  const file = newFile();
  open(file).close();
  const db = new Database(file);
  db.pragma('user_version = 99');
  db.close();
  const bytes = readFileSync(file);
  const { outbox, problem } = openSqliteOutbox(file);
  expect(problem).toMatch(/newer version of Hearth.*Install that version/);
  expect(() => outbox.putItem(item(1))).toThrow(/newer version/);
  expect(readFileSync(file).equals(bytes)).toBe(true);
});

test('an outbox that could not be opened is opened by the first write that can, and tells what was in it', async () => {
  const file = newFile();
  const before = open(file);
  before.putItem(item(1));
  before.close();
  const db = new Database(file);
  db.pragma('locking_mode = EXCLUSIVE');
  db.exec('BEGIN EXCLUSIVE');
  const { outbox, problem } = openSqliteOutbox(file);
  onTestFinished(outbox.close);
  expect(problem).toMatch(/cannot be kept safe/);
  expect(outbox.listItems()).toEqual([]);
  const arrived = new Promise<void>((resolve) => outbox.onArrival(resolve));
  db.close();
  outbox.putItem(item(2));
  await arrived;
  expect(outbox.listItems()).toEqual([item(1), item(2)]);
});
