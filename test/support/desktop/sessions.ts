/** Runs once before the desktop suite: a desktop session for each worker but the first, which has the one of the run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

type Session = Readonly<Record<string, string>>;

declare module 'vitest' {
  interface ProvidedContext {
    /** By worker: what a process is in that session by. */
    readonly desktopSessions: readonly Session[];
  }
}

const names = [
  ...['DISPLAY', 'XAUTHORITY'],
  ...['DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR', 'XDG_DATA_HOME'],
];
/** Says where it is, and stays until nobody listens any more. */
const inside = `
  const names = ${JSON.stringify(names)};
  process.send(Object.fromEntries(names.map((name) => [name, process.env[name]])));
  process.on('disconnect', () => process.exit());
`;

let processes: readonly ChildProcess[] = [];

export async function setup(project: TestProject): Promise<void> {
  const { root, maxWorkers } = project.config;
  const session = join(root, 'scripts', 'test-electron', 'session');
  const args = [process.execPath, '-e', inside];
  processes = Array.from({ length: maxWorkers - 1 }, () =>
    spawn(session, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] }),
  );
  const others = await Promise.all(processes.map(toldBy));
  const own = names.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  project.provide('desktopSessions', [Object.fromEntries(own), ...others]);
}

export async function teardown(): Promise<void> {
  await Promise.all(processes.map(end));
}

async function toldBy(child: ChildProcess): Promise<Session> {
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const failed = once(child, 'exit').then(() => {
    throw new Error(`there is no second desktop session:\n${stderr}`);
  });
  // It ends in the end, and nobody waits for that here any more.
  failed.catch(() => undefined);
  const [told] = (await Promise.race([once(child, 'message'), failed])) as [Session];
  return told;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.disconnect();
  await ended;
}
