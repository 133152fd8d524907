/** Counts of times in buckets that are one per cent wide: a p99 of millions takes no more memory than one of ten. */
const SMALLEST_MS = 0.01;
const GROWTH = Math.log(1.01);
/** Up to about eleven minutes. */
const BUCKETS = 1800;

export class Histogram {
  readonly #counts = new Float64Array(BUCKETS);
  #count = 0;
  #longest = 0;

  get count(): number {
    return this.#count;
  }

  /** Milliseconds. */
  get longest(): number {
    return this.#longest;
  }

  add(ms: number): void {
    const bucket = ms <= SMALLEST_MS ? 0 : Math.floor(Math.log(ms / SMALLEST_MS) / GROWTH);
    const index = Math.min(bucket, BUCKETS - 1);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#count += 1;
    if (ms > this.#longest) this.#longest = ms;
  }

  /** @param share  0 to 1; the milliseconds below which that share of the times lies */
  percentile(share: number): number {
    if (this.#count === 0) throw new Error('nothing was measured');
    let left = share * this.#count;
    let bucket = 0;
    for (; bucket < BUCKETS - 1; bucket++) {
      left -= this.#counts[bucket] ?? 0;
      if (left < 0) break;
    }
    return SMALLEST_MS * Math.exp(GROWTH * (bucket + 0.5));
  }
}
