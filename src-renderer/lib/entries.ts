import {
  conversationKey,
  type Conversation,
  isInView,
  type OutboxItem,
  type ShownMessage,
  type View,
} from '#shared/bridge/models/client.ts';
import { dayBounds } from '../i18n/dates.ts';

export interface MessageEntry {
  readonly kind: 'message';
  readonly key: string;
  readonly message: ShownMessage;
  /** The sender is named here; messages that follow shortly after belong below. */
  readonly startsGroup: boolean;
}

export interface OutboxEntry {
  readonly kind: 'outbox';
  readonly key: string;
  readonly item: OutboxItem;
  readonly startsGroup: boolean;
}

/** What stands below each other in a message list. */
export type Entry =
  /** What is above the oldest message: more to load, the beginning, or a gap. */
  | { readonly kind: 'edge'; readonly key: 'edge' }
  | { readonly kind: 'date'; readonly key: string; readonly atSeconds: number }
  | { readonly kind: 'bar'; readonly key: string; readonly conversation: Conversation }
  /** From here on is new. */
  | { readonly kind: 'unread'; readonly key: 'unread' }
  | MessageEntry
  | OutboxEntry;

/** What a list is made of. */
export interface EntrySource {
  /** Ascending by id, unless they are ranked. */
  readonly messages: readonly ShownMessage[];
  /** Not yet sent, in the order in which they will be; those that have arrived are left out. */
  readonly outbox: readonly OutboxItem[];
  /** Conversations are named where they change: the list shows more than one. */
  readonly isMixed: boolean;
  /** They stand in the order of relevance: each is named by itself, whoever wrote the one above it. */
  readonly isRanked?: boolean;
  /** The line of what is new stands above this message. */
  readonly unreadFromId: number | null;
  readonly ownUserId: number;
}

const GROUP_SECONDS = 10 * 60;

function isSameConversation(a: Conversation, b: Conversation): boolean {
  if (a.kind === 'stream') {
    if (b.kind !== 'stream' || a.streamId !== b.streamId) return false;
    // Long lists compare every message with the one before it: the key is the slow way.
    return a.topic === b.topic || conversationKey(a) === conversationKey(b);
  }
  return b.kind === 'private' && conversationKey(a) === conversationKey(b);
}

interface Written {
  readonly senderId: number;
  readonly atSeconds: number;
  readonly conversation: Conversation;
}

/** Made once for each message and place in its group, so that a row is only touched where it changes. */
const starting = new WeakMap<ShownMessage, MessageEntry>();
const following = new WeakMap<ShownMessage, MessageEntry>();

/** The key of a message written here is that of its place in the outbox: the row stays the same one. */
export const messageKey = ({ id, localId }: ShownMessage): string =>
  localId === null ? String(id) : `local-${localId}`;

function messageEntry(message: ShownMessage, startsGroup: boolean): MessageEntry {
  const made = startsGroup ? starting : following;
  const known = made.get(message);
  if (known !== undefined) return known;
  const entry: MessageEntry = { kind: 'message', key: messageKey(message), message, startsGroup };
  made.set(message, entry);
  return entry;
}

/** Walks from message to message and says what changes between them. */
class Walk {
  readonly entries: Entry[] = [{ kind: 'edge', key: 'edge' }];
  readonly #isMixed: boolean;
  #day = { from: 0, until: 0 };
  #previous: Conversation | null = null;
  #group: Written | null = null;

  constructor(isMixed: boolean) {
    this.#isMixed = isMixed;
  }

  /** @returns whether the sender is to be named */
  step(written: Written, key: string): boolean {
    const { atSeconds, conversation, senderId } = written;
    const isNewDay = atSeconds < this.#day.from || atSeconds >= this.#day.until;
    const isElsewhere =
      this.#previous === null || !isSameConversation(this.#previous, conversation);
    if (isNewDay) {
      this.#day = dayBounds(atSeconds);
      this.entries.push({ kind: 'date', key: `date-${key}`, atSeconds });
    }
    if (this.#isMixed && (isNewDay || isElsewhere)) {
      this.entries.push({ kind: 'bar', key: `bar-${key}`, conversation });
    }
    this.#previous = conversation;
    const isNewGroup =
      isNewDay ||
      isElsewhere ||
      this.#group?.senderId !== senderId ||
      atSeconds - this.#group.atSeconds >= GROUP_SECONDS;
    if (isNewGroup) this.#group = written;
    return isNewGroup;
  }

