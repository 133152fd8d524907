import {
  conversationKey,
  isInView,
  type Account,
  type Connection,
  type Conversation,
  type Person,
  type RealmState,
  type ShownMessage,
  type SubscribedStream,
} from '../../src-main/contract/models/client.ts';
import { failure, success, type Outcome } from '../../src-main/contract/outcome.ts';
import type { Bridge, BridgeCalls, BridgeEvents, StartState } from '../../src-preload/bridge.ts';

/** An organization in memory behind a Bridge. Tests look at what was called and push what arrives. */

export const ownUserId = 8;

export const account: Account = {
  id: '8@http://127.0.0.1:9981',
  address: 'http://127.0.0.1:9981',
  realmName: 'Office',
  email: 'ada@example.com',
  fullName: 'Ada Admin',
  userId: ownUserId,
  isHosted: true,
};

const person = (userId: number, fullName: string, extra: Partial<Person> = {}): Person => ({
  userId,
  email: `${fullName.split(' ')[0]?.toLowerCase() ?? ''}@example.com`,
  fullName,
  isAdmin: false,
  isGuest: false,
  isBot: false,
  ...extra,
});

export const stream = (
  streamId: number,
  name: string,
  extra: Partial<SubscribedStream> = {},
): SubscribedStream => ({
  streamId,
  name,
  description: '',
  isPrivate: false,
  isAnnouncementOnly: false,
  isMuted: false,
  isPinned: false,
  color: '#76ce90',
  ...extra,
});

const emptyRealm: RealmState = {
  realmName: 'Office',
  ownUserId,
  people: [
    person(ownUserId, 'Ada Admin', { isAdmin: true }),
    person(9, 'Ben Member'),
    person(10, 'Cleo Zürcher'),
    person(11, 'Gus Guest', { isGuest: true }),
    person(12, 'Echo Bot', { isBot: true }),
  ],
  streams: [
    stream(1, 'general', { description: 'For everybody', isPinned: true }),
    stream(2, 'engineering', { color: '#c2c2c2' }),
    stream(3, 'leads', { isPrivate: true, color: '#a6c7e5' }),
  ],
  privateConversations: [{ userIds: [9], newestMessageId: 1 }],
  unreadCounts: {},
};

const desktopStart: StartState = {
  shell: 'desktop',
  canHost: true,
  fixedAddress: null,
  isDevelopment: false,
  accounts: [account],
  problem: null,
};

export const inTopic = (streamId: number, topic: string): Conversation => ({
  kind: 'stream',
  streamId,
  topic,
});

export const withPeople = (...userIds: number[]): Conversation => ({ kind: 'private', userIds });

type Name = keyof BridgeCalls;
type Listener = (payload: never) => void;

export class BridgeDouble implements Bridge {
  startState: StartState;
  realmState: RealmState = emptyRealm;
  connectionState: Connection = { state: 'live' };
  messageList: ShownMessage[] = [];
  /** Every call in order. */
  readonly calls: { readonly name: Name; readonly args: readonly unknown[] }[] = [];
  readonly #answers = new Map<Name, (...args: never[]) => Promise<unknown>>();
  readonly #listeners = new Map<keyof BridgeEvents, Set<Listener>>();
  #nextId = 1000;

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

  /** Changes people, streams or counts, and tells the window. */
  changeRealm(change: Partial<RealmState>): void {
    this.realmState = { ...this.realmState, ...change };
    this.push('realmChanged', { accountId: account.id, realm: this.realmState });
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
      senderName: this.realmState.people.find(({ userId }) => userId === senderId)?.fullName ?? '',
      rendered: rendered.startsWith('<') ? rendered : `<p>${rendered}</p>`,
      sentAtSeconds: Math.floor(Date.now() / 1000),
      isOwn: senderId === ownUserId,
      isRead: false,
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
    this.push('messageArrived', { accountId: account.id, message });
    return message;
  }

  push<E extends keyof BridgeEvents>(event: E, payload: BridgeEvents[E]): void {
    for (const listener of this.#listeners.get(event) ?? []) listener(payload as never);
  }

  readonly on: Bridge['on'] = (event, listener) => {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners.add(listener));
    return () => listeners.delete(listener);
  };

  readonly start = this.#serve('start', async () => success(this.startState));
  readonly retryStart = this.#serve('retryStart', async () => success(this.startState));
  readonly hostOrganization = this.#serve('hostOrganization', async () => success(account));
  readonly connect = this.#serve('connect', async () => success(account));
  readonly signOut = this.#serve('signOut', async () => {
    this.startState = { ...this.startState, accounts: [] };
    return success(null);
  });
  readonly realm = this.#serve('realm', async () => success(this.realmState));
  readonly connection = this.#serve('connection', async () => success(this.connectionState));
  readonly messages = this.#serve('messages', async (_, { view, beforeId, limit }) => {
    const before = beforeId ?? Infinity;
    const all = this.messageList.filter(
      ({ id, conversation }) => id < before && isInView(conversation, view),
    );
    return success({ messages: all.slice(-limit), hasOldest: all.length <= limit });
  });
  readonly sendMessage = this.#serve('sendMessage', async (_, { conversation, content }) => {
    const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return success(this.arrive(conversation, escaped, { senderId: ownUserId }).id);
  });
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
      const fresh = stream(100 + this.realmState.streams.length, name, { description, isPrivate });
      this.changeRealm({ streams: [...this.realmState.streams, fresh] });
      return success(name);
    },
  );
  readonly createPerson = this.#serve('createPerson', async (_, { fullName, email }) => {
    const userId = 100 + this.realmState.people.length;
    const people = [...this.realmState.people, person(userId, fullName, { email })];
    this.changeRealm({ people });
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
