/** Which emoji a reaction means, and how custom ones are listed (API decisions 5, 7.1 and 9.3). */
import { emojiCodeOf, emojiNameOf, isEmojiNameFor } from '#shared/text/emoji.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { EmojiType, RealmEmoji } from '#shared/api/models/emoji.ts';
import type { EmojiRow, ReactionRow } from '#service/db/port.ts';

const MAX_NAME_CHARACTERS = 100;

/** An emoji as a request names it. */
export interface EmojiRequest {
  readonly name: string;
  readonly code: string | undefined;
  /** Undefined to look everywhere. */
  readonly type: EmojiType | undefined;
}

export interface EmojiChoice {
  readonly type: EmojiType;
  readonly code: string;
  readonly name: string;
}

type Custom = Pick<EmojiRow, 'id' | 'name' | 'is_deactivated'>;

/** Some clients write variation selectors, which our codes are without. */
const normalizeCode = (code: string): string => code.toLowerCase().replaceAll('-fe0f', '');

const isName = (name: string): boolean =>
  name.length <= MAX_NAME_CHARACTERS && /^[\p{L}\p{N}_+-]+$/u.test(name);

type Finder = (request: EmojiRequest, custom: readonly Custom[]) => string | undefined;

const findUnicode: Finder = ({ name, code }) => {
  if (code === undefined) return emojiCodeOf(name);
  const normal = normalizeCode(code);
  const isKnown = emojiNameOf(normal) !== undefined;
  return isKnown && isName(name) && isEmojiNameFor(name, normal) ? normal : undefined;
};

const findCustom: Finder = ({ name, code }, custom) => {
  const isMeant = (emoji: Custom): boolean =>
    code === undefined ? emoji.is_deactivated === 0 : String(emoji.id) === code;
  const found = custom.find((emoji) => emoji.name === name && isMeant(emoji));
  return found === undefined ? undefined : String(found.id);
};

const findExtra: Finder = ({ name, code }) =>
  name === 'zulip' && (code === undefined || code === 'zulip') ? 'zulip' : undefined;

/** The code under each type; undefined where name and code do not fit together. */
const finders: Readonly<Record<EmojiType, Finder>> = {
  unicode_emoji: findUnicode,
  realm_emoji: findCustom,
  zulip_extra_emoji: findExtra,
};

/** As in messages: the organization's own emoji come first. */
const lookUpOrder: readonly EmojiType[] = ['realm_emoji', 'unicode_emoji', 'zulip_extra_emoji'];

/** The emoji that a reaction means; a deactivated one only by its code. Undefined where nothing fits. */
export function resolveEmoji(
  request: EmojiRequest,
  custom: readonly Custom[],
): EmojiChoice | undefined {
  const types = request.type === undefined ? lookUpOrder : [request.type];
  for (const type of types) {
    const code = finders[type](request, custom);
    if (code !== undefined) return { type, code, name: request.name };
  }
  return undefined;
}

/** What names a reaction to take back; what is undefined fits every one. */
export interface ReactionChoice {
  readonly name: string | undefined;
  readonly code: string | undefined;
  readonly type: EmojiType | undefined;
}

/**
 * The first of an account's reactions that fits. A code decides over a name, and a name also fits the reaction that
 * shows another name for the same emoji, because the first person's name is kept.
 */
export function findOwnReaction(
  own: readonly ReactionRow[],
  { name, code, type }: ReactionChoice,
): ReactionRow | undefined {
  const ofType = own.filter((row) => type === undefined || row.reaction_type === type);
  if (code !== undefined) {
    const normal = normalizeCode(code);
    return ofType.find((row) => row.emoji_code === code || row.emoji_code === normal);
  }
  if (name === undefined) return undefined;
  const unicode = emojiCodeOf(name);
  return (
    ofType.find((row) => row.emoji_name === name) ??
    ofType.find((row) => row.reaction_type === 'unicode_emoji' && row.emoji_code === unicode)
  );
}

/** @throws BAD_REQUEST unless it is made of `a-z`, `0-9`, `_` and `-` and not too long */
export function checkEmojiName(name: string): string {
  if (!/^[a-z0-9_-]+$/.test(name)) {
    throw refusal('emoji_name_invalid');
  }
  if (name.length > MAX_NAME_CHARACTERS) {
    throw refusal('emoji_name_too_long', { limit: MAX_NAME_CHARACTERS });
  }
  return name;
}

/** Where the images of custom emoji are, below `/user_avatars/` as in the file store below `avatars/`. */
export const EMOJI_IMAGES = '1/emoji/images';

/** @param fileName  as its row has it */
export const emojiUrl = (fileName: string): string => `/user_avatars/${EMOJI_IMAGES}/${fileName}`;

/** Custom emoji as clients list them, deactivated ones included. */
export const realmEmojiShape = (rows: readonly EmojiRow[]): RealmEmoji =>
  Object.fromEntries(
    rows.map((row) => [
      String(row.id),
      {
        id: String(row.id),
        name: row.name,
        source_url: emojiUrl(row.file_name),
        deactivated: row.is_deactivated === 1,
        author: { id: row.author_id, email: row.author_email, full_name: row.author_full_name },
      },
    ]),
  );
