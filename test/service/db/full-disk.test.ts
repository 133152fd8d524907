import type Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { LoggedEvent } from '#service/db/event-log.ts';
import { schema } from '#service/db/migrations/index.ts';
import { insert, type Operation, record, run } from '#service/db/operation.ts';
import { Writer } from '#service/db/sqlite/commit.ts';
import { createDriver } from '#service/db/sqlite/run-operation.ts';
import { createEventCounter } from '#service/db/sqlite/event-counter.ts';
import { configure } from '#service/db/sqlite/open.ts';
import { startStoreProcess } from '#test/support/service/remote-store.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  recordCommits,
  seedRealm,
  temporaryFile,
} from '#test/support/service/store.ts';
import { bareEvent } from '#test/support/service/bare-events.ts';

interface Bench {
  readonly db: Database.Database;
  readonly writer: Writer;
  readonly told: LoggedEvent[];
  readonly lastEventId: () => number;
}

/** The writer over a connection of the test's own. */
function openWriter(): Bench {
  const db = connectForTest(temporaryFile());
  configure(db);
  db.exec(schema);
  const counter = createEventCounter(db)!;
  const told: LoggedEvent[] = [];
  const driver = createDriver(db, counter);
  const writer = new Writer(db, {
    driver,
    counter,
    commitMs: Infinity,
    onCommit: (events) => void told.push(...events),
    onTouched: () => undefined,
  });
  return { db, writer, told, lastEventId: () => counter.last() };
}

function* note(text: string): Operation<number> {
  const id = yield* insert('INSERT INTO client (name) VALUES (:text)', { text });
  yield* record(bareEvent('test', { kind: 'realm' }, { id }));
  return id;
}

/** Succeeds, and makes the COMMIT of its batch fail. */
function* breakCommit(): Operation<number> {
  yield* run('PRAGMA defer_foreign_keys = ON');
  return yield* run('INSERT INTO muted_topic (account_id, topic_id) VALUES (99, 99)');
}

const statusesOf = (results: readonly PromiseSettledResult<unknown>[]): readonly string[] =>
  results.map((result) => result.status);

describe('when the commit itself fails', () => {
  test('everything that waited for it is refused and nothing of it is told', async () => {
    const { db, writer, told, lastEventId } = openWriter();
    await writer.write(() => note('before'));
    const before = lastEventId();
    const results = await Promise.allSettled([
      writer.write(() => note('first')),
      writer.write(() => breakCommit()),
      writer.write(() => note('second')),
    ]);
    expect(statusesOf(results)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(lastEventId()).toBe(before);
    expect(db.prepare('SELECT name FROM client').pluck().all()).toEqual(['before']);
    expect(await writer.write(() => note('after'))).toBe(2);
    expect(told.map((event) => event.payload)).toEqual([{ id: 1 }, { id: 2 }]);
    const reserved = db.prepare('SELECT reserved_through FROM event_counter').pluck().get();
    expect(lastEventId()).toBeLessThanOrEqual(Number(reserved));
  });

  test('who waits for the end of all writes goes on', async () => {
    const { writer } = openWriter();
    const writing = writer.write(() => breakCommit());
    await writer.drain();
    await expect(writing).rejects.toThrow(/FOREIGN KEY/);
  });
});

describe('when the database may not grow', () => {
  test('writes to a database that may not grow are refused one and all or succeed whole, and go on when it may grow again', async () => {
    const { db, writer, told } = openWriter();
    const pages = Number(db.pragma('page_count', { simple: true }));
    db.pragma(`max_page_count = ${pages + 3}`);
    const kept: number[] = [];
    let refused = 0;
    for (let round = 0; round < 20; round += 1) {
      const results = await Promise.allSettled(
        [0, 1, 2].map((part) => writer.write(() => note(`${round} ${part} ${'x'.repeat(900)}`))),
      );
      for (const result of results) {
        if (result.status === 'fulfilled') kept.push(result.value);
        else {
          refused += 1;
          expect(result.reason).toMatchObject({ code: 'SQLITE_FULL' });
        }
      }
    }
    expect(refused).toBeGreaterThan(0);
    expect(kept.length).toBeGreaterThan(0);
    db.pragma('max_page_count = 1000000');
    kept.push(await writer.write(() => note('after')));
    expect(told.map((event) => event.payload['id'])).toEqual(kept);
    expect(db.prepare('SELECT id FROM client ORDER BY id').pluck().all()).toEqual(kept);
    expect(db.prepare('SELECT id FROM event ORDER BY id').pluck().all()).toEqual(
      told.map((event) => event.id),
    );
  });
});

test('a store whose file cannot grow refuses all that waits, and serves again when there is space', async () => {
  const file = temporaryFile();
  const seeding = await openForTest(file);
  await seedRealm(seeding);
  await seeding.close();
  // 1 MiB: the write-ahead log reaches it long before the database does.
  const remote = await startStoreProcess({ file, fileSizeLimit: 2048 });
  const message = newMessage({ content: 'x'.repeat(5000) });
  const send = () =>
    Promise.allSettled(Array.from({ length: 5 }, () => remote.call('appendMessage', message)));
  const acknowledged: number[] = [];
  // Sent in one turn, they arrive in at most a few; those of one commit share its end, and a smaller one may still fit.
  let last: PromiseSettledResult<number> | undefined;
  for (let round = 0; last?.status !== 'rejected'; round += 1) {
    expect(round).toBeLessThan(200);
    const results = await send();
    for (const result of results) {
      if (result.status === 'fulfilled') acknowledged.push(result.value);
    }
    last = results.at(-1);
  }
  expect(await remote.call('findNewestHeldId', 1)).toBe(acknowledged.at(-1));
  // Space returns: what the log holds moves into the database, and the log starts anew.
  const db = connectForTest(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const results = await send();
  expect(statusesOf(results)).toEqual(Array.from({ length: 5 }, () => 'fulfilled'));
  for (const result of results) if (result.status === 'fulfilled') acknowledged.push(result.value);
  await remote.kill();
  const store = await openForTest(file);
  expect(recordCommits(store)).toEqual([]);
  const events = await store.listEventsAfter(0, 10_000);
  expect(events.map((event) => event.payload['message_id'])).toEqual(acknowledged);
  expect(db.prepare('SELECT id FROM message ORDER BY id').pluck().all()).toEqual(acknowledged);
});
