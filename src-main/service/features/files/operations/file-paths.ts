/** Where files lie in the file store. Every name is random and never given to other bytes. */
import { EMOJI_IMAGES } from '#service/core/rules/emoji.ts';
import { ICON_IMAGES } from '#service/features/organization/rules/organization-icon.ts';

/** Without the file's own name, which not every file system can write. @param path  what follows `/user_uploads/` */
export const uploadPlace = (path: string): string =>
  `uploads/${path.split('/').slice(0, 2).join('/')}`;

/** @param path  what follows `/user_avatars/` */
export const imagePlace = (path: string): string => `avatars/${path}`;

export const avatarPlace = (fileName: string): string => imagePlace(`1/${fileName}`);

export const iconPlace = (fileName: string): string => imagePlace(`${ICON_IMAGES}/${fileName}`);

export const emojiPlace = (fileName: string): string => imagePlace(`${EMOJI_IMAGES}/${fileName}`);
