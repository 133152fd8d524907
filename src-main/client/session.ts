/** One account's live connection to its service. */
import { api as endpoints } from '../contract/api/index.ts';
import { MessageEvent } from '../contract/events.ts';
import type {
  Account,
  Connection,
  RealmState,
  ShownMessage,
  View,
} from '../contract/models/client.ts';
import type { EventMessage, Message } from '../contract/models/message.ts';
import type { Outcome } from '../contract/outcome.ts';
import { failure, success } from '../contract/outcome.ts';
import type { Api, ApiOutcome } from './api.ts';
import { createApi } from './api.ts';
import type { SessionCalls } from './calls.ts';
import type { QueuePosition } from './event-loop.ts';
import { EventLoop } from './event-loop.ts';
import { messagesAfter, recentPrivateMessages } from './history.ts';
import { noticeFor } from './notification-rules.ts';
import type { Attention, Clock, Http, Notice } from './ports.ts';
import { createPrivateConversations } from './private-conversations.ts';
import type { Realm } from './realm-state.ts';
import { applyEvent, realmFrom, Snapshot, snapshotTypes } from './realm-state.ts';
import { createSessionCalls } from './session-calls.ts';
import { shownMessage } from './shown-message.ts';
import type { Unread } from './unread.ts';
import { createUnread } from './unread.ts';

/** What a session tells while it runs. */
export interface SessionListener {
  /** Each message once, ascending. */
  readonly message: (message: ShownMessage) => void;
  readonly realm: (realm: RealmState) => void;
  readonly connection: (connection: Connection) => void;
  /** Messages may have been missed before those told last: what is shown has to be fetched anew. */
  readonly reset: () => void;
}

export interface SessionParts {
  readonly account: Account;
  readonly key: string;
  /** A window shows messages of this account already, from an earlier session. */
  readonly isResumed: boolean;
  readonly http: Http;
  readonly clock: Clock;
  readonly attention: Attention;
  readonly listener: SessionListener;
}

const register = { ...endpoints.events.register, result: Snapshot };

export class Session {
  readonly calls: SessionCalls;
  readonly #parts: SessionParts;
  readonly #api: Api;
  readonly #loop: EventLoop;
  readonly #unread: Unread;
  readonly #privates = createPrivateConversations();
  #connection: Connection = { state: 'connecting' };
  #realm: Realm | null = null;
  #isStopped = false;
  #hasRecentConversations = false;
  /** An earlier queue is lost, and with it messages that no event will tell. */
  #hasMissed = false;
  /** Every message up to this one was told, or was there before the session. Null before it began. */
  #newestMessageId: number | null = null;
  #isRealmStale = false;
  #sentCount = 0;
  #realmWaiters: (() => void)[] = [];

