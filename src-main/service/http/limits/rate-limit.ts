/** Limits on how often something may be done (API decisions 13). */
import { createHash, randomBytes } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '#shared/api/errors.ts';
import { refusalOf } from '#shared/api/refusal.ts';
import type { Clock } from '#node/clock.ts';

export interface Limit {
  readonly hits: number;
  readonly windowMs: number;
}

export interface RateLimitResult {
  readonly isAllowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** When the oldest hit leaves the window: until then there is no more room than now. */
  readonly resetAtMs: number;
}

/** Texts that are counted apart. Beyond it new ones share counters, so that nobody's count is pushed out. */
const MAX_KEYS = 10_000;
/** Of base64url: 4,096 shared counters. */
const SHARED_CHARACTERS = 2;
const DIGEST_CHARACTERS = 22;
/** Nobody outside can aim at the counter of somebody else. */
const salt = randomBytes(16);

const digestOf = (text: string): string =>
  createHash('sha256').update(salt).update(text).digest('base64url').slice(0, DIGEST_CHARACTERS);

/** Moments in the order in which they came, in a ring that grows with what is in it. */
class TimestampRing {
  #ring = new Float64Array(4);
  #start = 0;
  length = 0;

  get oldest(): number | undefined {
    return this.length === 0 ? undefined : this.#ring[this.#start];
  }

  push(moment: number): void {
    if (this.length === this.#ring.length) this.#grow();
    this.#ring[(this.#start + this.length) & (this.#ring.length - 1)] = moment;
    this.length += 1;
  }

  pop(): void {
    if (this.length > 0) this.length -= 1;
  }

  dropThrough(moment: number): void {
    while (this.length > 0 && (this.#ring[this.#start] ?? Infinity) <= moment) {
      this.#start = (this.#start + 1) & (this.#ring.length - 1);
      this.length -= 1;
    }
  }

  #grow(): void {
    const larger = new Float64Array(this.#ring.length * 2);
    larger.set(this.#ring.subarray(this.#start));
    larger.set(this.#ring.subarray(0, this.#start), this.#ring.length - this.#start);
    this.#ring = larger;
    this.#start = 0;
  }
}

/**
 * Counts hits by key in a sliding window. A hit is written once and dropped once, whatever the limit. Keys live in
 * two generations: one that was not touched for a whole window, and so has no hits left, goes with the older one.
 * A key is the number of something that is stored, or a text from outside, of which only a digest is kept.
 */
export class SlidingWindow {
  readonly #limit: Limit;
  readonly #clock: Clock;
  #recent = new Map<string | number, TimestampRing>();
  #older = new Map<string | number, TimestampRing>();
  #turnedAtMs: number;

  constructor(limit: Limit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#turnedAtMs = clock.now();
  }

  /** Keys in memory. */
  get size(): number {
    return this.#recent.size + this.#older.size;
  }

  /** Counts so many hits, unless there is no room for them; more than the limit are as many as the limit. */
  take(key: string | number, count = 1): RateLimitResult {
    const now = this.#turn();
    const place = this.#placeOf(key);
    const hits = this.#find(place, now) ?? new TimestampRing();
    const isNew = hits.length === 0;
    const counted = Math.min(count, this.#limit.hits);
    const isAllowed = hits.length + counted <= this.#limit.hits;
    if (isAllowed) {
      for (let hit = 0; hit < counted; hit += 1) hits.push(now);
      if (isNew) this.#recent.set(place, hits);
    }
    return this.#verdict(hits, isAllowed, now);
  }

  /** The same. @throws RATE_LIMIT_HIT where there is no room */
  admit(key: string | number, count = 1): RateLimitResult {
    const result = this.take(key, count);
    if (!result.isAllowed) throw new RateLimitError(result, this.#clock.now());
    return result;
  }

  /** Whether there is room for a hit, without counting one. */
  peek(key: string | number): RateLimitResult {
    const now = this.#turn();
    const hits = this.#find(this.#placeOf(key), now) ?? new TimestampRing();
    return this.#verdict(hits, hits.length < this.#limit.hits, now);
  }

  /** Takes the newest hit back: it turned out not to count. */
  giveBack(key: string | number): void {
    const now = this.#turn();
    const place = this.#placeOf(key);
    const hits = this.#find(place, now);
    hits?.pop();
    if (hits?.length === 0) this.#recent.delete(place);
  }

  /** @returns now */
  #turn(): number {
    const now = this.#clock.now();
    if (now - this.#turnedAtMs >= this.#limit.windowMs) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#turnedAtMs = now;
    }
    return now;
  }

  /** Under which key it is counted. */
  #placeOf(key: string | number): string | number {
    if (typeof key === 'number') return key;
    const digest = digestOf(key);
    const isApart = this.size < MAX_KEYS || this.#recent.has(digest) || this.#older.has(digest);
    return isApart ? digest : digest.slice(0, SHARED_CHARACTERS);
  }

  /** The hits of a place that are still in the window. */
  #find(place: string | number, now: number): TimestampRing | undefined {
    let hits = this.#recent.get(place);
    if (hits === undefined) {
      hits = this.#older.get(place);
      if (hits === undefined) return undefined;
      this.#older.delete(place);
      this.#recent.set(place, hits);
    }
    hits.dropThrough(now - this.#limit.windowMs);
    return hits;
  }

  #verdict(hits: TimestampRing, isAllowed: boolean, now: number): RateLimitResult {
    return {
      isAllowed,
      limit: this.#limit.hits,
      remaining: this.#limit.hits - hits.length,
      resetAtMs: (hits.oldest ?? now) + this.#limit.windowMs,
    };
  }
}

/** Carries what the rate headers of the answer say. */
export class RateLimitError extends ServiceError {
  readonly result: RateLimitResult;

  constructor(result: RateLimitResult, nowMs: number) {
    const retryAfter = Math.max(0, result.resetAtMs - nowMs) / 1000;
    super(...refusalOf('too_many_requests', {}, { 'retry-after': retryAfter }));
    this.result = result;
  }
}

export const rateHeaders = (result: RateLimitResult): Readonly<Record<string, string>> => ({
  'x-ratelimit-limit': String(result.limit),
  'x-ratelimit-remaining': String(result.remaining),
  'x-ratelimit-reset': String(Math.ceil(result.resetAtMs / 1000)),
});

/**
 * One key for everything that one person can easily send from: an IPv4 address, or the /64 network of an IPv6
 * address, of which everybody has a whole one.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return '';
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const read = ipaddr.process(address);
  if (!(read instanceof ipaddr.IPv6)) return read.toString();
  const network = read.parts.slice(0, 4);
  return network.map((group) => group.toString(16)).join(':');
}

const RETRY_MS = 5000;

/** For what is limited at one moment, and not over a time. */
export const tooManyNow = (limit: number, nowMs: number): RateLimitError =>
  new RateLimitError({ isAllowed: false, limit, remaining: 0, resetAtMs: nowMs + RETRY_MS }, nowMs);
