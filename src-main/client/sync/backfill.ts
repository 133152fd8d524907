/** Fetches older history in the background: gently, newest conversations first, up to a size. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { CacheStatus } from '#shared/bridge/models/client.ts';
import type { Preferences } from '#shared/bridge/models/preferences.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { AnswerOf, ArgumentsOf } from '#shared/api/endpoint.ts';
import type { Api } from '../transport/api.ts';
import {
  CacheError,
  type Cache,
  type PageCoverageScope,
  type CoverageScope,
} from '../cache/port.ts';
import type { Clock } from '../ports.ts';
import { BackfillPace } from './backfill-pace.ts';

const { page } = endpoints.messages;

const PAGE_MESSAGES = 500;
const RETRY_MS = 30_000;
const MIB = 1024 * 1024;
/** A share of the limit: what is removed leaves room for what comes, and what was just removed is not fetched again. */
const SHRUNK = 0.95;
const FILLED = 0.9;

export interface BackfillParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly cache: () => Cache;
  /** The cache could not be read or written. */
  readonly failed: (error: CacheError) => void;
  readonly choices: () => Pick<Preferences, 'isFillPaused' | 'cacheLimitMiB'>;
  /** Where the account receives messages. */
  readonly places: () => readonly CoverageScope[];
  /** Whose events tell what changed since a page was asked for; null while there is none. */
  readonly queueId: () => string | null;
  /** With the marks that the service does not know of yet. */
  readonly marked: (messages: readonly Message[]) => readonly Message[];
  readonly removed: (ids: readonly number[]) => void;
  /** Messages that are other ones than events have told. */
  readonly repaired: (messages: readonly Message[]) => void;
  readonly changed: (status: CacheStatus) => void;
}

type BackfillRound = 'fetched' | 'complete' | 'full' | 'failed' | 'paused';

/** Messages that are fetched one by one in a round. */
const REPAIRS = 20;

/** What is asked for next: all that the place has before an id, or from one on. */
interface Gap {
  readonly place: PageCoverageScope;
  readonly beforeId: number;
  /** Where what is below is known, so that none of it is fetched again. */
  readonly fromId?: number;
}

const rangeOf = ({ place, beforeId, fromId }: Gap): Partial<ArgumentsOf<typeof page>> => ({
  ...(fromId === undefined
    ? { numBefore: PAGE_MESSAGES, numAfter: 0 }
    : { numBefore: 0, numAfter: PAGE_MESSAGES }),
  // The message there comes with the page: it is to be one that is missing.
  anchor: fromId ?? (beforeId === Infinity ? NEWEST_ANCHOR : beforeId - 1),
  ...(place.kind === 'stream'
    ? { narrow: [{ operator: 'stream', operand: place.streamId }] }
    : { reach: 'subscribed' }),
});

/** The ids of which the page has told all that there is. */
function knownBy(
  answer: AnswerOf<typeof page>,
  { beforeId, fromId }: Gap,
  given: readonly Message[],
): { readonly fromId: number; readonly throughId: number } {
  if (fromId === undefined) {
    const lowest = answer.found_oldest ? 0 : (given[0]?.id ?? 0);
    return { fromId: lowest, throughId: beforeId - 1 };
  }
  const isAll = answer.found_newest || given.length < answer.messages.length;
  return { fromId, throughId: isAll ? beforeId - 1 : (given.at(-1)?.id ?? fromId) };
}

/** Everything that was received, and the streams, which may have more than that. */
export const scopesOf = (state: Pick<ClientState, 'streams'> | null): readonly CoverageScope[] =>
  state === null
    ? []
    : [
        { kind: 'held' },
        ...state.streams.map(({ streamId }): CoverageScope => ({ kind: 'stream', streamId })),
      ];

/** Asked anew after every wait. */
const isEnded = (signal: AbortSignal): boolean => signal.aborted;

export class Backfill {
  readonly #parts: BackfillParts;
  #running: AbortController | null = null;
  #pause = new AbortController();
  #state: CacheStatus['backfill'] = 'waiting';
  readonly #pace = new BackfillPace();

  constructor(parts: BackfillParts) {
    this.#parts = parts;
  }

  status(): CacheStatus {
    const { cache, choices } = this.#parts;
    return {
      isEnabled: cache().isKept,
      ...this.#size(),
      limitBytes: choices().cacheLimitMiB * MIB,
      backfill: this.#state,
    };
  }

