/** What a session keeps where nothing outlives it: the newest messages, without a promise that they are all. */
import { bestMatches } from '#shared/text/fuzzy.ts';
import type { StreamTopic } from '#shared/bridge/models/client.ts';
import type { Message } from '#shared/api/models/message.ts';
import { readPage } from './answer-page.ts';
import {
  changed,
  changeOf,
  idsOf,
  isMove,
  renamed,
  withFlag,
  type Change,
  type Flags,
} from './message-changes.ts';
import { fold } from '#shared/text/fold.ts';
import { cachedMessage } from './cached-message.ts';
import { withHistoryScope } from './narrow.ts';
import type { NarrowScope } from './narrow-scope.ts';
import type {
  Cache,
  CachedPosition,
  CachedSession,
  MessageChanges,
  PageCoverageScope,
} from './port.ts';
import {
  conversationKeyOf,
  type CachedMessageEntry,
  isHeldMessage,
  isInScope,
  isSelected,
  searchedText,
} from './match-narrow.ts';
import { MemoryFiles } from './memory-files.ts';
import { currentOf, RecentChanges } from './recent-changes.ts';
import { summaryOf } from './conversation-summary.ts';

const DEFAULT_MESSAGES = 5000;
const nothing: MessageChanges = { changed: [], removedIds: [] };

export function createMemoryCache(maxMessages = DEFAULT_MESSAGES): Cache {
  return new MemoryCache(maxMessages);
}

class MemoryCache implements Cache {
  readonly isKept = false;
  readonly #maxMessages: number;
  readonly #entries = new Map<number, CachedMessageEntry>();
  #sortedIds: readonly number[] | null = null;
  #position: CachedPosition | null = null;
  #slices: Record<string, unknown> = {};
  readonly #files = new MemoryFiles();
  readonly #recent = new RecentChanges();

  constructor(maxMessages: number) {
    this.#maxMessages = maxMessages;
  }

  readonly loadSession = (): CachedSession | null =>
    this.#position === null ? null : { position: this.#position, slices: { ...this.#slices } };

  /** Nothing that runs in here can fail half-way. */
  readonly transact = <T>(run: () => T): T => run();

