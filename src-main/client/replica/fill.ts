/** Fetches older history in the background: gently, newest conversations first, up to a size. */
import { api as endpoints } from '../../contract/api/index.ts';
import { NEWEST_ANCHOR } from '../../contract/codecs.ts';
import type { ClientState } from '../../bridge/models/client-state.ts';
import type { CacheStatus } from '../../bridge/models/client.ts';
import type { Preferences } from '../../bridge/models/preferences.ts';
import type { Message } from '../../contract/models/message.ts';
import type { NarrowTerm } from '../../contract/narrow.ts';
import type { Api } from '../transport/api.ts';
import { CacheError, type Cache, type Place } from '../cache/port.ts';
import type { Clock } from '../ports.ts';

const PAGE_MESSAGES = 500;
/** Between two pages, so that neither the service nor this computer notices. */
const PAUSE_MS = 250;
const RETRY_MS = 30_000;
const MIB = 1024 * 1024;
/** A share of the limit: what is removed leaves room for what comes, and what was just removed is not fetched again. */
const SHRUNK = 0.95;
const FILLED = 0.9;

export interface FillParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly cache: () => Cache;
  /** The cache could not be read or written. */
  readonly failed: (error: CacheError) => void;
  readonly choices: () => Pick<Preferences, 'isFillPaused' | 'cacheLimitMiB'>;
  /** Where the account receives messages. */
  readonly places: () => readonly Place[];
  /** Whose events tell what changed since a page was asked for; null while there is none. */
  readonly queueId: () => string | null;
  /** Keeps a page; answers it as it is here. */
  readonly take: (messages: readonly Message[], askedAt: number) => readonly Message[];
  readonly removed: (ids: readonly number[]) => void;
  /** Messages that are other ones than events have told. */
  readonly repaired: (messages: readonly Message[]) => void;
  readonly changed: (status: CacheStatus) => void;
}

type Round = 'fetched' | 'complete' | 'full' | 'failed' | 'paused';

/** Messages that are fetched one by one in a round. */
const REPAIRS = 20;

function narrowOf(place: Place): readonly NarrowTerm[] {
  switch (place.kind) {
    case 'held':
      return [];
    case 'private':
      return [{ operator: 'is', operand: 'private' }];
    default:
      return [{ operator: 'stream', operand: place.streamId }];
  }
}

/** Everything that was received, and the streams, which may have more than that. */
export const placesOf = (state: Pick<ClientState, 'streams'> | null): readonly Place[] =>
  state === null
    ? []
    : [
        { kind: 'held' },
        ...state.streams.map(({ streamId }): Place => ({ kind: 'stream', streamId })),
      ];

/** Asked anew after every wait. */
const isEnded = (signal: AbortSignal): boolean => signal.aborted;

export class Fill {
  readonly #parts: FillParts;
  #running: AbortController | null = null;
  #pause = new AbortController();
  #state: CacheStatus['fill'] = 'waiting';

  constructor(parts: FillParts) {
    this.#parts = parts;
  }

  status(): CacheStatus {
    const { cache, choices } = this.#parts;
    return {
      isKept: cache().isKept,
      ...this.#size(),
      limitBytes: choices().cacheLimitMiB * MIB,
      fill: this.#state,
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
      this.look();
      return;
    }
    if (!this.#parts.cache().isKept) return;
    const running = new AbortController();
    this.#running = running;
    void this.#run(running.signal);
  }

  /** The places are other ones. */
  look(): void {
    this.#pause.abort();
  }

  /** The choices are other ones: the limit is part of what is told. */
  reconsider(): void {
    this.look();
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
      const delayMs = round === 'fetched' ? PAUSE_MS : RETRY_MS;
      await this.#parts.clock.wait(delayMs, AbortSignal.any([signal, this.#pause.signal]));
    }
  }

