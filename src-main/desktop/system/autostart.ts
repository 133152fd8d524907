import { join } from 'node:path';
import { xdgDir } from '#node/paths.ts';

/** Where desktops of Linux look for what starts with a person's session. */
export function autostartDir(env: NodeJS.ProcessEnv, home: string): string {
  return join(xdgDir(env['XDG_CONFIG_HOME'], home, '.config'), 'autostart');
}

/** One argument of an Exec line, quoted by the rules of the Desktop Entry Specification. */
export function quotedExec(argument: string): string {
  const escaped = argument.replaceAll('%', '%%').replace(/["`$\\]/g, '\\$&');
  // The value is a string besides, in which a backslash is written twice.
  return `"${escaped.replaceAll('\\', '\\\\')}"`;
}

export const autostartEntry = (name: string, command: readonly string[]): string =>
  [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${name}`,
    `Exec=${command.map(quotedExec).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n');
