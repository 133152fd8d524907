import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (how: {
  readonly type: 'major';
  readonly execution: 'sync';
  readonly flavor: 'last-resort';
}) => void;

let collect: Collect | undefined;

/** Node has no other way to ask for it. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/**
 * Gives back to the system what nothing needs any more. Nothing else happens meanwhile, for some hundredths of a second: call
 * it while nobody is looking. By itself the engine collects when more is asked for, and an application that waits asks for
 * nothing.
 */
export function returnMemory(): void {
  collect ??= collector();
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
