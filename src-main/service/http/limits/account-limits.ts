/** How often an account may call (API decisions 13). */
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Limits } from '#shared/limits.ts';
import type { Clock } from '#node/clock.ts';
import { SlidingWindow, type RateLimitResult } from './rate-limit.ts';

const WINDOW_MS = 60_000;

/**
 * Counts a call, whatever becomes of it; null where nothing limits it.
 * @param count  as how many; 1 where it is not given
 * @throws RATE_LIMIT_HIT
 */
export type CountCall = (
  endpoint: AnyEndpoint,
  caller: Caller | null,
  count?: number,
) => RateLimitResult | null;

export function createAccountLimits(limits: Limits, clock: Clock): CountCall {
  const windowOf = (hits: number): SlidingWindow | null =>
    Number.isFinite(hits) ? new SlidingWindow({ hits, windowMs: WINDOW_MS }, clock) : null;
  const calls = windowOf(limits.apiCalls);
  const fetches = windowOf(limits.eventFetches);
  const webhooks = windowOf(limits.webhookCalls);

  const windowFor = (endpoint: AnyEndpoint): SlidingWindow | null => {
    if (endpoint.limit === 'event-fetch') return fetches;
    return endpoint.auth === 'webhook' ? webhooks : calls;
  };

  return (endpoint, caller, count) => {
    const window = caller === null ? null : windowFor(endpoint);
    if (window === null || caller === null) return null;
    return window.admit(caller.userId, count);
  };
}
