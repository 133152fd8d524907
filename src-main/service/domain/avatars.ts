/** Pictures of accounts, and the images that are served to everybody (API decisions, sections 5, 7.3 and 7.6). */
import { badRequest } from '../../contract/errors.ts';
import type { FileSource } from '../../contract/files.ts';
import type { Caller, UploadedFile } from '../../contract/handlers.ts';
import type { AccountRow, Store } from '../store/port.ts';
import { userUpdated } from './account-events.ts';
import { readImage } from './images.ts';
import type { DomainContext } from './ports.ts';
import { fold } from '../../contract/fold.ts';
import { realmSettings } from './rules/realm-settings.ts';
import { avatarShape, avatarUrl } from './rules/shapes.ts';

export interface AvatarOperations extends Pick<FileSource, 'findAvatarFile' | 'findAvatarUrl'> {
  /**
   * Sets the caller's picture; settles when it can be shown.
   * @returns its address
   * @throws BAD_IMAGE, or BAD_REQUEST for another reason; then nothing has changed
   */
  readonly setAvatar: (caller: Caller, files: readonly UploadedFile[]) => Promise<string>;
  /** @returns the address of the gravatar that holds again @throws BAD_REQUEST where it may not be changed */
  readonly removeAvatar: (caller: Caller) => Promise<string>;
}

type AvatarStore = Pick<Store, 'changeAccount' | 'findRealm' | 'findUser' | 'findUserByEmail'>;

const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};

/** Only names of our own making: letters and digits, so that no path leads elsewhere. */
const PATH = /^1\/(?:emoji\/images\/)?[a-z0-9]{1,64}\.(png|gif|jpg|webp)$/;
const placeOf = (path: string): string => `avatars/${path}`;

function serving(
  store: AvatarStore,
  { files }: Pick<DomainContext, 'files'>,
): Pick<FileSource, 'findAvatarFile' | 'findAvatarUrl'> {
  return {
    async findAvatarFile(path) {
      const contentType = contentTypes[PATH.exec(path)?.[1] ?? ''];
      // They are small: their size is told by their bytes.
      const bytes = contentType === undefined ? undefined : await files.read(placeOf(path));
      if (contentType === undefined || bytes === undefined) return undefined;
      return {
        name: path.slice(path.lastIndexOf('/') + 1),
        contentType,
        sizeBytes: bytes.length,
        // A changed image gets another name.
        version: '1',
        read: (from, to) => files.stream(placeOf(path), from, to),
      };
    },
    async findAvatarUrl(who) {
      const user = /^\d{1,15}$/.test(who)
        ? await store.findUser(Number(who))
        : await store.findUserByEmail(fold(who));
      return user === undefined ? undefined : (avatarUrl(user, false) ?? undefined);
    },
  };
}

export function avatarOperations(store: AvatarStore, context: DomainContext): AvatarOperations {
  const { files } = context;

  async function refuseDisabled(caller: Caller): Promise<void> {
    const settings = realmSettings(await store.findRealm());
    if (settings.avatar_changes_disabled && caller.role !== 'admin') {
      throw badRequest('Avatar changes are disabled in this organization');
    }
  }

  /** @returns the account as it is then, and the file that it no longer shows */
  async function change(
    caller: Caller,
    fileName: string | null,
  ): Promise<{ readonly user: AccountRow; readonly replaced: string | null }> {
    let outcome: { user: AccountRow; replaced: string | null } | undefined;
    await store.changeAccount(caller.userId, null, ({ user: before }) => {
      const user = {
        ...before,
        avatar_file: fileName,
        avatar_version: before.avatar_version + 1,
      };
      const isSame = before.avatar_file === fileName;
      outcome = isSame ? { user: before, replaced: null } : { user, replaced: before.avatar_file };
      if (isSame) return { columns: {}, events: [] };
      const { avatar_file, avatar_version } = user;
      return {
        columns: { avatar_file, avatar_version },
        // What a client may compute itself is left to it, and put in for the others.
        events: [userUpdated(user, avatarShape(user, true))],
      };
    });
    if (outcome === undefined) throw new Error('the caller has no account');
    if (outcome.replaced !== null) await files.remove(placeOf(`1/${outcome.replaced}`));
    return outcome;
  }

  return {
    ...serving(store, context),
    async setAvatar(caller, uploaded) {
      await refuseDisabled(caller);
      const { bytes, fileName } = readImage(uploaded);
      // The file comes first: a picture that is announced can be shown.
      await files.write(placeOf(`1/${fileName}`), bytes);
      const { user } = await change(caller, fileName);
      return avatarUrl(user, false) ?? '';
    },
    async removeAvatar(caller) {
      await refuseDisabled(caller);
      const { user } = await change(caller, null);
      return avatarUrl(user, false) ?? '';
    },
  };
}
