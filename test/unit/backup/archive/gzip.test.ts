import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bytes, readWhole } from '#backup/archive/byte-reader.ts';
import { fileBytes } from '#backup/archive/checked-file.ts';
import { gunzip, gzipBytes, gzipFile, isWorthPacking } from '#backup/archive/gzip.ts';

const MIB = 1024 * 1024;
const running = new AbortController().signal;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-gzip-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** In chunks, as a disk hands them over; then what is thrown. */
async function* chunks(bytes: Uint8Array, error?: Error): Bytes {
  for (let at = 0; at < bytes.length; at += 64 * 1024) yield bytes.subarray(at, at + 64 * 1024);
  if (error !== undefined) throw error;
}

/** Pixels as a BMP has them. */
const gradient = (): readonly number[] =>
  Array.from({ length: 100_000 }, (_, at) => Math.floor(at / 3 / 300) % 256);

const text = Buffer.from('every message that was ever read\n'.repeat(10_000));

test('a packed file is smaller, and unpacks to what it was', async () => {
  const [from, into] = [join(folder, 'from'), join(folder, 'into')];
  await writeFile(from, text);
  await gzipFile(from, into, running);
  expect((await readFile(into)).length).toBeLessThan(text.length / 10);
  const unpacked = await readWhole(gunzip(fileBytes(into), text.length));
  expect(unpacked.equals(text)).toBe(true);
});

test('what is packed while it is read unpacks to what it was, and an error of the disk is told', async () => {
  const unpacked = await readWhole(gunzip(gzipBytes(chunks(text)), text.length));
  expect(unpacked.equals(text)).toBe(true);
  const error = new Error('EIO');
  await expect(readWhole(gzipBytes(chunks(text, error)))).rejects.toBe(error);
});

test.for([
  ['a text', text, true],
  ['a picture without packing', Buffer.from(gradient()), true],
  ['what is packed already', gzipSync(text.map((byte, at) => byte ^ (at * 31) ^ (at >> 3))), false],
  ['random bytes', randomBytes(MIB), false],
  ['a word', Buffer.from('soup'), false],
  ['nothing', Buffer.alloc(0), false],
] as const)('%s: whether packing is worth it', async ([, bytes, isWorth]) => {
  expect(await isWorthPacking(chunks(bytes))).toBe(isWorth);
});

test('whether packing is worth it is told by the beginning, and what was read is let go of', async () => {
  let isOpen = true;
  let taken = 0;
  const endless = async function* (): Bytes {
    try {
      for (;;) {
        taken += 1;
        yield text;
      }
    } finally {
      isOpen = false;
    }
  };
  expect(await isWorthPacking(endless())).toBe(true);
  expect([taken, isOpen]).toEqual([1, false]);
});

test('what unpacks to more than was said is refused at that length, however much it would be', async () => {
  let taken = 0;
  const unpack = async (): Promise<void> => {
    for await (const { length } of gunzip(chunks(gzipSync(Buffer.alloc(200 * MIB))), MIB)) {
      taken += length;
    }
  };
  await expect(unpack()).rejects.toMatchObject({ kind: 'damaged' });
  expect(taken).toBeLessThanOrEqual(MIB);
});

const packed = gzipSync(text);
const turned = Buffer.from(packed);
turned[turned.length >> 1]! ^= 0xff;

test.for([
  ['no gzip', text],
  ['nothing', new Uint8Array()],
  ['cut off', packed.subarray(0, -9)],
  ['of another length', gzipSync(text.subarray(1))],
  ['with a turned byte', turned],
] as const)('what is packed and %s is said to be damaged', async ([, bytes]) => {
  const unpacking = readWhole(gunzip(chunks(bytes), text.length));
  await expect(unpacking).rejects.toMatchObject({ kind: 'damaged' });
});

test('an error of the disk is told as it is', async () => {
  const error = new Error('EIO');
  await expect(readWhole(gunzip(chunks(packed, error), text.length))).rejects.toBe(error);
});
