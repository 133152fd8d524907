/**
 * The outbox of the browser build: what the browser keeps for this page. It ends where the sign-in ends.
 *
 * Drafts of an account that stays signed in belong to all tabs, because they are where a person left them; messages and
 * marks belong to the tab that they were made in, and to another one when that is closed. Where an account does not stay
 * signed in, all of it belongs to the tab, and ends with it.
 */
import { createMemoryOutbox } from '#client/outbox/memory-outbox.ts';
import { PendingFlag, StoredDraft, StoredItem } from '#client/outbox/outbox-codecs.ts';
import {
  OutboxError,
  type OutboxStore,
  type PendingFlag as Flag,
} from '#client/outbox/outbox-store.ts';
import { hasKey } from './sign-ins.ts';
import type { TabOwnership } from './tab-ownership.ts';
import { browserWords } from '#shared/i18n/browser-words.ts';

export interface OpenedWebOutbox {
  readonly outbox: OutboxStore;
  readonly problem: string | null;
}

const OUTBOX = 'hearth.outbox.';
const prefixOf = (accountId: string): string => `${OUTBOX}${accountId} `;
/** What belongs to a tab, in its own storage, which is the same one after a reload. */
const HERE = 'tab here ';

/** Everything that is kept of the account's outbox, in all tabs. */
export function removeWebOutbox(accountId: string): void {
  for (const storage of [sessionStorage, localStorage]) {
    for (const name of namesFrom(storage, prefixOf(accountId))) storage.removeItem(name);
  }
}

/** Messages that would be lost with the tab: they wait for a connection, or for somebody to decide. */
export function holdsUnsent(): boolean {
  const anyItem = ` ${HERE}item `;
  return namesFrom(sessionStorage, OUTBOX).some((name) => name.includes(anyItem));
}

function namesFrom(storage: Storage, prefix: string): readonly string[] {
  const names: string[] = [];
  for (let index = 0; index < storage.length; index += 1) {
    const name = storage.key(index);
    if (name?.startsWith(prefix) === true) names.push(name);
  }
  return names.sort();
}

interface Codec<T> {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: T };
}

/** Where the outbox of one account is. */
interface OutboxLocation {
  readonly storage: Storage;
  /** Begins all names. */
  readonly prefix: string;
  /** Begins the names of what belongs to this tab. */
  readonly own: string;
  /** False when the account was signed out elsewhere: what is written then would stay for whoever comes next. */
  readonly isSignedIn: () => boolean;
}

/** What this version cannot read stays where it is. */
function readAll<T>(storage: Storage, prefix: string, codec: Codec<T>): readonly T[] {
  return namesFrom(storage, prefix).flatMap((name) => {
    try {
      const { success, data } = codec.safeParse(JSON.parse(storage.getItem(name) ?? ''));
      return success && data !== undefined ? [data] : [];
    } catch {
      return [];
    }
  });
}

function write({ storage, isSignedIn }: OutboxLocation, name: string, value: unknown): void {
  if (!isSignedIn())
    throw new OutboxError('UNAVAILABLE', browserWords('account_signed_out_elsewhere'));
  try {
    storage.setItem(name, JSON.stringify(value));
  } catch (error) {
    throw new OutboxError('DISK_FULL', browserWords('browser_full'), { cause: error });
  }
}

/** A browser may refuse to keep anything, or even to name the storage. One that is merely full has kept something. */
function available(storage: () => Storage): Storage | null {
  try {
    const found = storage();
    if (found.length > 0) return found;
    found.setItem('hearth.probe', '1');
    found.removeItem('hearth.probe');
    return found;
  } catch {
    return null;
  }
}

/** Names sort as they were given out, here and by a tab that takes them over; whose clock may have been ahead. */
function createSequence(newest: () => number): () => string {
  let last = 0;
  return () => {
    last = Math.max(last + 1, newest() + 1, Date.now());
    return last.toString().padStart(16, '0');
  };
}

/** Names of what one tab keeps. */
const tabPrefix = (prefix: string, tabId: string): string => `${prefix}tab ${tabId} `;

/** Where the account is signed in: with the tab, or in all of them. */
export function openWebOutbox(accountId: string, tabs: TabOwnership): OpenedWebOutbox {
  const here = available(() => sessionStorage);
  const all = available(() => localStorage);
  const prefix = prefixOf(accountId);
  const isKept = (): boolean => all !== null && hasKey(all, accountId);
  if (here !== null && (hasKey(here, accountId) || !isKept())) {
    const own = `${prefix}${HERE}`;
    const place: OutboxLocation = { storage: here, prefix, own, isSignedIn: () => true };
    // It may have been kept for all tabs before this one signed in, and is no longer.
    const left = all === null ? notFollowing : followTabs(place, tabs, all, () => !isKept());
    return { outbox: createKeptOutbox(place, left), problem: null };
  }
  if (all === null) {
    const problem = browserWords('browser_keeps_no_messages').message;
    return { outbox: createMemoryOutbox(), problem };
  }
  const own = tabPrefix(prefix, tabs.tabId);
  const place: OutboxLocation = { storage: all, prefix, own, isSignedIn: isKept };
  if (here !== null) {
    // It was signed in with this tab alone until now.
    moveDrafts(here, place);
    moveAll(here, `${prefix}${HERE}`, place, own);
  }
  return { outbox: createKeptOutbox(place, followTabs(place, tabs, all, isKept)), problem: null };
}

