import { beforeEach, expect, test } from 'vitest';
import type { Account } from '#shared/bridge/models/client.ts';
import { createWebSignIns, type WebSignIns } from '#renderer/web/sign-ins.ts';

const accountOf = (userId: number): Account => ({
  id: `${userId}@https://chat.example.com`,
  address: 'https://chat.example.com',
  realmName: 'Office',
  email: `person${userId}@example.com`,
  fullName: `Person ${userId}`,
  userId,
  isHosted: false,
});
const [ada, ben] = [accountOf(1), accountOf(2)];

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

/** As the client does it. */
async function signIn(
  tab: WebSignIns,
  account: Account,
  isStaying: boolean | undefined,
  key = `key of ${account.userId}`,
): Promise<void> {
  await tab.staying(isStaying, async () => {
    const others = (await tab.accounts.list()).filter(({ id }) => id !== account.id);
    await tab.keys.save(account.id, key);
    await tab.accounts.save([...others, account]);
  });
}

async function signOut(tab: WebSignIns, account: Account): Promise<void> {
  const others = (await tab.accounts.list()).filter(({ id }) => id !== account.id);
  await tab.keys.remove(account.id);
  await tab.accounts.save(others);
}

/** The storage of a tab is its own; here both are in one page. */
function openTab(): WebSignIns {
  sessionStorage.clear();
  return createWebSignIns();
}

test('who does not stay signed in is in the tab alone, also when it is loaded again', async () => {
  await signIn(openTab(), ada, false);
  expect(localStorage.length).toBe(0);
  const again = createWebSignIns();
  expect(await again.accounts.list()).toEqual([ada]);
  expect(await again.keys.find(ada.id)).toBe('key of 1');
  expect(await openTab().accounts.list()).toEqual([]);
});

test('who stays signed in is in every tab until one of them signs out, which leaves nothing [sign-ins.stays-signed-tab]', async () => {
  const first = openTab();
  await signIn(first, ada, true);
  expect(sessionStorage.length).toBe(0);
  const second = openTab();
  expect(await second.accounts.list()).toEqual([ada]);
  expect(await second.keys.find(ada.id)).toBe('key of 1');
  expect([first.isOutdated(), second.isOutdated()]).toEqual([false, false]);
  await signOut(second, ada);
  expect(localStorage.length).toBe(0);
  expect([first.isOutdated(), second.isOutdated()]).toEqual([true, false]);
});

test('a page on which nobody is signed in is outdated when another tab signs in for all', async () => {
  const waiting = openTab();
  expect(await waiting.accounts.list()).toEqual([]);
  expect(waiting.isOutdated()).toBe(false);
  await signIn(openTab(), ada, true);
  expect(waiting.isOutdated()).toBe(true);
});

test('a new key stays where the account is, and other tabs are outdated by it', async () => {
  const first = openTab();
  await signIn(first, ada, true);
  const second = openTab();
  await second.accounts.list();
  await second.keys.find(ada.id);
  await signIn(first, ada, undefined, 'newer key');
  expect([first.isOutdated(), second.isOutdated()]).toEqual([false, true]);
  expect(await second.keys.find(ada.id)).toBe('newer key');
  expect(sessionStorage.length).toBe(0);
});

test('an account of all tabs stays in the list when a tab that does not know it signs in for all', async () => {
  const [first, second] = [openTab(), createWebSignIns()];
  expect(await second.accounts.list()).toEqual([]);
  await signIn(first, ada, true);
  await second.staying(true, async () => {
    await second.keys.save(ben.id, 'key of 2');
    await second.accounts.save([ben]);
  });
  expect(await openTab().accounts.list()).toEqual([ada, ben]);
});

test('choosing to stay takes the account out of the tab, and signing out takes it out of both', async () => {
  const tab = openTab();
  await signIn(tab, ada, false);
  await signIn(tab, ada, true);
  expect(sessionStorage.length).toBe(0);
  await signIn(openTab(), ada, false);
  const own = createWebSignIns();
  await signOut(own, ada);
  expect([sessionStorage.length, localStorage.length]).toEqual([0, 0]);
});

test('a browser that keeps nothing for the page lets nobody stay signed in, and says so', async () => {
  const kept = Object.getOwnPropertyDescriptor(window, 'localStorage');
  const refuse = (): never => {
    throw new DOMException('denied', 'SecurityError');
  };
  Object.defineProperty(window, 'localStorage', { get: refuse, configurable: true });
  try {
    const tab = openTab();
    await expect(signIn(tab, ada, true)).rejects.toMatchObject({ code: 'NO_KEYCHAIN' });
    await signIn(tab, ada, false);
    expect(await tab.accounts.list()).toEqual([ada]);
    expect(tab.isOutdated()).toBe(false);
  } finally {
    if (kept !== undefined) Object.defineProperty(window, 'localStorage', kept);
  }
});
