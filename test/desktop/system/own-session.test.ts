import { expect, inject, test } from 'vitest';

test('what a worker of this suite starts is in a desktop session that no other worker has', () => {
  const sessions = inject('desktopSessions');
  for (const name of ['DISPLAY', 'DBUS_SESSION_BUS_ADDRESS']) {
    const values = sessions.map((session) => session[name]);
    expect(values).not.toContain(undefined);
    expect(new Set(values).size).toBe(sessions.length);
    expect(values[Number(process.env['VITEST_POOL_ID']) - 1]).toBe(process.env[name]);
  }
});
