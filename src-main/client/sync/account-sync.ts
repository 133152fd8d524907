/** What is known here of one account: its state and its messages, moved on by the service's answers and events. */
import { MessageEvent } from '#shared/api/events.ts';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import type { Message } from '#shared/api/models/message.ts';
import { type Cache, type CachedPosition, CacheError, type MessageChanges } from '../cache/port.ts';
import { messageOfEvent } from '../cache/cached-message.ts';
import type { QueuePosition } from '../transport/api.ts';
import type { ArrivedMessage } from '../notifications/notifier.ts';
import type { PendingFlag } from '../outbox/outbox-store.ts';
import { withPending } from './pending-state.ts';
import { closedStreams, leftBy } from './closed-streams.ts';
import { withFlags, withPendingFlags, withoutMatch } from './kept-messages.ts';
import { newestBeforeIn } from './newest-before.ts';
import type { PreviousSyncState, SyncStateParts } from './sync-parts.ts';
import { shownMessage } from './shown-message.ts';
import { applyEvent, expireTyping, needsSnapshot } from './state/apply.ts';
import { keepingGone, namingGone } from './state/gone-streams.ts';
import { markedRead, starredMessages } from './state/marks.ts';
import { ALL_STREAMS, withMemberChange } from './state/member-changes.ts';
import type { SessionState } from './state/session-state.ts';
import { isComplete, slicesOf, stateFromSlices } from './state/slices.ts';
import type { Snapshot } from './state/snapshot.ts';
import { presencesFrom, stateFrom } from './state/snapshot.ts';
import { newestPresences, withServiceTime } from './state/presence.ts';
import { changesBetween } from './state/window-state.ts';

/** What a batch of events did. */
interface Batch {
  /** Put into the cache together, which costs half; whatever looks at the cache has to find them there. */
  readonly unkept: Message[];
  readonly arrivals: ArrivedMessage[];
  readonly changed: Map<number, Message>;
  readonly removed: Set<number>;
}

export class SyncState {
  readonly #parts: SyncStateParts;
  #state: SessionState | null;
  #position: CachedPosition | null = null;
  #isIncomplete = false;
  readonly #earlier: PreviousSyncState;

  constructor(parts: SyncStateParts, earlier?: PreviousSyncState) {
    this.#parts = parts;
    this.#earlier = earlier ?? { state: null, newestMessageId: null };
    this.#state = this.#earlier.state;
  }

  /** Null until a snapshot is there, from the cache or from the service. */
  get state(): SessionState | null {
    return this.#state;
  }

  get position(): CachedPosition | null {
    return this.#position;
  }

  /** An earlier version kept it, and less of it than this one knows: its events do not say the rest. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  /** Every message up to this one was told, in this run or an earlier one; null where none was yet. */
  get newestMessageId(): number | null {
    return this.#position?.newestMessageId ?? this.#earlier.newestMessageId;
  }

  get cache(): Cache {
    return this.#parts.cache;
  }

  /** Takes up what an earlier run kept. */
  open(): void {
    const kept = this.read((cache) => cache.loadSession(), null);
    const state = kept === null ? null : stateFromSlices(kept.slices);
    if (kept === null || state === null) return;
    this.#position = kept.position;
    this.#isIncomplete = !isComplete(kept.slices);
    this.#state = this.#withPending(state);
  }

  /** What the cache answers, or the other value where it cannot be read. */
  read<T>(run: (cache: Cache) => T, otherwise: T): T {
    try {
      return run(this.cache);
    } catch (error) {
      if (!(error instanceof CacheError)) throw error;
      this.#parts.failed(error);
      return otherwise;
    }
  }

