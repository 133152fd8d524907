import type { FailureCause } from '../api/errors.ts';
import type { Explanation } from '../i18n/explained-error.ts';

/**
 * What a call that crosses a process answers. An expected failure is data, never a rejection: Electron
 * carries only an error's message across IPC.
 */
export type Outcome<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/** A failure that the person at the window can act on. */
export interface Failure {
  /** An error code of `errors.ts`, or one of the client's own (`UNREACHABLE`, `NO_KEYCHAIN`, …). */
  readonly code: string;
  /** One sentence for people: what happened and what to do next. */
  readonly message: string;
  /** Absent where the code says it all, and where an earlier service refused. */
  readonly cause?: FailureCause;
  /** The name of the argument at fault, where one is. */
  readonly argument?: string;
  /** Which items of a list were refused, where the service says. */
  readonly refused?: Refused;
  /** With WORDS_NEEDED: rows of safety words, of which a person chooses the right one. */
  readonly words?: readonly string[];
}

/** What something failed of, for whoever has words of their own for it. */
export interface Refusal {
  readonly code: string;
  readonly cause?: FailureCause | undefined;
}

interface RefusedItem {
  readonly value: string;
  readonly message: string;
  /** A text of the cause's `reasons`; undefined where an earlier service refused. */
  readonly reason: string | undefined;
}

export interface Refused {
  readonly items: readonly RefusedItem[];
  /** Whether what was asked for was done for the other items. */
  readonly isRestDone: boolean;
}

export const success = <T>(value: T): Outcome<T> => ({ ok: true, value });

/** @param told  words alone where somebody else has chosen them */
export const failure = (
  code: string,
  told: string | Explanation,
  argument?: string,
): Outcome<never> => ({
  ok: false,
  failure: {
    ...(typeof told === 'string' ? { message: told } : told),
    code,
    ...(argument && { argument }),
  },
});

/** The same failure, of an argument. */
export const failureAt = (argument: string, told: Failure): Outcome<never> => ({
  ok: false,
  failure: { ...told, argument },
});
