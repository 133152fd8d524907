/** The unread messages of an account, and what they add up to in each conversation. */
import type {
  UnreadConversation,
  UnreadConversations,
} from '#shared/bridge/models/client-state.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import type { Conversation } from '#shared/bridge/models/conversation.ts';
import { type IdList, lastId, withIds } from './collections/id-list.ts';
import { PersistentMap } from './collections/persistent-map.ts';
import { isEqual } from './collections/sorted.ts';

/** One unread message, as an unread mark needs it. */
export interface UnreadFact {
  readonly conversation: Conversation;
  readonly isMention: boolean;
}

export interface UnreadEntry extends UnreadFact {
  readonly id: number;
}

/** As it is kept: with the key, which is dear. */
interface KeyedFact extends UnreadFact {
  readonly key: string;
}

interface Total {
  readonly shown: UnreadConversation;
  readonly ids: IdList;
}

type Facts = PersistentMap<number, KeyedFact>;
type Totals = PersistentMap<string, Total>;

export interface UnreadStore {
  /** By id, in parts of which one message changes a single one. */
  readonly parts: readonly Facts[];
  /** By `conversationKey`, those of streams too that the account is not subscribed to at the moment. */
  readonly totals: Totals;
}

export const UNREAD_PARTS = 64;
/** Messages that follow each other are in the same part. */
const RUN = 256;

const partOf = (id: number): number => Math.floor(id / RUN) % UNREAD_PARTS;

const emptyFacts: Facts = PersistentMap.from();
export const noUnread: UnreadStore = {
  parts: new Array<Facts>(UNREAD_PARTS).fill(emptyFacts),
  totals: PersistentMap.from(),
};

export const unreadFact = (store: UnreadStore, id: number): UnreadFact | undefined =>
  store.parts[partOf(id)]?.get(id);

/** More than that the service does not list: older ones may be unread too. */
const LISTED = 50_000;
const oldest = new WeakMap<UnreadStore, number | null>();

/** The smallest id of an unread message; null where nothing is unread, undefined where older ones may be. */
export function oldestUnreadId(store: UnreadStore): number | null | undefined {
  const known = oldest.get(store);
  if (known !== undefined) return known;
  let found: number | null = null;
  let count = 0;
  for (const [, { shown, ids }] of store.totals) {
    count += shown.count;
    const first = ids[0]?.[0];
    if (first !== undefined && (found === null || first < found)) found = first;
  }
  if (count >= LISTED) return undefined;
  oldest.set(store, found);
  return found;
}

export const unreadEntries = (part: Facts): readonly UnreadEntry[] =>
  [...part].map(([id, { conversation, isMention }]) => ({ id, conversation, isMention }));

/** What becomes of one conversation. */
interface Shift {
  readonly added: number[];
  readonly removed: Set<number>;
  mentions: number;
}

/** Where so many messages of a part change, all of it is made anew. */
const FEW = 16;

/** A store in the making: what many messages change is put together once. */
class Draft {
  readonly #before: UnreadStore;
  /** By part: what is there now, undefined for what is gone. */
  readonly #changes = new Map<number, Map<number, KeyedFact | undefined>>();
  readonly #shifts = new Map<string, Shift>();

  constructor(store: UnreadStore) {
    this.#before = store;
  }

  add(entry: UnreadEntry): void {
    const key = conversationKey(entry.conversation);
    const known = this.#before.totals.get(key)?.shown.conversation;
    // Messages of one conversation share it, as long as they spell it the same.
    const conversation = known !== undefined && isEqual(known, entry.conversation);
    const fact: KeyedFact = {
      key,
      conversation: conversation ? known : entry.conversation,
      isMention: entry.isMention,
    };
    this.#set(entry.id, fact);
    const shift = this.#shiftOf(key);
    shift.removed.delete(entry.id);
    shift.added.push(entry.id);
    shift.mentions += entry.isMention ? 1 : 0;
  }

  remove(id: number): void {
    const changes = this.#changes.get(partOf(id));
    const fact =
      changes?.has(id) === true ? changes.get(id) : this.#before.parts[partOf(id)]?.get(id);
    if (fact === undefined) return;
    this.#set(id, undefined);
    const shift = this.#shiftOf(fact.key);
    const at = shift.added.indexOf(id);
    if (at === -1) shift.removed.add(id);
    else shift.added.splice(at, 1);
    shift.mentions -= fact.isMention ? 1 : 0;
  }

