/** Which names look the same although they are written otherwise. */

/** What characters look like: the table of Unicode (UTS #39, confusables.txt). */
export type Confusables = Readonly<Record<string, string>>;

const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

const replaced = (text: string, table: Confusables): string =>
  Array.from(text, (letter) => (Object.hasOwn(table, letter) ? table[letter] : letter))
    .join('')
    .normalize('NFD');

/**
 * Two names with the same skeleton (UTS #39) look the same, or nearly so. Beyond that, they may differ in case, width and
 * blanks; capitals and small letters are looked at after each other, and every i is an l, because a capital one is.
 */
export function skeletonOf(name: string, table: Confusables): string {
  const seen = name.normalize('NFKD').replaceAll(UNSEEN, '');
  const small = replaced(replaced(seen, table).toLowerCase(), table);
  return small.replaceAll('i', 'l').replace(/\s+/g, ' ').trim();
}
