import {
  conversationKey,
  isInView,
  type Connection,
  type Conversation,
  type OutboxItem,
  type ShownMessage,
  type StreamTopic,
} from '../../src-main/contract/models/client.ts';
import type { ClientState } from '../../src-main/contract/models/client-state.ts';
import {
  changedPreferences,
  defaultPreferences,
} from '../../src-main/contract/models/preference-defaults.ts';
import type { Preferences } from '../../src-main/contract/models/preferences.ts';
import type { KeptPlace } from '../../src-main/contract/models/shell.ts';
import type { RequestName } from '../../src-main/contract/requestable.ts';
import { failure, success, type Outcome } from '../../src-main/contract/outcome.ts';
import { account, officeState, ownUserId, person, stream } from './office.ts';
import type { Bridge, BridgeCalls, BridgeEvents, StartState } from '../../src-preload/bridge.ts';

export { account, inTopic, ownUserId, person, stream, unreadIn, withPeople } from './office.ts';

/** An organization in memory behind a Bridge. Tests look at what was called and push what arrives. */

const desktopStart: StartState = {
  shell: 'desktop',
  canHost: true,
  fixedAddress: null,
  isDevelopment: false,
  accounts: [account],
  problem: null,
};

type Name = keyof BridgeCalls;
type Listener = (payload: never) => void;

export class BridgeDouble implements Bridge {
  startState: StartState;
  current: ClientState = officeState;
  connectionState: Connection = { state: 'live' };
  messageList: ShownMessage[] = [];
  choices: Preferences = defaultPreferences;
  place: KeptPlace | null = null;
  /** What the cache has beside the messages of the list. */
  keptTopics: readonly StreamTopic[] = [];
  /** Every call in order. */
  readonly calls: { readonly name: Name; readonly args: readonly unknown[] }[] = [];
  readonly #answers = new Map<Name, (...args: never[]) => Promise<unknown>>();
  readonly #listeners = new Map<keyof BridgeEvents, Set<Listener>>();
  readonly #requests = new Map<RequestName, (args: never) => Outcome<unknown>>();
  #nextId = 1000;
  #nextLocalId = 1;

  constructor(start: Partial<StartState> = {}) {
    this.startState = { ...desktopStart, ...start };
  }

  /** What a call answers from now on, instead of acting on the organization in memory. */
  answer<N extends Name>(name: N, reply: BridgeCalls[N]): void {
    this.#answers.set(name, reply);
  }

  /** The call fails from now on. */
  fail(name: Name, message: string, argument?: string): void {
    this.#answers.set(name, async () => failure('BAD_REQUEST', message, argument));
  }

  /** The call acts on the organization in memory again. */
  restore(name: Name): void {
    this.#answers.delete(name);
  }

  argsOf(name: Name): readonly (readonly unknown[])[] {
    return this.calls.filter((call) => call.name === name).map(({ args }) => args);
  }

  /** Changes slices of the state and tells the window. */
  changeState(changes: Partial<ClientState>): void {
    this.current = { ...this.current, ...changes };
    this.push('stateChanged', { accountId: account.id, changes });
  }

  changeConnection(connection: Connection): void {
    this.connectionState = connection;
    this.push('connectionChanged', { accountId: account.id, connection });
  }

  /** Puts a message into the history without telling the window. */
  store(
    conversation: Conversation,
    rendered: string,
    extra: Partial<ShownMessage> = {},
  ): ShownMessage {
    const senderId = extra.senderId ?? 9;
    const message: ShownMessage = {
      id: this.#nextId++,
      conversation,
      senderId,
      senderName: this.current.people.find(({ userId }) => userId === senderId)?.fullName ?? '',
      rendered: rendered.startsWith('<') ? rendered : `<p>${rendered}</p>`,
      sentAtSeconds: Math.floor(Date.now() / 1000),
      isOwn: senderId === ownUserId,
      isRead: false,
      avatarUrl: null,
      isMe: false,
      editedAtSeconds: null,
      isStarred: false,
      isMentioned: false,
      hasAlertWord: false,
      reactions: [],
      match: null,
      localId: null,
      ...extra,
    };
    this.messageList.push(message);
    return message;
  }

  /** A message arrives live. */
  arrive(
    conversation: Conversation,
    rendered: string,
    extra: Partial<ShownMessage> = {},
  ): ShownMessage {
    const message = this.store(conversation, rendered, extra);
    this.push('messagesArrived', { accountId: account.id, messages: [message] });
    return message;
  }

