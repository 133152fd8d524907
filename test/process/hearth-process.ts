/** The command line of `hearth` as its own process. */
import { spawn } from 'node:child_process';
import { entryOf } from '../support/entries.ts';
import type { Ended } from './service-process.ts';

/**
 * @param typed  what it reads from standard input
 * @param variables  of its environment, beside those of the test
 */
export function hearth(
  args: readonly string[],
  typed = '',
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [entryOf('hearth'), ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...variables },
  });
  const output = { stdout: '', stderr: '' };
  child.stderr.setEncoding('utf8').on('data', (text: unknown) => (output.stderr += String(text)));
  child.stdout.setEncoding('utf8').on('data', (text: unknown) => (output.stdout += String(text)));
  // A command that asks for nothing may have ended before.
  child.stdin.on('error', () => undefined);
  child.stdin.end(typed);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, ...output }));
  });
}
