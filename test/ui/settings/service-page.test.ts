import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { BridgeDouble } from '#test/support/window/bridge-double.ts';
import { healthy as well } from '#test/support/window/health.ts';
import { openSettings, press } from './open-settings.ts';

const GIB = 1024 ** 3;
const said = (text: string | RegExp) => page.getByText(text);

test('the service says how it is, and what it warned of once somebody asks again', async () => {
  const bridge = new BridgeDouble();
  bridge.answerRequest('health.show', () =>
    failure('UNREACHABLE', 'The service cannot be reached.'),
  );
  await openSettings(bridge, 'Service');
  await expect.element(said(/could not be loaded\. The service cannot be reached/)).toBeVisible();
  bridge.answerRequest('health.show', () => success(well));
  await press('Try again');
  await expect.element(said(/^1\.2\.3, running since Nov/)).toBeVisible();
  await expect.element(said('1 is connected, 20 can go on where they were')).toBeVisible();
  await expect.element(said('120.0 GiB of 480.0 GiB free')).toBeVisible();
  await expect.element(said('None since it started.')).toBeVisible();
  bridge.answerRequest('health.show', () =>
    success({
      ...well,
      disk: { ...well.disk, free_bytes: GIB / 2, takes_uploads: false },
      warnings: [
        {
          ...{ time: 1_763_900_000, level: 'error', message: 'the index could not be written' },
          details: '{"error":{"message":"disk I/O error","code":"SQLITE_IOERR"}}',
        },
        { time: 1_763_800_300, level: 'warn', message: 'a key is a new one', details: '' },
      ],
    }),
  );
  await press('Refresh');
  await expect.element(said(/^So little is free/)).toBeVisible();
  const rows = page.getByRole('region', { name: 'Warnings' }).getByRole('listitem');
  await expect.element(rows.first().getByText('the index could not be written')).toBeVisible();
  await expect.element(said(/SQLITE_IOERR/)).not.toBeVisible();
  await said('Details').click();
  await expect.element(said(/SQLITE_IOERR/)).toBeVisible();
  expect(rows.elements()).toHaveLength(2);
});

test('only administrators have the page', async () => {
  const bridge = new BridgeDouble();
  const { people } = bridge.current;
  bridge.current = {
    ...bridge.current,
    people: people.map((each) => ({ ...each, isAdmin: false })),
  };
  await openSettings(bridge, 'Profile');
  await expect.element(page.getByRole('tab', { name: 'Service' })).not.toBeInTheDocument();
});
