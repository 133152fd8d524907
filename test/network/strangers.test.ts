/** What somebody in the network of an office can do to those who look for it, by packets of multicast DNS. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { NearbyOrganization } from '#shared/bridge/models/client.ts';
import { Lan, programAt } from '../support/network/lan.ts';

const attacker = fileURLToPath(new URL('../support/network/mdns-attacker.ts', import.meta.url));

test('packets of 64 KB cost somebody who looks for offices no more than honest ones, and the office is still heard [strangers.packets-64-kb]', async () => {
  const lan = await Lan.create();
  const host = await lan.computer('10.77.0.1');
  const colleague = await lan.computer('10.77.0.2');
  const person = { fullName: 'Mara Host', email: 'mara@example.com', password: 'correct horse' };
  await host.get('hostOrganization', { realmName: 'Lantern', ...person });
  await host.ask('openToNetwork', true);
  const nearby = (): Promise<readonly NearbyOrganization[]> => colleague.get('nearbyOrganizations');
  await expect.poll(nearby).toContainEqual({ name: 'Lantern', address: 'https://10.77.0.1:9981' });

  /** What the colleague's processor did until the last packet was heard, in microseconds. */
  const costOf = async (kind: string, address: string, count: number): Promise<number> => {
    const before = await colleague.ask<number>('processorTime');
    const place = await lan.socket(address);
    await programAt(place, attacker, [kind, String(count), address], /^(told)$/m);
    await expect
      .poll(async () => (await nearby()).map(({ name }) => name))
      .toContain(`last ${kind}`);
    return (await colleague.ask<number>('processorTime')) - before;
  };
  const usual = await costOf('honest', '10.77.0.8', 100);
  const hostile = await costOf('hostile', '10.77.0.9', 60);
  expect(hostile / usual).toBeLessThan(10);
  await expect.poll(nearby).toContainEqual({ name: 'Lantern', address: 'https://10.77.0.1:9981' });
});
