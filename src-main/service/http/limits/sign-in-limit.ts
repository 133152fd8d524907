/** Limits on guessing passwords (API decisions 13). */
import { ServiceError } from '#shared/api/errors.ts';
import { fold } from '#shared/text/fold.ts';
import type { Clock } from '#node/clock.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import { type Limit, SlidingWindow, type RateLimitResult } from './rate-limit.ts';

export interface SignInLimit {
  /** Counts a call, whatever becomes of it; null where nothing limits it. @throws RATE_LIMIT_HIT */
  readonly admit: (address: string) => RateLimitResult | null;
  /** Runs one attempt. @throws RATE_LIMIT_HIT before it is run, or what it throws itself */
  readonly attempt: <T>(account: string, run: () => Promise<T>) => Promise<T>;
  /**
   * Runs what checks the caller's own password, counted by the key that they came with: strangers' guesses are none of theirs.
   * @throws as `attempt`
   */
  readonly checkOwn: <T>(caller: Caller, run: () => Promise<T>) => Promise<T>;
}

export interface SignInLimits {
  /** By address. */
  readonly calls: Limit;
  /** By the account's name, folded as it is when the account is looked for; those of its owner by the key they came with. */
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
  const ownFailures = new SlidingWindow(limits.failures, clock);

  const counting = async <T>(
    window: SlidingWindow,
    key: string | number,
    run: () => Promise<T>,
  ): Promise<T> => {
    // Counted before its outcome is known, or any number of guesses could be under way at once.
    window.admit(key);
    try {
      const result = await run();
      window.giveBack(key);
      return result;
    } catch (error) {
      if (!isWrongPassword(error)) window.giveBack(key);
      throw error;
    }
  };

  return {
    admit: (address) => calls?.admit(address) ?? null,
    // As the account is found: every spelling that finds it is counted as one.
    attempt: (account, run) => counting(failures, fold(account), run),
    // The number of a device is no account's, and below zero there are none.
    checkOwn: ({ userId, deviceId }, run) => counting(ownFailures, deviceId ?? -userId, run),
  };
}
