/** How a command of Hearth is given: to the application, which has a Node of its own, or in a checkout. */
import engine from './engine.json' with { type: 'json' };
import { entryFile } from './files/app-files.ts';

const isApplication = 'electron' in process.versions;

/** As people type it. */
export const commandName = isApplication ? 'hearth' : 'npm run hearth --';
export const serveName = isApplication ? 'hearth serve' : 'npm run serve --';

/** One argument as it is typed, in quotes where a shell would read its signs; double ones, which all shells have, where they do. */
export function shellWord(argument: string): string {
  if (/^[\w./:@%+=,-]+$/.test(argument)) return argument;
  const isPlain = process.platform === 'win32' || !/["$`\\!]/.test(argument);
  return isPlain ? `"${argument}"` : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/** What a process is started with, before the command. */
export function ownCommand(): readonly string[] {
  if (!isApplication) return [process.execPath, entryFile('hearth')];
  // An AppImage runs from a place that is gone when it ends.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  // Chromium refuses to run as root with a sandbox; a command shows no page.
  return process.getuid?.() === 0 ? [program, '--no-sandbox'] : [program];
}

/**
 * What keeps the memory of a service small, and the service ready (docs/adr/0044-bounded-heap.md), wherever it
 * is started: by npm, which reads the same file before any TypeScript, by a package or by the system.
 */
export const engineFlags: readonly string[] = engine.flags;
/** The same for the application. */
export const engineSwitch = `--js-flags=${engineFlags.join(' ')}`;
/** Every arena of glibc's malloc keeps what its threads once needed: all threads share one. */
export const serveEnvironment: Readonly<Record<string, string>> = engine.environment;

/** What the system starts a service with, before its options. */
export function serveCommand(): readonly string[] {
  const [program = '', ...own] = ownCommand();
  const flags = isApplication ? [engineSwitch] : engineFlags;
  return [program, ...flags, ...own, 'serve'];
}
