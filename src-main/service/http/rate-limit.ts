/** Limits on guessing (API decisions, section 13). */
import { ServiceError } from '../../contract/errors.ts';
import type { Clock } from '../../platform/clock.ts';

export interface Limit {
  readonly hits: number;
  readonly windowMs: number;
}

export interface Verdict {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the oldest hit leaves the window: until then there is no more room than now. */
  readonly resetAtMs: number;
}

/** Keys that are remembered; beyond it the one that was longest untouched is forgotten. */
const MAX_KEYS = 10_000;

/** Counts hits by key in a sliding window. */
export class SlidingWindow {
  readonly #limit: Limit;
  readonly #clock: Clock;
  readonly #hits = new Map<string, number[]>();

  constructor(limit: Limit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  /** Counts a hit, unless there is no room for it. */
  take(key: string): Verdict {
    const hits = this.#current(key);
    const isAllowed = hits.length < this.#limit.hits;
    if (isAllowed) {
      hits.push(this.#clock.now());
      this.#remember(key, hits);
    }
    return this.#verdict(hits, isAllowed);
  }

  /** Whether there is room for a hit, without counting one. */
  peek(key: string): Verdict {
    const hits = this.#current(key);
    return this.#verdict(hits, hits.length < this.#limit.hits);
  }

  /** Takes the newest hit back: it turned out not to count. */
  giveBack(key: string): void {
    const hits = this.#current(key);
    hits.pop();
    if (hits.length === 0) this.#hits.delete(key);
  }

  #current(key: string): number[] {
    const hits = this.#hits.get(key) ?? [];
    const oldest = this.#clock.now() - this.#limit.windowMs;
    while (hits[0] !== undefined && hits[0] <= oldest) hits.shift();
    return hits;
  }

  #remember(key: string, hits: number[]): void {
    this.#hits.delete(key);
    this.#hits.set(key, hits);
    if (this.#hits.size <= MAX_KEYS) return;
    for (const longestUntouched of this.#hits.keys()) {
      this.#hits.delete(longestUntouched);
      return;
    }
  }

  #verdict(hits: readonly number[], isAllowed: boolean): Verdict {
    return {
      isAllowed,
      limit: this.#limit.hits,
      remaining: this.#limit.hits - hits.length,
      resetAtMs: (hits[0] ?? this.#clock.now()) + this.#limit.windowMs,
    };
  }
}

/** Carries what the rate headers of the answer say. */
export class RateLimitHit extends ServiceError {
  readonly verdict: Verdict;

  constructor(verdict: Verdict, nowMs: number) {
    super('RATE_LIMIT_HIT', 'Too many requests: wait before trying again', {
      'retry-after': Math.max(0, verdict.resetAtMs - nowMs) / 1000,
    });
    this.verdict = verdict;
  }
}

export const rateHeaders = (verdict: Verdict): Readonly<Record<string, string>> => ({
  'x-ratelimit-limit': String(verdict.limit),
  'x-ratelimit-remaining': String(verdict.remaining),
  'x-ratelimit-reset': String(Math.ceil(verdict.resetAtMs / 1000)),
});

/**
 * One key for everything that one person can easily send from: an IPv4 address, or the /64 network of an IPv6
 * address, of which everybody has a whole one.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return '';
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('%', 1)[0]?.split('::', 2) ?? [];
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}
