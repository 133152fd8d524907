/** Pictures of accounts, and the images that are served to everybody (API decisions 5, 7.3 and 7.6). */
import { canChangeOwn } from '#shared/policies/people.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { FileSource } from '#service/core/ports/files.ts';
import type { Caller, UploadedFile } from '#service/core/ports/handlers.ts';
import type { AccountRow, Operation, Reading, Store, Transaction } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { changeAccount, getFacts } from './account-changes.ts';
import { userUpdated } from './account-events.ts';
import { readImage, withImage } from '#service/features/files/operations/images.ts';
import { avatarPlace, imagePlace } from '#service/features/files/operations/file-paths.ts';
import { imageFinder } from '#service/features/files/operations/stored-images.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { fold } from '#shared/text/fold.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { avatarShape, avatarUrl, gravatarUrl } from '#service/core/rules/shapes.ts';

export interface AvatarOperations extends Omit<FileSource, 'findUpload' | 'mostUploadBytes'> {
  /**
   * Sets the caller's picture; settles when it can be shown.
   * @returns its address
   * @throws BAD_IMAGE, or BAD_REQUEST for another reason; then nothing has changed
   */
  readonly setAvatar: (caller: Caller, files: readonly UploadedFile[]) => Promise<string>;
  /** @returns the address of the gravatar that holds again @throws BAD_REQUEST where it may not be changed */
  readonly removeAvatar: (caller: Caller) => Promise<string>;
}

const contentTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};

/** Only names of our own making: letters and digits, so that no path leads elsewhere. */
const PATH = /^1\/(?:emoji\/images\/|realm\/)?[a-z0-9]{1,64}\.(png|gif|jpg|webp)$/;

function serving(
  store: Store,
  { files, credentials }: Pick<DomainContext, 'files' | 'credentials'>,
): Omit<FileSource, 'findUpload' | 'mostUploadBytes'> {
  const findImage = imageFinder(store, files);
  return {
    async findAvatarFile(path) {
      const contentType = contentTypes[PATH.exec(path)?.[1] ?? ''];
      const image = contentType === undefined ? undefined : await findImage(imagePlace(path));
      if (contentType === undefined || image === undefined) return undefined;
      // A changed image gets another name. Under version 1 caches have pictures with metadata.
      return { ...image, name: path.slice(path.lastIndexOf('/') + 1), contentType, version: '2' };
    },
    findIconUrl: async () => realmSettings(await store.findRealm()).icon_url,
    async findAvatarUrl(caller, who) {
      if (caller === null) return gravatarUrl(credentials.gravatarHash(who), 1);
      const user = /^\d{1,15}$/.test(who)
        ? await store.findUser(Number(who))
        : await store.findUserByEmail(fold(who));
      return user === undefined ? undefined : (avatarUrl(user, false) ?? undefined);
    },
  };
}

function* checkEnabled(tx: Reading, caller: Caller): Operation<void> {
  const settings = realmSettings(yield* tx.findRealm());
  if (!canChangeOwn(caller, settings.avatar_changes_disabled)) {
    throw refusal('avatar_changes_disabled');
  }
}

interface AvatarChange {
  /** As it is then. */
  readonly user: AccountRow;
  /** The file that it no longer shows. */
  readonly replaced: string | null;
}

function* showAvatar(
  tx: Transaction,
  userId: number,
  fileName: string | null,
): Operation<AvatarChange> {
  const { user: before } = yield* getFacts(tx, userId);
  if (before.avatar_file === fileName) return { user: before, replaced: null };
  const columns = { avatar_file: fileName, avatar_version: before.avatar_version + 1 };
  const user = { ...before, ...columns };
  // What a client may compute itself is left to it, and put in for the others.
  yield* changeAccount(tx, userId, {
    columns,
    events: [userUpdated(user, avatarShape(user, true))],
  });
  return { user, replaced: before.avatar_file };
}

export function avatarOperations(store: Store, context: DomainContext): AvatarOperations {
  const { files } = context;

  /** @returns the address of the picture that is shown then */
  async function show(known: Caller, fileName: string | null): Promise<string> {
    const { user, replaced } = await change(store, known, function* (tx, caller) {
      yield* checkEnabled(tx, caller);
      return yield* showAvatar(tx, caller.userId, fileName);
    });
    if (replaced !== null) await files.remove(avatarPlace(replaced));
    return avatarUrl(user, false) ?? '';
  }

  return {
    ...serving(store, context),
    async setAvatar(caller, uploaded) {
      await store.read((tx) => checkEnabled(tx, caller));
      return withImage(files, readImage(uploaded), avatarPlace, (fileName) =>
        show(caller, fileName),
      );
    },
    removeAvatar: (caller) => show(caller, null),
  };
}