  /** Who comes next is named again. */
  breakGroup(): void {
    this.#group = null;
  }
}

export function entriesOf(source: EntrySource): readonly Entry[] {
  const { messages, unreadFromId, ownUserId } = source;
  const walk = new Walk(source.isMixed);
  let isUnreadLineDue = unreadFromId !== null;
  for (const message of messages) {
    const isFirstNew = isUnreadLineDue && unreadFromId !== null && message.id >= unreadFromId;
    if (isFirstNew || source.isRanked === true) walk.breakGroup();
    const { senderId, sentAtSeconds: atSeconds, conversation } = message;
    const startsGroup = walk.step({ senderId, atSeconds, conversation }, messageKey(message));
    if (isFirstNew) {
      walk.entries.push({ kind: 'unread', key: 'unread' });
      isUnreadLineDue = false;
    }
    walk.entries.push(messageEntry(message, startsGroup));
  }
  for (const item of source.outbox) {
    const { conversation, writtenAtSeconds: atSeconds } = item;
    const key = `local-${item.localId}`;
    const startsGroup = walk.step({ senderId: ownUserId, atSeconds, conversation }, key);
    walk.entries.push({ kind: 'outbox', key, item, startsGroup });
  }
  return walk.entries;
}

/** Both lists as one, ascending by id, every message once; `fresh` wins. */
export function mergeMessages(
  known: readonly ShownMessage[],
  fresh: readonly ShownMessage[],
): readonly ShownMessage[] {
  const [first, last] = [fresh[0], fresh.at(-1)];
  if (first === undefined || last === undefined) return known;
  // New ones below and older ones above are what comes all day: nothing is to be sorted then.
  if (isAscending(fresh)) {
    if ((known.at(-1)?.id ?? -Infinity) < first.id) return [...known, ...fresh];
    if (last.id < (known[0]?.id ?? Infinity)) return [...fresh, ...known];
  }
  const byId = new Map([...known, ...fresh].map((message) => [message.id, message]));
  return [...byId.values()].sort((a, b) => a.id - b.id);
}

const isAscending = (messages: readonly ShownMessage[]): boolean =>
  messages.every(({ id }, at) => at === 0 || id > (messages[at - 1]?.id ?? 0));

/**
 * Whether a list that changes keeps its place by what is below the row that is read (true) or by what is above it:
 * rows came or went above.
 */
export function isShifted(
  before: readonly Entry[],
  after: readonly Entry[],
  anchorKey: string | null,
): boolean {
  if (anchorKey === null || before.length === after.length) return false;
  const from = before.findIndex(({ key }) => key === anchorKey);
  const to = after.findIndex(({ key }) => key === anchorKey);
  return from !== -1 && to !== -1 && from !== to && before.length - from === after.length - to;
}
/** Only its arrival tells where a message was written; the row that shows it is to stay the same one. */
export const withoutReceivedTopic = (
  fresh: ShownMessage,
  old: ShownMessage | undefined,
): ShownMessage =>
  fresh.localId === null && old !== undefined && old.localId !== null
    ? { ...fresh, localId: old.localId }
    : fresh;

/** The list of a view after some of its messages were changed. */
export function applyChanges(
  list: readonly ShownMessage[],
  changed: ReadonlyMap<number, ShownMessage>,
  view: View,
): readonly ShownMessage[] {
  return list.flatMap((old) => {
    const fresh = changed.get(old.id);
    if (fresh === undefined) return [old];
    // Only a service or the cache knows what a search finds: its hits stay until it is asked again.
    if (view.kind !== 'search')
      return isInView(fresh, view) ? [withoutReceivedTopic(fresh, old)] : [];
    return [fresh.rendered === old.rendered ? { ...fresh, match: old.match } : fresh];
  });
}

/** The message that stands where one was that has gone: the next one after it that is left, else the last before it. */
export function replacementFor(
  gone: number,
  before: readonly ShownMessage[],
  fresh: readonly ShownMessage[],
): ShownMessage | undefined {
  const left = new Set(fresh.map(({ id }) => id));
  return (
    before.find(({ id }) => id > gone && left.has(id)) ??
    before.findLast(({ id }) => id < gone && left.has(id))
  );
}
