import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { cacheDir } from './paths.ts';

/** Each name has a file here, and a program that is at another path each time would add to them for ever. A service needs some 40. */
const MAX_FILES = 1000;

/** Whoever writes there decides what runs: Node compares checksums that anybody can make. */
function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
}

function openFolder(): string | undefined {
  try {
    const folder = join(cacheDir(), 'compiled');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!isOwn(folder)) return undefined;
    if (readdirSync(folder, { recursive: true }).length > MAX_FILES) {
      rmSync(folder, { recursive: true });
      mkdirSync(folder, { mode: 0o700 });
    }
    return folder;
  } catch {
    // No home, or one that cannot be written to, or another process that does the same.
    return undefined;
  }
}

/**
 * Keeps what was compiled: the next start takes half as long. Node before 22 compiles anew each time, and so does whoever has
 * no folder that is theirs alone: Node's own place for it is shared by all who use the computer.
 */
export function cacheCompiledCode(): void {
  const { enableCompileCache } = nodeModule as Partial<typeof nodeModule>;
  const folder = openFolder();
  if (folder !== undefined) enableCompileCache?.(folder);
}
