import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What a branch changes: its commits, what is staged, what is not, and files that git does not know yet. */
export interface Changes {
  /** The commit that all of it is compared with. */
  readonly since: string;
  /** Added or changed, as paths below the folder. */
  readonly files: readonly string[];
  readonly deleted: readonly string[];
}

const MOST_BYTES = 64 * 1024 * 1024;

/** What git prints; undefined where it fails. */
function git(dir: string, ...args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, {
    cwd: dir,
    encoding: 'utf8',
    maxBuffer: MOST_BYTES,
  });
  return status === 0 ? stdout : undefined;
}

/** The commit at which this branch left the one that is published, or else `main`; the last one where there is neither. */
function branchPoint(dir: string): string | undefined {
  const found =
    git(dir, 'merge-base', 'HEAD', 'origin/HEAD') ??
    git(dir, 'merge-base', 'HEAD', 'main') ??
    git(dir, 'rev-parse', '--verify', 'HEAD');
  return found?.trim();
}

/** Undefined where git knows nothing of the folder, or has no commit. */
export function changesIn(dir: string): Changes | undefined {
  const since = branchPoint(dir);
  if (since === undefined) return undefined;
  const known = git(dir, 'diff', '--name-only', '--no-renames', '--relative', '-z', since) ?? '';
  const added = git(dir, 'ls-files', '--others', '--exclude-standard', '-z') ?? '';
  const all = [...new Set(`${known}${added}`.split('\0'))].filter((name) => name !== '').sort();
  const isThere = (name: string): boolean => existsSync(join(dir, name));
  return {
    since,
    files: all.filter(isThere),
    deleted: all.filter((name) => !isThere(name)),
  };
}

export const shortName = (commit: string): string => commit.slice(0, 8);
