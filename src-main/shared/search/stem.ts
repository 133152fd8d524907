/**
 * English stemming: the algorithm of M. F. Porter, "An algorithm for suffix stripping", Program 14 (1980), with the
 * two changes of its author (`bli` and `logi`).
 */

const C = '[^aeiou]';
const V = '[aeiouy]';
const CONSONANTS = `${C}[^aeiouy]*`;
const VOWELS = `${V}[aeiou]*`;

/** How many sequences of vowels and consonants a stem has. */
const hasOne = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const isOne = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const hasTwo = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}${VOWELS}${CONSONANTS}`);
const hasVowel = new RegExp(`^(?:${CONSONANTS})?${V}`);
const endsShort = new RegExp(`^${CONSONANTS}${V}[^aeiouwxy]$`);
const endsDouble = /([^aeiouylsz])\1$/;

const longer: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
};
const shorter: Readonly<Record<string, string>> = {
  icate: 'ic',
  ative: '',
  alize: 'al',
  iciti: 'ic',
  ical: 'ic',
  ful: '',
  ness: '',
};
const LONGER =
  /^(.+?)(ational|tional|enci|anci|izer|bli|alli|entli|eli|ousli|ization|ation|ator|alism|iveness|fulness|ousness|aliti|iviti|biliti|logi)$/;
const SHORTER = /^(.+?)(icate|ative|alize|iciti|ical|ful|ness)$/;
const LAST =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;

function dropPlural(word: string): string {
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2);
  return word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}

function dropTense(word: string): string {
  if (word.endsWith('eed')) return hasOne.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const stem = /^(.+)(?:ed|ing)$/.exec(word)?.[1];
  if (stem === undefined || !hasVowel.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (endsDouble.test(stem)) return stem.slice(0, -1);
  return endsShort.test(stem) ? `${stem}e` : stem;
}

function replaceEnd(word: string, pattern: RegExp, ends: Readonly<Record<string, string>>): string {
  const [, stem, end] = pattern.exec(word) ?? [];
  if (stem === undefined || end === undefined || !hasOne.test(stem)) return word;
  return stem + (ends[end] ?? '');
}

function dropLast(word: string): string {
  const stem = LAST.exec(word)?.[1];
  return stem !== undefined && hasTwo.test(stem) ? stem : word;
}

function dropE(word: string): string {
  if (!word.endsWith('e')) return word;
  const stem = word.slice(0, -1);
  return hasTwo.test(stem) || (isOne.test(stem) && !endsShort.test(stem)) ? stem : word;
}

/** @param word  lower-case letters a to z */
export function stem(word: string): string {
  if (word.length < 3) return word;
  // A y that opens a word is a consonant; the patterns see every other one as a vowel.
  const marked = word.startsWith('y') ? `Y${word.slice(1)}` : word;
  let rest = dropTense(dropPlural(marked));
  if (rest.endsWith('y') && hasVowel.test(rest.slice(0, -1))) rest = `${rest.slice(0, -1)}i`;
  rest = replaceEnd(rest, LONGER, longer);
  rest = replaceEnd(rest, SHORTER, shorter);
  rest = dropE(dropLast(rest));
  if (rest.endsWith('ll') && hasTwo.test(rest.slice(0, -1))) rest = rest.slice(0, -1);
  return rest.replace('Y', 'y');
}
