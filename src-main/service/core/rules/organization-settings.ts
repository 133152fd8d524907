/** The settings of the organization: the defaults, and what an administrator changed. */
import type { RealmRow } from '#service/db/port.ts';
import { realmDefaults } from './organization-defaults.ts';

type Widen<T> = T extends boolean
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : T;

/** Those that have a value only where an administrator chose one. */
interface Chosen {
  readonly upload_quota: number | null;
  readonly max_file_upload_size: number | null;
}

export type RealmSettings = Chosen & {
  readonly [K in Exclude<keyof typeof realmDefaults, keyof Chosen>]: Widen<
    (typeof realmDefaults)[K]
  >;
};

export const realmSettings = (realm: Pick<RealmRow, 'settings'> | undefined): RealmSettings =>
  realm === undefined
    ? realmDefaults
    : { ...realmDefaults, ...(JSON.parse(realm.settings) as Partial<RealmSettings>) };
