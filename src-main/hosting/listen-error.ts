/** Why it cannot listen, in words for the person who starts the service. */
import { codeOf } from '#node/error-code.ts';
import { StartError, type StartErrorCode } from '#node/start-error.ts';
import type { ServeOptions } from './options/serve-options.ts';

export function listenError(
  error: unknown,
  { host, port }: Pick<ServeOptions, 'host' | 'port'>,
): unknown {
  const failed = (code: StartErrorCode, message: string): StartError =>
    new StartError(code, message, { cause: error });
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return failed(
        'PORT_IN_USE',
        `Port ${port} of ${host} is already in use: stop the program that uses it or choose another port.`,
      );
    case 'EACCES':
      return failed(
        'HOST_FAILED',
        `Port ${port} may not be used by this account: choose one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed('HOST_FAILED', `This computer has no address ${host}: choose another host.`);
    default:
      return error;
  }
}
