/** The picture of the organization (API decisions 7.6 and 9.5). */
import type { CallerActionSource, UploadedFile } from '#service/core/ports/handlers.ts';
import type { Store } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { readImage, withImage } from '#service/features/files/operations/images.ts';
import { iconPlace } from '#service/features/files/operations/file-paths.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '../rules/audit.ts';
import { realmDefaults } from '#service/core/rules/organization-defaults.ts';
import { iconFileOf, iconKeys, iconSettings } from '../rules/organization-icon.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';

export interface RealmIconOperations {
  /**
   * Sets the picture of the organization; settles when it can be shown.
   * @returns its address
   * @throws BAD_IMAGE, or BAD_REQUEST for another reason; then nothing has changed
   */
  readonly setIcon: (source: CallerActionSource, files: readonly UploadedFile[]) => Promise<string>;
  /** @returns the address of the picture that holds again */
  readonly removeIcon: (source: CallerActionSource) => Promise<string>;
}

export function realmIconOperations(store: Store, context: DomainContext): RealmIconOperations {
  const { files } = context;

  /** @returns the address of the picture that is shown then */
  async function show(source: CallerActionSource, fileName: string | null): Promise<string> {
    const after = iconSettings(fileName);
    const replaced = await change(store, source.caller, function* (tx) {
      const settings = Object.fromEntries(
        iconKeys.map((key) => [
          key,
          { value: after[key], isDefault: after[key] === realmDefaults[key] },
        ]),
      );
      const { before, changed } = yield* tx.updateRealm({ settings }, { icon: iconKeys });
      if (Object.keys(changed).length === 0) return null;
      const shown = realmSettings(before);
      const details = { name: 'icon', old: shown.icon_source, new: after.icon_source };
      yield* tx.record(auditEntryMaker(context, source)('setting_changed', { details }));
      return iconFileOf(shown);
    });
    if (replaced !== null) await files.remove(iconPlace(replaced));
    return after.icon_url;
  }

  return {
    setIcon: (source, uploaded) =>
      withImage(files, readImage(uploaded), iconPlace, (fileName) => show(source, fileName)),
    removeIcon: (source) => show(source, null),
  };
}
