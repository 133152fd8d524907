/** Finds what stands under the name of a secret: in JSON, complete or cut, in fields of forms and addresses, in headers. */

const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...['auth', 'authentication', 'authorization', 'cookie', 'cookies', 'credential', 'credentials'],
  ...['csrf', 'hmac', 'jwt', 'otp', 'passcode', 'passphrase', 'passwd', 'password', 'passwords'],
  ...['pwd', 'secret', 'secrets', 'sessionid', 'sig', 'signature', 'signatures', 'token', 'tokens'],
  ...['apikey', 'accesskey', 'privatekey', 'secretkey'],
]);
const TWO_WORDS =
  /(?:^| )(?:(?:access|api|encryption|integration|private|routing|service|signing) keys?|session id)(?: |$)/;

export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => SECRET_WORDS.has(word)) || TWO_WORDS.test(words.join(' '));
}

/** Fields and arguments have short names; in JSON `key` names a ticket. */
export const isSecretField = (name: string): boolean => /^key$/i.test(name) || isSecretName(name);

const MAX_NAME = 100;
const MAX_GAP = 20;

/** Where a value stands: from its first character up to, not including, its last. */
export type ValueRange = readonly [from: number, to: number];

const isSpace = (character: string | undefined): boolean =>
  character !== undefined && ' \t\r\n'.includes(character) && character !== '';

/** Behind the space from `at` on. */
function skipSpace(text: string, at: number): number {
  let next = at;
  while (isSpace(text[next])) next += 1;
  return next;
}

/** The quotation mark that ends the string, or the end of the text. @param at  behind the mark that begins it */
function endOfString(text: string, at: number): number {
  for (let next = at; next < text.length; next += 1) {
    if (text[next] === '\\') next += 1;
    else if (text[next] === '"') return next;
  }
  return text.length;
}

const BARE = /[^\s,}\]]*/y;
const bareAt = (text: string, at: number): ValueRange => placeAt(BARE, text, at);

/** The values in a list or an object, nested ones as well, and where it ends. */
function valuesWithin(
  text: string,
  at: number,
): { readonly places: ValueRange[]; readonly end: number } {
  const places: ValueRange[] = [];
  let depth = 0;
  let next = at;
  while (next < text.length) {
    const character = text[next] ?? '';
    if ('[{'.includes(character)) depth += 1;
    if (']}'.includes(character)) depth -= 1;
    if (depth === 0) break;
    if (character === '"') {
      const end = endOfString(text, next + 1);
      const isName = text[skipSpace(text, end + 1)] === ':';
      if (!isName) places.push([next + 1, end]);
      next = end + 1;
    } else if (/[\d-]/.test(character)) {
      const place = bareAt(text, next);
      places.push(place);
      next = Math.max(place[1], next + 1);
    } else next += 1;
  }
  return { places, end: next };
}

/** The values of a member of JSON, and where they end. @param at  behind the colon */
function valuesAt(
  text: string,
  at: number,
): { readonly places: ValueRange[]; readonly end: number } {
  const start = skipSpace(text, at);
  const first = text[start] ?? '';
  if (first === '"') {
    const end = endOfString(text, start + 1);
    return { places: [[start + 1, end]], end };
  }
  if (first === '[' || first === '{') return valuesWithin(text, start);
  const place = bareAt(text, start);
  return { places: [place], end: place[1] };
}

/** The quoted name before a colon; undefined where there is none. */
function nameBefore(text: string, colon: number): string | undefined {
  let end = colon - 1;
  while (end > colon - MAX_GAP && isSpace(text[end])) end -= 1;
  if (text[end] !== '"') return undefined;
  const window = text.slice(Math.max(0, end - MAX_NAME), end);
  const start = window.lastIndexOf('"');
  return start < 0 ? undefined : window.slice(start + 1);
}

const NAME_CHARACTER = /[\w.[\]-]/;

/** The name of a field or a header that ends here. */
function wordBefore(text: string, end: number): string {
  let start = end;
  while (start > Math.max(0, end - MAX_NAME) && NAME_CHARACTER.test(text[start - 1] ?? ''))
    start -= 1;
  return text.slice(start, end);
}

const FIELD_VALUE = /[^&\s"'<>\\]*/y;
const HEADER = /^(?:authorization|(?:set-)?cookie|x-[a-z-]+)$/i;
const HEADER_VALUE = /[^\r\n"'\\]*/y;

function placeAt(pattern: RegExp, text: string, at: number): ValueRange {
  pattern.lastIndex = at;
  return [at, at + (pattern.exec(text)?.[0].length ?? 0)];
}

/** `{"name": "authorization", "value": …}`: the member that comes next is the secret. */
const NAMING: ReadonlySet<string> = new Set(['name', 'key', 'header', 'field']);

const VALUING: ReadonlySet<string> = new Set(['value', 'content']);

/** The start of the string behind a colon; empty where something else is. */
function startOfValue(text: string, colon: number): string {
  const start = skipSpace(text, colon + 1);
  return text[start] === '"' ? (text.slice(start + 1, start + MAX_NAME).split('"')[0] ?? '') : '';
}

/** All values that stand under the name of a secret. Takes time in proportion to the text. */
export function findNamed(text: string): readonly ValueRange[] {
  const found: ValueRange[] = [];
  let isNamedNext = false;

  /** Where to go on behind a member of JSON. */
  const member = (name: string, colon: number): number => {
    if (NAMING.has(name.toLowerCase())) {
      isNamedNext = isSecretName(startOfValue(text, colon));
      return colon;
    }
    if (!isSecretName(name) && !(isNamedNext && VALUING.has(name.toLowerCase()))) return colon;
    const { places, end } = valuesAt(text, colon + 1);
    found.push(...places);
    return end;
  };
  const field = (pattern: RegExp, start: number): number => {
    const place = placeAt(pattern, text, start);
    found.push(place);
    return place[1] - 1;
  };

  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '{' || character === '}') isNamedNext = false;
    else if (character === '=') {
      if (isSecretField(wordBefore(text, at))) at = field(FIELD_VALUE, at + 1);
    } else if (character === ':') {
      const name = nameBefore(text, at);
      const word = name === undefined ? wordBefore(text, at) : '';
      if (name !== undefined) at = member(name, at);
      else if (HEADER.test(word) && isSecretName(word)) {
        at = field(HEADER_VALUE, skipSpace(text, at + 1));
      }
    }
  }
  return found.filter(([from, to]) => to > from);
}
