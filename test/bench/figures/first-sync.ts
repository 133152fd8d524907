/** How long a desktop that is new takes to fetch all that its person may read, from a service that has nothing else to do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account, CacheStatus } from '#shared/bridge/models/client.ts';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import { type Client, createClient } from '#client/client.ts';
import type { Attention } from '#client/ports.ts';
import { createAccountStorage } from '#desktop/storage/account-storage.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';
import { createApiKeys } from '#service/security/api-keys.ts';
import { loadSecret } from '#service/security/secret-file.ts';
import { removeDataDir, startService } from '../processes.ts';
import { limited, type Row, shown } from '../report.ts';
import { copyOfOrganization } from '../scale/kept.ts';
import { who } from '../scale/organization.ts';

/** For a million messages. */
const LIMIT_MS = 360_000;
const MILLION = 1_000_000;
const LOOK_EVERY_MS = 100;

const nobodyLooks: Attention = {
  isWindowFocused: () => false,
  activeSinceMs: () => 0,
  canNotify: () => false,
  notify: () => undefined,
  withdraw: () => undefined,
  playSound: () => undefined,
  setBadge: () => undefined,
};

function newDesktop(account: Account, key: string, profile: string): Client {
  return createClient({
    http: desktopHttp,
    fetchFile: desktopFetchFile,
    clock: desktopClock,
    storage: createAccountStorage(profile),
    keys: { find: async () => key, save: async () => undefined, remove: async () => undefined },
    accounts: { list: async () => [account], save: async () => undefined },
    attention: nobodyLooks,
    notificationLog: { load: async () => null, save: async () => undefined },
    choices: () => ({ ...defaultPreferences, cacheLimitMiB: 100_000 }),
    openLink: async () => undefined,
    describeShell: async () => ({
      ...{ shell: 'desktop', canHost: false, hosted: null, fixedAddress: null },
      isDevelopment: true,
    }),
  });
}

async function untilFilled(client: Client, account: Account): Promise<CacheStatus> {
  for (;;) {
    const outcome = await client.cacheStatus(account.id);
    if (outcome.ok && outcome.value.backfill === 'complete') return outcome.value;
    await delay(LOOK_EVERY_MS);
  }
}

/** @param messages  of the organization; its person may read most of them */
export async function measureFirstSync(
  messages: number,
  tell: (line: string) => void,
): Promise<readonly Row[]> {
  const dataDir = await copyOfOrganization(messages, tell);
  const profile = await mkdtemp(join(tmpdir(), 'hearth-first-sync-'));
  const service = await startService(dataDir);
  const key = createApiKeys(await loadSecret(join(dataDir, 'secret'))).derive(who.mentioned, 1);
  const account: Account = {
    ...{ id: 'first-sync', address: `http://127.0.0.1:${String(service.port)}`, isHosted: false },
    ...{ realmName: '', email: `user${String(who.mentioned - 1)}@example.com` },
    ...{ fullName: '', userId: who.mentioned },
  };
  const client = newDesktop(account, key, profile);
  const [startedAt, before] = [performance.now(), service.cpuMs() ?? 0];
  const started = await client.start();
  if (!started.ok) throw new Error(started.failure.message);
  const { messages: held } = await untilFilled(client, account);
  const tookMs = performance.now() - startedAt;
  const workedMs = (service.cpuMs() ?? 0) - before;
  await client.stop();
  await service.stop();
  await removeDataDir(dataDir);
  await rm(profile, { recursive: true });
  const name = `a first sync of ${held.toLocaleString('en-US')} messages`;
  return [
    limited({ name, unit: 'ms' }, [tookMs], (LIMIT_MS * held) / MILLION),
    shown({ name: `${name}: processor of the service`, unit: 'ms' }, [workedMs]),
  ];
}
