import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inhibitIdle } from '../../../src-main/desktop/system/inhibitor.ts';
import { startSystemBus, type SystemBus } from '../../support/desktop/system-bus.ts';

let bus: SystemBus;
beforeAll(async () => {
  bus = await startSystemBus();
  vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', bus.env['DBUS_SYSTEM_BUS_ADDRESS']);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await bus.stop();
});

test('logind is asked not to sleep for want of input, until that is taken back', async () => {
  const release = inhibitIdle('Others use the organization');
  await expect
    .poll(bus.inhibitors)
    .toMatch(/"idle"\s+string "Hearth"\s+string "Others use the organization"\s+string "block"/);
  release();
  await expect.poll(bus.inhibitors).not.toContain('Hearth');
});
