/** `npm run dev` as its own process, without a window. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { projectDir } from './machine.ts';

export interface DevProcess {
  readonly output: () => string;
  /** The line that begins with this word and what it says; undefined as long as there is none. */
  readonly line: (word: string) => string | undefined;
  /** As Ctrl+C does under npm: the terminal tells everybody, and npm tells once more. */
  readonly interrupt: () => void;
  readonly ended: Promise<number | null>;
}

const lock = join(projectDir, 'node_modules', '.cache', 'dev-process.lock');

export const isRunning = (processId: number): boolean => {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
};

/** Whether nobody else had it. What was left by whoever did not end in order does not count. */
function take(): boolean {
  try {
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const owner = existsSync(lock) ? Number(readFileSync(lock, 'utf8')) : 0;
    if (owner !== 0 && !isRunning(owner)) rmSync(lock, { force: true });
    return false;
  }
}

/**
 * At free ports. It has ended, by force if need be, when the test has. One at a time on this computer: all keep what they
 * have bundled in one folder, and one of the tests makes it seem as if the sources had changed.
 */
export async function startDev(dataDir: string): Promise<DevProcess> {
  await expect.poll(take, { timeout: 120_000 }).toBe(true);
  onTestFinished(() => rmSync(lock, { force: true }));
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
