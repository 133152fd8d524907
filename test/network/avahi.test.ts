/** What others make of the office in their network: programs that have nothing to do with Hearth look for services, too. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { NetworkAccess } from '#shared/bridge/models/hosting.ts';
import { Avahi } from '../support/network/avahi.ts';
import { Lan, programAt } from '../support/network/lan.ts';
import { entryOf } from '../support/entries.ts';

test('an office that is open is a service with a name and an address to any browser of services, until it is closed', async () => {
  const lan = await Lan.create();
  const foreign = await Avahi.at(await lan.socket('10.77.0.9'));
  const host = await lan.computer('10.77.0.1');
  const person = { fullName: 'Mara Host', email: 'mara@example.com', password: 'correct horse' };
  await host.get('hostOrganization', { realmName: 'Bäckerei Süd', ...person });
  expect(await foreign.services('_hearth._tcp')).toEqual([]);

  const reach = await host.ask<NetworkAccess>('openToNetwork', true);
  const pinStart = reach.identity?.fingerprint.slice(0, 20) ?? '';
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
  await expect.poll(() => foreign.kinds()).toContain('_hearth._tcp');

  await host.ask('openToNetwork', false);
  await expect.poll(() => foreign.services('_hearth._tcp')).toEqual([]);
});

/** Runs at the computer of the service, which asks for no proof of who that is. */
const found = (setupCode: string): string => `
const fields = {
  realm_name: 'Lantern', setup_code: '${setupCode}',
  email: 'ada@example.com', full_name: 'Ada Admin', password: 'correct horse battery',
};
const answer = await fetch('http://127.0.0.1:9981/api/v1/organization', {
  method: 'POST', body: new URLSearchParams(fields),
});
if (!answer.ok) throw new Error(await answer.text());`;

test('a service without a window tells of itself once it has an organization, unless it is told not to', async () => {
  const lan = await Lan.create();
  const foreign = await Avahi.at(await lan.socket('10.77.0.9'));
  const serve = async (address: string, ...more: readonly string[]): Promise<void> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hearth-announced-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const place = await lan.socket(address);
    const args = ['--host', '0.0.0.0', '--data-dir', dataDir, ...more];
    const setupCode = await programAt(place, entryOf('serve'), args, /^setup code (\S+)$/m);
    place.run(process.execPath, '--input-type=module', '-e', found(setupCode));
  };
  await serve('10.77.0.2', '--no-announce');
  await serve('10.77.0.1');
  await expect
    .poll(() => foreign.services('_hearth._tcp'))
    .toMatchObject([{ address: '10.77.0.1', port: 9981 }]);
});