/** One by one, each written here before it is removed there. */
function moveAll(from: Storage, theirs: string, { storage }: OutboxLocation, ours: string): void {
  for (const name of namesFrom(from, theirs)) {
    const value = from.getItem(name);
    if (value === null) continue;
    const place = `${ours}${name.slice(theirs.length)}`;
    try {
      // What this tab has said of the same message since is newer.
      if (storage.getItem(place) === null) storage.setItem(place, value);
    } catch {
      // No space for a moment: the rest is taken over when the page is opened the next time.
      return;
    }
    from.removeItem(name);
  }
}

function moveDrafts(from: Storage, place: OutboxLocation): void {
  if (from === place.storage) return;
  const drafts = draftPrefix(place);
  moveAll(from, drafts, place, drafts);
}

interface Following {
  readonly onArrival: OutboxStore['onArrival'];
  readonly close: () => void;
}

const notFollowing: Following = { onArrival: () => () => undefined, close: () => undefined };

/** Takes over what closed tabs left in a storage of all of them, as long as it may, and hears of what others change. */
function followTabs(
  place: OutboxLocation,
  tabs: TabOwnership,
  from: Storage,
  mayTake: () => boolean,
): Following {
  const { prefix, own } = place;
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  const awaited = new Set([tabs.tabId]);
  const announce = (): void => {
    for (const listener of listeners) listener();
  };

  function awaitOthers(): void {
    const anyTab = `${prefix}tab `;
    for (const name of namesFrom(from, anyTab)) {
      const tabId = name.slice(anyTab.length).split(' ')[0] ?? '';
      if (awaited.has(tabId)) continue;
      awaited.add(tabId);
      const adopt = (): void => {
        awaited.delete(tabId);
        if (!mayTake()) return;
        moveAll(from, tabPrefix(prefix, tabId), place, own);
        announce();
      };
      tabs.whenGone(tabId, adopt, closing.signal);
    }
  }

  function follow({ key }: StorageEvent): void {
    if (!mayTake()) return;
    if (key?.startsWith(`${prefix}draft `) === true) announce();
    if (key?.startsWith(`${prefix}tab `) === true) awaitOthers();
  }

  addEventListener('storage', follow);
  if (mayTake()) {
    moveDrafts(from, place);
    awaitOthers();
  }
  return {
    onArrival: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close: () => {
      closing.abort();
      removeEventListener('storage', follow);
    },
  };
}

type Items = Pick<OutboxStore, 'listItems' | 'putItem' | 'removeItem'>;

function createItems(place: OutboxLocation): Items {
  const { storage } = place;
  const itemPrefix = `${place.own}item `;
  const newest = (): number => {
    const last = namesFrom(storage, itemPrefix).at(-1)?.slice(itemPrefix.length);
    return Number(last?.split(' ')[0] ?? '');
  };
  const nextPlace = createSequence(newest);
  const names = new Map<string, string>();
  const nameOf = (localId: string): string | undefined =>
    names.get(localId) ??
    namesFrom(storage, itemPrefix).find((name) => name.endsWith(` ${localId}`));
  return {
    listItems: () => readAll(storage, itemPrefix, StoredItem),
    putItem: (item) => {
      const name = nameOf(item.localId) ?? `${itemPrefix}${nextPlace()} ${item.localId}`;
      write(place, name, item);
      names.set(item.localId, name);
    },
    removeItem: (localId) => {
      const name = nameOf(localId);
      if (name !== undefined) storage.removeItem(name);
      names.delete(localId);
    },
  };
}

type Flags = Pick<OutboxStore, 'listFlags' | 'putFlags' | 'removeFlags'>;

function createFlags(place: OutboxLocation): Flags {
  const { storage } = place;
  const flagPrefix = `${place.own}flag `;
  const nameOf = ({ messageId, flag }: Flag): string => `${flagPrefix}${flag} ${String(messageId)}`;
  const listFlags = (): readonly Flag[] => readAll(storage, flagPrefix, PendingFlag);
  return {
    listFlags,
    putFlags: (flags) => {
      for (const flag of flags) write(place, nameOf(flag), flag);
    },
    removeFlags: (flags) => {
      const kept = new Map(listFlags().map((flag) => [nameOf(flag), flag]));
      for (const flag of flags) {
        const name = nameOf(flag);
        if (kept.get(name)?.isSet === flag.isSet) storage.removeItem(name);
      }
    },
  };
}

const draftPrefix = ({ prefix }: Pick<OutboxLocation, 'prefix'>): string => `${prefix}draft `;

function createKeptOutbox(place: OutboxLocation, following: Following): OutboxStore {
  const { storage } = place;
  const drafts = draftPrefix(place);
  const items = createItems(place);
  const removeDraft = (key: string): void => {
    storage.removeItem(`${drafts}${key}`);
  };
  return {
    ...items,
    ...createFlags(place),
    ...following,
    listDrafts: () => readAll(storage, drafts, StoredDraft),
    putDraft: (draft) => {
      write(place, `${drafts}${draft.key}`, draft);
    },
    removeDraft,
    submit: (item, draftKey) => {
      // In this order a crash between the two leaves the text twice rather than not at all.
      items.putItem(item);
      if (draftKey !== null) removeDraft(draftKey);
    },
  };
}
