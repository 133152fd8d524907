/** What a browser keeps for the page, by the names in test/support/data-names/page.txt. */
import { commands } from 'vitest/browser';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { rememberTone } from '#renderer/state/compose/emoji-memory.ts';
import { tabNotificationLog } from '#renderer/web/attention.ts';
import { openWebOutbox } from '#renderer/web/outbox-storage.ts';
import { createWebShell } from '#renderer/web/shell.ts';
import { createWebSignIns } from '#renderer/web/sign-ins.ts';
import { createTabOwnership } from '#renderer/web/tab-ownership.ts';

const clear = (): void => {
  localStorage.clear();
  sessionStorage.clear();
};
beforeEach(clear);
afterEach(clear);

const id = '1@https://chat.example.com';
const account = {
  ...{ id, address: 'https://chat.example.com', realmName: 'Office', email: 'a@example.com' },
  ...{ fullName: 'Ada', userId: 1, isHosted: false },
};
const view = { kind: 'private', userIds: [2] } as const;

async function keepEverything(tabs: ReturnType<typeof createTabOwnership>): Promise<void> {
  const shell = createWebShell({ now: () => 0, wait: () => new Promise(() => undefined) });
  await shell.setPreferences({ theme: 'dark' });
  await shell.savePlace({ accountId: id, place: '{}' });
  await tabNotificationLog.save({ lastDecided: {}, entries: [] });
  rememberTone(1);
  const signIns = createWebSignIns();
  await signIns.staying(true, async () => {
    await signIns.keys.save(id, 'key');
    await signIns.accounts.save([account]);
  });
  const { outbox } = openWebOutbox(id, tabs);
  const item = { conversation: view, content: 'c', localId: 'LOCAL', writtenAtSeconds: 1 };
  outbox.putItem({ ...item, state: 'waiting', failure: '', mayBeSent: false });
  outbox.putDraft({ key: 'KEY', view, topic: null, content: 'c', changedAtSeconds: 1 });
  outbox.putFlags([{ messageId: 7, flag: 'read', isSet: true }]);
}

const withoutIds = (name: string, tabId: string): string =>
  name
    .replaceAll(id, 'ACCOUNT')
    .replaceAll(tabId, 'TAB')
    .replaceAll(/\d{16}/g, 'SEQUENCE');

test('what a browser keeps for the page keeps its names', async () => {
  const closing = new AbortController();
  const tabs = createTabOwnership(closing.signal);
  await keepEverything(tabs);
  const { held = [] } = await navigator.locks.query();
  const namesIn = (storage: Storage, title: string): readonly string[] =>
    Object.keys(storage).map((name) => `${title} ${name}`);
  const names = [
    ...namesIn(localStorage, 'local'),
    ...namesIn(sessionStorage, 'session'),
    ...held.map(({ name = '' }) => `lock ${name}`).filter((name) => name.includes('hearth')),
  ];
  const list = await commands.readFile('test/support/data-names/page.txt');
  const listed = list.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  expect(names.map((name) => withoutIds(name, tabs.tabId)).sort()).toEqual(listed);
  closing.abort();
});
