import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSealingKey } from '#backup/archive/age.ts';
import type { Bytes } from '#backup/archive/byte-reader.ts';
import type { TarSource } from '#backup/archive/tar.ts';
import { writeArchive } from '#backup/archive/write-archive.ts';

const CHUNK = 64 * 1024;
const CHUNKS = 20;

let folder: string;
let recipient: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-archive-'));
  ({ recipient } = await createSealingKey());
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** A file that knows how often it is open. */
function watchedSource(): { readonly source: TarSource; readonly open: { count: number } } {
  const open = { count: 0 };
  async function* bytes(): Bytes {
    open.count += 1;
    try {
      for (let at = 0; at < CHUNKS; at += 1) yield new Uint8Array(CHUNK).fill(at);
    } finally {
      open.count -= 1;
    }
  }
  return { source: { name: 'watched', sizeBytes: CHUNK * CHUNKS, open: bytes }, open };
}

const notStopped = new AbortController().signal;

test('an archive that cannot be begun keeps no file open', async () => {
  const file = join(folder, 'taken');
  await writeFile(file, '');
  const { source, open } = watchedSource();
  const content = { recipient, code: new Uint8Array(), keys: null, stored: null, madeAtSeconds: 0 };
  const writing = writeArchive(file, { ...content, office: [source] }, notStopped);
  await expect(writing).rejects.toMatchObject({ code: 'EEXIST' });
  await vi.waitFor(() => expect(open.count).toBe(0), { interval: 1 });
});