  /**
   * A new queue and the state that it starts from. Messages that came before it have to be fetched, and changes
   * of older ones that no event tells any more are found by fetching them again.
   */
  register(snapshot: Snapshot, queue: QueuePosition): void {
    const { cache, listener } = this.#parts;
    // Who came and went before it no event tells any more.
    const clockAheadSeconds = this.#state?.clockAheadSeconds ?? 0;
    const fresh = withServiceTime(
      { ...stateFrom(snapshot), clockAheadSeconds, fileChange: queue.lastEventId },
      snapshot.server_timestamp,
      this.#nowSeconds(),
    );
    const whole = keepingGone(this.#state, fresh, this.#nowSeconds());
    const told = withMemberChange(whole, [ALL_STREAMS], queue.lastEventId);
    const state = this.#withPending(told);
    const before = this.newestMessageId;
    // Smaller than before only where messages were deleted: the ids above it stand for nothing any more.
    const newestMessageId = Math.min(before ?? state.maxMessageId, state.maxMessageId);
    const liveUntilSeconds = this.#nowSeconds();
    const position = { ...queue, newestMessageId, liveUntilSeconds, isBehind: before !== null };
    const closed = closedStreams(this.#state, state);
    const removedIds = cache.transact(() => {
      const ids = closed.flatMap((streamId) => cache.removeStream(streamId));
      cache.forgetCoverage();
      cache.saveSession(position, slicesOf(state));
      return ids;
    });
    this.#position = position;
    this.#isIncomplete = false;
    if (removedIds.length > 0) listener.removed(removedIds);
    this.#become(state);
  }

  /** Everything that came before the queue was registered is here. */
  caughtUp(): void {
    if (this.#position?.isBehind === true) this.#move({ isBehind: false });
  }

  /** The service answered and had nothing new, since the position was kept. */
  noteAlive(liveUntilSeconds: number): void {
    if ((this.#position?.liveUntilSeconds ?? Infinity) < liveUntilSeconds)
      this.#move({ liveUntilSeconds });
  }

  #move(change: Partial<CachedPosition>): void {
    if (this.#position === null) return;
    const moved = { ...this.#position, ...change };
    this.cache.saveSession(moved, {});
    this.#position = moved;
  }

  deliver(events: readonly unknown[], queue: QueuePosition): void {
    const { cache } = this.#parts;
    const before = this.#state;
    const position = this.#position;
    if (before === null || position === null) return;
    const batch: Batch = { unkept: [], arrivals: [], changed: new Map(), removed: new Set() };
    const moved = cache.transact(() => {
      let state = before;
      let { newestMessageId } = position;
      const upToDate = (): Cache => {
        if (batch.unkept.length > 0) cache.put(batch.unkept.splice(0));
        return cache;
      };
      for (const event of events) {
        state = applyEvent(state, event, {
          nowSeconds: this.#nowSeconds(),
          find: (id) => upToDate().find([id])[0],
          newestBefore: newestBeforeIn(upToDate, state),
        });
        const { data } = MessageEvent.safeParse(event);
        if (data === undefined) this.#applyChange(upToDate(), event, batch);
        else newestMessageId = this.#take(data, state, newestMessageId, batch);
      }
      upToDate();
      const liveUntilSeconds = this.#nowSeconds();
      const next = { ...position, ...queue, newestMessageId, liveUntilSeconds };
      cache.saveSession(next, slicesOf(state, before));
      return { state, position: next };
    });
    this.#position = moved.position;
    this.#tell(batch, moved.state);
    if (needsSnapshot(before, moved.state, events)) this.#parts.listener.outdated();
  }

  /** To be taken before the service is asked for messages, and given with its answer. */
  changeCount(): number {
    return this.cache.changeCount();
  }

  /** Whether nothing changed of what the answer tells since it was asked for. */
  isCurrent(messages: readonly Message[], askedAt: number): boolean {
    const ids = messages.map(({ id }) => id);
    return this.cache.ageOf(ids, askedAt) === 'current';
  }

  /** Messages that came while there was no queue, ascending, page by page: no event tells of anything meanwhile. */
  takeMissed(missed: readonly Message[]): void {
    const { cache } = this.#parts;
    const position = this.#position;
    const state = this.#state;
    if (position === null || state === null) return;
    const messages = withPendingFlags(missed, this.#parts.pendingFlags());
    const fresh = messages.filter(({ id }) => id > position.newestMessageId);
    const newest = fresh.at(-1);
    if (newest === undefined) return;
    const moved = { ...position, newestMessageId: newest.id };
    cache.transact(() => {
      cache.put(fresh);
      cache.saveSession(moved, {});
    });
    this.#position = moved;
    const arrivals = fresh.map((message) => this.#arrival(message, state));
    this.#parts.listener.arrived(arrivals);
  }

  /** Keeps messages of a page that the service gave, and answers them as they are here. @param askedAt  `changeCount` then */
  takePage(messages: readonly Message[], askedAt: number): readonly Message[] {
    const { cache } = this.#parts;
    if (messages.length === 0) return messages;
    const marked = this.marked(messages);
    const ids = messages.map(({ id }) => id);
    return this.read(() => {
      if (cache.ageOf(ids, askedAt) !== 'outdated') cache.put(marked.map(withoutMatch), askedAt);
      return cache.current(marked, askedAt);
    }, marked);
  }

  /** Messages that the service gave, with the marks that it does not know of yet; their streams are known by name from then on. */
  marked(messages: readonly Message[]): readonly Message[] {
    this.#nameStreams(messages);
    return withPendingFlags(messages, this.#parts.pendingFlags());
  }

  #nameStreams(messages: readonly Message[]): void {
    const before = this.#state;
    const position = this.#position;
    if (before === null || position === null) return;
    const state = namingGone(before, messages);
    if (state === before) return;
    this.read((cache) => {
      cache.saveSession(position, slicesOf(state, before));
    }, undefined);
    this.#become(state);
  }

  /** The service no longer has them, or no longer gives them, which no event told. */
  gone(ids: readonly number[]): void {
    const before = this.#state;
    this.#parts.listener.removed(ids);
    if (before === null) return;
    // A snapshot leaves them out, but what was marked here may have brought them back.
    const state = markedRead(starredMessages(before, ids, false), ids);
    const position = this.#position;
    if (position !== null && state !== before) {
      this.read((cache) => {
        cache.saveSession(position, slicesOf(state, before));
      }, undefined);
    }
    this.#become(state);
  }

  /** A change that was made here, before the service knows. */
  change(
    next: SessionState,
    ids: readonly number[],
    flag: PendingFlag['flag'],
    isSet: boolean,
  ): void {
    const before = this.#state;
    if (before === null) return;
    const made = this.read((cache) => {
      const apply = (): MessageChanges => {
        const changes = cache.setFlag(ids, flag, isSet);
        if (this.#position !== null) cache.saveSession(this.#position, slicesOf(next, before));
        return changes;
      };
      return cache.transact(apply);
    }, null);
    this.#tellChanges(made ?? this.#unkept(ids, { flag, isSet }));
    this.#become(next);
  }

  /** The change as it is to be shown, where the cache did not take it. */
  #unkept(ids: readonly number[], change: Pick<PendingFlag, 'flag' | 'isSet'>): MessageChanges {
    const changes = ids.map((messageId) => ({ ...change, messageId }));
    const kept = this.read((cache) => cache.find(ids), []);
    return { changed: kept.map((message) => withFlags(message, changes)), removedIds: [] };
  }

  /**
   * What everybody was last seen doing, by e-mail address.
   * @param serviceSeconds  when the service answered this, by its clock
   */
  takePresences(presences: Snapshot['presences'], serviceSeconds?: number): void {
    if (this.#state === null) return;
    const state = withServiceTime(this.#state, serviceSeconds, this.#nowSeconds());
    const told = presencesFrom(presences, state.people);
    this.#become({ ...state, presences: newestPresences(state.presences, told) });
  }

  /** Whoever types and says nothing more is forgotten. */
  tick(): void {
    if (this.#state !== null) this.#become(expireTyping(this.#state, this.#nowSeconds()));
  }

  shown(messages: readonly Message[]): readonly ShownMessage[] {
    const state = this.#state;
    return messages.map((message) => shownMessage(message, message.flags, this.#own(state)));
  }

  #own(state: SessionState | null): {
    readonly ownUserId: number;
    readonly state: SessionState | null;
  } {
    return { ownUserId: this.#parts.ownUserId, state };
  }

  #arrival(message: Message, state: SessionState): ArrivedMessage {
    return {
      message: shownMessage(message, message.flags, this.#own(state)),
      flags: message.flags,
    };
  }

  /** The newest message afterwards. One that came both by the queue and by catching up is taken once. */
  #take(event: MessageEvent, state: SessionState, newestId: number, batch: Batch): number {
    const message = messageOfEvent(event);
    batch.unkept.push(message);
    if (message.id <= newestId) return newestId;
    const shown = this.#arrival(message, state);
    const localId = event.local_message_id ?? null;
    batch.arrivals.push({ ...shown, message: { ...shown.message, localId } });
    return message.id;
  }

  #applyChange(cache: Cache, event: unknown, batch: Batch): void {
    const changes = cache.apply(event);
    for (const message of changes.changed) batch.changed.set(message.id, message);
    for (const id of changes.removedIds) batch.removed.add(id);
    for (const streamId of leftBy(event)) {
      for (const id of cache.removeStream(streamId)) batch.removed.add(id);
    }
  }

  #tell(batch: Batch, state: SessionState): void {
    const { listener } = this.#parts;
    const arrivals = batch.arrivals.filter(({ message }) => !batch.removed.has(message.id));
    const before = this.#state;
    this.#state = state;
    if (arrivals.length > 0) listener.arrived(arrivals);
    const changed = [...batch.changed.values()].filter(({ id }) => !batch.removed.has(id));
    this.#tellChanges({ changed, removedIds: [...batch.removed] });
    this.#tellState(before, state);
  }

  #tellChanges({ changed, removedIds }: MessageChanges): void {
    const { listener } = this.#parts;
    if (changed.length > 0) listener.changed(this.shown(changed));
    if (removedIds.length > 0) listener.removed(removedIds);
  }

  #become(state: SessionState): void {
    const before = this.#state;
    this.#state = state;
    this.#tellState(before, state);
  }

  #tellState(before: SessionState | null, state: SessionState): void {
    const changes = changesBetween(before, state);
    if (Object.keys(changes).length > 0) this.#parts.listener.state(changes);
  }

  #withPending(state: SessionState): SessionState {
    const find = (ids: readonly number[]): readonly Message[] =>
      this.read((cache) => cache.find(ids), []);
    return withPending(state, this.#parts.pendingFlags(), find);
  }

  #nowSeconds(): number {
    return Math.floor(this.#parts.clock.now() / 1000);
  }
}
