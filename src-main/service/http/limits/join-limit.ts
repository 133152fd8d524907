/** Limits on what people without an account ask about joining (API decisions 13). */
import type { AnyEndpoint, CallLimit } from '#shared/api/endpoint.ts';
import type { Clock } from '#node/clock.ts';
import type { Limits } from '#shared/limits.ts';
import { SlidingWindow, type RateLimitResult } from './rate-limit.ts';

/** Counts a call of an address, whatever becomes of it; null where nothing limits it. @throws RATE_LIMIT_HIT */
type Admit = (address: string) => RateLimitResult | null;

/** Undefined for an endpoint that is not about that. */
export type AdmitToJoin = (endpoint: AnyEndpoint) => Admit | undefined;

export function createJoinLimit(
  { joinRequests, joinChecks }: Pick<Limits, 'joinRequests' | 'joinChecks'>,
  clock: Clock,
): AdmitToJoin {
  const admitting = (hits: number, windowMs: number): Admit => {
    const window = Number.isFinite(hits) ? new SlidingWindow({ hits, windowMs }, clock) : null;
    return (address) => window?.admit(address) ?? null;
  };
  const check = admitting(joinChecks, 60_000);
  const admits = new Map<CallLimit | undefined, Admit>([
    ['join-request', admitting(joinRequests, 3_600_000)],
    ['join-check', check],
  ]);
  return ({ limit }) => admits.get(limit);
}
