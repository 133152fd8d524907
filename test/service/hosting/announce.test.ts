import { expect, test } from 'vitest';
import { announceService } from '#hosting/announce.ts';
import type { Announcement } from '#node/discovery/announcer.ts';
import type { OwnNetwork } from '#node/network/own-addresses.ts';
import { FakeClock, settle } from '#test/support/fake-clock.ts';

const fingerprint = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';
const home: OwnNetwork = {
  interfaceName: 'wlan0',
  subnet: '192.168.1.0/24',
  addresses: ['192.168.1.20', 'fd00::1'],
};
const shop: OwnNetwork = { interfaceName: 'eth0', subnet: '10.0.0.0/8', addresses: ['10.1.2.3'] };

function world(host: string) {
  const clock = new FakeClock();
  const told: (readonly Announcement[])[] = [];
  const now = {
    name: null as string | null,
    networks: [home] as readonly OwnNetwork[],
    isThere: true,
  };
  const stop = announceService(
    {
      ...{ host, fingerprint, origin: `https://${host}:9981` },
      organizationName: async () => {
        if (!now.isThere) throw new Error('the store is closed');
        return now.name;
      },
    },
    {
      announcer: { announce: (all) => told.push(all), stop: async () => void told.push([]) },
      clock,
      networks: () => now.networks,
      names: () => ['maras-laptop.local'],
    },
  );
  /** What is told after the next look. */
  const look = async () => {
    await settle();
    await clock.advance(5000);
    await settle();
    return told.at(-1);
  };
  return { now, told, look, stop };
}

const at = (address: string, subnet: string, name: string): Announcement => ({
  ...{ address, subnet, name, fingerprint },
  ...{ port: 9981, host: 'maras-laptop' },
});

test('an organization is told of once it is there, under its name and at its addresses of now, until it goes', async () => {
  const { now, told, look, stop } = world('0.0.0.0');
  expect(await look()).toEqual([]);
  now.name = 'Lantern';
  expect(await look()).toEqual([at('192.168.1.20', '192.168.1.0/24', 'Lantern')]);
  now.name = 'Lamp';
  now.networks = [shop];
  expect(await look()).toEqual([at('10.1.2.3', '10.0.0.0/8', 'Lamp')]);
  now.isThere = false;
  const before = told.length;
  await look();
  expect(told).toHaveLength(before);
  now.isThere = true;
  now.name = null;
  expect(await look()).toEqual([]);
  await stop();
  const ended = told.length;
  await look();
  expect(told).toHaveLength(ended);
});

test('it is told of in the one network that it listens in', async () => {
  const { now, look, stop } = world('10.1.2.3');
  now.name = 'Lantern';
  now.networks = [home, shop];
  expect(await look()).toEqual([at('10.1.2.3', '10.0.0.0/8', 'Lantern')]);
  await stop();
});
