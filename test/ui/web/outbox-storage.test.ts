/** Two tabs of one browser: here two owners in one page, of which each can be closed. */
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { OutboxError, type StoredItem } from '#client/outbox/outbox-store.ts';
import type { StoredDraft } from '#shared/bridge/models/client.ts';
import { holdsUnsent, openWebOutbox, removeWebOutbox } from '#renderer/web/outbox-storage.ts';
import { createTabOwnership, type TabOwnership } from '#renderer/web/tab-ownership.ts';

const account = '1@https://chat.example.com';

const clear = (): void => {
  localStorage.clear();
  sessionStorage.clear();
};
const staySignedIn = (accountId: string): void => {
  localStorage.setItem(`hearth.key.${accountId}`, 'key');
};

beforeEach(() => {
  clear();
  staySignedIn(account);
});
afterEach(clear);

const item = (localId: string, more: Partial<StoredItem> = {}): StoredItem => ({
  conversation: { kind: 'private', userIds: [2] },
  content: `content of ${localId}`,
  localId,
  writtenAtSeconds: 1,
  state: 'waiting',
  failure: '',
  mayBeSent: false,
  ...more,
});

const draft = (key: string): StoredDraft => ({
  key,
  view: { kind: 'private', userIds: [2] },
  topic: null,
  content: key,
  changedAtSeconds: 1,
});

interface Tab {
  readonly tabs: TabOwnership;
  readonly close: () => void;
}

function openTab(): Tab {
  const closing = new AbortController();
  onTestFinished(() => {
    closing.abort();
  });
  const tabs = createTabOwnership(closing.signal);
  return {
    tabs,
    close: () => {
      closing.abort();
      // Other tabs hear of what a tab changes; those in one page do not.
      dispatchEvent(new StorageEvent('storage', { key: null }));
    },
  };
}

function open(tab: Tab) {
  const { outbox, problem } = openWebOutbox(account, tab.tabs);
  expect(problem).toBe(null);
  onTestFinished(outbox.close);
  return outbox;
}

/** As a page of an office network has it: without locks. */
function withoutLocks(): void {
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'locks');
  });
}

const ways = [
  ['with locks', () => undefined],
  ['without locks', withoutLocks],
] as const;

describe.each(ways)('in a browser %s', (_, prepare) => {
  test('what is written is kept in its order, and replaced in its place', () => {
    prepare();
    const store = open(openTab());
    for (const id of ['c', 'a', 'b']) store.putItem(item(id));
    store.putItem(item('a', { state: 'failed', failure: 'No.' }));
    expect(store.listItems().map(({ localId }) => localId)).toEqual(['c', 'a', 'b']);
    expect(store.listItems()[1]?.failure).toBe('No.');
    store.removeItem('c');
    store.putDraft(draft('place'));
    store.submit(item('d'), 'place');
    expect(store.listItems().map(({ localId }) => localId)).toEqual(['a', 'b', 'd']);
    expect(store.listDrafts()).toEqual([]);
    const read = { messageId: 1, flag: 'read', isSet: true } as const;
    store.putFlags([read, { ...read, messageId: 2 }]);
    store.putFlags([{ ...read, isSet: false }]);
    store.removeFlags([read, { ...read, messageId: 2 }]);
    expect(store.listFlags()).toEqual([{ ...read, isSet: false }]);
  });

  test('another tab has the drafts, and the messages only when the first one is closed', async () => {
    prepare();
    const first = openTab();
    const store = open(first);
    store.putItem(item('a'));
    store.putItem(item('b'));
    store.putDraft(draft('place'));
    store.putFlags([{ messageId: 1, flag: 'read', isSet: true }]);
    const other = open(openTab());
    expect(other.listDrafts()).toEqual([draft('place')]);
    expect([other.listItems(), other.listFlags()]).toEqual([[], []]);
    const arrived = new Promise<void>((resolve) => other.onArrival(resolve));
    first.close();
    await arrived;
    expect(other.listItems()).toEqual([item('a'), item('b')]);
    expect(other.listFlags()).toHaveLength(1);
    expect(store.listItems()).toEqual([]);
    // Set back meanwhile, as clocks are.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 60_000);
    onTestFinished(() => {
      clock.mockRestore();
    });
    other.putItem(item('c'));
    other.removeItem('a');
    expect(other.listItems().map(({ localId }) => localId)).toEqual(['b', 'c']);
  });

  test('a message goes to one of the tabs that wait for it', async () => {
    prepare();
    const first = openTab();
    open(first).putItem(item('a'));
    const others = [open(openTab()), open(openTab()), open(openTab())];
    const arrived = Promise.race(
      others.map((other) => new Promise<void>((resolve) => other.onArrival(resolve))),
    );
    first.close();
    await arrived;
    expect(others.flatMap((other) => other.listItems())).toEqual([item('a')]);
  });

  test('another account sees nothing of it, and removing one leaves the other', () => {
    prepare();
    const tab = openTab();
    open(tab).putItem(item('a'));
    staySignedIn('2@https://chat.example.com');
    const { outbox: other } = openWebOutbox('2@https://chat.example.com', tab.tabs);
    onTestFinished(other.close);
    expect(other.listItems()).toEqual([]);
    other.putDraft(draft('mine'));
    removeWebOutbox(account);
    expect(open(tab).listItems()).toEqual([]);
    expect(other.listDrafts()).toEqual([draft('mine')]);
  });
});

