/** One account's live connection to its service. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { Connection, View } from '#shared/bridge/models/client.ts';
import type { Message } from '#shared/api/models/message.ts';
import { failure, type Outcome, success } from '#shared/bridge/outcome.ts';
import type { QueuePosition } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import type { SessionCalls } from '#shared/bridge/bridge.ts';
import { type SessionListener, untilStopped } from './session-listener.ts';
import { EventLoop } from '../transport/event-queue.ts';
import { Gate } from './gate.ts';
import { messagesAfter, newestMessages } from '../sync/history.ts';
import type { ArrivedMessage } from '../notifications/notifier.ts';
import { reportPresence } from './presence.ts';
import type { SyncState } from '../sync/account-sync.ts';
import { isRecovery } from '../cache/message-changes.ts';
import { createSearch } from './create-search.ts';
import { createSessionCalls } from './session-calls.ts';
import { registerQueue } from './register-queue.ts';
import { createSessionEngines, type SessionEngines, type SessionParts } from './session-engines.ts';
import { windowStateOf } from '../sync/state/window-state.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

/** What a session without a cache fetches first, for the conversations of the left column. */
const FIRST_MESSAGES = 400;
const TICK_MS = 5000;
/** Somebody waits for having signed out. */
const GOODBYE_LIMIT_MS = 3000;

export class Session {
  readonly calls: SessionCalls;
  readonly #parts: SessionParts;
  readonly #engines: SessionEngines;
  readonly #listener: SessionListener;
  readonly #loop: EventLoop;
  readonly #stopping = new AbortController();
  readonly #stateKnown = new Gate();
  #stopped: Promise<void> | undefined;
  #connection: Connection = { state: 'connecting' };
  /** The computer slept or had no network: events of that time are still to come. */
  #isBehind = false;
  #hasFirstMessages = false;
  /** Who is there is not kept: it comes with a new queue, or is asked for. */
  #arePresencesKnown = false;
  /** A page was answered in which something may be missing: it is fetched anew once the service answers. */
  #isShownIncomplete = false;

