/** Limits on what people without an account ask about joining (API decisions 13). */
import { api } from '../../../contract/api/index.ts';
import type { AnyEndpoint } from '../../../contract/endpoint.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Limits } from '../../ports/limits.ts';
import { SlidingWindow, type Verdict } from './rate-limit.ts';

/** Counts a call of an address, whatever becomes of it; null where nothing limits it. @throws RATE_LIMIT_HIT */
type Admit = (address: string) => Verdict | null;

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
  const admits = new Map<AnyEndpoint, Admit>([
    [api.joinRequests.ask, admitting(joinRequests, 3_600_000)],
    [api.joinRequests.state, check],
    [api.joinRequests.withdraw, check],
  ]);
  return (endpoint) => admits.get(endpoint);
}
