/** An organization that comes back out of a sealed archive, on another computer. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWhole } from '#backup/archive/byte-reader.ts';
import { openArchive } from '#backup/archive/read-archive.ts';
import type { TarSource } from '#backup/archive/tar.ts';
import { writeArchive } from '#backup/archive/write-archive.ts';
import { restoreOrganization } from '#backup/restore.ts';
import { textSource } from '#backup/compressed-files.ts';
import {
  restoreGenerationBytes,
  isSignedBy,
  readServerIdentity,
} from '#node/tls/server-identity.ts';
import { basicAuth, call, type Credentials, credentials } from '#test/support/service/service.ts';
import { hearth } from '../hearth-process.ts';
import { restoreOpen } from './restore-open.ts';
import { note, sendFile } from '../sent-files.ts';
import {
  type Ended,
  serve,
  type ServiceProcess,
  stop,
  temporaryFolder,
} from '../service-process.ts';

/** More than age seals at once, so that damage at the end of it leaves the messages whole. */
const plan = 'the plan '.repeat(30_000);

interface Running {
  readonly service: ServiceProcess;
  readonly origin: string;
}

async function start(dataDir: string): Promise<Running> {
  const service = serve('--dev', '--no-rate-limits', '--port', '0', '--data-dir', dataDir);
  return { service, origin: await service.origin };
}

async function send(origin: string, sender: Credentials, content: string): Promise<number> {
  const message = { type: 'stream', to: 'general', topic: 'all', content };
  const { body } = await call(origin, sender, 'POST', '/messages', message);
  return Number(body['id']);
}

async function ids(origin: string, auth: Credentials): Promise<readonly number[]> {
  const page = { anchor: 'newest', num_before: 100, num_after: 0 };
  const { body } = await call(origin, auth, 'GET', '/messages', page);
  return (body as unknown as { messages: { id: number }[] }).messages.map(({ id }) => id);
}

const fields = (ended: Ended): Readonly<Record<string, unknown>> =>
  JSON.parse(ended.stdout) as Readonly<Record<string, unknown>>;

/** One office with one archive of it, and what was given out after the archive was made. */
const place = mkdtempSync(join(tmpdir(), 'hearth-restore-'));
const before = { code: '', file: '', uri: '', first: 0, lost: 0, epochPin: '', lostInvite: '' };
let ben: Credentials;
let gone: Readonly<Record<'queue' | 'event' | 'bot' | 'key' | 'stream', string | number>>;

async function makeBot(origin: string, name: string): Promise<readonly [number, string]> {
  const form = { full_name: name, short_name: name, bot_type: 1 };
  const { body } = await call(origin, ben, 'POST', '/bots', form);
  return [Number(body['user_id']), String(body['api_key'])];
}

beforeAll(async () => {
  const dataDir = join(place, 'old');
  const { origin, service } = await start(dataDir);
  ben = await credentials(origin, 'ben@example.com');
  before.uri = await sendFile(origin, ben, '/user_uploads', note('plan.txt', plan));
  before.first = await send(origin, ben, `[plan](${before.uri})`);
  const said = fields(await hearth(['backup', place, '--data-dir', dataDir, '--json']));
  before.file = String(said['file']);
  before.code = String(said['recovery_code']);
  // What only members still have: it was told to them, and is in no archive.
  before.lost = await send(origin, ben, 'written after the archive');
  const queue = await call(origin, ben, 'POST', '/register', { event_types: ['message'] });
  const [bot, botKey] = await makeBot(origin, 'late-bot');
  const renewed = await call(origin, ben, 'POST', '/users/me/api_key/regenerate');
  gone = {
    queue: String(queue.body['queue_id']),
    event: Number(queue.body['last_event_id']),
    bot,
    key: String(renewed.body['api_key']),
    stream: botKey,
  };
  // Stolen, not stopped.
  service.child.kill('SIGKILL');
  await service.ended;
});
afterAll(() => rmSync(place, { recursive: true }));

const codeFile = (code = before.code): string => {
  const file = join(temporaryFolder(), 'code.txt');
  writeFileSync(file, code);
  return file;
};

const restoreInto = (dataDir: string, ...more: readonly string[]): Promise<Ended> =>
  restoreOpen([before.file, '--data-dir', dataDir, '--code-file', codeFile(), '--yes', ...more]);

