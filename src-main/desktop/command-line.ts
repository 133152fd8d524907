import { parseArgs } from 'node:util';

export interface CommandLine {
  /** Where this computer hosts; 0 picks a free port. Undefined leaves it to what was used before. */
  readonly port: number | undefined;
}

/**
 * Options of the desktop application; every other switch is Electron's own.
 * @throws RangeError when `--port` is not a port
 */
export function parseCommandLine(args: readonly string[]): CommandLine {
  const { values } = parseArgs({
    args: [...args],
    options: { port: { type: 'string' } },
    strict: false,
  });
  if (values.port === undefined) return { port: undefined };
  const port = typeof values.port === 'string' ? values.port : '';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new RangeError(`--port takes a number from 0 to 65535, not '${port}'`);
  }
  return { port: Number(port) };
}
