/** The caller's own settings and the bots that show to it in the initial state. */
import type { AccountRow } from '#service/db/port.ts';
import { botShape, streamNames } from '#service/features/bots/rules/bots.ts';
import { canManageBot } from '#shared/policies/bots.ts';
import {
  availableSounds,
  displaySettingsOf,
  emojisetChoices,
  notificationSettingsOf,
} from '#service/core/rules/user-settings.ts';
import { part, type StateRequest } from './section.ts';

const botPart = part(
  ['users', 'streams', 'botServices'],
  ({ caller, apiKeyOf }, { users, streams, botServices }) => {
    const byId = new Map(users.map((user) => [user.id, user]));
    const services = new Map(botServices.map((service) => [service.account_id, service]));
    const nameOf = streamNames(streams);
    const bots = users.filter(
      (user) => user.bot_type !== null && canManageBot(caller, user.owner_id),
    );
    return {
      realm_bots: bots.map((bot) => ({
        ...botShape(bot, {
          owner: bot.owner_id === null ? undefined : byId.get(bot.owner_id),
          service: services.get(bot.id),
          nameOf,
        }),
        api_key: apiKeyOf(bot.id, bot.key_generation),
      })),
    };
  },
);

const nobody = { settings: '{}', timezone: '' };

const selfIn = (
  { caller }: StateRequest,
  { users }: { readonly users: readonly AccountRow[] },
): Pick<AccountRow, 'settings' | 'timezone'> =>
  users.find((user) => user.id === caller.userId) ?? nobody;

const notifications = (self: Pick<AccountRow, 'settings' | 'timezone'>): object => ({
  ...notificationSettingsOf(self),
  available_notification_sounds: availableSounds,
});

const display = (self: Pick<AccountRow, 'settings' | 'timezone'>): object => ({
  ...displaySettingsOf(self),
  emojiset_choices: emojisetChoices,
});

const notificationPart = part(['users'], (request, facts) => ({
  ...notifications(selfIn(request, facts)),
}));

const displayPart = part(['users'], (request, facts) => ({
  ...display(selfIn(request, facts)),
}));

const userSettingsPart = part(['users'], (request, facts) => ({
  user_settings: {
    ...display(selfIn(request, facts)),
    ...notifications(selfIn(request, facts)),
    send_private_typing_notifications: true,
    send_stream_typing_notifications: true,
  },
}));

/** By the type of the events that go on from it. */
export const accountParts = {
  realm_bot: botPart,
  update_display_settings: displayPart,
  update_global_notifications: notificationPart,
};

/** Only where they are named. */
export const namedAccountParts = {
  user_settings: userSettingsPart,
};
