import { expect, test } from 'vitest';
import { stayAwake } from '#desktop/hosting/prevent-sleep.ts';

function aHost() {
  const now = { remoteClients: ['192.168.1.9'], staysAwake: true, isOnBattery: false };
  const held: boolean[] = [];
  const told: (() => void)[] = [];
  const end = stayAwake({
    networkAccess: { onChange: (listener) => told.push(() => listener(now)) },
    preferences: {
      current: () => now,
      onChange: (listener) => told.push(() => listener(now)),
    },
    power: {
      isOnBattery: () => now.isOnBattery,
      onChange: (listener) => void told.push(listener),
      holdAwake: () => {
        held.push(true);
        return () => held.push(false);
      },
    },
  });
  const become = (change: Partial<typeof now>): void => {
    Object.assign(now, change);
    for (const tell of told) tell();
  };
  return { held, become, end };
}

test.each([
  ['nobody else is connected', { remoteClients: [] }, { remoteClients: ['192.168.1.9'] }],
  ['it runs on battery', { isOnBattery: true }, { isOnBattery: false }],
  ['that is not wanted', { staysAwake: false }, { staysAwake: true }],
])('a host may fall asleep once %s, and not before', (_, off, on) => {
  const { held, become, end } = aHost();
  become({});
  expect(held).toEqual([true]);
  become({ remoteClients: ['192.168.1.9', '192.168.1.10'] });
  expect(held).toEqual([true]);
  become(off);
  expect(held).toEqual([true, false]);
  become(on);
  expect(held).toEqual([true, false, true]);
  end();
  become({});
  expect(held).toEqual([true, false, true, false]);
});