const running = new AbortController().signal;

const bytesSource = (name: string, bytes: Uint8Array): TarSource => ({
  name,
  sizeBytes: bytes.length,
  open: async function* () {
    yield bytes;
  },
});

type Change = (part: TarSource, bytes: Buffer) => readonly TarSource[];

/** The same archive with other parts. */
async function changedArchive(change: Change): Promise<string> {
  const { kit, office, close } = await openArchive(before.file, before.code);
  const sources: TarSource[] = [];
  for await (const { name, content } of office) {
    const bytes = await readWhole(content);
    sources.push(...change(bytesSource(name, bytes), bytes));
  }
  await close();
  const file = join(temporaryFolder(), 'before.hearth');
  await writeArchive(
    file,
    { ...kit, keys: null, office: sources, stored: null, madeAtSeconds: 0 },
    running,
  );
  return file;
}

/** As earlier versions made it. */
const archiveOfBefore = (format: 1 | 2): Promise<string> =>
  changedArchive((part, bytes) => {
    if (part.name === 'about.json') {
      const about = JSON.parse(bytes.toString()) as Readonly<Record<string, unknown>>;
      expect(about).toMatchObject({ format: 3 });
      const databaseBytes = format === 1 ? undefined : about['databaseBytes'];
      return [textSource(part.name, JSON.stringify({ ...about, format, databaseBytes }))];
    }
    if (part.name === 'packed-files.json') return [];
    const path = /^packed\/(.*)\.gz$/.exec(part.name)?.[1];
    if (path !== undefined) return [bytesSource(path, gunzipSync(bytes))];
    if (part.name !== 'hearth.db.gz' || format === 2) return [part];
    return [bytesSource('hearth.db', gunzipSync(bytes))];
  });

