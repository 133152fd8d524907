/** A client in this process, for a real service over a real socket. */
import { onTestFinished } from 'vitest';
import type { Client } from '#client/client.ts';
import type { BridgeEvents, ShellEvents } from '#shared/bridge/bridge.ts';
import { createClient } from '#client/client.ts';
import { createMemoryCache } from '#client/cache/memory-cache.ts';
import { createMemoryOutbox } from '#client/outbox/memory-outbox.ts';
import type { OutboxStore } from '#client/outbox/outbox-store.ts';
import type { AccountStorage, ClientPorts, Notice } from '#client/ports.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';

/** What a client tells; the rest is told by the shell around a window. */
type ClientEvent = Exclude<keyof BridgeEvents, keyof ShellEvents>;

export interface RealClient {
  readonly client: Client;
  readonly keys: Map<string, string>;
  readonly notices: Notice[];
  readonly heard: { readonly [E in ClientEvent]: BridgeEvents[E][] };
  /** Settles as soon as the condition holds; it is looked at after every event. */
  readonly until: (condition: () => boolean) => Promise<void>;
}

/** Caches and outboxes that last as long as the object. */
export function memoryStorage(): AccountStorage {
  const outboxes = new Map<string, OutboxStore>();
  return {
    openCache: () => ({ cache: createMemoryCache(), problem: null }),
    openOutbox: (accountId) => {
      const outbox = outboxes.get(accountId) ?? createMemoryOutbox();
      outboxes.set(accountId, outbox);
      return { outbox, problem: null };
    },
    remove: async (accountId) => {
      outboxes.delete(accountId);
    },
  };
}

/** A computer where nobody looks and nothing is kept. */
export const quietPorts = (
  notices: Notice[] = [],
): Pick<ClientPorts, 'attention' | 'storage' | 'notificationLog' | 'choices' | 'fetchFile'> => ({
  attention: {
    isWindowFocused: () => false,
    activeSinceMs: () => 0,
    canNotify: () => true,
    notify: (notice) => notices.push(notice),
    withdraw: () => undefined,
    playSound: () => undefined,
    setBadge: () => undefined,
  },
  storage: memoryStorage(),
  notificationLog: { load: async () => null, save: async () => undefined },
  choices: () => defaultPreferences,
  fetchFile: desktopFetchFile,
});

const realPorts: Pick<ClientPorts, 'http' | 'clock' | 'openLink' | 'describeShell'> = {
  http: desktopHttp,
  clock: desktopClock,
  openLink: async () => undefined,
  describeShell: async () => ({
    shell: 'desktop',
    canHost: false,
    hosted: null,
    fixedAddress: null,
    isDevelopment: true,
  }),
};

/** The value of an outcome that has to be a success. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
}

export const codeOf = (outcome: Outcome<unknown>): string =>
  outcome.ok ? 'ok' : outcome.failure.code;

/** Stopped when the test that called it ends. */
export function createRealClient(more: Partial<ClientPorts> = {}): RealClient {
  const keys = new Map<string, string>();
  const notices: Notice[] = [];
  let accounts: readonly Account[] = [];
  const client = createClient({
    ...realPorts,
    keys: {
      find: async (id) => keys.get(id),
      save: async (id, key) => void keys.set(id, key),
      remove: async (id) => void keys.delete(id),
    },
    accounts: {
      list: async () => accounts,
      save: async (list) => {
        accounts = list;
      },
    },
    ...quietPorts(notices),
    ...more,
  });
  onTestFinished(() => client.stop());
  return { client, keys, notices, ...listen(client) };
}

function listen(client: Client): Pick<RealClient, 'heard' | 'until'> {
  const heard: RealClient['heard'] = {
    messagesArrived: [],
    messagesChanged: [],
    messagesRemoved: [],
    stateChanged: [],
    connectionChanged: [],
    accountChanged: [],
    messagesReset: [],
    cacheChanged: [],
    uploadProgress: [],
    saveProgress: [],
    conversationOpened: [],
  };
  const waiting = new Set<() => void>();
  for (const name of Object.keys(heard) as ClientEvent[]) {
    client.on(name, (payload) => {
      (heard[name] as unknown[]).push(payload);
      for (const look of waiting) look();
    });
  }
  const until = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!condition()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  return { heard, until };
}
