import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { packTar, tarHeader, type TarSource, tarSize, unpackTar } from '#backup/archive/tar.ts';

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const source = (name: string, bytes: Uint8Array): TarSource => ({
  name,
  sizeBytes: bytes.length,
  open: () => inChunks(bytes, 700),
});

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}

async function unpacked(tar: Uint8Array, chunk = 1000): Promise<readonly [string, string][]> {
  const files: [string, string][] = [];
  for await (const { name, content } of unpackTar(inChunks(tar, chunk))) {
    files.push([name, (await collected(content)).toString('latin1')]);
  }
  return files;
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hearth-tar-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const name = fc
  .array(fc.stringMatching(/^[a-zA-Z0-9é_-]{1,60}$/), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join('/'));

test('what was packed is unpacked again, in whatever chunks it comes', async () => {
  const files = fc.uniqueArray(fc.tuple(name, fc.uint8Array({ maxLength: 2000 })), {
    selector: ([each]) => each,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(files, fc.integer({ min: 1, max: 3000 }), async (given, chunk) => {
      const sources = given.map(([each, bytes]) => source(each, bytes));
      const tar = await collected(packTar(sources, 0));
      expect(tar.length).toBe(tarSize(sources));
      const expected = given.map(([each, bytes]) => [each, Buffer.from(bytes).toString('latin1')]);
      expect(await unpacked(tar, chunk)).toEqual(expected);
    }),
    { numRuns: 50 },
  );
});

test.runIf(process.platform !== 'win32')('the tar of the system reads it', async () => {
  const long = `${'folder-with-a-long-name/'.repeat(5)}file.txt`;
  const tar = await collected(
    packTar([source('one.txt', Buffer.from('one')), source(long, Buffer.from('two'))], 1e9),
  );
  const place = folder();
  writeFileSync(join(place, 'all.tar'), tar);
  expect(spawnSync('tar', ['-xf', 'all.tar'], { cwd: place }).status).toBe(0);
  expect(readFileSync(join(place, 'one.txt'), 'utf8')).toBe('one');
  expect(readFileSync(join(place, long), 'utf8')).toBe('two');
});

test.runIf(process.platform !== 'win32')(
  'what the tar of the system packs besides files is refused',
  async () => {
    const place = folder();
    writeFileSync(join(place, 'file'), 'x');
    mkdirSync(join(place, 'sub'));
    spawnSync('ln', ['-s', '/etc/passwd', 'link'], { cwd: place });
    spawnSync('ln', ['file', 'hard'], { cwd: place });
    const made = (...args: readonly string[]): Buffer =>
      spawnSync('tar', ['--format=ustar', '-cf', '-', ...args], { cwd: place }).stdout;
    await expect(unpacked(made('link'))).rejects.toThrow(/"link", which is no plain file/);
    await expect(unpacked(made('file', 'hard'))).rejects.toThrow(/"hard", which is no plain file/);
    await expect(unpacked(made('sub'))).rejects.toThrow(/no plain file/);
    await expect(unpacked(made('--transform=s,^,../,', 'file'))).rejects.toThrow(/lead elsewhere/);
    expect(await unpacked(made('file'))).toEqual([['file', 'x']]);
  },
);

test.each(['/etc/passwd', '../x', 'a/../../x', 'a//b', './x', 'C:x', 'a\\..\\b', 'a\nb', 'a/', ''])(
  'a file with the name %j is refused',
  async (unsafe) => {
    const tar = await collected(packTar([source(unsafe, Buffer.from('x'))], 0));
    await expect(unpacked(tar)).rejects.toThrow(/lead elsewhere/);
  },
);

test('a tar that is cut off or changed anywhere is not taken for a whole one', async () => {
  const tar = await collected(packTar([source('one', Buffer.alloc(900, 1))], 0));
  for (const length of [0, 100, 512, 600, 1400, 1536, 1600]) {
    await expect(unpacked(tar.subarray(0, length)), String(length)).rejects.toThrow(
      /ends too early/,
    );
  }
  for (const at of [0, 100, 125, 156, 300]) {
    const changed = Buffer.from(tar);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    await expect(unpacked(changed), String(at)).rejects.toThrow(/no tar, or it is damaged/);
  }
});

test('a file of more than 8 GiB is named with its length', async () => {
  const sizeBytes = 3 * 2 ** 40 + 5;
  const header = tarHeader({ name: 'large', sizeBytes }, 0);
  const { value } = await unpackTar(inChunks(header, 512)).next();
  expect(value).toMatchObject({ name: 'large', sizeBytes });
});

test('a file that changes its length while it is packed is noticed', async () => {
  const longer: TarSource = { ...source('one', Buffer.from('four')), sizeBytes: 3 };
  await expect(collected(packTar([longer], 0))).rejects.toThrow(/one has changed its length/);
});
