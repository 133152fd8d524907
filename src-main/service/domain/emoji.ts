/** The organization's own emoji (API decisions, sections 7.6 and 9.3). */
import { badRequest } from '../../contract/errors.ts';
import type { Caller, UploadedFile } from '../../contract/handlers.ts';
import type { RealmEmoji } from '../../contract/models/emoji.ts';
import type { Store } from '../store/port.ts';
import { readImage } from './images.ts';
import type { DomainContext } from './ports.ts';
import { checkEmojiName, EMOJI_IMAGES, realmEmojiShape } from './rules/emoji.ts';
import { canAddEmoji, canDeactivateEmoji } from './rules/permissions.ts';
import { realmSettings } from './rules/realm-settings.ts';

export interface EmojiOperations {
  readonly listEmoji: () => Promise<RealmEmoji>;
  /** @throws BAD_IMAGE, or BAD_REQUEST for another reason; then nothing has changed */
  readonly addEmoji: (
    caller: Caller,
    name: string,
    files: readonly UploadedFile[],
  ) => Promise<void>;
  /** @throws BAD_REQUEST when there is no such active emoji or the caller may not */
  readonly deactivateEmoji: (caller: Caller, name: string) => Promise<void>;
}

type EmojiStore = Pick<Store, 'addEmoji' | 'deactivateEmoji' | 'findRealm' | 'listEmoji'>;

const taken = (name: string): Error => badRequest(`An emoji named '${name}' already exists`);

export function emojiOperations(store: EmojiStore, context: DomainContext): EmojiOperations {
  async function findActive(name: string) {
    const rows = await store.listEmoji();
    return rows.find((row) => row.is_deactivated === 0 && row.name === name);
  }

  return {
    listEmoji: async () => realmEmojiShape(await store.listEmoji()),
    async addEmoji(caller, name, files) {
      if (!canAddEmoji(caller, realmSettings(await store.findRealm()))) {
        throw badRequest('Only organization administrators can add emoji');
      }
      checkEmojiName(name);
      const { bytes, fileName } = readImage(files);
      if ((await findActive(name)) !== undefined) throw taken(name);
      // The file comes first: an emoji that is announced can be shown.
      const path = `avatars/${EMOJI_IMAGES}/${fileName}`;
      await context.files.write(path, bytes);
      const emoji = { name, authorId: caller.userId, fileName, createdAt: context.nowSeconds() };
      if (await store.addEmoji(emoji, realmEmojiShape)) return;
      await context.files.remove(path);
      throw taken(name);
    },
    async deactivateEmoji(caller, name) {
      const missing = (): Error => badRequest(`Emoji '${name.slice(0, 100)}' does not exist`);
      const emoji = await findActive(name);
      if (emoji === undefined) throw missing();
      if (!canDeactivateEmoji(caller, emoji.author_id)) {
        throw badRequest('Only its author and organization administrators can remove an emoji');
      }
      if (!(await store.deactivateEmoji(emoji.id, realmEmojiShape))) throw missing();
    },
  };
}
