/** Settings of the account and of the organization. */
import { z } from 'zod';
import { displaySettings, notificationSettings } from '#shared/api/models/settings.ts';
import { withTold } from '#shared/api/setting.ts';
import { byOp, type Changes, onEvent } from './event.ts';
import { withPermissions } from './permissions.ts';
import type { SessionState } from './session-state.ts';
import { withRealmSettings } from './settings.ts';
import { isEqual } from './collections/sorted.ts';
import { listOf, WireEmojiList, WireProfileFields } from './wire.ts';

type Settings = Readonly<Record<string, unknown>>;

function ownSettings(state: SessionState, change: Settings): SessionState {
  const notifications = withTold(notificationSettings.settings, state.notifications, change);
  const display = withTold(displaySettings.settings, state.display, change);
  const isSame = notifications === state.notifications && display === state.display;
  return isSame ? state : { ...state, notifications, display };
}

const Policies = z.object({
  create_stream_policy: z.int().optional(),
  invite_to_stream_policy: z.int().optional(),
});

function realmSettings(state: SessionState, change: Settings): SessionState {
  const organization = withRealmSettings(state.organization, change);
  const named = organization === state.organization ? state : { ...state, organization };
  const read = Policies.safeParse(change);
  if (!read.success) return named;
  const policies = {
    create: read.data.create_stream_policy ?? state.policies.create,
    subscribeOthers: read.data.invite_to_stream_policy ?? state.policies.subscribeOthers,
  };
  return isEqual(policies, state.policies) ? named : withPermissions({ ...named, policies });
}

const RealmUpdate = z.object({ property: z.string(), value: z.unknown() });
const RealmUpdateDict = z.object({ data: z.record(z.string(), z.unknown()) });
const Notification = z.object({ notification_name: z.string(), setting: z.unknown() });
const Display = z.object({ setting_name: z.string(), setting: z.unknown() });
const AlertWords = z.object({ alert_words: listOf(z.string()) });
const ProfileFields = z.object({ fields: WireProfileFields });
const JoinRequests = z.object({ count: z.int() });
const Emoji = z.object({ realm_emoji: WireEmojiList });

export const settingsChanges: Changes = {
  attachment: onEvent(z.object({ id: z.int() }), (state, { id: fileChange }) => ({
    ...state,
    fileChange,
  })),
  realm: byOp<'realm'>({
    update: onEvent(RealmUpdate, (state, { property, value }) =>
      realmSettings(state, { [property]: value }),
    ),
    update_dict: onEvent(RealmUpdateDict, (state, { data }) => realmSettings(state, data)),
  }),
  update_global_notifications: onEvent(
    Notification,
    (state, { notification_name: name, setting }) => ownSettings(state, { [name]: setting }),
  ),
  update_display_settings: onEvent(Display, (state, { setting_name: name, setting }) =>
    ownSettings(state, { [name]: setting }),
  ),
  user_settings: onEvent(RealmUpdate, (state, { property, value }) =>
    ownSettings(state, { [property]: value }),
  ),
  join_requests: onEvent(JoinRequests, (state, { count: joinRequests }) => ({
    ...state,
    organization: { ...state.organization, joinRequests },
  })),
  alert_words: onEvent(AlertWords, (state, { alert_words: alertWords }) =>
    isEqual(alertWords, state.alertWords) ? state : { ...state, alertWords },
  ),
  custom_profile_fields: onEvent(ProfileFields, (state, { fields: profileFields }) =>
    isEqual(profileFields, state.profileFields) ? state : { ...state, profileFields },
  ),
  realm_emoji: onEvent(Emoji, (state, { realm_emoji: customEmoji }) =>
    isEqual(customEmoji, state.customEmoji) ? state : { ...state, customEmoji },
  ),
};
