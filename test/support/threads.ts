/** The threads of a process, as Linux knows them. */
import { readdirSync, readFileSync } from 'node:fs';

export interface ThreadFacts {
  readonly name: string;
  /** -20 to 19; who has less comes first. */
  readonly nice: number;
}

const NICE_FIELD = 19;

export function threadsOf(pid: number | 'self'): readonly ThreadFacts[] {
  const tasks = `/proc/${String(pid)}/task`;
  return readdirSync(tasks).map((thread) => {
    const stat = readFileSync(`${tasks}/${thread}/stat`, 'utf8');
    // The name in brackets may have spaces in it; the third field follows.
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    return { name, nice: Number(afterName[NICE_FIELD - 3]) };
  });
}
