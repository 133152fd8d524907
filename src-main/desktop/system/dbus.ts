/** D-Bus, as far as the tools go that come with it. They are there wherever a desktop of Linux is. */
import { execFile, spawn } from 'node:child_process';

type Bus = 'session' | 'system';

export interface BusCall {
  readonly bus: Bus;
  readonly name: string;
  readonly path: string;
  /** With its interface in front. */
  readonly method: string;
  /** As `dbus-send` takes them: `string:…`. */
  readonly args?: readonly string[];
}

const LIMIT_MS = 2_000;

/** The answer as it is printed; null where there is none. */
export function callBus({ bus, name, path, method, args = [] }: BusCall): Promise<string | null> {
  const words = [`--${bus}`, '--print-reply', `--dest=${name}`, path, method, ...args];
  return new Promise((resolve) => {
    execFile('dbus-send', words, { timeout: LIMIT_MS }, (error, output) =>
      resolve(error === null ? output : null),
    );
  });
}

/**
 * @param rule  which signals are meant, as D-Bus writes it
 * @param heard  told of what is printed of them, line by line
 * @returns what ends it
 */
export function watchBus(bus: Bus, rule: string, heard: (line: string) => void): () => void {
  const child = spawn('dbus-monitor', [`--${bus}`, rule], { stdio: ['ignore', 'pipe', 'ignore'] });
  // Where there is no such program nothing is heard.
  child.on('error', () => undefined);
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(heard);
  });
  return () => void child.kill();
}
