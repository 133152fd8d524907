/** The settings of the organization. */
import type { realm } from '#shared/api/endpoints/organization/settings.ts';
import type { ParamsOf, ResultOf } from '#shared/api/endpoint.ts';
import type { CallerActionSource } from '#service/core/ports/handlers.ts';
import {
  type OrganizationSettings,
  organizationSettings,
} from '#shared/api/models/organization-settings.ts';
import type { Setting } from '#shared/api/setting.ts';
import type { AuditDetails } from '#shared/api/models/audit.ts';
import type { NewEntry, RealmChange, RealmRow, SettingValue, Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkRetention, type AuditEntryMaker, auditEntryMaker } from '../rules/audit.ts';
import { type Checks, checkEach } from '#service/core/rules/check-settings.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { realmDefaults, type SettingColumn } from '#service/core/rules/organization-defaults.ts';
import { checkRealmDescription, checkRealmName } from '#service/core/rules/names.ts';
import { checkLanguage } from '#service/core/rules/user-settings.ts';
import { checkUploadMib } from '#service/features/files/rules/upload-limits.ts';
import { getVisibleStream } from '#service/core/stream-access.ts';

export type RealmUpdate = ParamsOf<typeof realm.update>;
export type RealmAnswer = ResultOf<typeof realm.update>;

export interface RealmOperations {
  /**
   * Changes settings, all or nothing; answers those that really changed.
   * @throws BAD_REQUEST for a bad name, description, language, size of files or time to keep, or an unknown stream
   */
  readonly updateRealm: (source: CallerActionSource, update: RealmUpdate) => Promise<RealmAnswer>;
}

/** One event tells of them together. */
const grouped = {
  default: Object.entries<Setting>(organizationSettings.settings)
    .filter(([, { group }]) => group === 'default')
    .map(([key]) => key),
};

const checks: Checks<OrganizationSettings> = {
  default_language: checkLanguage,
  audit_log_retention_days: checkRetention,
  max_file_upload_size: (mib) => {
    if (mib !== null) checkUploadMib(mib);
  },
};

function settingsOf(update: Omit<RealmUpdate, SettingColumn>): Record<string, SettingValue> {
  const settings: Record<string, SettingValue> = {};
  const defaults: Readonly<Record<string, unknown>> = realmDefaults;
  for (const [key, given] of Object.entries(update)) {
    if (given === undefined) continue;
    // Numbers below 0 and empty texts stand for nothing where nothing is a value.
    const isNone = given === '' || (typeof given === 'number' && given < 0);
    const value = isNone && defaults[key] === null ? null : given;
    settings[key] = { value, isDefault: value === defaults[key] };
  }
  return settings;
}

/** An entry for each setting, with what it was. */
function settingEntries(
  before: RealmRow,
  changed: Readonly<Record<string, unknown>>,
  note: AuditEntryMaker,
): readonly NewEntry[] {
  const { name, description, notifications_stream_id: streamId } = before;
  const old: Readonly<Record<string, unknown>> = {
    ...realmSettings(before),
    name,
    description,
    notifications_stream_id: streamId ?? -1,
  };
  return Object.entries(changed).map(([key, value]) =>
    note('setting_changed', { details: { name: key, old: plain(old[key]), new: plain(value) } }),
  );
}

type Plain = NonNullable<AuditDetails['new']> | null;

const plain = (value: unknown): Plain =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : null;

export const realmOperations = (
  store: Store,
  context: Pick<DomainContext, 'nowSeconds'>,
): RealmOperations => ({
  updateRealm: (source, { name, description, notifications_stream_id: announced, ...update }) =>
    change(store, source.caller, function* (tx, caller) {
      checkEach<OrganizationSettings>(checks, update);
      // Any number below 0 means none; clients send -1.
      const streamId = announced === undefined || announced >= 0 ? announced : null;
      if (typeof streamId === 'number') yield* getVisibleStream(tx, caller, streamId);
      const changes: RealmChange = {
        ...(name === undefined ? {} : { name: checkRealmName(name) }),
        ...(description === undefined ? {} : { description: checkRealmDescription(description) }),
        ...(streamId === undefined ? {} : { notificationsStreamId: streamId }),
        settings: settingsOf(update),
      };
      const { before, changed } = yield* tx.updateRealm(changes, grouped);
      yield* tx.recordAll(settingEntries(before, changed, auditEntryMaker(context, source)));
      return changed;
    }),
});
