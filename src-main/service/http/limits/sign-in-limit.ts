/** Limits on the exchange of a password for a key (API decisions 13). */
import { ServiceError } from '../../../contract/errors.ts';
import { fold } from '../../../contract/fold.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Limit, RateLimitHit, SlidingWindow, type Verdict } from './rate-limit.ts';

export interface SignInLimit {
  /** Counts a call, whatever becomes of it; null where nothing limits it. @throws RATE_LIMIT_HIT */
  readonly admit: (address: string) => Verdict | null;
  /** Runs one attempt. @throws RATE_LIMIT_HIT before it is run, or what it throws itself */
  readonly attempt: <T>(account: string, run: () => Promise<T>) => Promise<T>;
}

export interface SignInLimits {
  /** By address. */
  readonly calls: Limit;
  /** By the account's name, folded as it is when the account is looked for. */
  readonly failures: Limit;
}

/** A right password of an account that may not sign in is no guess. */
const isWrongPassword = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.code === 'WRONG_PASSWORD' ||
    error.code === 'LINK_NOT_VALID' ||
    (error.code === 'AUTHENTICATION_FAILED' && error.data['reason'] === 'incorrect_creds'));

export function createSignInLimit(limits: SignInLimits, clock: Clock): SignInLimit {
  const calls = Number.isFinite(limits.calls.hits) ? new SlidingWindow(limits.calls, clock) : null;
  const failures = new SlidingWindow(limits.failures, clock);

  const take = (window: SlidingWindow, key: string): Verdict => {
    const verdict = window.take(key);
    if (!verdict.isAllowed) throw new RateLimitHit(verdict, clock.now());
    return verdict;
  };

  const attempt: SignInLimit['attempt'] = async (account, run) => {
    // As the account is found: every spelling that finds it is counted as one.
    const key = fold(account);
    // Counted before its outcome is known, or any number of guesses could be under way at once.
    take(failures, key);
    try {
      const result = await run();
      failures.giveBack(key);
      return result;
    } catch (error) {
      if (!isWrongPassword(error)) failures.giveBack(key);
      throw error;
    }
  };

  return { admit: (address) => (calls === null ? null : take(calls, address)), attempt };
}
