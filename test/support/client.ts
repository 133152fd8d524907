/** A client in this process, for a real service over a real socket. */
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Client } from '../../src-main/client/calls.ts';
import type { BridgeEvents } from '../../src-main/contract/bridge.ts';
import { createClient } from '../../src-main/client/client.ts';
import type { ClientPorts, Notice } from '../../src-main/client/ports.ts';
import type { Account } from '../../src-main/contract/models/client.ts';
import type { Outcome } from '../../src-main/contract/outcome.ts';

export interface RealClient {
  readonly client: Client;
  readonly keys: Map<string, string>;
  readonly notices: Notice[];
  readonly heard: { readonly [E in keyof BridgeEvents]: BridgeEvents[E][] };
  /** Settles as soon as the condition holds; it is looked at after every event. */
  readonly until: (condition: () => boolean) => Promise<void>;
}

const realPorts: Pick<ClientPorts, 'http' | 'clock' | 'openLink' | 'describeShell'> = {
  http: async ({ method, url, headers, body, signal }) => {
    const response = await fetch(url, { method, headers, body, signal });
    return { status: response.status, text: await response.text() };
  },
  clock: {
    now: Date.now,
    random: Math.random,
    wait: async (delayMs, signal) => {
      // Aborting ends the wait; that is all there is to the rejection.
      await delay(delayMs, undefined, { signal, ref: false }).catch(() => undefined);
    },
  },
  openLink: async () => undefined,
  describeShell: async () => ({
    shell: 'desktop',
    canHost: false,
    fixedAddress: null,
    isDevelopment: true,
  }),
};

/** The value of an outcome that has to be a success. */
export function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new Error(`${outcome.failure.code}: ${outcome.failure.message}`);
}

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
    attention: { isWindowFocused: () => false, notify: (notice) => notices.push(notice) },
    ...more,
  });
  onTestFinished(() => client.stop());
  return { client, keys, notices, ...listen(client) };
}

function listen(client: Client): Pick<RealClient, 'heard' | 'until'> {
  const heard: RealClient['heard'] = {
    messageArrived: [],
    realmChanged: [],
    connectionChanged: [],
    messagesReset: [],
    conversationOpened: [],
  };
  const waiting = new Set<() => void>();
  for (const name of Object.keys(heard) as (keyof BridgeEvents)[]) {
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
