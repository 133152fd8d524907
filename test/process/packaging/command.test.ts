import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '#test/support/machine.ts';

function runPackage(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): { readonly status: number | null; readonly stderr: string } {
  return spawnSync(process.execPath, [join(projectDir, 'scripts', 'package.ts'), ...args], {
    cwd: projectDir,
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
}

test('an installer that does not exist is refused with those that do', () => {
  const { status, stderr } = runPackage(['floppy']);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^there is no floppy here; choose among --dir, .+\n$/);
});

test('a folder without an Electron is refused before anything is made', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-no-electron-'));
  try {
    const { status, stderr } = runPackage(['--dir'], { ELECTRON_OVERRIDE_DIST_PATH: folder });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `ELECTRON_OVERRIDE_DIST_PATH names ${folder}, which holds no Electron: its executable and its file "version"\n`,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
