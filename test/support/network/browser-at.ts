/** A Chromium on a computer of its own, which trusts one authority more than the others. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright';
import { onTestFinished } from 'vitest';
import { browserPath } from '../machine.ts';
import { launchChromium } from '../window/browser.ts';
import type { Socket } from './lan.ts';

/** With an authority as a person installs it: PEM, in the store of their home. */
export async function browserAt(
  socket: Socket,
  authorityFile: string | null,
  args: readonly string[] = [],
): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'hearth-browser-'));
  if (authorityFile !== null) install(authorityFile, join(home, '.pki', 'nssdb'));
  const executablePath = join(home, 'chromium');
  const command = [...socket.command, browserPath ?? 'chromium'].map((word) => `'${word}'`);
  writeFileSync(executablePath, `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`, { mode: 0o755 });
  // There everybody is root, as which it starts no sandbox.
  const more = ['--no-sandbox', ...args];
  const browser = await launchChromium({ executablePath, args: more, env: { HOME: home } });
  onTestFinished(async () => {
    await browser.close();
    rmSync(home, { recursive: true, force: true });
  });
  return browser;
}

function install(authorityFile: string, store: string): void {
  mkdirSync(store, { recursive: true });
  const where = ['-d', `sql:${store}`];
  execFileSync('certutil', ['-N', ...where, '--empty-password']);
  execFileSync('certutil', ['-A', ...where, '-n', 'office', '-t', 'C,,', '-i', authorityFile]);
}
