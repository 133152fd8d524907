/** Changes are decided where they are written: in one transaction, by whom the caller is then (architecture 3). */
import type { Caller } from './ports/handlers.ts';
import type { Operation, Store, Transaction } from '../db/port.ts';
import { callerNow } from './callers.ts';

/** Reads, decides, writes and records. It may run twice, and so does nothing but the steps of its transaction. */
export type Change<T> = (tx: Transaction, caller: Caller) => Operation<T>;

function* byAccount<T>(tx: Transaction, known: Caller, work: Change<T>): Operation<T> {
  return yield* work(tx, yield* callerNow(tx, known));
}

/**
 * Runs a change by an account; settles when it is on disk.
 * @param known  the caller as authentication found them
 * @throws what `callerNow` throws, and the change itself; then nothing has changed
 */
export const change = <T>(store: Store, known: Caller, work: Change<T>): Promise<T> =>
  store.change((tx) => byAccount(tx, known, work));

/** The same for a change that may take long (`Store.changeInParts`). */
export const changeInParts = <T>(store: Store, known: Caller, work: Change<T>): Promise<T> =>
  store.changeInParts((tx) => byAccount(tx, known, work));

/** What was prepared came from rows that are others by now. */
export class OutdatedError extends Error {
  override readonly name = 'Outdated';
}

const MAX_ATTEMPTS = 5;

/** Prepares and writes, and both again where the change found that what was prepared is outdated. */
export async function untilCurrent<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (reason) {
      if (!(reason instanceof OutdatedError) || count === MAX_ATTEMPTS) throw reason;
    }
  }
}

/** What was prepared, or why it could not be: thrown where the change takes it, behind whatever else refuses first. */
export const settled = <T>(preparing: Promise<T>): Promise<() => T> =>
  preparing.then(
    (value) => () => value,
    (reason: unknown) => () => {
      throw reason;
    },
  );
