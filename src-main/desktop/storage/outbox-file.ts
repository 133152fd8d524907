/** The files around an outbox: its own, a damaged one that was moved aside, and the one that takes its place. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Nobody else on this computer may read what a person wrote. SQLite gives its own files the same rights. */
export function createFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

/** A copy to read from, because reading a damaged file may change it. */
export function readCopy(file: string): { readonly file: string; readonly remove: () => void } {
  const dir = mkdtempSync(`${file}.reading-`);
  const copy = join(dir, basename(file));
  const remove = (): void => {
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    copyFileSync(file, copy);
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${copy}-wal`);
  } catch (error) {
    remove();
    throw error;
  }
  return { file: copy, remove };
}

/** The damaged file with what belongs to it: its new name. The file goes first: without its log it must not be opened. */
export function moveAside(file: string): string {
  const aside = asideOf(file);
  renameSync(file, aside);
  moveLogAside(file, aside);
  return basename(aside);
}

const asideOf = (file: string): string =>
  `${file}.damaged-${new Date().toISOString().replaceAll(':', '-')}`;

/** Another file in its place must not be taken for the one that the log belongs to. */
function moveLogAside(file: string, aside: string): void {
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`);
  rmSync(`${file}-shm`, { force: true });
}

/** Puts what was salvaged in the place of the damaged file, also where a crash came between the two. */
export function importSalvaged(file: string): void {
  const salvaged = `${file}.salvaged`;
  if (!existsSync(salvaged)) return;
  if (existsSync(file)) {
    // Begun and not ended: the damaged file is still there and is read anew.
    for (const end of ['', '-wal', '-shm']) rmSync(`${salvaged}${end}`, { force: true });
    return;
  }
  moveLogAside(file, asideOf(file));
  renameSync(salvaged, file);
  syncDir(dirname(file));
}

function syncDir(dir: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(dir, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
