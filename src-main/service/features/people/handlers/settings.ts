import type { settings } from '#shared/api/endpoints/people/settings.ts';
import type { Handlers } from '#service/core/ports/handlers.ts';
import type { SettingsOperations } from '../operations/settings.ts';

export const settingsHandlers = (domain: SettingsOperations): Handlers<typeof settings> => ({
  update: (call, change) => domain.updateOwnAccount(call, change),
  notifications: ({ caller }, wanted) => domain.updateSettings(caller, wanted),
  display: ({ caller }, wanted) => domain.updateSettings(caller, wanted),
});