describe('a restored organization', () => {
  test('a restored organization goes on, under numbers, keys and queues that were never given out [restore.restored-organization-goes]', async () => {
    const dataDir = join(temporaryFolder(), 'new');
    const said = fields(await restoreInto(dataDir, '--keep-keys', '--json'));
    expect(said).toMatchObject({
      result: 'success',
      name: 'Dev',
      messages: 1,
      files: 1,
      lost_files: 0,
    });
    const officeKey = readServerIdentity(readFileSync(join(dataDir, 'office-key'), 'utf8').trim());
    expect(said['pin']).toBe(officeKey?.fingerprint);

    const { origin, service } = await start(dataDir);
    const settings = (await (await fetch(`${origin}/api/v1/server_settings`)).json()) as {
      epoch: { n: number; id: string; parent: string; signature: string };
    };
    const { epoch } = settings;
    expect(epoch).toMatchObject(said['epoch'] as object);
    const signature = Buffer.from(epoch.signature, 'base64');
    const { publicKey = new Uint8Array() } = officeKey ?? {};
    expect(isSignedBy(publicKey, 'epoch', restoreGenerationBytes(epoch), signature)).toBe(true);

    // The key of the archive goes on; what was written after it is gone, and its number stays unused.
    const headers = { authorization: basicAuth(ben) };
    expect(await ids(origin, ben)).toEqual([before.first]);
    expect(await (await fetch(`${origin}${before.uri}`, { headers })).text()).toBe(plan);
    expect(await send(origin, ben, 'again')).toBeGreaterThan(before.lost + 1e7);
    const events = { queue_id: gone.queue, last_event_id: gone.event, dont_block: true };
    const polled = await call(origin, ben, 'GET', '/events', events);
    expect(polled.body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
    const queue = await call(origin, ben, 'POST', '/register', { event_types: ['message'] });
    expect(Number(queue.body['last_event_id'])).toBeGreaterThan(Number(gone.event) + 1e7);
    const [bot, botKey] = await makeBot(origin, 'late-bot');
    expect(bot).toBeGreaterThan(Number(gone.bot) + 1e4);
    expect(botKey).not.toBe(gone.stream);
    const renewed = await call(origin, ben, 'POST', '/users/me/api_key/regenerate');
    expect(renewed.body['api_key']).not.toBe(gone.key);
    await stop(service);
  });

  test('a search in a restored organization finds what is on both sides of the gap', async () => {
    const dataDir = join(temporaryFolder(), 'new');
    await restoreInto(dataDir, '--keep-keys');
    const { origin, service } = await start(dataDir);
    const later = await send(origin, ben, 'another plan');
    const narrow = JSON.stringify([{ operator: 'search', operand: 'plan' }]);
    const found = async (anchor: string | number): Promise<readonly number[]> => {
      const page = { anchor, num_before: 10, num_after: 10, narrow };
      const { body } = await call(origin, ben, 'GET', '/messages', page);
      return (body as unknown as { messages: { id: number }[] }).messages.map(({ id }) => id);
    };
    // The index is made anew.
    for (const anchor of ['newest', 'oldest', before.first, later, 5e7]) {
      await expect
        .poll(() => found(anchor), { message: String(anchor) })
        .toEqual([before.first, later]);
    }
    await stop(service);
  });

  test('a restored organization lets nobody in by a key of before, where that is not asked for, and keeps its code [restore.restored-organization-lets]', async () => {
    const dataDir = join(temporaryFolder(), 'new');
    const { code, stdout, stderr } = await restoreInto(dataDir);
    expect([code, stdout]).toEqual([0, `restored 1 message into ${dataDir}\n`]);
    expect(stderr).toMatch(
      /^Dev, as it was on \d+ \w+ \d{4}, \d\d:\d\d .*: 1 message, 1 file\npin [a-z2-7]{52}\nChanges since/,
    );
    const { origin, service } = await start(dataDir);
    expect((await call(origin, ben, 'GET', '/users/me')).status).toBe(401);
    const again = await credentials(origin, 'ben@example.com');
    expect(again.key).not.toBe(ben.key);
    expect(again.key).not.toBe(gone.key);
    await stop(service);
    // A second one on top of it: numbers rise again, and the code of before opens it.
    const second = fields(
      await hearth(['backup', temporaryFolder(), '--data-dir', dataDir, '--json']),
    );
    expect(second['recovery_code']).toBeNull();
    const third = join(temporaryFolder(), 'third');
    const args = ['--data-dir', third, '--code-file', codeFile(), '--yes', '--json'];
    const said = fields(await restoreOpen([String(second['file']), ...args]));
    const db = new Database(join(third, 'hearth.db'), { readonly: true });
    const rows = db.prepare('SELECT n, parent FROM epoch ORDER BY n').all() as { n: number }[];
    expect(rows).toHaveLength(2);
    expect(rows[1]?.n).toBeGreaterThan(rows[0]?.n ?? 0);
    const seq = db.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'message'").pluck().get();
    expect(Number(seq)).toBeGreaterThan(2e8);
    expect(db.prepare('SELECT COUNT(*) FROM queue').pluck().get()).toBe(0);
    db.close();
    expect(said['result']).toBe('success');
  });

  const how = { keepsKeys: false, isStolen: false, isClosed: false };

  test.for([
    ['nothing', 1],
    ['its database alone', 2],
  ] as const)(
    'an archive of an earlier version, which packed %s, is restored',
    async ([, format]) => {
      const dataDir = join(temporaryFolder(), 'new');
      const file = await archiveOfBefore(format);
      const request = { file, code: before.code, dataDir, acceptsDamage: false, ...how };
      const restored = await restoreOrganization(request, new Date(), running);
      expect(restored).toMatchObject({ summary: { messages: 1, files: 1 }, lostFiles: 0 });
      const db = new Database(join(dataDir, 'hearth.db'), { readonly: true });
      const content = db.prepare('SELECT content FROM message').pluck().get();
      expect(content).toBe(`[plan](${before.uri})`);
      db.close();
      const place = before.uri.split('/').slice(2, 4);
      expect(readFileSync(join(dataDir, 'files', 'uploads', ...place), 'utf8')).toBe(plan);
    },
  );

  test.for([
    ['is longer than its list says', (sizeBytes: number) => [{ sizeBytes: sizeBytes - 1 }]],
    ['has no length', () => []],
  ] as const)(
    'a packed file that %s is damaged, and left out where damage is accepted',
    async ([, list]) => {
      const file = await changedArchive((part, bytes) => {
        if (part.name !== 'packed-files.json') return [part];
        const [listed] = JSON.parse(bytes.toString()) as readonly { sizeBytes: number }[];
        expect(listed).toMatchObject({ sizeBytes: plan.length });
        const changed = list(plan.length).map((length) => ({ ...listed, ...length }));
        return [textSource(part.name, JSON.stringify(changed))];
      });
      const request = { file, code: before.code, dataDir: join(temporaryFolder(), 'new'), ...how };
      const refused = restoreOrganization(
        { ...request, acceptsDamage: false },
        new Date(),
        running,
      );
      await expect(refused).rejects.toThrow(/is damaged: 0 of its 1 file can be read/);
      const accepted = restoreOrganization(
        { ...request, acceptsDamage: true },
        new Date(),
        running,
      );
      await expect(accepted).resolves.toMatchObject({ lostFiles: 1, summary: { messages: 1 } });
    },
  );
});

function expectRefusal({ code, stdout, stderr }: Ended, sentence: RegExp): void {
  expect(stderr).toMatch(sentence);
  expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(3);
  expect(stderr).not.toMatch(/^[ \t]+at .*:\d|Error:|node:/m);
  expect([code, stdout]).toEqual([1, '']);
}

describe('nothing is restored, and a sentence says why', () => {
  test('a restore by another code, into a folder with something in it or without being asked for is refused [restore.another-code-folder]', async () => {
    const parent = temporaryFolder();
    const dataDir = join(parent, 'new');
    const words = before.code.split(' ');
    // Two of the thirteen may be the same word: then changing places changes nothing.
    const at = words.findIndex((word, index) => word !== words[index + 1]);
    const swapped = words
      .with(at, words[at + 1] ?? '')
      .with(at + 1, words[at] ?? '')
      .join(' ');
    const other = fields(
      await hearth(['recovery-code', '--data-dir', copied(join(place, 'old')), '--new', '--json']),
    );
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [['--code-file', codeFile(swapped)], /not a recovery code|does not open this archive/],
      [['--code-file', codeFile(String(other['recovery_code']))], /does not open this archive/],
      [['--code-file', codeFile('one two')], /13 words, but 2 were given/],
      [['--show'], /^No recovery code was given: .* --code-file\.\n$/],
      [['--code-file', join(parent, 'none')], /cannot be read \(ENOENT\)/],
      [['--code-file', codeFile()], /add --yes/],
      [['--code-file', codeFile(), '--yes', '--data-dir', place], /is not empty/],
    ];
    for (const [args, sentence] of cases) {
      expectRefusal(
        await hearth(['restore', before.file, '--data-dir', dataDir, ...args]),
        sentence,
      );
    }
    expect(readdirSync(parent)).toEqual([]);
  });

  test('a damaged archive is not restored, and it is said which part of it can be read', async () => {
    const parent = temporaryFolder();
    const dataDir = join(parent, 'new');
    const restoreBytes = (changed: Buffer, ...more: readonly string[]): Promise<Ended> => {
      const file = join(parent, 'damaged.hearth');
      writeFileSync(file, changed);
      return hearth([
        'restore',
        file,
        '--data-dir',
        dataDir,
        '--code-file',
        codeFile(),
        '--yes',
        ...more,
      ]);
    };
    expectRefusal(await restoreBytes(Buffer.from('nothing')), /is no archive of Hearth/);
    // Packed, the messages are in one piece with what stands before them.
    const unpacked = readFileSync(await archiveOfBefore(1));
    const inMessages = Math.floor(unpacked.length / 2);
    unpacked.writeUInt8(unpacked.readUInt8(inMessages) ^ 1, inMessages);
    expectRefusal(await restoreBytes(unpacked), /damaged before the end of its messages/);
    // The last part has the one file.
    const bytes = readFileSync(await archiveOfBefore(2));
    const cut = bytes.subarray(0, bytes.length - 2600);
    expectRefusal(await restoreBytes(cut), /0 of its 1 file can be read, and all of its messages/);
    expect(existsSync(dataDir)).toBe(false);
    const accepted = await restoreBytes(cut, '--accept-damage', '--json');
    expect(accepted.code).toBe(3);
    expect(fields(accepted)).toMatchObject({ result: 'success', messages: 1, lost_files: 1 });
    expect(readdirSync(parent).sort()).toEqual(['damaged.hearth', 'new']);
  });
});

function copied(dataDir: string): string {
  const copy = temporaryFolder();
  cpSync(dataDir, copy, { recursive: true });
  return copy;
}
