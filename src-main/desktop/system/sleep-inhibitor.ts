import { spawn } from 'node:child_process';

export interface Inhibition {
  /** `idle`: for want of input; `sleep`: however it comes about. */
  readonly what: 'idle' | 'sleep';
  /** `block`: not at all; `delay`: not yet, for five seconds at most. */
  readonly mode: 'block' | 'delay';
  readonly why: string;
}

/**
 * Asks logind not to let the computer fall asleep. It lasts as long as the program that was asked for it, which ends with this
 * process: it waits for the end of its input.
 * @returns what takes it back
 */
export function inhibit({ what, mode, why }: Inhibition): () => void {
  const how = [`--what=${what}`, `--mode=${mode}`, '--who=Hearth', `--why=${why}`];
  const child = spawn('systemd-inhibit', [...how, 'cat'], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Where there is no logind, nobody is asked.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  return () => void child.stdin.end();
}