  readonly saveSession: Cache['saveSession'] = (position, slices) => {
    this.#position = position;
    Object.assign(this.#slices, slices);
  };

  readonly changeCount = (): number => this.#recent.count;
  readonly ageOf: Cache['ageOf'] = (ids, askedAt) => this.#recent.ageOf(ids, askedAt);

  readonly current: Cache['current'] = (messages, askedAt) =>
    currentOf(messages, askedAt, this.#recent, this.find);

  /** What changed meanwhile stays as it is, whether or not it is here. */
  readonly put: Cache['put'] = (messages, askedAt = this.#recent.count) => {
    for (const message of messages) {
      if (!this.#recent.has(message.id, askedAt)) this.#write(message, isHeldMessage(message));
    }
    this.#drop(this.#ids().slice(0, -this.#maxMessages));
  };

  readonly putRange: Cache['putRange'] = (place, messages, { fromId, throughId, askedAt }) => {
    const since = askedAt ?? this.#recent.count;
    this.put(messages, since);
    const given = new Set(messages.map(({ id }) => id));
    const newest = Math.max(0, ...given);
    const last = throughId === Infinity ? newest : throughId;
    const gone = this.#ids().filter(
      (id) =>
        id >= fromId &&
        id <= last &&
        !given.has(id) &&
        !this.#recent.has(id, since) &&
        this.#isIn(id, place),
    );
    this.#drop(gone);
    return gone;
  };

  readonly apply = (event: unknown): MessageChanges => {
    const change = changeOf(event);
    return change === undefined ? nothing : this.#apply(change);
  };

  readonly find: Cache['find'] = (ids) =>
    ids.flatMap((id) => {
      const entry = this.#entries.get(id);
      return entry === undefined ? [] : [entry.message];
    });

  readonly listSignedMessages: Cache['listSignedMessages'] = (afterId, limit) =>
    this.find(this.#ids().filter((id) => id > afterId))
      .flatMap(({ id, proof }) => (proof === undefined ? [] : [{ id, proof }]))
      .slice(0, limit);

  readonly findStale = (): readonly number[] => [];

  readonly putFetchedMessage: Cache['putFetchedMessage'] = (ids, messages, askedAt) => {
    const since = askedAt ?? this.#recent.count;
    this.put(messages, since);
    const given = new Set(messages.map(({ id }) => id));
    return this.#drop(ids.filter((id) => !given.has(id) && !this.#recent.has(id, since)));
  };

  readonly page: Cache['page'] = (query, scope) =>
    readPage(
      {
        findLeftStream: (operand) => this.#findLeftStream(operand),
        older: (narrow, belowId, limit) =>
          this.#select((id) => id < belowId, narrow, { scope, limit, isDescending: true }),
        newer: (narrow, aboveId, limit) =>
          this.#select((id) => id > aboveId, narrow, { scope, limit, isDescending: false }),
        indexedFrom: () => null,
        isSelected: (narrow, id) => {
          const entry = this.#entries.get(id);
          return entry !== undefined && isSelected(entry, narrow, scope);
        },
        isKept: () => false,
        load: this.find,
        texts: (ids) =>
          this.find(ids).map((message) => ({
            id: message.id,
            topic: message.type === 'stream' ? message.subject : null,
            text: searchedText(message),
          })),
        isCovered: () => false,
        hasStale: () => true,
      },
      query,
      scope,
    );

  readonly coveredFrom = (): null => null;
  readonly uncoveredFrom: Cache['uncoveredFrom'] = (_place, fromId) => fromId;
  readonly forgetCoverage = (): void => {
    this.#recent.touchAll();
  };

  readonly removeStream: Cache['removeStream'] = (streamId) => {
    this.#recent.touchAll();
    const ids = this.#ids().filter((id) => this.#isIn(id, { kind: 'stream', streamId }));
    const gone = this.#drop(ids.filter((id) => this.#entries.get(id)?.isHeld === false));
    // Whoever lost access is shown no reactions: what has some is asked for anew.
    this.#drop(ids.filter((id) => this.#isDiscussed(id)));
    return gone;
  };

  readonly setFlag: Cache['setFlag'] = (ids, flag, isSet) => {
    this.#recent.touch(ids);
    return this.#change(ids, (message) => withFlag(message, flag, isSet));
  };

  readonly recent: Cache['recent'] = (limit, scope) => {
    const { ownUserId } = scope;
    const base = withHistoryScope(scope, 'subscribed');
    const newest = new Map<string, Message>();
    const own = new Set<string>();
    for (const id of this.#ids().toReversed()) {
      const entry = this.#entries.get(id);
      if (entry === undefined || !isInScope(entry, base)) continue;
      const { message } = entry;
      const key =
        conversationKeyOf(message) ?? `${String(message.stream_id)}:${fold(message.subject)}`;
      if (!newest.has(key)) newest.set(key, message);
      if (message.sender_id === ownUserId) own.add(key);
    }
    return [...newest]
      .slice(0, limit)
      .map(([key, message]) => summaryOf(message, ownUserId, own.has(key)));
  };

  readonly topics: Cache['topics'] = (streamId, limit) => {
    const names = new Map<string, string>();
    for (const { stream_id: id, subject } of this.find(this.#ids().toReversed())) {
      if (id === streamId && !names.has(fold(subject))) names.set(fold(subject), subject);
    }
    return [...names.values()].slice(0, limit);
  };

  readonly findTopics: Cache['findTopics'] = (query, limit) => {
    const topics = this.#allTopics();
    const best = new Set(bestMatches(query, topics, limit, ({ topic }) => topic));
    return topics.filter((topic) => best.has(topic));
  };

  readonly newestTopics: Cache['newestTopics'] = (limit) => this.#allTopics().slice(0, limit);

  readonly findFile: Cache['findFile'] = (url) => this.#files.find(url);
  readonly putFile: Cache['putFile'] = (url, type, bytes) => {
    this.#files.put(url, { type, bytes });
  };

  readonly size: Cache['size'] = () => ({
    messages: this.#entries.size,
    bytes: 0,
    completeSinceSeconds: null,
  });

  /** Memory is bounded by the number of messages. */
  readonly shrinkTo = (): boolean => true;

  readonly clear = (): void => {
    this.#drop(this.#ids());
    this.#recent.touchAll();
    this.#files.clear();
    this.#position = null;
    this.#slices = {};
  };

  /** All that there is is in memory. */
  readonly returnMemory = (): void => undefined;

  readonly close = (): void => undefined;

  #ids(): readonly number[] {
    return (this.#sortedIds ??= [...this.#entries.keys()].sort((a, b) => a - b));
  }

  #write(message: Message, isHeld: boolean): void {
    if (!this.#entries.has(message.id)) this.#sortedIds = null;
    this.#entries.set(message.id, { message: cachedMessage(message), isHeld });
  }

  #drop(ids: readonly number[]): readonly number[] {
    const gone = ids.filter((id) => this.#entries.delete(id));
    if (gone.length > 0) this.#sortedIds = null;
    return gone;
  }

  #allTopics(): readonly StreamTopic[] {
    const found = new Map<string, StreamTopic>();
    for (const { stream_id: streamId, subject: topic } of this.find(this.#ids().toReversed())) {
      if (streamId === undefined) continue;
      const key = `${String(streamId)}:${fold(topic)}`;
      if (!found.has(key)) found.set(key, { streamId, topic });
    }
    return [...found.values()];
  }

  #isDiscussed(id: number): boolean {
    const message = this.#entries.get(id)?.message;
    return message !== undefined && message.reactions.length + message.submessages.length > 0;
  }

  #isIn(id: number, place: PageCoverageScope): boolean {
    const entry = this.#entries.get(id);
    if (entry === undefined) return false;
    const { type, stream_id: streamId } = entry.message;
    switch (place.kind) {
      case 'held':
        return entry.isHeld;
      case 'private':
        return type === 'private';
      case 'stream':
        return streamId === place.streamId;
      default:
        return entry.isHeld || (streamId !== undefined && place.streamIds.includes(streamId));
    }
  }

  #select(
    isOnSide: (id: number) => boolean,
    narrow: Parameters<typeof isSelected>[1],
    how: {
      readonly scope: NarrowScope;
      readonly limit: number;
      readonly isDescending: boolean;
    },
  ): readonly number[] {
    const found: number[] = [];
    for (const id of how.isDescending ? this.#ids().toReversed() : this.#ids()) {
      if (found.length >= how.limit) break;
      const entry = this.#entries.get(id);
      if (entry !== undefined && isOnSide(id) && isSelected(entry, narrow, how.scope)) {
        found.push(id);
      }
    }
    return found;
  }

  #findLeftStream(operand: number | string): number | undefined {
    for (const { message, isHeld } of this.#entries.values()) {
      const { stream_id: id, display_recipient: name } = message;
      if (!isHeld || id === undefined || typeof name !== 'string') continue;
      if (id === operand || fold(name) === operand) return id;
    }
    return undefined;
  }

