/** How a name can be typed on a keyboard that has none of its letters. */
import { plainLetters, tableOf } from './keyboard-letters.ts';

/** Greek and Cyrillic without accents, as passports spell them. */
const romanized = tableOf(
  'αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs τt υy φf χch ψps ωo ' +
    'аa бb вv гg дd еe жzh зz иi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ ыy ь эe юyu яya ' +
    'іi єie ґg ђdj јj љlj њnj ћc џdz ѕdz',
);
/** The second most frequent spelling of some letters; й and umlauts are looked at with their accent. */
const other = tableOf('äae öoe üue åaa øoe υu χh βb йy ёyo хh цc чč ыi юiu яia їyi єye щsch');

const accents = /\p{M}/gu;
const ascii = /^[\x20-\x7e]*$/;

function replaced(text: string, table: ReadonlyMap<string, string>): string {
  let result = '';
  for (const letter of text) result += table.get(letter) ?? letter;
  return result;
}

/** Text without case, accents and letters that need a keyboard of their own for one alphabet, for comparing. */
export const plain = (text: string): string =>
  // Most names have none: ten thousand of them are gone through with each letter that is typed.
  ascii.test(text)
    ? text.toLowerCase()
    : replaced(text.normalize('NFKD').replace(accents, '').toLowerCase(), plainLetters);

/** Names come again with each letter that is typed. More than the topics of a large organization, or none of them would be found here. */
const MAX_KNOWN = 60_000;
const known = new Map<string, readonly string[]>();

function made(name: string): readonly string[] {
  const accented = name.normalize('NFC').toLowerCase();
  const forms = [name, replaced(accented, other)].map(plain);
  return [...new Set(forms.flatMap((form) => [form, replaced(form, romanized)]))];
}

/** The name as `plain` compares it, and as it is spelled with the letters a to z. */
export function spellingsOf(name: string): readonly string[] {
  if (ascii.test(name)) return [name.toLowerCase()];
  const found = known.get(name) ?? made(name);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(name, found);
  return found;
}

/** Whether a name has what was typed in it. @param wanted  as `plain` makes it */
export const isIn = (wanted: string, name: string): boolean =>
  spellingsOf(name).some((spelling) => spelling.includes(wanted));

interface Addressed {
  readonly fullName: string;
  readonly email: string;
}

/** What of an address answers a query. A domain is that of many, and counts where an `@` was typed. */
export const addressFor = (query: string, email: string): string =>
  query.includes('@') ? email : email.split('@', 1).join('');

/** By what somebody is found. */
export const namesFor = (query: string, { fullName, email }: Addressed): string =>
  `${fullName} ${addressFor(query, email)}`;
