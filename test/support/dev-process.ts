/** `npm run dev` as its own process, without a window. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { projectDir } from './machine.ts';

export interface DevProcess {
  readonly output: () => string;
  /** The line that begins with this word and what it says; undefined as long as there is none. */
  readonly line: (word: string) => string | undefined;
  /** As Ctrl+C does under npm: the terminal tells everybody, and npm tells once more. */
  readonly interrupt: () => void;
  readonly ended: Promise<number | null>;
}

/** At free ports. It has ended, by force if need be, when the test has. */
export function startDev(dataDir: string): DevProcess {
  const script = join(projectDir, 'scripts', 'dev.ts');
  const args = [script, '--browser', '--port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: unknown) => (output += String(text)));
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  onTestFinished(async () => {
    child.kill('SIGINT');
    await ended;
  });
  return {
    output: () => output,
    line: (word) => new RegExp(`^${word} +(.+)$`, 'm').exec(output)?.[1],
    interrupt: () => {
      child.kill('SIGINT');
      setImmediate(() => child.kill('SIGINT'));
    },
    ended,
  };
}
