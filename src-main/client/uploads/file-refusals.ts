import { failure, type Outcome } from '#shared/bridge/outcome.ts';

/** Why the service did not give a file, by the status of its answer. */
export function refusalOf(status: number): Outcome<never> {
  if (status === 404) return failure('NOT_FOUND', 'This file is no longer on the service.');
  if (status === 403) return failure('FORBIDDEN', 'You may not see this file.');
  if (status === 401) return failure('UNAUTHORIZED', 'Sign in again to see this file.');
  return failure('BAD_ANSWER', `The service did not give the file (${String(status)}).`);
}
