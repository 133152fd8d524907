/** The end of an application under test, and what is known of one that does not end. */
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { WAIT_LIMIT_MS } from '../patience.ts';

/**
 * Waits for the end, which takes more than the main process: who drives it hears of that only when no process of the
 * application holds its output open any longer. What is left then is killed, so that one test fails and not all after it.
 *
 * @throws Error, with the processes that are left and what their threads wait for, where it does not end in time
 */
export async function endInTime(
  child: ChildProcess,
  ending: Promise<void>,
  stderr: () => string,
): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const left = leftOf(child);
    killGroup(child);
    const seen = left.length === 0 ? 'none of its processes is left' : left.join('\n');
    reject(new Error(`The application did not end in ${WAIT_LIMIT_MS} ms:\n${seen}\n${stderr()}`));
  }, WAIT_LIMIT_MS);
  try {
    await Promise.race([ending, late]);
  } finally {
    clearTimeout(timer);
  }
}

const STATE_FIELD = 3;
const GROUP_FIELD = 5;

/** Where there is no /proc, nothing. */
function leftOf({ pid }: ChildProcess): readonly string[] {
  return entriesOf('/proc').flatMap((entry) => {
    const stat = readIfThere(`/proc/${entry}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[GROUP_FIELD - STATE_FIELD] !== String(pid)) return [];
    const command = readIfThere(`/proc/${entry}/cmdline`).replaceAll('\0', ' ');
    return [`${entry} ${String(fields[0])} ${command}`, ...threadsOf(entry)];
  });
}

function threadsOf(process: string): readonly string[] {
  const tasks = `/proc/${process}/task`;
  return entriesOf(tasks).map((thread) => {
    const [name, waits, call] = ['comm', 'wchan', 'syscall'].map((file) =>
      readIfThere(`${tasks}/${thread}/${file}`).trim(),
    );
    return `  ${thread} ${String(name)}: ${String(waits)}, call ${String(call)}`;
  });
}

function entriesOf(dir: string): readonly string[] {
  try {
    return readdirSync(dir).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** A process ends whenever it likes. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** It leads a group of its own, and its children stay in that. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // There is none left.
  }
}
