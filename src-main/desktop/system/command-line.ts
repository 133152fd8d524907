import { parseArgs } from 'node:util';
import { linkAmong } from './deep-links.ts';

export interface CommandLine {
  /** Where this computer hosts; 0 picks a free port. Undefined leaves it to what was used before. */
  readonly port: number | undefined;
  /** Started by the system, not by a person: no window opens. */
  readonly isHidden: boolean;
  /** A `hearth://` link that a person clicked elsewhere, unchecked. */
  readonly link: string | undefined;
}

/**
 * Options of the desktop application; every other switch is Electron's own.
 * @throws RangeError when `--port` is not a port
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' }, hidden: { type: 'boolean' } },
    strict: false,
  });
  const rest = { isHidden: values.hidden === true, link: linkAmong(args) };
  if (values.port === undefined) return { ...rest, port: undefined };
  const port = typeof values.port === 'string' ? values.port : '';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new RangeError(`--port takes a number from 0 to 65535, not '${port}'`);
  }
  return { ...rest, port: Number(port) };
}
