/** A service with many messages, and a profile of the application that has them all in its cache. */
import { createClient } from '#client/client.ts';
import type { ClientPorts, Clock } from '#client/ports.ts';
import type { Account as JoinedAccount } from '#shared/bridge/models/client.ts';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import { createAccountStorage } from '#desktop/storage/account-storage.ts';
import { createAccountStore } from '#desktop/storage/account-store.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { createNotificationLogStore } from '#desktop/storage/notification-log-store.ts';
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';
import { createKeychain } from '#desktop/system/keychain.ts';
import { stderrLog as log } from '#node/log.ts';
import { createProfile, type Profile } from '#test/support/desktop/desktop-app.ts';
import { freePort } from '#test/support/ports.ts';
import { makeDataDir, removeDataDir, startService, type Started } from '../processes.ts';
import { openRawHistory, type RawHistory } from '../reference/history.ts';
import { type Account, databaseFile, seedMessagesTelling, seedOrganization } from '../seed.ts';

export interface World {
  readonly profile: Profile;
  readonly account: JoinedAccount;
  /** The first is the one that is signed in. */
  readonly accounts: readonly Account[];
  readonly port: number;
  readonly dataDir: string;
  /** The service's database, read beside it. */
  readonly raw: RawHistory;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

const ACCOUNTS = 20;
/** The background fill is gentle; here it may hurry. */
const SHORT_WAIT_MS = 500;

const hurried: Clock = {
  ...desktopClock,
  wait: (delayMs, signal) => desktopClock.wait(delayMs < SHORT_WAIT_MS ? 0 : delayMs, signal),
};

const nobody: ClientPorts['attention'] = {
  isWindowFocused: () => false,
  activeSinceMs: () => 0,
  canNotify: () => false,
  notify: () => undefined,
  withdraw: () => undefined,
  playSound: () => undefined,
  setBadge: () => undefined,
};

/** Writes down that somebody is signed in, as signing in does. */
export async function signIn(
  profile: Profile,
  address: string,
  { email, key, isHosted }: Account & { readonly isHosted: boolean },
  userId: number,
): Promise<JoinedAccount> {
  const id = `${String(userId)}@${address}`;
  const account = { id, address, realmName: 'Bench', email, fullName: 'User 0', userId, isHosted };
  await createKeychain(profile.keychain).save(id, key);
  await createAccountStore(profile.dir, log).save([account]);
  return account;
}

async function userIdOf(address: string, { email, key }: Account): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  const response = await fetch(`${address}/api/v1/users/me`, { headers: { authorization } });
  return ((await response.json()) as { readonly user_id: number }).user_id;
}

/** What the application does of itself until everything is here, without its window. */
async function fillCache(profile: Profile): Promise<void> {
  const client = createClient({
    http: desktopHttp,
    fetchFile: desktopFetchFile,
    storage: createAccountStorage(profile.dir),
    keys: createKeychain(profile.keychain),
    accounts: createAccountStore(profile.dir, log),
    clock: hurried,
    attention: nobody,
    notificationLog: createNotificationLogStore(profile.dir, log),
    choices: () => defaultPreferences,
    openLink: async () => undefined,
    describeShell: async () => ({
      shell: 'desktop',
      canHost: true,
      hosted: null,
      fixedAddress: null,
      isDevelopment: false,
    }),
  });
  const complete = new Promise<void>((resolve) => {
    client.on('cacheChanged', ({ status }) => {
      if (status.backfill === 'complete') resolve();
    });
  });
  const started = await client.start();
  if (!started.ok || started.value.problem !== null) throw new Error(JSON.stringify(started));
  await complete;
  await client.stop();
}

export async function createWorld(messages: number, tell: (line: string) => void): Promise<World> {
  const dataDir = await makeDataDir();
  const accounts = await seedOrganization(dataDir, ACCOUNTS);
  seedMessagesTelling(dataDir, messages, tell);
  const port = await freePort();
  const address = `http://127.0.0.1:${String(port)}`;
  const profile = await createProfile();
  let service: Started | undefined = await startService(dataDir, port);
  const [first] = accounts;
  if (first === undefined) throw new Error('no accounts');
  const userId = await userIdOf(address, first);
  const account = await signIn(profile, address, { ...first, isHosted: false }, userId);
  const startedAt = performance.now();
  await fillCache(profile);
  tell(`filled the cache in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);

  const raw = openRawHistory(databaseFile(dataDir));

  async function stop(): Promise<void> {
    await service?.stop();
    service = undefined;
  }

  return {
    profile,
    account,
    accounts,
    port,
    dataDir,
    raw,
    async start() {
      service ??= await startService(dataDir, port);
    },
    stop,
    async remove() {
      raw.close();
      await stop();
      await profile.remove();
      await removeDataDir(dataDir);
    },
  };
}
