import type { settings } from '#shared/api/endpoints/people/settings.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import { wireName } from '#shared/api/wire.ts';
import type { SettingsOperations } from '../operations/settings.ts';

/** Settings are stored by the names that they have on the wire. */
const byWireName = (params: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [wireName(name), value]));

export const settingsHandlers = (domain: SettingsOperations): Handlers<typeof settings> => ({
  update: (call, change) => domain.updateOwnAccount(call, change),
  notifications: ({ caller }, wanted) => domain.updateNotifications(caller, byWireName(wanted)),
  display: ({ caller }, wanted) => domain.updateDisplay(caller, byWireName(wanted)),
});