  finish(): UnreadStore {
    if (this.#changes.size === 0) return this.#before;
    const parts = this.#before.parts.map((part, index) => {
      const changes = this.#changes.get(index);
      return changes === undefined ? part : changedPart(part, changes);
    });
    let { totals } = this.#before;
    const changed = [...this.#shifts].map(
      ([key, shift]) => [key, shifted(totals.get(key), shift, parts)] as const,
    );
    if (totals.size === 0) {
      const told = changed.flatMap(([key, total]) =>
        total === null ? [] : [[key, total] as const],
      );
      return { parts, totals: PersistentMap.from(told) };
    }
    for (const [key, total] of changed) {
      totals = total === null ? totals.without(key) : totals.with(key, total);
    }
    return { parts, totals };
  }

  #set(id: number, fact: KeyedFact | undefined): void {
    const part = partOf(id);
    const changes = this.#changes.get(part) ?? new Map<number, KeyedFact | undefined>();
    this.#changes.set(part, changes.set(id, fact));
  }

  #shiftOf(key: string): Shift {
    const shift = this.#shifts.get(key) ?? { added: [], removed: new Set(), mentions: 0 };
    this.#shifts.set(key, shift);
    return shift;
  }
}

function changedPart(part: Facts, changes: ReadonlyMap<number, KeyedFact | undefined>): Facts {
  if (changes.size > FEW) {
    const all = new Map<number, KeyedFact | undefined>([...part, ...changes]);
    return PersistentMap.from(
      [...all].flatMap(([id, fact]) => (fact === undefined ? [] : [[id, fact] as const])),
    );
  }
  let changed = part;
  for (const [id, fact] of changes) {
    changed = fact === undefined ? changed.without(id) : changed.with(id, fact);
  }
  return changed;
}

/** Null where nothing is left. */
function shifted(
  total: Total | undefined,
  { added, removed, mentions }: Shift,
  parts: readonly Facts[],
): Total | null {
  const ids = withIds(total?.ids ?? [], added, removed);
  const newestId = lastId(ids);
  const newest = newestId === undefined ? undefined : parts[partOf(newestId)]?.get(newestId);
  if (newestId === undefined || newest === undefined) return null;
  const shown: UnreadConversation = {
    conversation: newest.conversation,
    count: ids.reduce((sum, piece) => sum + piece.length, 0),
    mentions: (total?.shown.mentions ?? 0) + mentions,
    newestId,
  };
  return { shown, ids };
}

const isSameFact = (a: UnreadFact, b: UnreadFact): boolean =>
  a.isMention === b.isMention && isEqual(a.conversation, b.conversation);

/** With these messages unread, as they are told here; those that were unread before are replaced. */
export function withUnread(store: UnreadStore, entries: Iterable<UnreadEntry>): UnreadStore {
  const draft = new Draft(store);
  for (const entry of entries) {
    const known = unreadFact(store, entry.id);
    if (known !== undefined && isSameFact(known, entry)) continue;
    draft.remove(entry.id);
    draft.add(entry);
  }
  return draft.finish();
}

export function withoutUnread(store: UnreadStore, ids: Iterable<number>): UnreadStore {
  const draft = new Draft(store);
  for (const id of ids) draft.remove(id);
  return draft.finish();
}

/** Ids of the unread messages of one conversation, ascending. */
export const unreadIdsOf = (
  { totals }: UnreadStore,
  conversation: Conversation,
): readonly number[] => totals.get(conversationKey(conversation))?.ids.flat() ?? [];

/** Ids of unread messages, ascending. */
export function unreadIds(
  { parts }: UnreadStore,
  isWanted: (conversation: Conversation, isMention: boolean) => boolean,
): readonly number[] {
  const ids: number[] = [];
  for (const part of parts) {
    for (const [id, { conversation, isMention }] of part) {
      if (isWanted(conversation, isMention)) ids.push(id);
    }
  }
  return ids.sort((a, b) => a - b);
}

/** What the window shows of it: without what is in streams that the account is not subscribed to. */
export function unreadOf(totals: Totals, streamIds: ReadonlySet<number>): UnreadConversations {
  const shown: Record<string, UnreadConversation> = {};
  for (const [key, total] of totals) {
    const { conversation } = total.shown;
    if (conversation.kind === 'private' || streamIds.has(conversation.streamId)) {
      shown[key] = total.shown;
    }
  }
  return shown;
}
