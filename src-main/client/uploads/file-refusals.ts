import { failure, type Outcome } from '#shared/bridge/outcome.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** Why the service did not give a file, by the status of its answer. */
export function refusalOf(status: number): Outcome<never> {
  if (status === 404) return failure('NOT_FOUND', clientWords('file_gone'));
  if (status === 403) return failure('FORBIDDEN', clientWords('file_not_permitted'));
  if (status === 401) return failure('UNAUTHORIZED', clientWords('file_needs_sign_in'));
  return failure('BAD_ANSWER', clientWords('file_not_given', { status }));
}
