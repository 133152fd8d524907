/** Memory of a process and everything that it started, each shared page divided among those that have it (PSS). */
import { readdirSync, readFileSync } from 'node:fs';

/** What a process has ended meanwhile is gone: it holds nothing. */
function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parents(): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readOrNothing(`/proc/${name}/stat`);
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (parent !== undefined) found.set(Number(name), Number(parent));
  }
  return found;
}

/** The process and everything that it started. */
export function familyOf(root: number): readonly number[] {
  const parentOf = parents();
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isOurs(parentOf.get(pid)));
  return [...parentOf.keys()].filter(isOurs);
}

/** In MiB. */
export function memoryMiBOf(root: number): number {
  const kib = familyOf(root).map((pid) => {
    const rollup = readOrNothing(`/proc/${String(pid)}/smaps_rollup`);
    return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1] ?? 0);
  });
  return kib.reduce((sum, size) => sum + size, 0) / 1024;
}
