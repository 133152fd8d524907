import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { engineFlags, serveEnvironment } from '#node/own-command.ts';

/**
 * Turns this process into the headless service, with the options of this one: it keeps its id, so a signal meant for the service
 * reaches the service. The engine takes its flags, and malloc its environment, only from a program that starts.
 *
 * @param from  the build holds a third less memory; the sources need no build
 */
export function becomeService(from: 'build' | 'sources'): void {
  const path = from === 'build' ? '../out/main/serve.js' : '../src-main/hosting/serve.ts';
  const entry = fileURLToPath(new URL(path, import.meta.url));
  const args = [...process.execArgv, ...engineFlags, entry, ...process.argv.slice(2)];
  const env = { ...process.env, ...serveEnvironment };
  const { execve } = process as Partial<NodeJS.Process>;
  if (process.platform === 'win32' || execve === undefined) serveAsChild(args, env);
  else execve(process.execPath, [process.execPath, ...args], env);
}

/** Windows cannot replace a process, and neither can Node before 22.15. */
function serveAsChild(args: readonly string[], env: NodeJS.ProcessEnv): void {
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // Ctrl+C reaches the service by itself; this process has to outlive it, to end with its exit code.
  process.on('SIGINT', () => undefined);
  child.on('error', (error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
