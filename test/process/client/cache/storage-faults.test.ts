import { closeSync, existsSync, openSync, readdirSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountFolder } from '#desktop/storage/account-storage.ts';
import { Computer, quickService, readOnly, type Running } from '#test/support/client/computer.ts';
import { Mate } from '#test/support/window/office-mates.ts';
import { canMount, fillDisk, smallDisk } from '#test/support/small-disk.ts';
import { randomFrom } from '#test/support/random.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

let service: RunningService;
let ben: Mate;
let ada: Mate;
beforeAll(async () => {
  service = await startService({ dev: true, args: quickService });
  ben = await Mate.of(() => service.origin, 'ben');
  ada = await Mate.of(() => service.origin, 'ada');
  for (let count = 0; count < 60; count += 1) await ben.tell('ada', `old ${count} `.repeat(20));
});
afterAll(async () => {
  await service.stop();
});

const joined = async (dir?: string): Promise<{ computer: Computer; first: Running }> => {
  const computer = await Computer.buy(dir);
  const first = await computer.join({ origin: service.origin, email: 'ada@example.com' });
  await first.filled();
  return { computer, first };
};

const fileOf = (computer: Computer, { account }: Running, name: string): string =>
  join(computer.dir, 'accounts', accountFolder(account.id), name);

const problemOf = async (running: Running): Promise<string | null> =>
  (await running.state()).storageProblem;

const has = (running: Running, id: number) => (): boolean =>
  running.arrived().some((message) => message.id === id);

/** Everything that the service has is here. */
async function expectWhole(running: Running): Promise<void> {
  await running.filled();
  const page = await running.completePage(undefined, 5000);
  expect(page.messages).toHaveLength((await ada.contents()).length);
}

const draft = (content: string) =>
  ({
    key: 'private:2',
    view: { kind: 'private', userIds: [2] },
    topic: null,
    content,
    changedAtSeconds: 1,
  }) as const;

describe.skipIf(!canMount)('a full disk', () => {
  test('new messages stay with the service while the disk is full, which is said, and come when there is room', async () => {
    const dir = await smallDisk(4);
    const { computer, first } = await joined(dir);
    await first.client.saveDraft(first.account.id, draft('kept before'));
    const free = await fillDisk(dir);
    const ids: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      ids.push(await ben.tell('ada', `${count} ${'long '.repeat(1900)}`));
    }
    await expect.poll(() => problemOf(first)).toMatch(/^The disk is full: .*\.$/);
    expect(first.connection).toMatchObject({ state: 'offline', reason: /The disk is full/ });
    // What is asked for is shown, whether it can be kept or not.
    const page = await first.page({ kind: 'private', userIds: [2] });
    expect(page.messages.at(-1)?.id).toBe(ids.at(-1));

    const conversation = { kind: 'private', userIds: [2] } as const;
    const content = 'word '.repeat(1500);
    const sent = await first.client.sendMessage(
      first.account.id,
      { conversation, content },
      'private:2',
    );
    expect(sent).toMatchObject({
      ok: false,
      failure: { code: 'DISK_FULL', message: /disk is full/ },
    });
    expect((await first.state()).drafts.map((each) => each.content)).toEqual(['kept before']);
    expect((await first.state()).outbox).toEqual([]);
    const marked = readOnly(ids[0]!);
    await first.client.markRead(first.account.id, marked);
    expect((await first.status()).messages).toBeGreaterThan(0);
    expect(await first.client.recent(first.account.id)).toMatchObject({ ok: true });

    await free();
    await first.until(has(first, ids.at(-1)!));
    await first.live();
    expect(first.arrived().map(({ id }) => id)).toEqual(ids);
    await expect.poll(() => problemOf(first)).toBeNull();
    await expect.poll(() => ada.flagsOf(ids[0]!)).toContain('read');
    await first.send('there is room again');
    await expect.poll(() => ada.contents()).toContain('there is room again');
    await first.client.stop();
    const second = await computer.start();
    await second.live();
    await expectWhole(second);
    expect(second.arrived()).toEqual([]);
    await second.client.stop();
  });

  test('a full disk at the start is said, and leaves what was kept before', async () => {
    const dir = await smallDisk(4);
    const { computer, first } = await joined(dir);
    await first.client.saveDraft(first.account.id, draft('from before'));
    await first.client.stop();
    const free = await fillDisk(dir);
    const second = await computer.start();
    await second.until(
      () => second.connection !== undefined && second.connection.state !== 'connecting',
    );
    const page = await second.page({ kind: 'private', userIds: [2] });
    expect(page.messages.length).toBeGreaterThanOrEqual(60);
    expect(await problemOf(second)).toMatch(/^The disk is full/);
    await second.client.stop();
    await free();
    const third = await computer.start();
    await third.live();
    expect((await third.state()).drafts).toHaveLength(1);
    expect(await problemOf(third)).toBeNull();
    await expectWhole(third);
    await third.client.stop();
  });
});

type Damage = (file: string) => void;

