import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { projectDir } from './project-dir.ts';

export { projectDir };

export interface Run {
  readonly code: number | null;
  /** Standard output and standard error as they came. */
  readonly output: string;
}

/** Runs one of the project's own tools to its end, in the project or another folder. The shell finds them on every platform. */
export function run(command: string, cwd = projectDir): Promise<Run> {
  const PATH = [join(projectDir, 'node_modules', '.bin'), process.env['PATH']].join(delimiter);
  const child = spawn(command, {
    cwd,
    env: { ...process.env, PATH, NO_COLOR: '1' },
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, output: Buffer.concat(chunks).toString() });
    });
  });
}
