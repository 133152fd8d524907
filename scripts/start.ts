import { spawn } from 'node:child_process';
import { obtainElectron } from './electron-binary.ts';
import { becomeService } from './headless.js';
import { projectDir } from './run.ts';
import { whyNoScreen } from './screen.ts';
import { buildIfStale } from './stale-build.ts';

/** Ends with the application's own exit code; a signal to this process closes the application. */
function openDesktop(executable: string, options: readonly string[]): void {
  // Chromium refuses to run its sandbox as root.
  const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
  const args = [...(isRoot ? ['--no-sandbox'] : []), projectDir, ...options];
  const child = spawn(executable, args, { cwd: projectDir, stdio: 'inherit' });
  // Ctrl+C reaches the application by itself, and a second SIGINT would kill it before it has closed cleanly.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => child.kill('SIGTERM'));
  }
  child.on('error', fail);
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === null ? 0 : 1);
  });
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function start(options: readonly string[]): Promise<void> {
  await buildIfStale();
  const noScreen = whyNoScreen();
  const executable = noScreen === undefined ? await obtainElectron() : undefined;
  if (executable !== undefined) {
    openDesktop(executable, options);
    return;
  }
  const why = noScreen ?? 'Electron could not be downloaded';
  process.stderr.write(`${why}: serving the same application to the browser instead\n`);
  becomeService('build');
}

try {
  await start(process.argv.slice(2));
} catch (error) {
  fail(error);
}