  async #round(signal: AbortSignal): Promise<Round> {
    const { cache, choices } = this.#parts;
    const { isFillPaused, cacheLimitMiB } = choices();
    try {
      const { bytes } = cache().size();
      const limit = cacheLimitMiB * MIB;
      // A part at a time: it holds the thread.
      if (bytes > limit && !cache().shrinkTo(limit * SHRUNK)) return 'fetched';
      if (!(await this.#repair(signal))) return 'failed';
      // Many may have come at once.
      if (cache().findStale(1).length > 0) return 'fetched';
      if (isFillPaused) return 'paused';
      if (bytes > limit * FILLED) return 'full';
      const place = this.#next();
      if (place === null) return 'complete';
      return await this.#fetch(place, signal);
    } catch (error) {
      if (!(error instanceof CacheError)) throw error;
      // What does not fit on the disk now may fit later.
      this.#parts.failed(error);
      return 'failed';
    }
  }

  /** Fetches messages of which events told less than what they are. Whether the service answered. */
  async #repair(signal: AbortSignal): Promise<boolean> {
    const before = this.#parts.cache();
    for (const messageId of before.findStale(REPAIRS)) {
      if (!(await this.#repairOne(before, messageId, signal))) return false;
    }
    return true;
  }

  async #repairOne(before: Cache, messageId: number, signal: AbortSignal): Promise<boolean> {
    const { api, cache, take, removed, repaired } = this.#parts;
    const askedAt = before.changeCount();
    const args = { messageId, withSource: true };
    const outcome = await api.call(endpoints.lifecycle.get, args, { signal });
    // Any other refusal says that the message is gone, or may not be read.
    if (!outcome.ok && outcome.failure.code !== 'BAD_REQUEST') return false;
    if (signal.aborted || cache() !== before) return false;
    const messages = outcome.ok ? take([outcome.value.message], askedAt) : [];
    const gone = before.putFetched([messageId], messages, askedAt);
    if (messages.length > 0) repaired(before.find([messageId]));
    if (gone.length > 0) removed(gone);
    return true;
  }

  /** The place whose missing messages are the newest ones. */
  #next(): Place | null {
    const { cache, places } = this.#parts;
    let newest: Place | null = null;
    let newestFrom = 0;
    for (const place of places()) {
      const from = cache().coveredFrom(place) ?? Infinity;
      if (from <= newestFrom) continue;
      newest = place;
      newestFrom = from;
    }
    return newest;
  }

  async #fetch(place: Place, signal: AbortSignal): Promise<Round> {
    const { api, cache, queueId, take, removed } = this.#parts;
    const before = cache();
    const from = before.coveredFrom(place);
    const queue = queueId();
    const askedAt = before.changeCount();
    const args = {
      anchor: from ?? NEWEST_ANCHOR,
      numBefore: PAGE_MESSAGES,
      numAfter: 0,
      narrow: narrowOf(place),
      clientGravatar: true,
      withSource: true,
    };
    const outcome = await api.call(endpoints.messages.page, args, { signal });
    // The place may have been left meanwhile, the cache been made anew, or changes been missed with a queue.
    if (!outcome.ok || signal.aborted || cache() !== before || queueId() !== queue) return 'failed';
    // A stream may no longer be read, a name be another one: asked again it tells what is so now.
    if (before.ageOf([], askedAt) === 'outdated') return 'fetched';
    const { messages: page, found_oldest: isOldest } = outcome.value;
    const older = page.filter(({ id }) => from === null || id < from);
    const messages = take(older, askedAt);
    const fromId = isOldest ? 0 : (older[0]?.id ?? 0);
    const throughId = from === null ? Infinity : from - 1;
    const gone = before.putRange(place, messages, { fromId, throughId, askedAt });
    if (gone.length > 0) removed(gone);
    return 'fetched';
  }

  #become(state: CacheStatus['fill']): void {
    const isSame = this.#state === state && state !== 'running';
    this.#state = state;
    if (!isSame) this.#parts.changed(this.status());
  }
}
