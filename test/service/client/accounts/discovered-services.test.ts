/** Offices that tell of themselves: what is told, what is read of it, and who looks again because of it. */
import { decode, encode } from 'dns-packet';
import type { ResponsePacket } from 'multicast-dns';
import { describe, expect, test } from 'vitest';
import type { Account } from '#shared/bridge/models/client.ts';
import type { NetworkAccess } from '#shared/bridge/models/hosting.ts';
import { DiscoveredServices } from '#client/accounts/discovered-services.ts';
import type { DiscoveredService } from '#client/ports.ts';
import { announceOrganization } from '#desktop/hosting/announce.ts';
import { servicesIn } from '#desktop/system/discovery.ts';
import { type Announcement, labelOf, recordsOf } from '#node/discovery/announcer.ts';
import { FakeClock, settle } from '#test/support/fake-clock.ts';

const fingerprint = 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst';
const fingerprintStart = fingerprint.slice(0, 20);
const announcement: Announcement = {
  ...{ address: '192.168.1.20', subnet: '192.168.1.0/24', port: 9981 },
  ...{ name: 'Änne & Söhne v1.2', fingerprint, host: 'maras-laptop' },
};

type Records = ReturnType<typeof recordsOf>;
/** As it arrives. */
const received = (answers: Records): ResponsePacket =>
  decode(encode({ type: 'response', answers: [...answers] })) as ResponsePacket;

describe('an office in a network', () => {
  test('an announced office is read as it was told', () => {
    expect(servicesIn(received(recordsOf(announcement)))).toEqual([
      { name: 'Änne & Söhne v1.2', fingerprintStart, addresses: ['https://192.168.1.20:9981'] },
    ]);
  });

  test('an announced office that says goodbye, or says less than all of it, is none', () => {
    expect(servicesIn(received(recordsOf(announcement, true)))).toEqual([]);
    const own = recordsOf(announcement);
    for (const left of own) {
      expect(servicesIn(received(own.filter((each) => each !== left)))).toEqual([]);
    }
  });

  test.each([
    ['another version', ['v=2', 'name=x', `pin=${fingerprintStart}`]],
    ['a pin that is none', ['v=1', 'name=x', 'pin=../../..']],
    ['nothing', []],
  ])('an announced office with %s is none', (_what, data) => {
    const told = recordsOf(announcement).map((each) =>
      each.type === 'TXT' ? { ...each, data } : each,
    );
    expect(servicesIn(received(told))).toEqual([]);
  });

  test('an announced office is in a network of somebody’s own alone', () => {
    for (const address of ['93.184.216.34', '8.8.8.8']) {
      expect(servicesIn(received(recordsOf({ ...announcement, address })))).toEqual([]);
    }
  });

  test('an announced office has a name of one label, whatever it is called', () => {
    expect(labelOf(' a.b\u0000c\nd')).toBe('a b c d');
    expect(Buffer.byteLength(labelOf('😀'.repeat(100)))).toBeLessThanOrEqual(63);
    const long = { ...announcement, name: '日本'.repeat(200) };
    expect(servicesIn(received(recordsOf(long)))).toMatchObject([{ fingerprintStart }]);
  });
});

test('an office is told of where it is let in and nowhere else', async () => {
  const told: (readonly Announcement[])[] = [];
  let change: (reach: NetworkAccess) => void = () => undefined;
  announceOrganization({
    networkAccess: {
      onChange: (listener) => {
        change = listener;
        return () => undefined;
      },
    },
    discovery: { announce: (announcements) => told.push(announcements) },
    nameOf: async () => announcement.name,
    names: () => ['maras-laptop.local', 'maras-laptop'],
  });
  const network = { id: 'home', interfaceName: 'wlan0', isAllowed: true, problem: null };
  const open: NetworkAccess = {
    ...{ isOpen: true, isDecided: true, remoteClients: [], system: 'linux' },
    networks: [
      { ...network, subnet: '192.168.1.0/24' },
      { ...network, id: 'café', subnet: '10.0.0.0/8', isAllowed: null },
    ],
    addresses: [
      ...['https://192.168.1.20:9981', 'https://10.1.2.3:9981', 'https://[fd00::1]:9981'],
      'https://maras-laptop.local:9981',
    ],
    identity: { fingerprint, words: '' },
  };
  change(open);
  await settle();
  change({ ...open, isOpen: false, addresses: [], networks: [], identity: null });
  await settle();
  expect(told).toEqual([[announcement], []]);
});

