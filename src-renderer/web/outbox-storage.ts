/**
 * The outbox of the browser build: what the browser keeps for this page. Drafts belong to the account, because they are
 * where a person left them; messages and marks belong to the tab that they were made in, until it is closed.
 */
import { createMemoryOutbox } from '../../src-main/client/memory-outbox.ts';
import { PendingFlag, StoredDraft, StoredItem } from '../../src-main/client/outbox-codecs.ts';
import {
  OutboxError,
  type OutboxStore,
  type PendingFlag as Flag,
} from '../../src-main/client/outbox-store.ts';
import type { TabOwnership } from './tab-ownership.ts';

export interface OpenedWebOutbox {
  readonly outbox: OutboxStore;
  readonly problem: string | null;
}

const NOT_KEPT =
  'This browser keeps nothing for this page: unsent messages and drafts are lost when the tab is closed. Allow the page to store data to keep them.';
const FULL =
  'This browser gives the page no more space, so what you write cannot be kept safe. Send or discard what waits, and try again.';

const prefixOf = (accountId: string): string => `hearth.outbox.${accountId} `;

/** Everything that is kept of the account's outbox, in all tabs. */
export function removeWebOutbox(accountId: string): void {
  for (const name of namesFrom(prefixOf(accountId))) localStorage.removeItem(name);
}

function namesFrom(prefix: string): readonly string[] {
  const names: string[] = [];
  for (let index = 0; index < localStorage.length; index += 1) {
    const name = localStorage.key(index);
    if (name?.startsWith(prefix) === true) names.push(name);
  }
  return names.sort();
}

interface Codec<T> {
  readonly safeParse: (value: unknown) => { readonly success: boolean; readonly data?: T };
}

/** What this version cannot read stays where it is. */
function readAll<T>(prefix: string, codec: Codec<T>): readonly T[] {
  return namesFrom(prefix).flatMap((name) => {
    try {
      const { success, data } = codec.safeParse(JSON.parse(localStorage.getItem(name) ?? ''));
      return success && data !== undefined ? [data] : [];
    } catch {
      return [];
    }
  });
}

function write(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch (error) {
    throw new OutboxError('DISK_FULL', FULL, { cause: error });
  }
}

/** A browser may refuse to keep anything, or even to name the storage. One that is merely full has kept something. */
function isAvailable(): boolean {
  try {
    if (localStorage.length > 0) return true;
    localStorage.setItem('hearth.probe', '1');
    localStorage.removeItem('hearth.probe');
    return true;
  } catch {
    return false;
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

export function openWebOutbox(accountId: string, tabs: TabOwnership): OpenedWebOutbox {
  if (!isAvailable()) return { outbox: createMemoryOutbox(), problem: NOT_KEPT };
  return { outbox: createKeptOutbox(prefixOf(accountId), tabs), problem: null };
}

/** Names of what one tab keeps. */
const tabPrefix = (prefix: string, tabId: string): string => `${prefix}tab ${tabId} `;

/** One by one, each written here before it is removed there. */
function takeOver(theirs: string, own: string): void {
  for (const name of namesFrom(theirs)) {
    const value = localStorage.getItem(name);
    if (value === null) continue;
    const place = `${own}${name.slice(theirs.length)}`;
    try {
      // What this tab has said of the same message since is newer.
      if (localStorage.getItem(place) === null) localStorage.setItem(place, value);
    } catch {
      // No space for a moment: the rest is taken over when the page is opened the next time.
      return;
    }
    localStorage.removeItem(name);
  }
}

interface Following {
  readonly onArrival: OutboxStore['onArrival'];
  readonly close: () => void;
}

/** Takes over what closed tabs left, and hears of what others change. */
function followTabs(prefix: string, tabs: TabOwnership): Following {
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  const awaited = new Set([tabs.tabId]);
  const announce = (): void => {
    for (const listener of listeners) listener();
  };

  function awaitOthers(): void {
    const anyTab = `${prefix}tab `;
    for (const name of namesFrom(anyTab)) {
      const tabId = name.slice(anyTab.length).split(' ')[0] ?? '';
      if (awaited.has(tabId)) continue;
      awaited.add(tabId);
      const adopt = (): void => {
        awaited.delete(tabId);
        takeOver(tabPrefix(prefix, tabId), tabPrefix(prefix, tabs.tabId));
        announce();
      };
      tabs.whenGone(tabId, adopt, closing.signal);
    }
  }

  function follow({ key }: StorageEvent): void {
    if (key?.startsWith(`${prefix}draft `) === true) announce();
    if (key?.startsWith(`${prefix}tab `) === true) awaitOthers();
  }

  addEventListener('storage', follow);
  awaitOthers();
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

function createItems(itemPrefix: string): Items {
  const newest = (): number => {
    const [place = ''] = namesFrom(itemPrefix).at(-1)?.slice(itemPrefix.length).split(' ') ?? [];
    return Number(place);
  };
  const nextPlace = createSequence(newest);
  const names = new Map<string, string>();
  const nameOf = (localId: string): string | undefined =>
    names.get(localId) ?? namesFrom(itemPrefix).find((name) => name.endsWith(` ${localId}`));
  return {
    listItems: () => readAll(itemPrefix, StoredItem),
    putItem: (item) => {
      const name = nameOf(item.localId) ?? `${itemPrefix}${nextPlace()} ${item.localId}`;
      write(name, item);
      names.set(item.localId, name);
    },
    removeItem: (localId) => {
      const name = nameOf(localId);
      if (name !== undefined) localStorage.removeItem(name);
      names.delete(localId);
    },
  };
}

type Flags = Pick<OutboxStore, 'listFlags' | 'putFlags' | 'removeFlags'>;

function createFlags(flagPrefix: string): Flags {
  const nameOf = ({ messageId, flag }: Flag): string => `${flagPrefix}${flag} ${String(messageId)}`;
  return {
    listFlags: () => readAll(flagPrefix, PendingFlag),
    putFlags: (flags) => {
      for (const flag of flags) write(nameOf(flag), flag);
    },
    removeFlags: (flags) => {
      const kept = new Map(readAll(flagPrefix, PendingFlag).map((flag) => [nameOf(flag), flag]));
      for (const flag of flags) {
        const name = nameOf(flag);
        if (kept.get(name)?.isSet === flag.isSet) localStorage.removeItem(name);
      }
    },
  };
}

function createKeptOutbox(prefix: string, tabs: TabOwnership): OutboxStore {
  const own = tabPrefix(prefix, tabs.tabId);
  const draftPrefix = `${prefix}draft `;
  const items = createItems(`${own}item `);
  const removeDraft = (key: string): void => {
    localStorage.removeItem(`${draftPrefix}${key}`);
  };
  return {
    ...items,
    ...createFlags(`${own}flag `),
    ...followTabs(prefix, tabs),
    listDrafts: () => readAll(draftPrefix, StoredDraft),
    putDraft: (draft) => {
      write(`${draftPrefix}${draft.key}`, draft);
    },
    removeDraft,
    submit: (item, draftKey) => {
      // In this order a crash between the two leaves the text twice rather than not at all.
      items.putItem(item);
      if (draftKey !== null) removeDraft(draftKey);
    },
  };
}
