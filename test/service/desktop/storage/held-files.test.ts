import { appendFile, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createHeldFiles,
  type DesktopHeldFiles,
  StoredHeldFiles,
} from '#desktop/storage/held-files.ts';
import { valueOf } from '#test/support/client/client.ts';

let root: string;
let spool: string;
let files: DesktopHeldFiles;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hearth-held-'));
  spool = join(root, 'uploads');
  files = createHeldFiles(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const piece = (offset: number, text: string, isLast = false) => ({
  ...{ offset, isLast },
  bytes: bytesOf(text),
});

async function write(content: string): Promise<string> {
  const path = join(root, 'plan.txt');
  await writeFile(path, content);
  return path;
}

async function textOf(uploadId: string, from: number, to: number): Promise<string> {
  const file = valueOf(await files.open(uploadId));
  const text = Buffer.from(valueOf(await file.read(from, to))).toString();
  await file.close();
  return text;
}

describe('a file on the disk', () => {
  test('is read where it is, a part at a time', async () => {
    valueOf(await files.holdPath('a', await write('measure twice')));
    const file = valueOf(await files.open('a'));
    expect(file.sizeBytes).toBe(13);
    expect(Buffer.from(valueOf(await file.read(0, 7))).toString()).toBe('measure');
    expect(Buffer.from(valueOf(await file.read(8, 13))).toString()).toBe('twice');
    await file.close();
    files.release('a');
    expect(await files.open('a')).toMatchObject({ failure: { code: 'UPLOAD_GONE' } });
    expect(await readFile(join(root, 'plan.txt'), 'utf8')).toBe('measure twice');
    expect(await readdir(root)).not.toContain('uploads');
  });

  test.each([
    ['written to', (path: string) => appendFile(path, ', cut once')],
    ['cut short', (path: string) => truncate(path, 3)],
  ])('that is %s while it is read is another one then', async (_, change) => {
    const path = await write('measure twice');
    valueOf(await files.holdPath('a', path));
    const file = valueOf(await files.open('a'));
    await change(path);
    expect(await file.read(0, 7)).toMatchObject({ failure: { code: 'FILE_CHANGED' } });
    await file.close();
    const again = valueOf(await files.open('a'));
    expect(again.version).not.toBe(file.version);
    expect((await again.read(0, again.sizeBytes)).ok).toBe(true);
    await again.close();
  });

  test('that is gone, a folder, or no file at all is refused with what to do', async () => {
    const path = await write('measure twice');
    valueOf(await files.holdPath('a', path));
    await rm(path);
    const refusals = await Promise.all([
      files.open('a'),
      files.holdPath('b', path),
      files.holdPath('c', join(path, 'below')),
      files.holdPath('d', root),
      files.holdPath('e', '/dev/null'),
    ]);
    expect(refusals.map((each) => (each.ok ? '' : each.failure.message))).toEqual([
      ...Array.from({ length: 3 }, () => 'The file is no longer where it was. Attach it again.'),
      'This is a folder. Pack it into one file first.',
      'This is no file that can be sent.',
    ]);
  });
});

describe('a file that is nowhere on the disk', () => {
  test('comes in pieces into the profile, and goes with its upload', async () => {
    valueOf(await files.holdPiece('a', piece(0, 'measure ')));
    expect(await files.open('a')).toMatchObject({ failure: { code: 'UPLOAD_GONE' } });
    valueOf(await files.holdPiece('a', piece(8, 'twice', true)));
    expect(await textOf('a', 0, 13)).toBe('measure twice');
    expect(await readdir(spool)).toHaveLength(1);
    files.release('a');
    await expect.poll(() => readdir(spool)).toEqual([]);
  });

  test('begins anew with its first piece, and has no gaps', async () => {
    valueOf(await files.holdPiece('a', piece(0, 'first')));
    expect((await files.holdPiece('a', piece(6, 'gap'))).ok).toBe(false);
    valueOf(await files.holdPiece('a', piece(0, 'second', true)));
    expect(await textOf('a', 0, 6)).toBe('second');
    files.release('a');
    expect((await files.holdPiece('a', piece(6, 'late'))).ok).toBe(false);
  });

  test('is there after the next start, unless it was not whole', async () => {
    valueOf(await files.holdPiece('a', piece(0, 'kept', true)));
    valueOf(await files.holdPiece('b', piece(0, 'half')));
    valueOf(await files.holdPath('c', await write('measure twice')));
    // As a start does after an end that nobody chose.
    files = createHeldFiles(root);
    expect(await textOf('a', 0, 4)).toBe('kept');
    expect(await textOf('c', 0, 7)).toBe('measure');
    expect((await files.open('b')).ok).toBe(false);
    expect(await readdir(spool)).toHaveLength(1);
    files.release('a');
    await expect.poll(() => readdir(spool)).toEqual([]);
  });

  test('is forgotten a week after it was handed over', async () => {
    for (const id of ['old', 'new']) valueOf(await files.holdPiece(id, piece(0, id, true)));
    const list = join(root, 'held-files.json');
    const { files: held } = StoredHeldFiles.parse(JSON.parse(await readFile(list, 'utf8')));
    const weekAgo = Math.floor(Date.now() / 1000) - 7 * 24 * 60 * 60;
    const aged = {
      old: { ...held['old'], atSeconds: weekAgo - 60 },
      new: { ...held['new'], atSeconds: weekAgo + 60 },
    };
    await writeFile(list, JSON.stringify({ files: aged }));
    files = createHeldFiles(root);
    expect((await files.open('old')).ok).toBe(false);
    expect(await textOf('new', 0, 3)).toBe('new');
    expect(await readdir(spool)).toHaveLength(1);
  });
});
