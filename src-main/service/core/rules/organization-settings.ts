/** The settings of the organization: the defaults, and what an administrator changed. */
import type { OrganizationSettings } from '#shared/api/models/organization-settings.ts';
import type { RealmRow } from '#service/db/port.ts';
import { type fixedSettings, realmDefaults, type SettingColumn } from './organization-defaults.ts';

type Widen<T> = T extends boolean
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : T;

export type RealmSettings = Omit<OrganizationSettings, SettingColumn> & {
  readonly [K in keyof typeof fixedSettings]: Widen<(typeof fixedSettings)[K]>;
};

export const realmSettings = (realm: Pick<RealmRow, 'settings'> | undefined): RealmSettings =>
  realm === undefined
    ? realmDefaults
    : { ...realmDefaults, ...(JSON.parse(realm.settings) as Partial<RealmSettings>) };
