/**
 * A client in a process of its own, which can be killed at any moment. Arguments: the folder of its data, the address of the
 * service, an e-mail address. It writes a line for its account, and one for each message that it tells of.
 */
import { writeSync } from 'node:fs';
import process from 'node:process';
import { createClient } from '#client/client.ts';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import { createAccountStorage } from '#desktop/storage/account-storage.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';

export type ClientReport =
  { readonly account: Account; readonly key: string } | { readonly told: readonly number[] };

const [dir = '', address = '', email = ''] = process.argv.slice(2);
/** Out at once, so that a kill right after it does not take it back. */
const report = (line: ClientReport): void => void writeSync(1, `${JSON.stringify(line)}\n`);

let key = '';
const client = createClient({
  http: desktopHttp,
  fetchFile: desktopFetchFile,
  clock: desktopClock,
  storage: createAccountStorage(dir),
  keys: {
    find: async () => key,
    save: async (_id, saved) => {
      key = saved;
    },
    remove: async () => undefined,
  },
  accounts: { list: async () => [], save: async () => undefined },
  attention: {
    isWindowFocused: () => true,
    activeSinceMs: () => 0,
    canNotify: () => false,
    notify: () => undefined,
    withdraw: () => undefined,
    playSound: () => undefined,
    setBadge: () => undefined,
  },
  notificationLog: { load: async () => null, save: async () => undefined },
  choices: () => defaultPreferences,
  openLink: async () => undefined,
  describeShell: async () => ({
    shell: 'desktop',
    canHost: false,
    hosted: null,
    fixedAddress: null,
    isDevelopment: true,
  }),
});

client.on('messagesArrived', ({ messages }) => {
  report({ told: messages.map(({ id }) => id) });
});
const joined = await client.connect({ address, email, password: '' });
if (!joined.ok) throw new Error(joined.failure.message);
report({ account: joined.value, key });
setInterval(() => undefined, 60_000);
