/** A service in which something can happen after a request was let in, and before it writes. */
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ComposeOptions, RunningService } from '#hosting/compose-service.ts';
import { systemClock } from '#node/clock.ts';
import { createFileStore } from '#node/files/file-store.ts';
import { createWebClient } from '#node/network/web-client.ts';
import { createApiKeys } from '#service/security/api-keys.ts';
import { gravatarHash } from '#service/security/gravatar.ts';
import { createPasswords } from '#service/security/passwords.ts';
import { createSetupCode } from '#service/security/setup-code.ts';
import { createApp } from '#service/http/app.ts';
import { listen } from '#service/http/server.ts';
import { loadConfusables } from '#node/confusables.ts';
import { createService } from '#service/service.ts';
import type { Indexing, Store } from '#service/db/port.ts';
import { openStore } from '#service/db/sqlite/open.ts';
import { startTestService, type TestService } from './api.ts';
import { indexingHere } from './indexing.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface ComposeOverrides {
  readonly indexingOf?: (file: string) => Indexing;
  /** As `openStore` takes it. */
  readonly commitMs?: number;
}

export async function composeOver(
  options: ComposeOptions,
  over: (store: Store) => Store,
  { indexingOf = indexingHere, commitMs = 10 }: ComposeOverrides = {},
): Promise<RunningService> {
  const file = join(options.dataDir, 'hearth.db');
  const opened = await openStore({ file, commitMs });
  const store = over(opened);
  const apiKeys = createApiKeys(new Uint8Array(32).fill(7));
  const parts = { clock: systemClock, log: silent, version: 'test' };
  const service = await createService({
    ...parts,
    store,
    indexing: indexingOf(file),
    credentials: {
      apiKeys,
      passwords: createPasswords(),
      gravatarHash,
      isOwnGeneration: () => false,
    },
    setupCode: createSetupCode(apiKeys.isEqual),
    files: createFileStore(join(options.dataDir, 'files')),
    web: createWebClient(options),
    options,
    addresses: () => [],
    ownOrigins: () => [],
    findNextIdentityKey: async () => undefined,
    databaseBytes: async () => 0,
    warned: () => [],
    loadConfusables,
  });
  await service.seedDevelopment();
  const { limits = {} } = options;
  const perimeter = { trustedProxies: [], publicUrl: null };
  const app = createApp({ ...options, ...service, ...parts, ...perimeter, apiKeys, limits });
  const server = await listen(app, options);
  return {
    origin: server.origin,
    fingerprint: '',
    log: silent,
    organizationName: async () => null,
    movedTo: async () => null,
    addresses: () => [],
    listenOn: async () => [],
    changeTargets: async () => [],
    setAsleep: async (isAsleep) => service.setAsleep(isAsleep),
    remoteClients: () => [],
    setupCode: null,
    isClosed: false,
    makePasswordLink: () => Promise.reject(new Error('not in this test')),
    async stop() {
      server.stopAccepting();
      await service.stop();
      await server.drain(1000);
      await opened.close();
    },
  };
}

export interface Between {
  readonly service: TestService;
  /** Does `first`, and `second` in the moment before the first change that `first` makes is carried out. */
  readonly run: <T>(first: () => Promise<T>, second: () => Promise<unknown>) => Promise<T>;
}

export async function startBetween(): Promise<Between> {
  const waiting: (() => Promise<unknown>)[] = [];
  const over = (store: Store): Store => ({
    ...store,
    async change(work) {
      await waiting.pop()?.();
      return store.change(work);
    },
  });
  const service = await startTestService({ compose: (options) => composeOver(options, over) });
  onTestFinished(() => service.stop());
  return {
    service,
    async run(first, second) {
      waiting.push(second);
      const outcome = await first();
      if (waiting.length > 0) throw new Error('the first request changed nothing');
      return outcome;
    },
  };
}

/** A service whose index the test writes. */
export const startUnindexed = (): Promise<TestService> =>
  startTestService({
    compose: (options) =>
      composeOver(options, (store) => store, {
        indexingOf: () => ({
          index: async () => ({ settled: [], isBehind: false }),
          rest: async () => undefined,
        }),
      }),
  });