  #change(ids: readonly number[], change: (message: Message) => Message): MessageChanges {
    const after: Message[] = [];
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      const message = change(entry.message);
      if (message === entry.message) continue;
      this.#entries.set(id, { message, isHeld: entry.isHeld || isHeldMessage(message) });
      after.push(message);
    }
    return { changed: after, removedIds: [] };
  }

  #apply(change: Change): MessageChanges {
    switch (change.type) {
      case 'delete_message':
        this.#recent.touch([change.message_id], 'gone');
        return { changed: [], removedIds: this.#drop([change.message_id]) };
      case 'update_message_flags':
        return this.#flag(change);
      case 'messages_recovered':
        this.#recent.touch(change.message_ids);
        return nothing;
      case 'realm_user':
        this.#recent.touchAll();
        return this.#change(this.#ids(), (message) => renamed(message, change.person));
      case 'stream':
        this.#recent.touchAll();
        if (change.op === 'update') {
          return this.#changeStream(change.stream_id, change.property, change.value);
        }
        return this.#forgetStreams(change.streams);
      case 'subscription':
        this.#recent.touchAll();
        return this.#forgetStreams(change.subscriptions);
      default:
        this.#recent.touch(idsOf(change), isMove(change) ? 'moved' : 'changed');
        return this.#change(idsOf(change), (message) =>
          changed(message, change, (streamId) => this.#findNames(streamId)),
        );
    }
  }

  #flag({ op, flag, messages, all }: Flags): MessageChanges {
    if (all) this.#recent.touchAll();
    return this.setFlag(all ? this.#ids() : messages, flag, op === 'add');
  }

  /** Nobody told what became of them while they could not be read: their pages are asked for anew. */
  #forgetStreams(streams: readonly { readonly stream_id: number }[]): MessageChanges {
    for (const { stream_id: streamId } of streams) {
      this.#drop(this.#ids().filter((id) => this.#isIn(id, { kind: 'stream', streamId })));
    }
    return nothing;
  }

  #changeStream(streamId: number, property: string, value: unknown): MessageChanges {
    if (property !== 'name' || typeof value !== 'string') return nothing;
    const ids = this.#ids().filter((id) => this.#isIn(id, { kind: 'stream', streamId }));
    return this.#change(ids, (message) => ({ ...message, display_recipient: value }));
  }

  #findNames(
    streamId: number,
  ): { readonly name: string; readonly recipientId: number } | undefined {
    for (const { message } of this.#entries.values()) {
      const { stream_id: id, display_recipient: name, recipient_id: recipientId } = message;
      if (id === streamId && typeof name === 'string') return { name, recipientId };
    }
    return undefined;
  }
}
