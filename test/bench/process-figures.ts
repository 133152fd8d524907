/** What a process has used and holds, as far as the system tells. */
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';

/** Linux counts in hundredths of a second: fields 14 and 15 of proc_pid_stat(5), user and system. */
export function cpuMsOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

export function residentKiBOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/** The most that a process has held since `forgetPeak`; undefined where the system does not tell. */
export function peakKiBOf(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]);
}

/** From now on, `peakKiBOf` tells what is held at most. proc_pid_clear_refs(5): 5. */
export function forgetPeak(pid: number): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${String(pid)}/clear_refs`, '5');
}

/** How many more KiB each process holds at most during some work than before it; NaN where the system does not tell. */
export async function growthsOf(
  pids: readonly number[],
  work: () => Promise<void>,
): Promise<readonly number[]> {
  pids.forEach(forgetPeak);
  const before = pids.map(residentKiBOf);
  await work();
  return pids.map((pid, index) => (peakKiBOf(pid) ?? NaN) - (before[index] ?? NaN));
}

/** What listens on TCP, from proc_net_tcp(5): local address, state and inode. */
function socketsOn(port: number): ReadonlySet<string> {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const listening = new RegExp(
    `^ *\\d+: [0-9A-F]+:${hexPort} [0-9A-F:]+ 0A (?:\\S+ +){5}(\\d+)`,
    'gm',
  );
  const tables = ['tcp', 'tcp6'].map((name) => readFileSync(`/proc/net/${name}`, 'utf8'));
  return new Set([...tables.join('\n').matchAll(listening)].map(([, inode = '']) => inode));
}

function holds(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) =>
      sockets.has(/^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? 'none'),
    );
  } catch {
    // It has ended, or is somebody else's.
    return false;
  }
}

/** The process that listens on a port of this computer; undefined where the system does not tell. */
export function listenerOn(port: number): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const sockets = socketsOn(port);
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, sockets));
  return pid === undefined ? undefined : Number(pid);
}
