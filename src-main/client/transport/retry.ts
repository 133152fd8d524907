/** Work for the service that is repeated until it is done: one attempt after the other, with growing pauses. */
import type { Failure } from '#shared/bridge/outcome.ts';
import type { ApiFailure, ApiOutcome } from './answers.ts';
import { backoffMs } from './backoff.ts';
import type { Clock } from '../ports.ts';

/** Where somebody waits for it, it is told rather than repeated. */
export const DISK_FULL = 'DISK_FULL';

/** Only signing in again helps. */
const signedOut: ReadonlySet<string> = new Set([
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'REALM_DEACTIVATED',
  'UNAUTHORIZED',
]);

const passing: ReadonlySet<string> = new Set([
  'RATE_LIMIT_HIT',
  'ELSEWHERE',
  'ORGANIZATION_CLOSED',
  'ORGANIZATION_ASLEEP',
  DISK_FULL,
]);

/** What a failed call says about the next one. */
export type FailureKind =
  /** Nobody knows whether it was done. */
  | 'unanswered'
  /** It was not done, and may be later. */
  | 'later'
  /** It was not done and the account may not go on. */
  | 'signed-out'
  /** It was not done, and will not be. */
  | 'refused';

export function failureKindOf({ code, status }: Failure & Pick<ApiFailure, 'status'>): FailureKind {
  // ELSEWHERE: from a computer that the organization has left, or is about to leave.
  // ORGANIZATION_CLOSED: nobody has opened it since it was restored.
  // ORGANIZATION_ASLEEP: its computer goes to sleep.
  // DISK_FULL: of the service, until somebody makes room.
  if (passing.has(code)) return 'later';
  if (signedOut.has(code)) return 'signed-out';
  if (code === 'UNREACHABLE' || code === 'BAD_ANSWER' || (status ?? 0) >= 500) return 'unanswered';
  return 'refused';
}

/** How long to wait after a failure. @param failures  in a row, from 1 */
export const pauseMs = (
  clock: Clock,
  failures: number,
  { retryAfterMs }: Pick<ApiFailure, 'retryAfterMs'>,
): number => Math.max(retryAfterMs ?? 0, backoffMs(failures, clock.random()));

export interface Repeater {
  /** There is something to do. */
  readonly nudge: () => void;
  readonly resume: () => void;
  readonly pause: () => void;
  readonly stop: () => Promise<void>;
}

export interface RepeaterParts {
  readonly clock: Clock;
  /** How long to wait for more before the first attempt. */
  readonly gatherMs: number;
  readonly hasWork: () => boolean;
  /** A failure is never a refusal: that is for the attempt to deal with. */
  readonly attempt: (signal: AbortSignal) => Promise<ApiOutcome<unknown>>;
}

export function createRepeater({ clock, gatherMs, hasWork, attempt }: RepeaterParts): Repeater {
  const stopping = new AbortController();
  /** Aborted to begin anew at once: the connection of an attempt under way may be dead. */
  let waiting = new AbortController();
  let isOpen = false;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    let failures = 0;
    await clock.wait(gatherMs, AbortSignal.any([stopping.signal, waiting.signal]));
    while (isOpen && !stopping.signal.aborted && hasWork()) {
      if (waiting.signal.aborted) {
        waiting = new AbortController();
        failures = 0;
      }
      const signal = AbortSignal.any([stopping.signal, waiting.signal]);
      const outcome = await attempt(signal);
      if (outcome.ok) {
        failures = 0;
      } else if (failureKindOf(outcome.failure) === 'signed-out') {
        isOpen = false;
      } else if (!signal.aborted) {
        failures += 1;
        await clock.wait(pauseMs(clock, failures, outcome.failure), signal);
      }
    }
  }

  function nudge(): void {
    if (!isOpen || stopping.signal.aborted || running !== undefined || !hasWork()) return;
    running = run().finally(() => {
      running = undefined;
      // What came in while the last attempt settled.
      nudge();
    });
  }

  return {
    nudge,
    resume: () => {
      isOpen = true;
      waiting.abort();
      nudge();
    },
    pause: () => {
      isOpen = false;
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