  constructor(parts: SessionParts, listener: SessionListener) {
    this.#parts = parts;
    const told = untilStopped(listener, this.#stopping.signal);
    this.#engines = createSessionEngines(parts, {
      ...told,
      arrived: (arrivals) => {
        if (!this.#stopping.signal.aborted) this.#arrived(arrivals, told);
      },
      queueId: () => this.#loop.queueId,
      unanswered: () => {
        this.#loop.probe();
      },
      queueLost: () => {
        this.#loop.forgetQueue();
      },
    });
    this.#listener = told;
    this.#loop = this.#createLoop();
    this.calls = {
      ...createSessionCalls({
        ...this.#engines,
        api: this.#engines.watchedApi,
        account: parts.account,
        clock: parts.clock,
        exportFolders: parts.exportFolders,
        origin: () => parts.serverAddress.address,
        sync: () => this.#sync,
        isOffline: () => this.#connection.state !== 'live' && !this.#engines.cachedSync.isFull,
        answeredIncomplete: () => (this.#isShownIncomplete = true),
      }),
      state: () => this.#whenStateIsKnown(),
      cacheStatus: async () => success(this.#engines.backfill.status()),
      clearCache: async () => this.#clearCache(),
    };
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Null before anything is known. */
  get state(): ClientState | null {
    const { state } = this.#sync;
    if (state === null) return null;
    const { drafts, outbox, cachedSync, lostMessages, outboxProblem } = this.#engines;
    return {
      ...windowStateOf(state),
      drafts: drafts.list(),
      outbox: outbox.items(),
      storageProblem: cachedSync.problem ?? outboxProblem(),
      lost: lostMessages.status,
    };
  }

  /** Settles when the session ended: stopped, or refused by the service. */
  async run(): Promise<void> {
    const { clock, attention } = this.#parts;
    const { signal } = this.#stopping;
    void this.#tick(signal);
    await this.#engines.lostMessages.open();
    void reportPresence({
      api: this.#engines.api,
      clock,
      isActive: () => attention.isWindowFocused() && attention.activeSinceMs() !== null,
      isLive: () => this.#connection.state === 'live',
      reported: (presences, serviceSeconds) => {
        this.#sync.takePresences(presences, serviceSeconds);
      },
      signal,
    });
    await this.#loop.run();
  }

  wake(): void {
    this.#isBehind = true;
    this.#loop.wake();
  }

  show(view: View | null): void {
    this.#engines.notifier.shown(view);
  }

  /** The window got the focus, or somebody came back to it. */
  setActive(): void {
    this.#engines.notifier.userIsActive();
  }

  /** Does nothing to an upload of another session. */
  cancelUpload(uploadId: string): void {
    this.#engines.uploads.cancel(uploadId);
    this.#engines.backgroundUploads.forget(uploadId);
  }

  /** Does nothing to one of another session. */
  cancelSave(saveId: string): void {
    this.#engines.saves.cancelSave(saveId);
  }

  countUnfinishedUploads(): number {
    return this.#engines.backgroundUploads.countUnfinished();
  }

  /** Something that belongs to this computer was chosen anew. */
  reconsider(): void {
    this.#engines.backfill.reconsider();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Ends it, and nothing of the account stays. */
  async forget(): Promise<void> {
    const isLive = this.#connection.state === 'live';
    await this.#end({ keepsQueue: false });
    // A key that nobody has any more is none that somebody could find.
    if (isLive) {
      const { devices } = endpoints;
      await this.#engines.api.call(devices.endCurrent, {}, { limitMs: GOODBYE_LIMIT_MS });
    }
    await this.#engines.notifier.signedOut();
    this.#engines.close();
    this.#engines.backgroundUploads.forgetAll();
    await this.#parts.storage.remove(this.#parts.account.id);
  }

  get #sync(): SyncState {
    return this.#engines.cachedSync.current;
  }

  async #stop(): Promise<void> {
    const { cachedSync, notifier } = this.#engines;
    await this.#end({ keepsQueue: this.#sync.cache.isKept });
    const { liveUntilSeconds } = this.#loop;
    if (liveUntilSeconds !== null) {
      cachedSync.write((sync) => {
        sync.noteAlive(liveUntilSeconds);
      });
    }
    await notifier.stop();
    this.#engines.close();
  }

  async #end(how: { readonly keepsQueue: boolean }): Promise<void> {
    this.#stopping.abort();
    this.#stateKnown.open();
    // At once: an event that is taken now would be told to nobody.
    await Promise.all([this.#loop.stop(how), this.#engines.stop()]);
  }

  #deliver(events: readonly unknown[], at: QueuePosition): Outcome<null> {
    const { cachedSync, backfill } = this.#engines;
    const delivered = cachedSync.write((sync) => {
      sync.deliver(events, at);
    });
    if (delivered.ok && events.some(isRecovery)) {
      // They belong between others that are shown, and are fetched by themselves.
      backfill.resume();
      this.#listener.reset();
    }
    return delivered;
  }

  #createLoop(): EventLoop {
    const { position, isIncomplete } = this.#sync;
    const { lostMessages } = this.#engines;
    const search = createSearch(this.#parts, this.#listener, {
      moved: (address) => {
        this.#moved(address);
      },
      compare: (generation, signal) => lostMessages.compare(generation, signal),
    });
    return new EventLoop({
      api: this.#engines.api,
      clock: this.#parts.clock,
      position: isIncomplete ? null : position,
      liveUntilSeconds: position?.liveUntilSeconds ?? null,
      ...(search && { meet: search }),
      register: (signal) => this.#register(signal),
      catchUp: (signal) => this.#catchUp(signal),
      deliver: (events, at) => this.#deliver(events, at),
      delivering: (isUnderWay) => {
        this.#engines.notifier.hold(isUnderWay);
        this.#engines.stateChanges.collect(isUnderWay);
      },
      report: (connection) => {
        this.#report(connection);
      },
    });
  }

  /** What is under way to the address of before is begun anew. */
  #moved(address: string): void {
    this.#listener.relocated(address);
    if (this.#connection.state !== 'live') return;
    const { outbox, flags } = this.#engines;
    // An attempt that was begun before is given up only by whoever pauses.
    outbox.pause();
    outbox.resume();
    flags.resume();
  }

