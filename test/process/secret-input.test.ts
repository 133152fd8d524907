/** A secret is typed where only whoever types it can read it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { entryOf } from '../support/entries.ts';
import { WAIT_LIMIT_MS } from '../support/patience.ts';
import { hearth } from './hearth-process.ts';
import { temporaryFolder } from './service-process.ts';

const NONE = /No code was given: type it at a terminal, .* with --code-file\./;
const WRONG = /The code has to be one that "move-out" printed: hearth:\/\/move\//;

test('a code is asked for at a terminal, and else read from a pipe [secret-input.code-asked-terminal]', async () => {
  const dataDir = join(temporaryFolder(), 'new');
  const args = [entryOf('hearth'), 'move-in', '--data-dir', dataDir];
  const command = [process.execPath, ...args].map((word) => `'${word}'`).join(' ');
  const atTerminal = (typed: string) =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      ...{ input: typed, encoding: 'utf8' as const, timeout: WAIT_LIMIT_MS },
    });
  const wrong = atTerminal('hearth://move/x\n');
  expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringMatching(/Code: /)]);
  expect(wrong.stdout).toMatch(WRONG);
  // Ctrl+D
  const none = atTerminal('\u0004');
  expect([none.status, none.stdout]).toEqual([1, expect.stringMatching(NONE)]);
  for (const [typed, says] of [
    ['', NONE],
    ['hearth://move/x', WRONG],
  ] as const) {
    const { code, stderr } = await hearth(['move-in', '--data-dir', dataDir], typed);
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
  }
});
