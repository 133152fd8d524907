/** Why it cannot listen, in words for the person who starts the service. */
import { codeOf } from '#node/error-code.ts';
import { StartError, type StartErrorCode } from '#node/start-error.ts';
import type { ServeOptions } from './options/serve-options.ts';
import type { Explanation } from '#shared/i18n/explained-error.ts';
import { hostingWords } from '#shared/i18n/hosting-words.ts';

export function listenError(
  error: unknown,
  { host, port }: Pick<ServeOptions, 'host' | 'port'>,
): unknown {
  const failed = (code: StartErrorCode, explanation: Explanation): StartError =>
    new StartError(code, explanation, { cause: error });
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return failed('PORT_IN_USE', hostingWords('port_in_use', { port, host }));
    case 'EACCES':
      return failed('HOST_FAILED', hostingWords('port_not_permitted', { port }));
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return failed('HOST_FAILED', hostingWords('host_address_missing', { host }));
    default:
      return error;
  }
}