const damages: readonly (readonly [string, Damage])[] = [
  [
    'was cut off',
    (file) => {
      truncateSync(file, 5000);
    },
  ],
  [
    'is empty',
    (file) => {
      truncateSync(file, 0);
    },
  ],
  [
    'has another head',
    (file) => {
      write(file, 0, Buffer.from('not a database at all'));
    },
  ],
  [
    'has noise in its middle',
    (file) => {
      noise(file);
    },
  ],
  [
    'has a state that is none',
    (file) => {
      edit(file, "UPDATE slice SET value = '{\"half' WHERE name NOT LIKE '@%'");
    },
  ],
  [
    'has messages that are none',
    (file) => {
      edit(file, "UPDATE body SET rest = '{\"half'");
    },
  ],
];

function write(file: string, position: number, bytes: Buffer): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, bytes, 0, bytes.length, position);
  closeSync(handle);
}

function edit(file: string, statement: string): void {
  const database = new Database(file);
  database.exec(statement);
  database.close();
}

function noise(file: string): void {
  const random = randomFrom(5);
  const bytes = Buffer.from(Array.from({ length: 300 }, () => random.below(256)));
  for (let page = 2; page < 200; page += 1) write(file, page * 4096, bytes);
}

/** Whoever has the file open reads its pages from the disk again, and nothing of it is in the log. */
function readAnew(file: string): void {
  const other = new Database(file);
  other.exec("UPDATE slice SET value = value || ' ' WHERE name = '@position'");
  other.pragma('wal_checkpoint(TRUNCATE)');
  other.close();
}

describe('a damaged cache', () => {
  test.each(damages)(
    'a damaged cache that %s is moved aside, fetched again and told of',
    async (how, damage) => {
      const { computer, first } = await joined();
      await first.client.saveDraft(first.account.id, draft('a draft'));
      await first.client.stop();
      const file = fileOf(computer, first, 'cache.db');
      damage(file);
      const missed = await ben.tell('ada', `after ${how}`);
      const second = await computer.start();
      await second.live();
      expect((await second.state()).drafts).toHaveLength(1);
      const page = await second.completePage({ kind: 'private', userIds: [2] });
      expect(page.messages.at(-1)?.id).toBe(missed);
      if (how !== 'is empty') {
        const sentence = /^The messages .* damaged.*fetched again\. .*\.$/;
        await expect.poll(() => problemOf(second)).toMatch(sentence);
        expect(existsSync(`${file}.damaged`)).toBe(true);
      }
      await expectWhole(second);
    },
  );

  test.each(damages.filter(([how]) => !/cut off|state/.test(how)))(
    'while it runs that %s does not stop anything',
    async (how, damage) => {
      const { computer, first } = await joined();
      const file = fileOf(computer, first, 'cache.db');
      readAnew(file);
      damage(file);
      const ids: number[] = [];
      for (let count = 0; count < 3; count += 1) ids.push(await ben.tell('ada', `${how} ${count}`));
      await first.until(has(first, ids.at(-1)!));
      const id = first.account.id;
      await first.client.messages(id, {
        view: { kind: 'starred' },
        anchor: 'newest',
        before: 50,
        after: 0,
      });
      expect(await first.client.recent(id)).toMatchObject({ ok: true });
      await first.client.markRead(id, { kind: 'everything' });
      await first.client.star(id, ids[0]!, true);
      await first.send(`still here: ${how}`);
      await expect.poll(() => ada.contents()).toContain(`still here: ${how}`);
      await expect.poll(() => ada.flagsOf(ids[0]!)).toContain('starred');
      const told = first.arrived().map((message) => message.id);
      expect(told.filter((each) => ids.includes(each))).toEqual(ids);
      await first.client.stop();
      const second = await computer.start();
      await second.live();
      await expectWhole(second);
      expect((await second.state()).starredCount).toBeGreaterThan(0);
      await ada.flag('remove', 'starred', [ids[0]!]);
    },
  );
});

describe('a damaged file of unsent messages', () => {
  test('a damaged file of unsent messages that is no longer a database is moved aside and told of, and writing works', async () => {
    const { computer, first } = await joined();
    await first.client.saveDraft(first.account.id, draft('lost with its file'));
    await first.client.stop();
    const file = fileOf(computer, first, 'outbox.db');
    write(file, 0, Buffer.from('not a database at all'));
    const second = await computer.start();
    await second.live();
    expect(await problemOf(second)).toMatch(/^The file with your unsent messages .*damaged.*\.$/);
    const folder = join(file, '..');
    expect(readdirSync(folder).some((name) => name.startsWith('outbox.db.damaged'))).toBe(true);
    await second.send('written after the damage');
    await expect.poll(() => ada.contents()).toContain('written after the damage');
  });

  test('the readable part of a damaged file of unsent messages is kept', async () => {
    const { computer, first } = await joined();
    await first.client.stop();
    const offline = await computer.start({ http: () => Promise.reject(new Error('no network')) });
    for (let count = 0; count < 40; count += 1)
      await offline.send(`kept ${count} ${'x'.repeat(900)}`);
    await offline.client.stop();
    const file = fileOf(computer, first, 'outbox.db');
    write(file, 12 * 4096, Buffer.alloc(4096, 7));
    const second = await computer.start();
    await second.live();
    expect(await problemOf(second)).toMatch(/could be read and are here/);
    await expect.poll(async () => (await second.state()).outbox.length).toBe(0);
    const kept = (await ada.contents()).filter((text) => text.startsWith('kept '));
    expect(kept.length).toBeGreaterThan(20);
    expect(new Set(kept).size).toBe(kept.length);
  });
});
