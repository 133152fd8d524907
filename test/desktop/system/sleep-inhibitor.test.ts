import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { inhibit } from '#desktop/system/sleep-inhibitor.ts';
import { startSystemBus, type SystemBus } from '#test/support/desktop/system-bus.ts';

let bus: SystemBus;
beforeAll(async () => {
  bus = await startSystemBus();
  vi.stubEnv('DBUS_SYSTEM_BUS_ADDRESS', bus.env['DBUS_SYSTEM_BUS_ADDRESS']);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await bus.stop();
});

test.each([
  ['not to sleep for want of input', { what: 'idle', mode: 'block' }],
  ['to wait a moment before it sleeps', { what: 'sleep', mode: 'delay' }],
] as const)('logind is asked %s, until that is taken back', async (_, { what, mode }) => {
  const release = inhibit({ what, mode, why: 'Others use the organization' });
  await expect
    .poll(bus.inhibitors)
    .toMatch(
      new RegExp(
        `"${what}"\\s+string "Hearth"\\s+string "Others use the organization"\\s+string "${mode}"`,
      ),
    );
  release();
  await expect.poll(bus.inhibitors).not.toContain('Hearth');
});