  /** A known message is another one now: edited, reacted to, read. */
  changeMessage(id: number, change: Partial<ShownMessage>): void {
    const known = this.messageList.find((message) => message.id === id);
    if (known === undefined) throw new Error(`no message ${String(id)}`);
    const changed = { ...known, ...change };
    this.messageList = this.messageList.map((message) => (message.id === id ? changed : message));
    this.push('messagesChanged', { accountId: account.id, messages: [changed] });
  }

  removeMessages(...ids: number[]): void {
    this.messageList = this.messageList.filter(({ id }) => !ids.includes(id));
    this.push('messagesRemoved', { accountId: account.id, ids });
  }

  /** What the pass-through answers for one endpoint from now on. */
  answerRequest(name: RequestName, reply: (args: never) => Outcome<unknown>): void {
    this.#requests.set(name, reply);
  }

  requestsOf(name: RequestName): readonly unknown[] {
    return this.argsOf('request')
      .filter((args) => args[1] === name)
      .map((args) => args[2]);
  }

  push<E extends keyof BridgeEvents>(event: E, payload: BridgeEvents[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload as never);
  }

  readonly on: Bridge['on'] = (event, listener) => {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  };

  readonly preferences = this.#serve('preferences', async () => success(this.choices));
  readonly setPreferences = this.#serve('setPreferences', async (patch) => {
    this.choices = changedPreferences(this.choices, patch);
    this.push('preferencesChanged', this.choices);
    return success(this.choices);
  });
  readonly keepPlace = this.#serve('keepPlace', async (place) => {
    this.place = place;
    return success(null);
  });
  readonly keptPlace = this.#serve('keptPlace', async () => success(this.place));
  readonly pageReady = this.#serve('pageReady', async () => success(null));
  readonly readyToClose = this.#serve('readyToClose', async () => success(null));
  readonly start = this.#serve('start', async () => success(this.startState));
  readonly retryStart = this.#serve('retryStart', async () => success(this.startState));
  readonly hostOrganization = this.#serve('hostOrganization', async () => success(account));
  readonly connect = this.#serve('connect', async () => success(account));
  readonly signOut = this.#serve('signOut', async () => {
    this.startState = { ...this.startState, accounts: [] };
    return success(null);
  });
  readonly state = this.#serve('state', async () => success(this.current));
  readonly connection = this.#serve('connection', async () => success(this.connectionState));
  readonly messages = this.#serve('messages', async (_, { view, anchor, before, after }) => {
    const all = this.messageList.filter((message) => isInView(message, view));
    const unread = all.find(({ isRead, isOwn }) => !isRead && !isOwn)?.id;
    const anchorId =
      anchor === 'newest' ? null : anchor === 'first-unread' ? (unread ?? null) : anchor;
    const at = anchorId ?? Infinity;
    const older = all.filter(({ id }) => id < at);
    const exact = all.filter(({ id }) => id === at);
    const newer = all.filter(({ id }) => id > at);
    return success({
      messages: [...(before === 0 ? [] : older.slice(-before)), ...exact, ...newer.slice(0, after)],
      anchorId,
      hasOldest: older.length <= before,
      hasNewest: newer.length <= after,
      isComplete: true,
    });
  });
  readonly recent = this.#serve('recent', async () => {
    const newest = new Map(this.messageList.map((m) => [conversationKey(m.conversation), m]));
    return success(
      [...newest.values()]
        .sort((a, b) => b.id - a.id)
        .map((message) => ({
          conversation: message.conversation,
          newestMessageId: message.id,
          newestAtSeconds: message.sentAtSeconds,
          newestSenderId: message.senderId,
          excerpt: message.rendered.replaceAll(/<[^>]*>/g, ''),
          isParticipant: message.isOwn,
        })),
    );
  });
  /** Accepted at once, unless `sendMessage` is made to answer otherwise. */
  readonly sendMessage = this.#serve('sendMessage', async (_, { conversation, content }, key) => {
    if (this.current.drafts.some((draft) => draft.key === key))
      this.changeState({ drafts: this.current.drafts.filter((draft) => draft.key !== key) });
    const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const localId = `local-${String(this.#nextLocalId++)}`;
    this.arrive(conversation, escaped, { senderId: ownUserId, localId });
    const item: OutboxItem = {
      localId,
      conversation,
      content,
      writtenAtSeconds: Math.floor(Date.now() / 1000),
      state: 'sending',
      failure: '',
    };
    return success(item);
  });
  readonly retryMessage = this.#serve('retryMessage', async () => success(null));
  readonly takeMessageBack = this.#serve('takeMessageBack', async (_, localId) => {
    const item = this.current.outbox.find((each) => each.localId === localId);
    if (item === undefined) return failure('ALREADY_SENT', 'This message was sent already.');
    this.changeState({ outbox: this.current.outbox.filter((each) => each !== item) });
    return success({ conversation: item.conversation, content: item.content });
  });
  readonly saveDraft = this.#serve('saveDraft', async (_, draft) => {
    const others = this.current.drafts.filter(({ key }) => key !== draft.key);
    const isEmpty = draft.content === '' && draft.topic === null;
    this.changeState({ drafts: isEmpty ? others : [draft, ...others] });
    return success(null);
  });
  readonly markRead = this.#serve('markRead', async () => success(null));
  readonly markUnreadFrom = this.#serve('markUnreadFrom', async () => success(null));
  readonly star = this.#serve('star', async (_, messageId, isStarred) => {
    this.changeMessage(messageId, { isStarred });
    return success(null);
  });
  readonly source = this.#serve('source', async (_, messageId) => {
    const found = this.messageList.find(({ id }) => id === messageId);
    return success(found?.rendered.replaceAll(/<[^>]*>/g, '') ?? '');
  });
  readonly request = this.#serve('request', async (_, name, args) => {
    const reply = this.#requests.get(name);
    return (reply?.(args as never) ?? success({})) as Outcome<never>;
  });
  readonly requestWithFile = this.#serve('requestWithFile', async () => success({} as never));
  readonly upload = this.#serve('upload', async (_, { name }) =>
    success(`/user_uploads/1/ab/${encodeURIComponent(name)}`),
  );
  readonly cancelUpload = this.#serve('cancelUpload', async () => success(null));
  readonly leaveUploads = this.#serve('leaveUploads', async () => success(null));
  readonly takeUploads = this.#serve('takeUploads', async () => success([]));
  readonly retryUpload = this.#serve('retryUpload', async () =>
    failure('UPLOAD_GONE', 'The upload did not go on.'),
  );
  readonly uploadOutcome = this.#serve('uploadOutcome', async () =>
    failure('UPLOAD_GONE', 'The upload did not go on.'),
  );
  readonly file = this.#serve('file', async () => failure('NOT_FOUND', 'No such file.'));
  readonly cacheStatus = this.#serve('cacheStatus', async () =>
    success({
      isKept: true,
      messages: this.messageList.length,
      bytes: 5_000_000,
      limitBytes: 500_000_000,
      fill: 'complete' as const,
      completeSinceSeconds: 1_767_600_000,
    }),
  );
  readonly ledger = this.#serve('ledger', async () => success([]));
  readonly playSound = this.#serve('playSound', async () => success(null));
  readonly testNotification = this.#serve('testNotification', async () => success(null));
  readonly clearCache = this.#serve('clearCache', async () => success(null));
  readonly allTopics = this.#serve('allTopics', async () => success(this.keptTopics));
  readonly topics = this.#serve('topics', async (_, streamId) => {
    const names = new Map<string, string>();
    for (const { conversation } of [...this.messageList].reverse()) {
      if (conversation.kind !== 'stream' || conversation.streamId !== streamId) continue;
      const key = conversationKey(conversation);
      if (!names.has(key)) names.set(key, conversation.topic);
    }
    return success([...names.values()]);
  });
  readonly createStream = this.#serve(
    'createStream',
    async (_, { name, description, isPrivate }) => {
      const fresh = stream(100 + this.current.streams.length, name, { description, isPrivate });
      this.changeState({ streams: [...this.current.streams, fresh] });
      return success(name);
    },
  );
  readonly createPerson = this.#serve('createPerson', async (_, { fullName, email }) => {
    const userId = 100 + this.current.people.length;
    const people = [...this.current.people, person(userId, fullName, { email })];
    this.changeState({ people });
    return success(userId);
  });
  readonly showView = this.#serve('showView', async () => success(null));
  readonly openLink = this.#serve('openLink', async () => success(null));

  #serve<N extends Name>(name: N, reply: BridgeCalls[N]): BridgeCalls[N] {
    const run = async (...args: never[]): Promise<Outcome<unknown>> => {
      this.calls.push({ name, args });
      const answer = this.#answers.get(name) ?? reply;
      return (await answer(...args)) as Outcome<unknown>;
    };
    return run as BridgeCalls[N];
  }
}
