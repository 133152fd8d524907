/** One account's live connection to its service. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import type { Connection, View } from '#shared/bridge/models/client.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { type ApiOutcome, createApi } from '../transport/api.ts';
import type { SessionCalls } from '#shared/bridge/bridge.ts';
import { type SessionListener, untilStopped } from './session-listener.ts';
import type { QueuePosition } from '../transport/api.ts';
import { EventLoop } from '../transport/event-queue.ts';
import { EpochWatch } from './restore-watch.ts';
import { OfficeSearch } from './service-rediscovery.ts';
import { Gate } from './gate.ts';
import { messagesAfter, newestMessages } from '../sync/history.ts';
import type { Arrival } from '../notifications/notifier.ts';
import { pinnedHttp } from '../accounts/server-identity.ts';
import { reportPresence } from './presence.ts';
import type { Replica } from '../sync/account-sync.ts';
import { createSessionCalls } from './session-calls.ts';
import { createSessionEngines, type SessionEngines, type SessionParts } from './session-engines.ts';
import { Snapshot, snapshotTypes } from '../sync/state/snapshot.ts';
import { windowStateOf } from '../sync/state/window-state.ts';

/** A laptop that was closed over a long weekend finds its queue again. */
const QUEUE_LIFESPAN_SECONDS = 7 * 24 * 3600;
/** What a session without a cache fetches first, for the conversations of the left column. */
const FIRST_MESSAGES = 400;
const TICK_MS = 5000;
/** More than an office has. */
const MAX_FORWARDED = 12;
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
        if (!this.#isStopped()) this.#arrived(arrivals, told);
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
        takeouts: parts.takeouts,
        origin: () => parts.place.address,
        replica: () => this.#replica,
        isOffline: () => this.#connection.state !== 'live' && !this.#engines.kept.isFull,
        answeredIncomplete: () => (this.#isShownIncomplete = true),
      }),
      state: () => this.#whenStateIsKnown(),
      cacheStatus: async () => success(this.#engines.fill.status()),
      clearCache: async () => this.#clearCache(),
    };
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Null before anything is known. */
  get state(): ClientState | null {
    const { state } = this.#replica;
    if (state === null) return null;
    const { drafts, outbox, kept, lost, outboxProblem } = this.#engines;
    return {
      ...windowStateOf(state),
      drafts: drafts.list(),
      outbox: outbox.items(),
      storageProblem: kept.problem ?? outboxProblem(),
      lost: lost.status,
    };
  }

  /** Settles when the session ended: stopped, or refused by the service. */
  async run(): Promise<void> {
    const { clock, attention } = this.#parts;
    const { signal } = this.#stopping;
    void this.#tick(signal);
    await this.#engines.lost.open();
    void reportPresence({
      api: this.#engines.api,
      clock,
      isActive: () => attention.isWindowFocused() && attention.hereSinceMs() !== null,
      isLive: () => this.#connection.state === 'live',
      told: (presences, serviceSeconds) => {
        this.#replica.takePresences(presences, serviceSeconds);
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
  attend(): void {
    this.#engines.notifier.attend();
  }

  /** Does nothing to an upload of another session. */
  cancelUpload(uploadId: string): void {
    this.#engines.uploads.cancel(uploadId);
    this.#engines.left.forget(uploadId);
  }

  countUnarrivedUploads(): number {
    return this.#engines.left.countUnarrived();
  }

  /** Something that belongs to this computer was chosen anew. */
  reconsider(): void {
    this.#engines.fill.reconsider();
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
    await this.#parts.storage.remove(this.#parts.account.id);
  }

  get #replica(): Replica {
    return this.#engines.kept.current;
  }

  async #stop(): Promise<void> {
    const { kept, notifier } = this.#engines;
    await this.#end({ keepsQueue: this.#replica.cache.isKept });
    const { liveUntilSeconds } = this.#loop;
    if (liveUntilSeconds !== null) {
      kept.write((replica) => {
        replica.noteAlive(liveUntilSeconds);
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
    const { kept, fill } = this.#engines;
    const delivered = kept.write((replica) => {
      replica.deliver(events, at);
    });
    if (delivered.ok && events.some(isRecovery)) {
      // They belong between others that are shown, and are fetched by themselves.
      fill.look();
      this.#listener.reset();
    }
    return delivered;
  }

  #createLoop(): EventLoop {
    const { position } = this.#replica;
    const search = this.#createSearch();
    return new EventLoop({
      api: this.#engines.api,
      clock: this.#parts.clock,
      position,
      liveUntilSeconds: position?.liveUntilSeconds ?? null,
      ...(search && { meet: search }),
      register: (signal) => this.#register(signal),
      catchUp: (signal) => this.#catchUp(signal),
      deliver: (events, at) => this.#deliver(events, at),
      delivering: (isUnderWay) => {
        this.#engines.notifier.hold(isUnderWay);
        this.#engines.stateNews.gather(isUnderWay);
      },
      report: (connection) => {
        this.#report(connection);
      },
    });
  }

  /** Only an office that is known by its key can be told from a computer that it has left. */
  #createSearch(): ((signal: AbortSignal) => Promise<ApiOutcome<null>>) | undefined {
    const { account, http, clock, place, offices } = this.#parts;
    if (account.pin === undefined) return undefined;
    const { pin } = account;
    let forwarded: readonly string[] = [];
    const watch = new EpochWatch({
      apiAt: (address) => createApi({ http, clock, address }),
      known: account.epoch,
      keep: (epoch) => this.#listener.renewed(epoch),
      successors: {
        known: () => place.successors?.() ?? [],
        apiAt: (address, successor) =>
          createApi({ http: pinnedHttp(http, successor), clock, address }),
        hear: (notice) => {
          if (offices?.isNoticeOf(pin, notice) === true) this.#listener.succeeding(notice.pin);
        },
        met: (successor, at) => this.#listener.succeeded(successor, at),
      },
      sent: (addresses) => {
        forwarded = addresses.slice(0, MAX_FORWARDED);
        if (addresses.length > 0) this.#listener.reachable(addresses);
      },
    });
    const search = new OfficeSearch({
      place,
      clock,
      meetAt: (address, signal) =>
        watch.meet(address, { signal, isProbe: address === place.address }),
      forwarded: () => forwarded,
      moved: (address) => {
        this.#moved(address);
      },
    });
    return async (signal) => {
      await watch.seek(place.successorAddresses?.() ?? [], signal);
      const met = await search.meet(signal);
      return met.ok ? this.#engines.lost.compare(watch.known, signal) : met;
    };
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

  #arrived(arrivals: readonly Arrival[], listener: SessionListener): void {
    const { sent, notifier } = this.#engines;
    // Whoever left unnoticed is told to have left before the window draws what came meanwhile.
    this.#parts.attention.hereSinceMs();
    const messages = arrivals.map(({ message }) => sent.named(message));
    listener.arrived(messages);
    sent.shown(messages);
    const { state } = this.#replica;
    if (state === null) return;
    const isCatchUp = this.#hasMissed() || this.#isBehind || this.#connection.state !== 'live';
    notifier.arrived(arrivals, { state: windowStateOf(state), isCatchUp });
  }

  #clearCache(): Outcome<null> {
    const { fill, kept } = this.#engines;
    fill.stop();
    const cleared = kept.clear();
    fill.reconsider();
    return cleared;
  }

  async #register(signal: AbortSignal): Promise<ApiOutcome<QueuePosition>> {
    const { api, kept, fill, notifier } = this.#engines;
    const args = {
      applyMarkdown: true,
      clientGravatar: true,
      includeSubscribers: false,
      fetchEventTypes: snapshotTypes,
      withSource: true,
      ...(this.#replica.cache.isKept ? { queueLifespanSecs: QUEUE_LIFESPAN_SECONDS } : {}),
    };
    const outcome = await api.call(endpoints.events.register, args, { signal });
    if (!outcome.ok) return outcome;
    const { queue_id: queueId, last_event_id: lastEventId } = outcome.value;
    const position = { queueId, lastEventId };
    const written = kept.write((replica) => {
      replica.register(Snapshot.parse(outcome.value), position);
    });
    if (!written.ok) return written;
    this.#arePresencesKnown = true;
    notifier.registered(this.#replica.state?.maxMessageId ?? 0);
    // Where what was kept was removed the connection stays live, and nothing else begins anew.
    if (this.#connection.state === 'live') fill.start();
    this.#stateKnown.open();
    return success(position);
  }

  /** An earlier queue is lost, and with it messages that no event will tell. */
  #hasMissed(): boolean {
    return this.#replica.position?.isBehind === true;
  }

  async #catchUp(signal: AbortSignal): Promise<ApiOutcome<null>> {
    const caughtUp = this.#hasMissed() ? await this.#fetchMissed(signal) : success(null);
    if (!caughtUp.ok || this.#hasFirstMessages || this.#replica.cache.isKept) return caughtUp;
    const askedAt = this.#replica.changeCount();
    const first = await newestMessages(this.#engines.api, FIRST_MESSAGES, signal);
    if (!first.ok) return first;
    this.#replica.takePage(first.value, askedAt);
    this.#hasFirstMessages = true;
    return success(null);
  }

  async #fetchMissed(signal: AbortSignal): Promise<ApiOutcome<null>> {
    const { api, kept, fill } = this.#engines;
    const take = (messages: readonly Message[]): Outcome<null> => {
      if (signal.aborted)
        return failure('UNREACHABLE', 'The session is asked to do something else.');
      return kept.write((replica) => {
        replica.takeMissed(messages);
      });
    };
    const from = this.#replica.newestMessageId ?? 0;
    const outcome = await messagesAfter(api, from, take, signal);
    if (!outcome.ok) return outcome;
    const written = kept.write((replica) => {
      replica.caughtUp();
    });
    if (!written.ok) return written;
    // What was edited or deleted meanwhile is found by going over it again.
    fill.look();
    this.#listener.reset();
    return success(null);
  }

  #report(connection: Connection): void {
    if (connection.state === 'live') this.#isBehind = false;
    const isSame = JSON.stringify(connection) === JSON.stringify(this.#connection);
    this.#connection = connection;
    this.#stateKnown.open();
    if (isSame || this.#isStopped()) return;
    this.#listener.connection(connection);
    const { fill, outbox, flags, lost } = this.#engines;
    if (connection.state === 'live') {
      this.#goLive();
      return;
    }
    fill.stop();
    outbox.pause();
    flags.pause();
    lost.pause();
  }

  #goLive(): void {
    const { fill, outbox, flags, lost } = this.#engines;
    outbox.resume();
    flags.resume();
    fill.start();
    lost.resume();
    this.#showAgain();
    if (!this.#arePresencesKnown) void this.#fetchPresences(this.#stopping.signal);
    if (this.#parts.account.pin !== undefined) void this.#fetchAddresses(this.#stopping.signal);
  }

  async #fetchPresences(signal: AbortSignal): Promise<void> {
    const outcome = await this.#engines.api.call(endpoints.presence.list, {}, { signal });
    if (!outcome.ok || signal.aborted) return;
    this.#arePresencesKnown = true;
    this.#replica.takePresences(outcome.value.presences, outcome.value.server_timestamp);
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
      this.#replica.tick();
      if (this.#connection.state === 'live') this.#showAgain();
    }
  }

  async #whenStateIsKnown(): Promise<Outcome<ClientState>> {
    if (this.state === null && this.#connection.state === 'connecting') {
      await this.#stateKnown.wait();
    }
    const { state } = this;
    if (state !== null) return success(state);
    const { address } = this.#parts.place;
    const connection = this.#connection;
    const reason = 'reason' in connection ? connection.reason : `${address} has not answered yet.`;
    return failure('NOT_CONNECTED', reason);
  }

  #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }
}

const isRecovery = (event: unknown): boolean =>
  typeof event === 'object' &&
  event !== null &&
  'type' in event &&
  event.type === 'messages_recovered';
