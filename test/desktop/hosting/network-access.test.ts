/** Who may come to an organization: over real sockets, on a service that runs as it does in the application. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NetworkAccess } from '#shared/bridge/models/hosting.ts';
import { createHosting, type Hosting } from '#desktop/hosting/hosting.ts';
import { createNetworkAccess, type NetworkAccessControl } from '#desktop/hosting/network-access.ts';
import { createHostingStore } from '#desktop/storage/hosting-store.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { startHost } from '#hosting/host.ts';
import type { OwnNetwork } from '#node/network/own-addresses.ts';
import { createTestLog } from '#test/support/desktop/desktop-log.ts';
import { entryOf } from '#test/support/entries.ts';
import { occupy } from '#test/support/ports.ts';

const home: OwnNetwork = {
  interfaceName: 'wlan0',
  subnet: '127.0.0.2/32',
  addresses: ['127.0.0.2'],
};
const cafe: OwnNetwork = {
  interfaceName: 'wlan0',
  subnet: '127.0.0.3/32',
  addresses: ['127.0.0.3'],
};

let folder: string;
let hosting: Hosting;
let office: NetworkAccessControl;
let networks: readonly OwnNetwork[];
let gateways: Readonly<Record<string, string | undefined>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hearth-reach-'));
  networks = [home];
  gateways = { [home.subnet]: 'aa:aa', [cafe.subnet]: 'bb:bb' };
  await begin();
});
afterEach(async () => {
  office.stop();
  await hosting.stop();
  await rm(folder, { recursive: true });
});

/** As at a start of the application; what is kept is kept in the folder. */
async function begin(): Promise<void> {
  const kept = createHostingStore(folder, createTestLog());
  const secrets = new Map<string, string>();
  hosting = createHosting({
    startHost,
    workerFile: entryOf('host-worker'),
    rendererDir: join(folder, 'none'),
    dataDir: join(folder, 'data'),
    port: async () => (await kept.port()) ?? 0,
    savePort: kept.savePort,
    keys: {
      find: async (name) => secrets.get(name),
      save: async (name, key) => void secrets.set(name, key),
      remove: async (name) => void secrets.delete(name),
    },
    clock: desktopClock,
    log: createTestLog(),
  });
  office = createNetworkAccess({
    hosting,
    offices: desktopServerIdentity,
    clock: desktopClock,
    readChoices: kept.others,
    saveChoices: kept.saveOthers,
    networks: () => networks,
    names: () => ['maras-laptop.local'],
    gatewayOf: async (subnet) => gateways[subnet],
    system: 'linux',
  });
  expect((await hosting.start()).ok).toBe(true);
}

const portOf = (): string => {
  const status = hosting.status();
  if (status.phase !== 'running') throw new Error('it does not run');
  return new URL(status.address).port;
};

/** The fingerprint of whoever answers there. */
async function pinAt(address: string): Promise<string | null | undefined> {
  const origin = `https://${address}:${portOf()}`;
  return (await desktopServerIdentity.identify(origin, AbortSignal.timeout(10_000)))?.fingerprint;
}

const agreedOf = ({ networks: all }: NetworkAccess): readonly (boolean | null)[] =>
  all.map(({ isAllowed }) => isAllowed);

test('nobody reaches it before somebody says so, then the network of now does, by a proven key [office-reach.nobody-reaches-network]', async () => {
  const before = await office.refresh();
  expect(before).toMatchObject({ isOpen: false, isDecided: false, addresses: [], identity: null });
  expect(await pinAt('127.0.0.2')).toBeUndefined();

  const open = await office.setOpen(true);
  const port = portOf();
  expect(open).toMatchObject({
    isOpen: true,
    isDecided: true,
    addresses: [`https://127.0.0.2:${port}`, `https://maras-laptop.local:${port}`],
  });
  expect(open.identity?.words).toBe(
    await desktopServerIdentity.wordsOf(open.identity?.fingerprint ?? ''),
  );
  expect(await pinAt('127.0.0.2')).toBe(open.identity?.fingerprint);
  expect(await office.check()).toEqual([
    { address: `https://127.0.0.2:${port}`, result: 'reached' },
  ]);

  expect(await office.setOpen(false)).toMatchObject({ isOpen: false, addresses: [] });
  expect(await pinAt('127.0.0.2')).toBeUndefined();
});

test('in a new network nobody is listened to before somebody agrees, whatever its addresses are', async () => {
  const first = await office.setOpen(true);
  networks = [cafe];
  const moved = await office.refresh();
  expect(agreedOf(moved)).toEqual([null]);
  expect(moved.addresses).toEqual([]);
  expect([await pinAt('127.0.0.2'), await pinAt('127.0.0.3')]).toEqual([undefined, undefined]);
  expect(agreedOf(await office.agree(moved.networks[0]!.id, false))).toEqual([false]);
  expect(await pinAt('127.0.0.3')).toBeUndefined();

  networks = [home];
  expect(agreedOf(await office.refresh())).toEqual([true]);
  expect(await pinAt('127.0.0.2')).toBe(first.identity?.fingerprint);

  // The same addresses behind another router are another network.
  networks = [];
  await office.refresh();
  networks = [home];
  gateways = { [home.subnet]: 'cc:cc' };
  expect(agreedOf(await office.refresh())).toEqual([null]);
  expect(await pinAt('127.0.0.2')).toBeUndefined();
});

test('a router that has not answered yet is waited for, and one that falls silent stays known', async () => {
  gateways = {};
  expect((await office.setOpen(true)).networks).toEqual([]);
  gateways = { [home.subnet]: 'aa:aa' };
  const [found] = (await office.refresh()).networks;
  expect(found?.isAllowed).toBeNull();
  await office.agree(found!.id, true);
  gateways = {};
  expect(agreedOf(await office.refresh())).toEqual([true]);
  expect(await pinAt('127.0.0.2')).toBeTypeOf('string');
});

test('what was said holds after the next start, and after the service was started again', async () => {
  const { addresses, identity } = await office.setOpen(true);
  await hosting.stop();
  expect(await office.refresh()).toMatchObject({ isOpen: true, addresses: [], identity: null });
  const isBack = new Promise((resolve) => {
    office.onChange((reach) => {
      if (reach.addresses.length > 0) resolve(null);
    });
  });
  office.begin();
  await hosting.start();
  await isBack;
  expect(await pinAt('127.0.0.2')).toBe(identity?.fingerprint);
  office.stop();

  const kept = createHostingStore(folder, createTestLog());
  expect(await kept.others()).toEqual({ isOpen: true, networks: { '127.0.0.2/32 aa:aa': true } });
  expect(await kept.port()).toBe(Number(new URL(addresses[0]!).port));
});

test('a port that another program has in the network is said, and had once it is free', async () => {
  const other = await occupy(Number(portOf()), '127.0.0.2');
  const { networks: shut, addresses } = await office.setOpen(true);
  expect(shut[0]?.problem).toBe('port-taken');
  expect(addresses).toEqual([]);
  other.close();
  await once(other, 'close');
  expect((await office.refresh()).networks[0]?.problem).toBeNull();
  expect(await pinAt('127.0.0.2')).toBeTypeOf('string');
});
