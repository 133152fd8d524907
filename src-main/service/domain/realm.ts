/** The settings of the organization. */
import type { realm } from '../../contract/api/realm.ts';
import type { ParamsOf, ResultOf } from '../../contract/endpoint.ts';
import type { Caller } from '../../contract/handlers.ts';
import { wireName } from '../../contract/wire.ts';
import type { RealmChange, SettingValue, Store } from '../store/port.ts';
import { realmDefaults } from './rules/defaults.ts';
import { checkRealmDescription, checkRealmName } from './rules/names.ts';
import { checkLanguage } from './rules/user-settings.ts';
import { getVisibleStream, type StreamAccessStore } from './stream-access.ts';

export type RealmUpdate = ParamsOf<typeof realm.update>;
export type RealmAnswer = ResultOf<typeof realm.update>;

export interface RealmOperations {
  /**
   * Changes settings, all or nothing; answers those that really changed.
   * @throws BAD_REQUEST for a bad name, description or language, or an unknown stream
   */
  readonly updateRealm: (caller: Caller, update: RealmUpdate) => Promise<RealmAnswer>;
}

type RealmStore = StreamAccessStore & Pick<Store, 'updateRealm'>;

/** One event tells of them together. */
const grouped = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'allow_community_topic_editing',
] as const satisfies readonly (keyof typeof realmDefaults)[];

/** Numbers below 0 and empty texts stand for nothing where nothing is a value. */
function storedValue(key: string, value: string | number | boolean): SettingValue['value'] {
  if (key === 'default_code_block_language') return value === '' ? null : value;
  if (key === 'upload_quota') return Number(value) < 0 ? null : value;
  return value;
}

function settingsOf(update: Omit<RealmUpdate, 'name' | 'description' | 'notificationsStreamId'>) {
  const settings: Record<string, SettingValue> = {};
  const defaults: Readonly<Record<string, unknown>> = realmDefaults;
  for (const [name, given] of Object.entries(update)) {
    if (given === undefined) continue;
    const key = wireName(name);
    const value = storedValue(key, given);
    settings[key] = { value, isDefault: value === defaults[key] };
  }
  return settings;
}

export const realmOperations = (store: RealmStore): RealmOperations => ({
  async updateRealm(caller, { name, description, notificationsStreamId, ...update }) {
    if (update.defaultLanguage !== undefined) checkLanguage(update.defaultLanguage);
    // Any number below 0 means none; clients send -1.
    const streamId =
      notificationsStreamId === undefined || notificationsStreamId >= 0
        ? notificationsStreamId
        : null;
    if (typeof streamId === 'number') await getVisibleStream(store, caller, streamId);
    const change: RealmChange = {
      ...(name === undefined ? {} : { name: checkRealmName(name) }),
      ...(description === undefined ? {} : { description: checkRealmDescription(description) }),
      ...(streamId === undefined ? {} : { notificationsStreamId: streamId }),
      settings: settingsOf(update),
    };
    return await store.updateRealm(change, grouped);
  },
});
