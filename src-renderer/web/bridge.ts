/** The bridge of the browser build: the client runs in the page itself. */
import type { Bridge } from '../../src-preload/bridge.ts';
import { createApi } from '../../src-main/client/api.ts';
import type { Client } from '../../src-main/client/calls.ts';
import { createClient } from '../../src-main/client/client.ts';
import type { Shell } from '../../src-main/contract/bridge.ts';
import type { Attention, Clock, Http, Notice } from '../../src-main/client/ports.ts';
import { api as endpoints } from '../../src-main/contract/api/index.ts';
import { success } from '../../src-main/contract/outcome.ts';
import { tabAccounts, tabKeys } from './tab-storage.ts';

const address = location.origin;

/** Without cookies, and without the browser's own sign-in window when a key is refused. */
const http: Http = async ({ method, url, headers, body, signal }) => {
  const response = await fetch(url, {
    method,
    headers,
    body,
    signal,
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    // A queue is deleted while the page is closing.
    keepalive: method === 'DELETE',
  });
  return { status: response.status, text: await response.text() };
};

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

const attention = (opened: (notice: Notice) => void): Attention => ({
  isWindowFocused: () => document.hasFocus(),
  notify: (notice) => {
    if (!('Notification' in window) || Notification.permission !== 'granted') return;
    const { title, body, accountId, tag } = notice;
    const shown = new Notification(title, { body, tag: `${accountId} ${tag}` });
    shown.onclick = () => {
      window.focus();
      shown.close();
      opened(notice);
    };
  },
});

/** A client for the service that the page was loaded from. */
export function createWebBridge(): Bridge {
  const client = createClient({
    http,
    clock,
    keys: tabKeys,
    accounts: tabAccounts,
    attention: attention(({ accountId, conversation }) => {
      client.openConversation(accountId, conversation);
    }),
    openLink: async (url) => {
      window.open(url, '_blank', 'noopener');
    },
    describeShell,
    // That service runs already. It lets only a browser on its own computer create the organization.
    host: { start: async () => success({ address }) },
  });
  followPage(client);
  return client;
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