  #size(): ReturnType<Cache['size']> {
    try {
      return this.#parts.cache().size(this.#parts.places());
    } catch (error) {
      if (!(error instanceof CacheError)) throw error;
      this.#parts.failed(error);
      return { messages: 0, bytes: 0, completeSinceSeconds: null };
    }
  }

  /** The service answers: goes on until everything is here. */
  start(): void {
    if (this.#running !== null) {
      this.resume();
      return;
    }
    if (!this.#parts.cache().isKept) return;
    const running = new AbortController();
    this.#running = running;
    void this.#run(running.signal);
  }

  /** The places are other ones. */
  resume(): void {
    this.#pause.abort();
  }

  /** The choices are other ones: the limit is part of what is told. */
  reconsider(): void {
    this.resume();
    this.#parts.changed(this.status());
  }

  /** The service does not answer any more, or the session ends. */
  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#pause.abort();
    this.#become('waiting');
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!isEnded(signal)) {
      this.#pause = new AbortController();
      const round = await this.#round(signal);
      if (isEnded(signal)) return;
      this.#become(round === 'fetched' ? 'running' : round === 'failed' ? 'waiting' : round);
      const delayMs = round === 'fetched' ? this.#pace.pauseMs : RETRY_MS;
      await this.#parts.clock.wait(delayMs, AbortSignal.any([signal, this.#pause.signal]));
    }
  }

  async #round(signal: AbortSignal): Promise<BackfillRound> {
    const { cache, choices, places } = this.#parts;
    const { isFillPaused, cacheLimitMiB } = choices();
    try {
      const { bytes } = cache().size();
      const limit = cacheLimitMiB * MIB;
      // A part at a time: it holds the thread.
      if (bytes > limit && !cache().shrinkTo(limit * SHRUNK)) return 'fetched';
      const isFull = bytes > limit * FILLED;
      const coming = isFillPaused || isFull ? [] : places();
      if (!(await this.#repair(coming, signal))) return 'failed';
      // Many may have come at once.
      if (cache().findStale(1, coming).length > 0) return 'fetched';
      if (isFillPaused) return 'paused';
      if (isFull) return 'full';
      const gap = this.#next();
      if (gap === null) return 'complete';
      return await this.#fetch(gap, signal);
    } catch (error) {
      if (!(error instanceof CacheError)) throw error;
      // What does not fit on the disk now may fit later.
      this.#parts.failed(error);
      return 'failed';
    }
  }

  /** Fetches messages of which events told less than what they are. Whether the service answered. */
  async #repair(coming: readonly CoverageScope[], signal: AbortSignal): Promise<boolean> {
    const before = this.#parts.cache();
    for (const messageId of before.findStale(REPAIRS, coming)) {
      if (!(await this.#repairOne(before, messageId, signal))) return false;
    }
    return true;
  }

  async #repairOne(before: Cache, messageId: number, signal: AbortSignal): Promise<boolean> {
    const { api, cache, marked, removed, repaired } = this.#parts;
    const askedAt = before.changeCount();
    const args = { messageId, withSource: true };
    const outcome = await api.call(endpoints.lifecycle.get, args, { signal });
    // Any other refusal says that the message is gone, or may not be read.
    if (!outcome.ok && outcome.failure.code !== 'BAD_REQUEST') return false;
    if (signal.aborted || cache() !== before) return false;
    const messages = outcome.ok ? marked([outcome.value.message]) : [];
    const gone = before.putFetchedMessage([messageId], messages, askedAt);
    const now = before.find([messageId]);
    if (now.length > 0) repaired(now);
    if (gone.length > 0) removed(gone);
    return true;
  }

  /**
   * The newest that is missing. What the account received comes with the history of its streams, each message once. A stream
   * of which less is known, as one that was joined since, is brought as far as the others by itself.
   */
  #next(): Gap | null {
    const { cache, places } = this.#parts;
    const known = cache();
    const fromOf = (place: CoverageScope): number => known.coveredFrom(place) ?? Infinity;
    const streams = places().filter((place) => place.kind === 'stream');
    if (places().length === 0) return null;
    const heldFrom = fromOf({ kind: 'held' });
    const behind = streams.find((place) => fromOf(place) > heldFrom);
    if (behind !== undefined) {
      const beforeId = fromOf(behind);
      if (heldFrom === 0) return { place: behind, beforeId };
      return { place: behind, beforeId, fromId: known.uncoveredFrom(behind, heldFrom) };
    }
    if (heldFrom === 0) return null;
    const streamIds = streams.map(({ streamId }) => streamId);
    return { place: { kind: 'subscribed', streamIds }, beforeId: heldFrom };
  }

  async #fetch(gap: Gap, signal: AbortSignal): Promise<BackfillRound> {
    const { api, cache, clock, queueId, marked, removed } = this.#parts;
    const before = cache();
    const queue = queueId();
    const askedAt = before.changeCount();
    const args = { ...rangeOf(gap), clientGravatar: true, withSource: true };
    const startedAt = clock.now();
    const outcome = await api.call(page, args, { signal });
    // The place may have been left meanwhile, the cache been made anew, or changes been missed with a queue.
    if (!outcome.ok || signal.aborted || cache() !== before || queueId() !== queue) return 'failed';
    // A stream may no longer be read, a name be another one: asked again it tells what is so now.
    if (before.ageOf([], askedAt) === 'outdated') return 'fetched';
    // Of a page that has fewer it says nothing how long it took.
    if (outcome.value.messages.length >= PAGE_MESSAGES) this.#pace.took(clock.now() - startedAt);
    const given = outcome.value.messages.filter(({ id }) => id < gap.beforeId);
    const range = { ...knownBy(outcome.value, gap, given), askedAt };
    const gone = before.putRange(gap.place, marked(given), range);
    if (gone.length > 0) removed(gone);
    return 'fetched';
  }

  #become(state: CacheStatus['backfill']): void {
    const isSame = this.#state === state && state !== 'running';
    this.#state = state;
    if (!isSame) this.#parts.changed(this.status());
  }
}
