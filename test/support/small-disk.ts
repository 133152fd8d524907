/** Disks that are soon full. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

/** A disk of a few MiB, where this machine lets one be made. */
export const canMount =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()]).status === 0;

/** Taken away when the test ends, after everything that the test began later. */
export async function smallDisk(mebibytes: number): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hearth-disk-'));
  const options = ['-t', 'tmpfs', '-o', `size=${String(mebibytes)}m`, 'tmpfs', dir];
  expect(spawnSync('mount', options).status).toBe(0);
  onTestFinished(async () => {
    // The client is stopped first: what comes last is done first.
    spawnSync('umount', ['-l', dir]);
    await rm(dir, { recursive: true, force: true });
  });
  return dir;
}

/** Nothing more fits; answers how to make room again. */
export async function fillDisk(dir: string): Promise<() => Promise<void>> {
  const ballast = join(dir, 'ballast');
  for (;;) {
    const { bavail, bsize } = await statfs(dir);
    if (bavail === 0) break;
    await writeFile(ballast, Buffer.alloc(bavail * bsize), { flag: 'a' }).catch(() => undefined);
  }
  return () => rm(ballast);
}
