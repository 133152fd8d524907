/** How a command of Hearth is given: to the application, which has a Node of its own, or in a checkout. */
import { entryFile } from '../own-files.ts';

const isApplication = 'electron' in process.versions;

/** As people type it. */
export const commandName = isApplication ? 'hearth' : 'npm run hearth --';
export const serveName = isApplication ? 'hearth serve' : 'npm run serve --';

/** What a process is started with, before the command. */
export function ownCommand(): readonly string[] {
  if (!isApplication) return [process.execPath, entryFile('hearth')];
  // An AppImage runs from a place that is gone when it ends.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  // Chromium refuses to run as root with a sandbox; a command shows no page.
  return process.getuid?.() === 0 ? [program, '--no-sandbox'] : [program];
}