test('a draft that another tab changes is told here', async () => {
  const store = open(openTab());
  const told = new Promise<void>((resolve) => store.onArrival(resolve));
  const frame = document.createElement('iframe');
  frame.src = 'about:blank';
  document.body.append(frame);
  onTestFinished(() => {
    frame.remove();
  });
  const kept = JSON.stringify(draft('there'));
  frame.contentWindow?.localStorage.setItem(`hearth.outbox.${account} draft there`, kept);
  await told;
  expect(store.listDrafts()).toEqual([draft('there')]);
});

test('a browser without space says so, and what was there is there', () => {
  const store = open(openTab());
  store.putItem(item('a'));
  expect(() => {
    store.putItem(item('b', { content: 'x'.repeat(6_000_000) }));
  }).toThrow(OutboxError);
  expect(store.listItems()).toEqual([item('a')]);
  store.putItem(item('c'));
  expect(store.listItems()).toHaveLength(2);
});

test('what another version wrote is left where it is', () => {
  const tab = openTab();
  const store = open(tab);
  localStorage.setItem(`hearth.outbox.${account} draft x`, '{"of":"another version"}');
  localStorage.setItem(`hearth.outbox.${account} draft y`, 'no JSON');
  store.putDraft(draft('z'));
  expect(store.listDrafts()).toEqual([draft('z')]);
  expect(localStorage.length).toBeGreaterThanOrEqual(3);
});

test('an account that is signed in with a tab keeps everything in that tab, also when it is loaded again', () => {
  localStorage.removeItem(`hearth.key.${account}`);
  const tab = openTab();
  const store = open(tab);
  store.putItem(item('a'));
  store.putDraft(draft('place'));
  expect(localStorage.length).toBe(0);
  expect(holdsUnsent()).toBe(true);
  store.close();
  tab.close();
  const again = open(openTab());
  expect([again.listItems(), again.listDrafts()]).toEqual([[item('a')], [draft('place')]]);
  again.submit(item('b'), 'place');
  removeWebOutbox(account);
  expect([again.listItems(), sessionStorage.length]).toEqual([[], 0]);
  expect(holdsUnsent()).toBe(false);
});

test('a tab that signs in takes what was kept of the account before, and leaves it nowhere else', async () => {
  const first = openTab();
  const kept = open(first);
  kept.putItem(item('a'));
  kept.putDraft(draft('place'));
  kept.close();
  // As a page of before left it: it kept all of this for the browser, and the key for the tab.
  localStorage.removeItem(`hearth.key.${account}`);
  sessionStorage.setItem(`hearth.key.${account}`, 'key');
  const store = open(openTab());
  const arrived = new Promise<void>((resolve) => store.onArrival(resolve));
  first.close();
  await arrived;
  expect([store.listItems(), store.listDrafts()]).toEqual([[item('a')], [draft('place')]]);
  expect(Object.keys(localStorage).filter((name) => name.includes('outbox'))).toEqual([]);
  store.close();
  // And when it chooses to stay signed in.
  sessionStorage.removeItem(`hearth.key.${account}`);
  staySignedIn(account);
  const staying = open(openTab());
  expect([staying.listItems(), staying.listDrafts()]).toEqual([[item('a')], [draft('place')]]);
  expect(Object.keys(sessionStorage)).toEqual([]);
});

test('what a tab writes after another one signed out is not kept', () => {
  const store = open(openTab());
  localStorage.removeItem(`hearth.key.${account}`);
  expect(() => {
    store.putDraft(draft('place'));
  }).toThrow(/signed out in another tab/);
  expect(localStorage.length).toBe(0);
});

test('a browser that keeps nothing says so, and works as long as the tab is open', () => {
  const refuse = (): never => {
    throw new DOMException('denied', 'SecurityError');
  };
  const names = ['localStorage', 'sessionStorage'] as const;
  const kept = names.map((name) => Object.getOwnPropertyDescriptor(window, name));
  for (const name of names) {
    Object.defineProperty(window, name, { get: refuse, configurable: true });
  }
  try {
    const tabs: TabOwnership = { tabId: 'x', whenGone: () => undefined };
    const { outbox, problem } = openWebOutbox(account, tabs);
    expect(problem).toMatch(/keeps nothing for this page/);
    outbox.putItem(item('a'));
    expect(outbox.listItems()).toEqual([item('a')]);
  } finally {
    for (const [index, name] of names.entries()) {
      Object.defineProperty(window, name, kept[index] ?? {});
    }
  }
});
