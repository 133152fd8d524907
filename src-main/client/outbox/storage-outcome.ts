/** Writes to what is kept of a person's own words, as outcomes. */
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';
import { OutboxError } from './outbox-store.ts';

/** A write that the disk refuses is something that the person has to be told; anything else is a bug. */
export function asWriteOutcome(write: () => void): Outcome<null> {
  try {
    write();
    return success(null);
  } catch (error) {
    if (error instanceof OutboxError) return failure(error.code, toldOf(error));
    throw error;
  }
}
