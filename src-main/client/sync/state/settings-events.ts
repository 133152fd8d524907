/** Settings of the account and of the organization. */
import { z } from 'zod';
import { displaySettings, notificationSettings } from '#shared/api/models/settings.ts';
import { withTold } from '#shared/api/setting-codecs.ts';
import { byOp, type Changes, onEvent } from './event.ts';
import { withPermissions } from './permissions.ts';
import type { SessionState } from './session-state.ts';
import { withRealmSettings } from './settings.ts';

type Settings = Readonly<Record<string, unknown>>;

function ownSettings(state: SessionState, change: Settings): SessionState {
  const notifications = withTold(notificationSettings, state.notifications, change);
  const display = withTold(displaySettings, state.display, change);
  const isSame = notifications === state.notifications && display === state.display;
  return isSame ? state : { ...state, notifications, display };
}

/** Of these follows what the account may do. */
const policies = ['create_stream_policy', 'invite_to_stream_policy'] as const;

function realmSettings(state: SessionState, change: Settings): SessionState {
  const { organization: before } = state;
  const organization = withRealmSettings(before, change);
  if (organization === before) return state;
  const isSame = policies.every((key) => organization.settings[key] === before.settings[key]);
  return isSame ? { ...state, organization } : withPermissions({ ...state, organization });
}

const RealmUpdate = z.object({ property: z.string(), value: z.unknown() });
const RealmUpdateDict = z.object({ data: z.record(z.string(), z.unknown()) });
const Notification = z.object({ notification_name: z.string(), setting: z.unknown() });
const Display = z.object({ setting_name: z.string(), setting: z.unknown() });
const JoinRequests = z.object({ count: z.int() });

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
};
