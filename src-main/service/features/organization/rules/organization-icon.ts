/** The picture of the organization: kept with its settings by its address, which names its file. */
import { realmDefaults } from '#service/core/rules/organization-defaults.ts';
import type { RealmSettings } from '#service/core/rules/organization-settings.ts';

/** Below `/user_avatars/`, as in the file store below `avatars/`. */
export const ICON_IMAGES = '1/realm';

const PREFIX = `/user_avatars/${ICON_IMAGES}/`;

/** One event tells of them together. */
export const iconKeys = ['icon_url', 'icon_source'] as const;

type IconSettings = Pick<RealmSettings, (typeof iconKeys)[number]>;

/** @param fileName  null for the picture that everybody starts with */
export const iconSettings = (fileName: string | null): IconSettings =>
  fileName === null
    ? { icon_url: realmDefaults.icon_url, icon_source: realmDefaults.icon_source }
    : { icon_url: PREFIX + fileName, icon_source: 'U' };

/** The file that is shown; null where none was uploaded. */
export const iconFileOf = ({ icon_url: url }: Pick<IconSettings, 'icon_url'>): string | null =>
  url.startsWith(PREFIX) ? url.slice(PREFIX.length) : null;
