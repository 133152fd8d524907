import { withoutInvisible } from './invisible-characters.ts';

/** What names and topics are compared by: without case, and without differences that nobody sees. */
export const fold = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** Thousands of names are compared for one that is new, and hardly any has what nobody sees. */
const MAY_HIDE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800\ufffc]/u;

/**
 * Equal for names that a reader would call the same: beside `fold`, case in every script (`Straße` and `STRASSE`), runs of blanks and what
 * nobody sees make no difference (API decisions 2.6).
 */
export const visualKeyOf = (name: string): string =>
  (MAY_HIDE.test(name) ? withoutInvisible(name) : name)
    .normalize('NFKC')
    // Upper case first, which knows ß and both small sigmas; the dotless ı is another letter than i.
    .replaceAll(/[^ı]+/gu, (part) => part.toUpperCase().toLowerCase())
    .replaceAll('i\u0307', 'i')
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .replaceAll(/\s+/g, ' ')
    .trim();