  constructor(parts: SessionParts) {
    const { account, key, http, clock, attention } = parts;
    const { address, email } = account;
    this.#parts = parts;
    this.#api = createApi({ http, clock, address, credentials: { email, key } });
    this.#unread = createUnread(attention.isWindowFocused);
    this.#loop = new EventLoop({
      api: this.#api,
      clock,
      register: (signal) => this.#register(signal),
      catchUp: (signal) => this.#catchUp(signal),
      deliver: (events) => {
        this.#deliver(events);
      },
      report: (connection) => {
        this.#report(connection);
      },
    });
    const api = this.#api;
    const queueId = (): string | null => this.#loop.queueId;
    const nextLocalId = (): string => `${clock.now()}.${(this.#sentCount += 1)}`;
    this.calls = {
      ...createSessionCalls({ api, account, queueId, nextLocalId }),
      realm: () => this.#whenRealmIsKnown(),
    };
  }

  get connection(): Connection {
    return this.#connection;
  }

  /** Settles when the session ended: stopped, or refused by the service. */
  run(): Promise<void> {
    return this.#loop.run();
  }

  wake(): void {
    this.#loop.wake();
  }

  show(view: View | null): void {
    if (this.#unread.show(view)) this.#tellRealm();
  }

  /** The window got the focus. */
  attend(): void {
    if (this.#unread.attend()) this.#tellRealm();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#releaseWaiters();
    await this.#loop.stop();
  }

  async #register(signal: AbortSignal): Promise<ApiOutcome<QueuePosition>> {
    const args = {
      applyMarkdown: true,
      clientGravatar: true,
      includeSubscribers: false,
      fetchEventTypes: snapshotTypes,
    };
    const outcome = await this.#api.call(register, args, { signal });
    if (!outcome.ok) return outcome;
    const {
      queue_id: queueId,
      last_event_id: lastEventId,
      max_message_id: newestId,
    } = outcome.value;
    this.#hasMissed = this.#newestMessageId !== null;
    // Smaller than before only where messages were deleted: the ids above it stand for nothing any more.
    this.#newestMessageId = Math.min(this.#newestMessageId ?? newestId, newestId);
    this.#realm = realmFrom(outcome.value);
    this.#tellRealm();
    this.#releaseWaiters();
    return success({ queueId, lastEventId });
  }

  async #catchUp(signal: AbortSignal): Promise<ApiOutcome<null>> {
    const recent = await this.#fetchRecentConversations(signal);
    if (!recent.ok) return recent;
    const missed = await this.#fetchMissed(signal);
    this.#tellRealmIfStale();
    return missed;
  }

  async #fetchRecentConversations(signal: AbortSignal): Promise<ApiOutcome<null>> {
    if (this.#hasRecentConversations) return success(null);
    const outcome = await recentPrivateMessages(this.#api, signal);
    if (!outcome.ok) return outcome;
    for (const message of outcome.value) {
      if (this.#privates.add(this.#shown(message, []))) this.#isRealmStale = true;
    }
    this.#hasRecentConversations = true;
    if (this.#parts.isResumed) this.#tellReset();
    return success(null);
  }

  async #fetchMissed(signal: AbortSignal): Promise<ApiOutcome<null>> {
    if (!this.#hasMissed) return success(null);
    const take = (messages: readonly Message[]): void => {
      // After days away it is enough to be told of the newest message of a conversation: it replaces the others.
      const notices = new Map<string, Notice>();
      const keep = (notice: Notice): void => void notices.set(notice.tag, notice);
      for (const message of messages) this.#receive(this.#shown(message, message.flags), keep);
      for (const notice of notices.values()) this.#parts.attention.notify(notice);
    };
    const outcome = await messagesAfter(this.#api, this.#newestMessageId ?? 0, take, signal);
    if (!outcome.ok) return outcome;
    this.#hasMissed = false;
    this.#tellReset();
    return success(null);
  }

  #deliver(events: readonly unknown[]): void {
    for (const event of events) this.#apply(event);
    this.#tellRealmIfStale();
  }

  /** Types that are not known here and malformed events change nothing. */
  #apply(event: unknown): void {
    const arrived = MessageEvent.safeParse(event);
    if (arrived.success) {
      const { notify } = this.#parts.attention;
      this.#receive(this.#shown(arrived.data.message, arrived.data.flags), notify);
      return;
    }
    if (this.#realm === null) return;
    const realm = applyEvent(this.#realm, event);
    if (realm !== this.#realm) this.#isRealmStale = true;
    this.#realm = realm;
  }

  /** A message that came both by the new queue and by catching up is taken once. */
  #receive(message: ShownMessage, notify: Attention['notify']): void {
    if (this.#isStopped || message.id <= (this.#newestMessageId ?? 0)) return;
    this.#newestMessageId = message.id;
    const { listener, attention, account } = this.#parts;
    listener.message(message);
    const isReordered = this.#privates.add(message);
    const isCounted = this.#unread.add(message);
    if (isReordered || isCounted) this.#isRealmStale = true;
    const isWindowFocused = attention.isWindowFocused();
    const notice = noticeFor({ message, accountId: account.id, isWindowFocused });
    if (notice !== null) notify(notice);
  }

  #shown(message: EventMessage, flags: readonly string[]): ShownMessage {
    return shownMessage(message, flags, this.#parts.account.userId);
  }

  #report(connection: Connection): void {
    if (this.#isStopped) return;
    const isSame = JSON.stringify(connection) === JSON.stringify(this.#connection);
    this.#connection = connection;
    this.#releaseWaiters();
    if (!isSame) this.#parts.listener.connection(connection);
  }

  #state(realm: Realm): RealmState {
    const privateConversations = this.#privates.list();
    return { ...realm, privateConversations, unreadCounts: this.#unread.counts() };
  }

  #tellRealm(): void {
    this.#isRealmStale = false;
    if (this.#realm === null || this.#isStopped) return;
    this.#parts.listener.realm(this.#state(this.#realm));
  }

  /** Once for a whole answer of the service: the state may be large. */
  #tellRealmIfStale(): void {
    if (this.#isRealmStale) this.#tellRealm();
  }

  #tellReset(): void {
    if (!this.#isStopped) this.#parts.listener.reset();
  }

  async #whenRealmIsKnown(): Promise<Outcome<RealmState>> {
    if (this.#realm === null && this.#connection.state === 'connecting') {
      await new Promise<void>((resolve) => this.#realmWaiters.push(resolve));
    }
    if (this.#realm !== null) return success(this.#state(this.#realm));
    const { address } = this.#parts.account;
    const connection = this.#connection;
    const reason = 'reason' in connection ? connection.reason : `${address} has not answered yet.`;
    return failure('NOT_CONNECTED', reason);
  }

  #releaseWaiters(): void {
    const waiters = this.#realmWaiters;
    this.#realmWaiters = [];
    for (const release of waiters) release();
  }
}