  #arrived(arrivals: readonly ArrivedMessage[], listener: SessionListener): void {
    const { sentMessages, notifier } = this.#engines;
    // Whoever left unnoticed is told to have left before the window draws what came meanwhile.
    this.#parts.attention.activeSinceMs();
    const messages = arrivals.map(({ message }) => sentMessages.named(message));
    listener.arrived(messages);
    sentMessages.shown(messages);
    const { state } = this.#sync;
    if (state === null) return;
    const isCatchUp = this.#hasMissed() || this.#isBehind || this.#connection.state !== 'live';
    notifier.arrived(arrivals, { state: windowStateOf(state), isCatchUp });
  }

  #clearCache(): Outcome<null> {
    const { backfill, cachedSync } = this.#engines;
    backfill.stop();
    const cleared = cachedSync.clear();
    backfill.reconsider();
    return cleared;
  }

  async #register(signal: AbortSignal): Promise<ApiOutcome<QueuePosition>> {
    const { api, cachedSync, backfill, notifier } = this.#engines;
    const outcome = await registerQueue(api, this.#sync.cache.isKept, signal);
    if (!outcome.ok) return outcome;
    const { snapshot, position } = outcome.value;
    const written = cachedSync.write((sync) => {
      sync.register(snapshot, position);
    });
    if (!written.ok) return written;
    this.#arePresencesKnown = true;
    notifier.registered(this.#sync.state?.maxMessageId ?? 0);
    // Where what was kept was removed the connection stays live, and nothing else begins anew.
    if (this.#connection.state === 'live') backfill.start();
    this.#stateKnown.open();
    return success(position);
  }

  /** An earlier queue is lost, and with it messages that no event will tell. */
  #hasMissed(): boolean {
    return this.#sync.position?.isBehind === true;
  }

  async #catchUp(signal: AbortSignal): Promise<ApiOutcome<null>> {
    const caughtUp = this.#hasMissed() ? await this.#fetchMissed(signal) : success(null);
    if (!caughtUp.ok || this.#hasFirstMessages || this.#sync.cache.isKept) return caughtUp;
    const askedAt = this.#sync.changeCount();
    const first = await newestMessages(this.#engines.api, FIRST_MESSAGES, signal);
    if (!first.ok) return first;
    this.#sync.takePage(first.value, askedAt);
    this.#hasFirstMessages = true;
    return success(null);
  }

  async #fetchMissed(signal: AbortSignal): Promise<ApiOutcome<null>> {
    const { api, cachedSync, backfill } = this.#engines;
    const take = (messages: readonly Message[]): Outcome<null> => {
      if (signal.aborted) return failure('UNREACHABLE', clientWords('session_busy'));
      return cachedSync.write((sync) => {
        sync.takeMissed(messages);
      });
    };
    const from = this.#sync.newestMessageId ?? 0;
    const outcome = await messagesAfter(api, from, take, signal);
    if (!outcome.ok) return outcome;
    const written = cachedSync.write((sync) => {
      sync.caughtUp();
    });
    if (!written.ok) return written;
    // What was edited or deleted meanwhile is found by going over it again.
    backfill.resume();
    this.#listener.reset();
    return success(null);
  }

  #report(connection: Connection): void {
    if (connection.state === 'live') this.#isBehind = false;
    const isSame = JSON.stringify(connection) === JSON.stringify(this.#connection);
    this.#connection = connection;
    this.#stateKnown.open();
    if (isSame || this.#stopping.signal.aborted) return;
    this.#listener.connection(connection);
    const { backfill, outbox, flags, lostMessages } = this.#engines;
    if (connection.state === 'live') {
      this.#goLive();
      return;
    }
    backfill.stop();
    outbox.pause();
    flags.pause();
    lostMessages.pause();
  }

  #goLive(): void {
    const { backfill, outbox, flags, lostMessages } = this.#engines;
    outbox.resume();
    flags.resume();
    backfill.start();
    lostMessages.resume();
    this.#showAgain();
    if (!this.#arePresencesKnown) void this.#fetchPresences(this.#stopping.signal);
    if (this.#parts.account.pin !== undefined) void this.#fetchAddresses(this.#stopping.signal);
  }

  async #fetchPresences(signal: AbortSignal): Promise<void> {
    const outcome = await this.#engines.api.call(endpoints.presence.list, {}, { signal });
    if (!outcome.ok || signal.aborted) return;
    this.#arePresencesKnown = true;
    this.#sync.takePresences(outcome.value.presences, outcome.value.server_timestamp);
  }

  /** Which may be others than before. An older service does not say. */
  async #fetchAddresses(signal: AbortSignal): Promise<void> {
    const outcome = await this.#engines.api.call(endpoints.server.addresses, {}, { signal });
    if (outcome.ok && !signal.aborted) this.#listener.reachable(outcome.value.addresses);
  }

  /** Also where only that one call had no answer and the session stayed live. */
  #showAgain(): void {
    if (!this.#isShownIncomplete) return;
    this.#isShownIncomplete = false;
    this.#listener.reset();
  }

  /** Every now and then: whoever typed and says nothing more is forgotten. */
  async #tick(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#parts.clock.wait(TICK_MS, signal);
      if (signal.aborted) return;
      this.#sync.tick();
      if (this.#connection.state === 'live') this.#showAgain();
    }
  }

  async #whenStateIsKnown(): Promise<Outcome<ClientState>> {
    if (this.state === null && this.#connection.state === 'connecting') {
      await this.#stateKnown.wait();
    }
    const { state } = this;
    if (state !== null) return success(state);
    const { address } = this.#parts.serverAddress;
    const connection = this.#connection;
    const told =
      'reason' in connection
        ? connection.reason
        : clientWords('service_not_answering_yet', { address });
    return failure('NOT_CONNECTED', told);
  }
}
