/** The text of rendered messages, where there is no document that could parse them. */

/** A tag, its quoted attribute values included: a `>` inside of one does not end it. */
const tag = /<\/?([a-zA-Z][a-zA-Z0-9]*)(?![a-zA-Z0-9])((?:"[^"]*"|'[^']*'|[^"'<>])*)>/g;
const unfinishedTag = /<[a-zA-Z/!][^<>]*$/;
/** What is read of a message: enough for any limit in use, and it bounds the work on hostile input. */
const SOURCE_LIMIT = 10_000;
/** An emoji is sent as its name, with its code points in a class (API decisions 6.1). */
const emoji =
  /<span (?:(?!class)[a-z-]+="[^"<>]*" )*class="emoji emoji-([0-9a-f]{1,6}(?:-[0-9a-f]{1,6})*)"[^<>]*>([^<]*)<\/span>/g;
const comment = /<!--[\s\S]*?(?:-->|$)/g;
const alternative = /\balt=(?:"([^"]*)"|'([^']*)')/;
const blocks = new Set(
  'blockquote br div h1 h2 h3 h4 h5 h6 hr li ol p pre table td th tr ul'.split(' '),
);

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

/**
 * The visible text on one line; an image counts as its alternative text.
 * @param limit  characters (code points); a longer text ends in an ellipsis
 */
export function plainText(html: string, limit: number): string {
  const stripped = html
    .slice(0, SOURCE_LIMIT)
    .replaceAll(comment, '')
    .replaceAll(emoji, (_, codes: string, name: string) => emojiOf(codes) ?? name)
    .replaceAll(tag, (_, name: string, attributes: string) => textOf(name, attributes))
    .replace(unfinishedTag, '');
  const text = stripped.replaceAll(/&(#?\w+);/g, decodeEntity).replaceAll(/\s+/g, ' ');
  const characters = Array.from(text.trim());
  return characters.length <= limit
    ? characters.join('')
    : `${characters.slice(0, limit - 1).join('')}…`;
}

function emojiOf(codes: string): string | undefined {
  const points = codes.split('-').map((code) => Number.parseInt(code, 16));
  return points.every((point) => point >= 0x20 && point <= 0x10_ff_ff)
    ? String.fromCodePoint(...points)
    : undefined;
}

function textOf(name: string, attributes: string): string {
  const lower = name.toLowerCase();
  if (lower !== 'img') return blocks.has(lower) ? ' ' : '';
  const found = alternative.exec(attributes);
  return found?.[1] ?? found?.[2] ?? '';
}

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities.get(name.toLowerCase()) ?? whole;
  const isHex = name[1]?.toLowerCase() === 'x';
  const code = Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10);
  const isCharacter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
  return isCharacter ? String.fromCodePoint(code) : whole;
}
