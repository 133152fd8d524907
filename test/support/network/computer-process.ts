/**
 * The application on a computer of its own, without its window: it hosts, joins and answers what the test asks for over the
 * channel of its process. Argument: the folder of its profile.
 */
import { createServer as createWebServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import process from 'node:process';
import { createServer } from 'node:tls';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import type { Account, Connection } from '#shared/bridge/models/client.ts';
import { createClient } from '#client/client.ts';
import { createHosting } from '#desktop/hosting/hosting.ts';
import { announceOrganization } from '#desktop/hosting/announce.ts';
import { hostedName } from '#desktop/hosting/hosted-account.ts';
import { createNetworkAccess } from '#desktop/hosting/network-access.ts';
import { createAccountStorage } from '#desktop/storage/account-storage.ts';
import { createHostingStore } from '#desktop/storage/hosting-store.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { createDiscovery } from '#desktop/system/discovery.ts';
import { gatewayOf } from '#desktop/system/gateways.ts';
import { desktopFetchFile, desktopHttp } from '#desktop/system/http.ts';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { createConnectionProbe } from '#desktop/system/connection-probe.ts';
import { startHost } from '#hosting/host.ts';
import { stderrLog as log } from '#node/log.ts';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { ownNetworks } from '#node/network/own-addresses.ts';
import { makeLeaf } from '#service/security/certificates.ts';
import { entryOf } from '../entries.ts';

/** What a test hears of it without asking. */
export type ComputerReport =
  | { readonly type: 'ready' }
  | { readonly type: 'connection'; readonly connection: Connection }
  | { readonly type: 'message'; readonly text: string }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown };

export interface ComputerQuestion {
  readonly id: number;
  /** A call of the client, of the office, or one of those below. */
  readonly name: string;
  readonly args: readonly unknown[];
}

const [profileDir = ''] = process.argv.slice(2);
const report = (line: ComputerReport): void => void process.send?.(line);

const secrets = new Map<string, string>();
const keys = {
  find: async (name: string) => secrets.get(name),
  save: async (name: string, key: string) => void secrets.set(name, key),
  remove: async (name: string) => void secrets.delete(name),
};
let accounts: readonly Account[] = [];
const kept = createHostingStore(profileDir, log);
const hosting = createHosting({
  startHost,
  workerFile: entryOf('host-worker'),
  rendererDir: join(profileDir, 'none'),
  dataDir: join(profileDir, 'service'),
  port: async () => 9981,
  savePort: kept.savePort,
  keys,
  clock: desktopClock,
  log,
});
const networkAccess = createNetworkAccess({
  hosting,
  offices: desktopServerIdentity,
  clock: desktopClock,
  readChoices: kept.others,
  saveChoices: kept.saveOthers,
  networks: ownNetworks,
  names: () => [],
  gatewayOf,
  system: 'linux',
});
const discovery = createDiscovery({ networks: ownNetworks, log });
announceOrganization({
  networkAccess,
  discovery,
  nameOf: () => hostedName({ http: desktopHttp, clock: desktopClock, hosting }),
  names: () => [],
});
networkAccess.begin();
const client = createClient({
  http: desktopHttp,
  fetchFile: desktopFetchFile,
  serverIdentity: desktopServerIdentity,
  discovery,
  connectionProbe: createConnectionProbe({ about: 'Hearth', networks: ownNetworks }),
  clock: desktopClock,
  storage: createAccountStorage(profileDir),
  keys,
  accounts: {
    list: async () => accounts,
    save: async (list) => {
      accounts = list;
    },
  },
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
    canHost: true,
    hosted: null,
    fixedAddress: null,
    isDevelopment: false,
  }),
  host: hosting,
  hosting,
});
client.on('connectionChanged', ({ connection }) => report({ type: 'connection', connection }));
client.on('messagesArrived', ({ messages }) => {
  for (const { rendered } of messages) report({ type: 'message', text: rendered });
});

let heard = '';

/** Answers at the office's port as somebody else, with a key of their own, and remembers what they were told. */
async function pretend(): Promise<null> {
  const leaf = makeLeaf(makeServerIdentity(), { names: [], addresses: [] }, Date.now());
  const server = createServer({ key: leaf.key, cert: leaf.chain }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => (heard += String(bytes)));
  });
  await new Promise<void>((resolve) => server.listen(9981, '0.0.0.0', resolve));
  return null;
}

/** Answers at the usual ports as the sign-in page of a café does, for whatever was asked. */
async function beCaptivePortal(): Promise<null> {
  const leaf = makeLeaf(
    makeServerIdentity(),
    { names: ['portal.example'], addresses: [] },
    Date.now(),
  );
  const lead = (asked: IncomingMessage, answer: ServerResponse): void => {
    heard += `${asked.method ?? ''} ${asked.url ?? ''} ${JSON.stringify(asked.headers)}\n`;
    asked.on('data', (bytes) => (heard += String(bytes)));
    answer.writeHead(302, { Location: 'http://portal.example/sign-in' }).end();
  };
  const secure = { key: leaf.key, cert: leaf.chain };
  for (const [server, port] of [
    [createWebServer(lead), 80],
    [createSecureServer(secure, lead), 443],
    [createSecureServer(secure, lead), 9981],
  ] as const) {
    await new Promise<void>((resolve) => server.listen(port, '0.0.0.0', resolve));
  }
  return null;
}

/** A call of the API from here, without the application: its status and what it answers. */
async function post(url: string, fields: Readonly<Record<string, string>>) {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: await response.text() };
}

const answers: Readonly<Record<string, (...args: never[]) => unknown>> = {
  ...(client as unknown as Record<string, (...args: never[]) => unknown>),
  openToNetwork: networkAccess.setOpen,
  loadNetworkAccess: networkAccess.refresh,
  accounts: () => accounts,
  /** As the system tells the application that hosts. */
  sleep: async (isAsleep: boolean) => {
    await hosting.running()?.setAsleep(isAsleep);
    if (isAsleep) return;
    client.wake();
    discovery.repeat();
  },
  pretend,
  beCaptivePortal,
  post,
  getText: async (url: string) => (await fetch(url)).text(),
  heard: () => heard,
  processorTime: () => process.cpuUsage().user,
};

process.on('message', ({ id, name, args }: ComputerQuestion) => {
  const answer = async (): Promise<unknown> => answers[name]?.(...(args as never[]));
  void answer().then(
    (value) => report({ type: 'answer', id, value: value ?? null }),
    (error: unknown) => {
      throw error;
    },
  );
});
report({ type: 'ready' });
