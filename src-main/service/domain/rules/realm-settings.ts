/** The settings of the organization: the defaults, and what an administrator changed. */
import type { RealmRow } from '../../store/port.ts';
import { realmDefaults } from './defaults.ts';

type Widen<T> = T extends boolean
  ? boolean
  : T extends number
    ? number
    : T extends string
      ? string
      : T;

export type RealmSettings = {
  readonly [K in keyof typeof realmDefaults]: Widen<(typeof realmDefaults)[K]>;
};

export const realmSettings = (realm: Pick<RealmRow, 'settings'> | undefined): RealmSettings =>
  realm === undefined
    ? realmDefaults
    : { ...realmDefaults, ...(JSON.parse(realm.settings) as Partial<RealmSettings>) };
