import type { RE2JS } from 're2js';
import { lazy } from '#shared/text/lazy.ts';
import { refusal } from '#shared/api/refusal.ts';
import { isWordBehind, unspaced } from '#shared/text/word-boundaries.ts';
import { onDemand } from '../lazy-packages.ts';

const re2 = onDemand('re2js') as () => { readonly RE2JS: typeof RE2JS };

/** A pattern of the organization that turns what it matches into a link. */
export interface Linkifier {
  readonly expression: RE2JS;
  readonly urlFormat: string;
}

export interface LinkifierHit {
  readonly index: number;
  readonly text: string;
  readonly url: string;
}

const MAX_LENGTH = 1000;
const MAX_PROGRAM = 1000;
const PLACEHOLDER = /%\(([A-Za-z_][A-Za-z0-9_]*)\)s/g;
const BEFORE = `\\s'"\\(,:<“”‘’„«»、。〈-】〔-〟（，：；`;
const beforeHit = lazy(() => new RegExp(`[${BEFORE}${unspaced}]$`, 'v'));
/** Of the letters that need no blank beside them, what the engine's tables know. */
const UNSPACED = String.raw`\p{Han}\p{Hiragana}\p{Katakana}ー々\p{Hangul}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}`;

function compilePattern(pattern: string, source: string): RE2JS {
  try {
    return re2().RE2JS.compile(source);
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : '';
    throw refusal('linkifier_pattern_invalid', { pattern, reason });
  }
}

function checkFormat(urlFormat: string, groups: readonly string[]): void {
  if (urlFormat.length > MAX_LENGTH) {
    throw refusal('linkifier_url_too_long', { limit: MAX_LENGTH });
  }
  if (!/^https?:\/\/[^\s<>"]+$/i.test(urlFormat)) {
    throw refusal('linkifier_url_invalid', { url_format: urlFormat });
  }
  for (const [, name = ''] of urlFormat.matchAll(PLACEHOLDER)) {
    if (groups.includes(name)) continue;
    throw refusal('linkifier_group_missing', { name });
  }
}

/**
 * A linkifier, ready to match. The engine takes linear time, so no pattern can hold up the service.
 * @param pattern    RE2 syntax with named groups, `(?P<id>[0-9]+)`
 * @param urlFormat  an http or https address in which `%(id)s` stands for what the group matched
 * @throws Error whose message is one line for the person who typed them
 */
export function compileLinkifier(pattern: string, urlFormat: string): Linkifier {
  if (pattern.length > MAX_LENGTH) {
    throw refusal('linkifier_pattern_too_long', { limit: MAX_LENGTH });
  }
  // First alone: inside the boundaries, a pattern such as `a)(b` would compile.
  const alone = compilePattern(pattern, pattern);
  if (alone.matches('')) throw refusal('linkifier_matches_nothing', { pattern });
  checkFormat(urlFormat, Object.keys(alone.namedGroups()));
  const source = `(?:^|[${BEFORE}${UNSPACED}])(${pattern})(?:$|[^\\pL\\pN_]|[${UNSPACED}])`;
  const expression = compilePattern(pattern, source);
  if (expression.programSize() > MAX_PROGRAM) {
    throw refusal('linkifier_pattern_too_large', { pattern });
  }
  return { expression, urlFormat };
}

// Each single search is linear, but one that looks far ahead for every hit is not: texts are searched
// in pieces, and all the searches of a message together may do so much.
const MAX_PIECE = 512;
const MAX_WORK = 20_000_000;
// A short hit may make a long address.
const MAX_HITS = 500;
const MAX_URL = 2000;

/** What is left of the work that the linkifiers may do for one message. */
export interface LinkifierBudget {
  work: number;
  hits: number;
}
export const linkifierBudget = (): LinkifierBudget => ({ work: MAX_WORK, hits: MAX_HITS });

/** Ends of the pieces in which a text is searched, at blanks where there are any. */
function* pieces(text: string): Generator<readonly [number, number]> {
  let start = 0;
  while (text.length - start > MAX_PIECE) {
    const blank = text.lastIndexOf(' ', start + MAX_PIECE);
    const end = blank > start ? blank : start + MAX_PIECE;
    yield [start, end];
    start = end;
  }
  yield [start, text.length];
}

function* hitsIn(
  linkifier: Linkifier,
  text: string,
  budget: LinkifierBudget,
): Generator<LinkifierHit> {
  const { expression, urlFormat } = linkifier;
  const matcher = expression.matcher(text);
  const size = expression.programSize();
  let from = 0;
  while (from < text.length && budget.hits > 0) {
    budget.work -= (text.length - from) * size;
    if (budget.work < 0 || !matcher.find(from)) return;
    const [index, end] = [matcher.start(1), matcher.end(1)];
    const url = urlFormat.replace(PLACEHOLDER, (_, name: string) => matcher.group(name) ?? '');
    if (end > index && url.length <= MAX_URL) yield { index, text: text.slice(index, end), url };
    from = Math.max(end, from + 1);
  }
}

/** What stands right before and behind a text, which decides whether its ends are boundaries. */
export interface Surroundings {
  readonly before: string;
  readonly behind: string;
}
const NOTHING: Surroundings = { before: '', behind: '' };

/** A hit stands where the text around it says that one may: the searched piece alone does not tell. */
function isBounded(text: string, { before, behind }: Surroundings, hit: LinkifierHit): boolean {
  const end = hit.index + hit.text.length;
  const left = hit.index === 0 ? before : text.slice(Math.max(0, hit.index - 2), hit.index);
  const isInWord = end === text.length ? isWordBehind(behind, 0) : isWordBehind(text, end);
  return (left === '' || beforeHit().test(left)) && !isInWord;
}

const overlaps = (a: LinkifierHit, b: LinkifierHit): boolean =>
  a.index < b.index + b.text.length && b.index < a.index + a.text.length;

/**
 * The hits in a line of text, in order, none overlapping; of two linkifiers that want the same text the
 * earlier has it. Before a hit stands nothing, a blank, a quote, one of `( , : <` or a letter that needs no blank; behind it no word.
 */
export function matchLinkifiers(
  linkifiers: readonly Linkifier[],
  text: string,
  budget: LinkifierBudget,
  around: Surroundings = NOTHING,
): readonly LinkifierHit[] {
  const found: LinkifierHit[] = [];
  for (const linkifier of linkifiers) {
    budget.work -= text.length * linkifier.expression.programSize();
    if (budget.work < 0) break;
    // Most texts have no hit at all, which is the cheapest to find out.
    if (!linkifier.expression.test(text)) continue;
    for (const [start, end] of pieces(text)) {
      for (const hitInPiece of hitsIn(linkifier, text.slice(start, end), budget)) {
        const hit = { ...hitInPiece, index: start + hitInPiece.index };
        if (isBounded(text, around, hit) && !found.some((other) => overlaps(hit, other))) {
          found.push(hit);
          budget.hits--;
        }
      }
    }
  }
  return found.sort((a, b) => a.index - b.index);
}
