/** Plain JavaScript, as all that `npm run serve` needs: Node loads what reads TypeScript for the first module that has any. */
import { join } from 'node:path';
import process from 'node:process';
import engine from '../src-main/node/engine.json' with { type: 'json' };

/**
 * Windows cannot replace a process, and neither can Node before 22.15.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function serveAsChild(args, env) {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // Ctrl+C reaches the service by itself; this process has to outlive it, to end with its exit code.
  process.on('SIGINT', () => undefined);
  child.on('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}

/**
 * Turns this process into the headless service, with the options of this one: it keeps its id, so a signal meant for the service
 * reaches the service. The engine takes its flags, and malloc its environment, only from a program that starts.
 * @param {'build' | 'sources'} from  the build holds a third less memory; the sources need no build
 */
export function becomeService(from) {
  const path = from === 'build' ? '../out/main/serve.js' : '../src-main/hosting/serve.ts';
  const entry = join(import.meta.dirname, path);
  const args = [...process.execArgv, ...engine.flags, entry, ...process.argv.slice(2)];
  const env = { ...process.env, ...engine.environment };
  /** @type {Partial<NodeJS.Process>} */
  const { execve } = process;
  if (process.platform === 'win32' || execve === undefined) serveAsChild(args, env);
  else execve(process.execPath, [process.execPath, ...args], env);
}