describe('who hears of an office', () => {
  const account: Account = {
    ...{ id: 'one', address: 'https://192.168.1.20:9981', realmName: '', email: '', fullName: '' },
    ...{ userId: 1, isHosted: false, pin: fingerprint },
  };

  function world(...accounts: readonly Account[]) {
    const clock = new FakeClock();
    const woken: string[] = [];
    const state = { isLive: true, listeners: 0 };
    let hear: (office: DiscoveredService, sender: string) => void = () => undefined;
    const heard = new DiscoveredServices({
      clock,
      discovery: {
        listen: (listener) => {
          hear = listener;
          state.listeners += 1;
          return () => void (state.listeners -= 1);
        },
        ask: () => undefined,
      },
      wake: (id) => woken.push(id),
      accounts: () => accounts.map((each) => ({ account: each, isLive: state.isLive })),
    });
    heard.follow();
    const at = (...addresses: readonly string[]): void =>
      hear(
        { name: 'x', fingerprintStart, addresses: addresses.map((each) => `https://${each}:9981`) },
        '192.168.1.1',
      );
    const hearFrom = (office: DiscoveredService, sender = '192.168.1.1'): void =>
      hear(office, sender);
    return { clock, woken, state, heard, at, receive: hearFrom };
  }

  test('a client listens for offices only while there is one that is known by its key', () => {
    expect(world(account).state.listeners).toBe(1);
    const { pin: _, ...without } = account;
    expect(world(without).state.listeners).toBe(0);
    const { heard, state } = world(account);
    heard.stop();
    expect(state.listeners).toBe(0);
  });

  test('a client listens for offices on behalf of whoever looks around, and for a minute after the last look', async () => {
    const { heard, state, at, clock } = world();
    expect(state.listeners).toBe(0);
    expect(heard.lookAround()).toEqual([]);
    at('192.168.1.20');
    expect(heard.lookAround()).toMatchObject([{ name: 'x' }]);
    await clock.advance(59_000);
    heard.follow();
    expect(state.listeners).toBe(1);
    await clock.advance(2_000);
    heard.follow();
    expect(state.listeners).toBe(0);
  });

  test('a client that hears of an office looks again where it is elsewhere, and not where everything is well', () => {
    const { at, woken, heard } = world(account, {
      ...account,
      id: 'two',
      pin: `b${fingerprint.slice(1)}`,
    });
    at('192.168.1.20');
    expect(woken).toEqual([]);
    at('192.168.1.21');
    expect(woken).toEqual(['one']);
    expect(heard.addressesOf(fingerprint)).toEqual(['https://192.168.1.21:9981']);
    expect(heard.addressesOf(`b${fingerprint.slice(1)}`)).toEqual([]);
  });

  test('a client that hears of an office looks again where it was lost and is back', () => {
    const { at, woken, state } = world(account);
    at('192.168.1.20');
    state.isLive = false;
    at('192.168.1.20');
    expect(woken).toEqual(['one']);
  });

  test('a client that hears of an office is not kept busy by whoever says the same, or something else, all the time', async () => {
    const { at, woken, clock } = world(account);
    for (let n = 0; n < 20; n += 1) at('192.168.1.21');
    expect(woken).toHaveLength(1);
    for (let n = 0; n < 20; n += 1) at(`192.168.1.${String(30 + n)}`);
    expect(woken).toHaveLength(5);
    await clock.advance(30_000);
    at('192.168.1.21');
    expect(woken).toHaveLength(6);
  });

  test('a client that hears of offices remembers a hundred, the newest of them', () => {
    const { receive, heard } = world(account);
    const digits = 'abcdefghijklmnopqrstuvwxyz234567';
    const pins = Array.from({ length: 150 }, (_, n) =>
      `${digits[n % 32] ?? ''}${digits[Math.floor(n / 32)] ?? ''}`.padEnd(52, 'a'),
    );
    for (const each of pins)
      receive({ name: '', fingerprintStart: each.slice(0, 20), addresses: ['https://a'] });
    const known = pins.filter((each) => heard.addressesOf(each).length > 0);
    expect(known).toEqual(pins.slice(-100));
  });

  test('a client that hears of offices forgets those of the sender who tells of most, and nobody takes the place of another one', () => {
    const { receive, heard } = world(account);
    const office = (at: string, start: string): DiscoveredService => ({
      ...{ name: '', fingerprintStart: start, addresses: [`https://${at}`] },
    });
    receive(office('here', fingerprintStart), '192.168.1.20');
    receive(office('elsewhere', fingerprintStart), '192.168.1.66');
    const digits = 'abcdefghijklmnopqrstuvwxyz234567';
    for (const one of digits)
      for (const other of digits)
        receive(office('evil', `${one}${other}`.padEnd(20, 'z')), '192.168.1.66');
    expect(heard.addressesOf(fingerprint)).toEqual(['https://here']);
    for (let n = 0; n < 90; n += 1)
      receive(office('evil', fingerprintStart), `192.168.1.${String(100 + n)}`);
    expect(heard.addressesOf(fingerprint)).toHaveLength(24);
    const [{ addresses } = {}] = heard
      .lookAround()
      .filter((each) => each.fingerprintStart === fingerprintStart);
    expect(addresses).toEqual(['https://evil', 'https://here']);
  });
});
