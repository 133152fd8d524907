import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** As the system lists them, `0-1` or `0,2-3`; undefined where it does not tell. */
function allowedCores(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
}

/** Lets all threads of a process run on some cores alone. */
function keepOn(cores: string, pid: number): boolean {
  const args = ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)];
  return spawnSync('taskset', args, { stdio: 'ignore' }).status === 0;
}

/**
 * Measures a service and the one client that asks it on one core, where the system can do that. They are never busy at the same
 * time, and of two cores of a shared machine one is often slower by half.
 */
export async function onOneCore<T>(pid: number, measure: () => Promise<T>): Promise<T> {
  const cores = allowedCores();
  const first = /^\d+/.exec(cores ?? '')?.[0];
  if (cores === undefined || first === undefined) return measure();
  const pids = [pid, process.pid];
  const isKept = pids.map((each) => keepOn(first, each)).every(Boolean);
  if (!isKept) process.stderr.write('not kept on one core: one side may have a slower one\n');
  try {
    return await measure();
  } finally {
    for (const each of pids) keepOn(cores, each);
  }
}
