/** What others make of the office in their network: programs that have nothing to do with Hearth look for services, too. */
import { expect, test } from 'vitest';
import type { OfficeReach } from '../../src-main/bridge/models/hosting.ts';
import { Avahi } from '../support/network/avahi.ts';
import { Lan } from '../support/network/lan.ts';

test('an office that is open is a service with a name and an address to any browser of services, until it is closed', async () => {
  const lan = await Lan.create();
  const foreign = await Avahi.at(await lan.socket('10.77.0.9'));
  const host = await lan.computer('10.77.0.1');
  const person = { fullName: 'Mara Host', email: 'mara@example.com', password: 'correct horse' };
  await host.get('hostOrganization', { realmName: 'Bäckerei Süd', ...person });
  expect(await foreign.services('_hearth._tcp')).toEqual([]);

  const reach = await host.ask<OfficeReach>('openOffice', true);
  const pinStart = reach.identity?.pin.slice(0, 20) ?? '';
  await expect
    .poll(() => foreign.services('_hearth._tcp'))
    .toEqual([
      {
        name: `Bäckerei Süd ${pinStart.slice(0, 6)}`,
        host: expect.stringMatching(/^[a-z0-9-]+\.local$/i) as string,
        address: '10.77.0.1',
        port: 9981,
        texts: new Set(['v=1', 'name=Bäckerei Süd', `pin=${pinStart}`]),
      },
    ]);
  expect(await foreign.kinds()).toContain('_hearth._tcp');

  await host.ask('openOffice', false);
  await expect.poll(() => foreign.services('_hearth._tcp')).toEqual([]);
});
