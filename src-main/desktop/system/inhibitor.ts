import { spawn } from 'node:child_process';

/**
 * Asks logind not to let the computer fall asleep for want of input; whoever sends it to sleep by hand may. It lasts as long as
 * the program that was asked for it, which ends with this process: it waits for the end of its input.
 * @returns what takes it back
 */
export function inhibitIdle(why: string): () => void {
  const how = ['--what=idle', '--mode=block', '--who=Hearth', `--why=${why}`];
  const child = spawn('systemd-inhibit', [...how, 'cat'], { stdio: ['pipe', 'ignore', 'ignore'] });
  // Where there is no logind, the session of the desktop is asked alone.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  return () => void child.stdin.end();
}
