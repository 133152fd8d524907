/** The bridge of the browser build: the client runs in the page itself. */
import type { Bridge } from '#preload/bridge.ts';
import { createApi } from '#client/transport/api.ts';
import type { Client } from '#client/client.ts';
import { createClient } from '#client/client.ts';
import type { Shell } from '#shared/bridge/bridge.ts';
import { createHeldBlobs } from '#client/uploads/held-blobs.ts';
import { createMemoryCache } from '#client/cache/memory-cache.ts';
import type { AccountStorage, Clock } from '#client/ports.ts';
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import { success } from '#shared/bridge/outcome.ts';
import { textOf } from '../lib/sanitize.ts';
import { createWebAttention, tabNotificationLog } from './attention.ts';
import { browserName } from './browser-name.ts';
import { webFetchFile, webHttp as http } from './http.ts';
import { holdsUnsent, openWebOutbox, removeWebOutbox } from './outbox-storage.ts';
import { webSaving } from './saving.ts';
import { createWebShell, forgetPlace, readPreferences } from './shell.ts';
import { createWebSignIns, type WebSignIns } from './sign-ins.ts';
import { createTabOwnership } from './tab-ownership.ts';

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

/** The service takes no other origin for one of its own computer. */
const isLoopback = ({ protocol, hostname }: Location): boolean =>
  protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);

/** Any other address is that of the picture for those who have none. */
const pictureOf = (icon: string): string | null =>
  icon.startsWith('/user_avatars/') ? icon : null;

async function describeShell(): Promise<Shell> {
  const settings = await createApi({ http, clock, address }).call(endpoints.server.settings, {});
  const {
    realm_name: name,
    realm_description: description = '',
    realm_icon: icon = '',
  } = settings.ok ? settings.value : {};
  return {
    shell: 'browser',
    canHost: settings.ok && settings.value.realm_name === undefined,
    needsSetupCode:
      !isLoopback(location) || (settings.ok && settings.value.setup_code_required === true),
    hosted: null,
    fixedAddress: address,
    ...(name === undefined
      ? {}
      : { fixedOrganization: { name, description: textOf(description), icon: pictureOf(icon) } }),
    takesJoinRequests: settings.ok && settings.value.join_requests === true,
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
  const signIns = createWebSignIns();
  const heldFiles = createHeldBlobs();
  const { on: onShell, activeSinceMs, ...shell } = createWebShell(clock);
  const client = createClient({
    http,
    fetchFile: webFetchFile,
    heldFiles,
    saving: webSaving,
    storage: createStorage(),
    clock,
    keys: signIns.keys,
    accounts: signIns.accounts,
    attention: createWebAttention(({ accountId, conversation, messageId }) => {
      client.openConversation(accountId, conversation, messageId);
    }, activeSinceMs),
    notificationLog: tabNotificationLog,
    choices: readPreferences,
    openLink: async (url) => {
      window.open(url, '_blank', 'noopener');
    },
    describeShell,
    device: { name: browserName(navigator.userAgent), client: 'Hearth in a browser' },
    // That service runs already. It takes a browser on its own computer without the code that it printed.
    host: { start: async () => success({ address }) },
  });
  followPage(client);
  onShell('activityChanged', ({ activeSinceMs: since }) => {
    if (since !== null) client.setActive();
  });
  followSignIns(signIns);
  return {
    ...client,
    ...shell,
    ...signingIn(client, signIns),
    holdFile: async (uploadId, file) => {
      heldFiles.hold(uploadId, file);
      return success(null);
    },
    on: (event, listener) => {
      const stops = [client.on(event, listener), onShell(event as never, listener as never)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

type SigningIn = Pick<
  Bridge,
  | 'start'
  | 'hostOrganization'
  | 'connect'
  | 'choosePassword'
  | 'requestToJoin'
  | 'acceptInvitation'
  | 'signOut'
>;

function signingIn(client: Client, signIns: WebSignIns): SigningIn {
  return {
    start: async () => {
      const outcome = await client.start();
      // It may have been somebody who signed out, here or in another tab.
      if (outcome.ok && outcome.value.accounts.length === 0) forgetPlace();
      return outcome;
    },
    hostOrganization: (request) =>
      signIns.staying(request.staysSignedIn, () => client.hostOrganization(request)),
    connect: (request) => signIns.staying(request.staysSignedIn, () => client.connect(request)),
    // It is to be there when the page is opened again.
    requestToJoin: (request) => signIns.staying(true, () => client.requestToJoin(request)),
    acceptInvitation: (request) =>
      signIns.staying(request.staysSignedIn, () => client.acceptInvitation(request)),
    choosePassword: (request) =>
      signIns.staying(request.staysSignedIn, () => client.choosePassword(request)),
    signOut: async (accountId) => {
      const outcome = await client.signOut(accountId);
      // Somebody else may be signed in in all tabs.
      if (signIns.isOutdated()) location.reload();
      return outcome;
    },
  };
}

function followSignIns(signIns: WebSignIns): void {
  addEventListener('storage', () => {
    if (signIns.isOutdated()) location.reload();
  });
  addEventListener('beforeunload', (event) => {
    // A draft that was closed by accident comes back with its tab; a message that somebody takes for sent is not looked for.
    if (holdsUnsent()) event.preventDefault();
  });
}

function followPage(client: Client): void {
  addEventListener('online', client.wake);
  // Asking at once tells that there is no answer; the poll under way would notice much later.
  addEventListener('offline', client.wake);
  addEventListener('focus', client.setActive);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') client.wake();
  });
  addEventListener('pagehide', ({ persisted }) => {
    // A page that is kept for going back to goes on when it is shown again.
    if (!persisted) void client.stop();
  });
}
