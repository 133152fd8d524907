/** The bridge of the browser build: the client runs in the page itself. */
import type { Bridge } from '../../src-preload/bridge.ts';
import { createApi } from '../../src-main/client/api.ts';
import type { Client } from '../../src-main/client/calls.ts';
import { createClient } from '../../src-main/client/client.ts';
import type { Shell } from '../../src-main/contract/bridge.ts';
import { createMemoryCache } from '../../src-main/client/cache/memory-cache.ts';
import type { AccountStorage, Clock } from '../../src-main/client/ports.ts';
import { api as endpoints } from '../../src-main/contract/api/index.ts';
import { success } from '../../src-main/contract/outcome.ts';
import { createWebAttention, tabDecisions } from './attention.ts';
import { webFetchFile, webHttp as http } from './http.ts';
import { openWebOutbox, removeWebOutbox } from './outbox-storage.ts';
import { createWebShell, readPreferences } from './shell.ts';
import { createTabOwnership } from './tab-ownership.ts';
import { tabAccounts, tabKeys } from './tab-storage.ts';

const address = location.origin;

const clock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) {
        resolve();
        return;
      }
      const timer = setTimeout(settle, delayMs);
      signal.addEventListener('abort', settle);
      function settle(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', settle);
        resolve();
      }
    }),
};

async function describeShell(): Promise<Shell> {
  const settings = await createApi({ http, clock, address }).call(endpoints.server.settings, {});
  return {
    shell: 'browser',
    canHost: settings.ok && settings.value.realm_name === undefined,
    fixedAddress: address,
    isDevelopment: settings.ok && settings.value.authentication_methods['dev'] === true,
  };
}

/** A browser keeps what a person wrote; messages it fetches again. */
function createStorage(): AccountStorage {
  const closed = new AbortController();
  addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) closed.abort();
  });
  const tabs = createTabOwnership(closed.signal);
  return {
    openCache: () => ({ cache: createMemoryCache(), problem: null }),
    openOutbox: (accountId) => openWebOutbox(accountId, tabs),
    remove: async (accountId) => {
      removeWebOutbox(accountId);
    },
  };
}

/** A client for the service that the page was loaded from. */
export function createWebBridge(): Bridge {
  const client = createClient({
    http,
    fetchFile: webFetchFile,
    storage: createStorage(),
    clock,
    keys: tabKeys,
    accounts: tabAccounts,
    attention: createWebAttention(({ accountId, conversation, messageId }) => {
      client.openConversation(accountId, conversation, messageId);
    }),
    decisions: tabDecisions,
    choices: readPreferences,
    openLink: async (url) => {
      window.open(url, '_blank', 'noopener');
    },
    describeShell,
    // That service runs already. It lets only a browser on its own computer create the organization.
    host: { start: async () => success({ address }) },
  });
  followPage(client);
  const { on: onShell, ...shell } = createWebShell();
  return {
    ...client,
    ...shell,
    on: (event, listener) => {
      const stops = [client.on(event, listener), onShell(event as never, listener as never)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function followPage(client: Client): void {
  addEventListener('online', client.wake);
  // Asking at once tells that there is no answer; the poll under way would notice much later.
  addEventListener('offline', client.wake);
  addEventListener('focus', client.attend);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') client.wake();
  });
  addEventListener('pagehide', ({ persisted }) => {
    // A page that is kept for going back to goes on when it is shown again.
    if (!persisted) void client.stop();
  });
}
