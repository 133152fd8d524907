import type { MarkdownIt, StateCore, StateInline, Token } from 'markdown-it';
import { linkSchemes } from '#shared/text/rendered-html.ts';
import { trimEndOf } from '#shared/text/trim-end.ts';
import { renderingOf } from '../env.ts';
import { type Linkifier, linkifierBudget, matchLinkifiers } from './linkifiers.ts';
import { hostEnds, separateHosts } from './host-ends.ts';
import { linkTokens, replaceInText } from '../pieces.ts';

const SCHEMES: ReadonlySet<string> = new Set(linkSchemes);

const SCHEME = /^([a-z][a-z0-9+.-]*):/i;
// `example.com:8080/x` looks like a scheme and is not one.
const HOST_AND_PORT = /^(?:localhost|[\w-]+(?:\.[\w-]+)+):\d{1,5}(?:[/?#]|$)/i;
const TRAILING = '.,;:!?*~';
// Names that far more often mean a file than a country: README.md, setup.py, run.sh, main.rs.
const FILE_NAME = /^[^/?#:]+\.(?:md|py|sh|rs)$/i;
// Roots that people share links of, beside the classic and the national ones that linkify-it knows.
const MORE_ROOTS =
  'app blog chat click cloud club codes community company design dev digital email events games ' +
  'group host jobs link live media mobi news ninja online page photos press run services site ' +
  'software space store studio support systems team tech today tools travel video wiki work world ' +
  'xyz zone';

/** Lets the parser find bare URLs, e-mail addresses and `example.com`. */
export function configureLinkFinder(md: MarkdownIt): void {
  md.linkify.set({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: false });
  // `//host` means whatever scheme the page has; nobody types it to share a link.
  md.linkify.add('//', null);
  md.linkify.tlds(MORE_ROOTS.split(' '), true);
}

const isRootIn =
  (md: MarkdownIt) =>
  (label: string): boolean =>
    md.linkify.test(`a.${label}`);

/** The href for a destination, or undefined where the scheme is not allowed. */
function hrefFor(md: MarkdownIt, destination: string): string | undefined {
  const url = destination.trim();
  if (/^(?:\/(?![/\\])|#.)/.test(url)) return md.normalizeLink(url);
  const scheme = SCHEME.exec(url)?.[1];
  if (scheme !== undefined && SCHEMES.has(scheme.toLowerCase())) return md.normalizeLink(url);
  if (scheme !== undefined && !HOST_AND_PORT.test(url)) return undefined;
  if (url === '' || /^[/\\#?]/.test(url)) return undefined;
  const isEmail = /^[^/:]+$/.test(url) && /.@./s.test(url);
  return md.normalizeLink(isEmail ? `mailto:${url}` : `http://${url}`);
}

interface Target {
  readonly href: string;
  readonly title: string;
  readonly end: number;
}

function skipBlanks(state: StateInline, from: number): number {
  let pos = from;
  while (pos < state.posMax && ' \t\n'.includes(state.src.charAt(pos))) pos++;
  return pos;
}

function readTarget(state: StateInline, from: number): Target | undefined {
  const { helpers } = state.md;
  const start = skipBlanks(state, from);
  const destination = helpers.parseLinkDestination(state.src, start, state.posMax);
  const href = destination.ok ? hrefFor(state.md, destination.str) : undefined;
  if (href === undefined) return undefined;
  let pos = skipBlanks(state, destination.pos);
  let title = '';
  if (pos > destination.pos) {
    const found = helpers.parseLinkTitle(state.src, pos, state.posMax);
    if (found.ok) {
      title = found.str;
      pos = skipBlanks(state, found.pos);
    }
  }
  return pos < state.posMax && state.src.charAt(pos) === ')'
    ? { href, title, end: pos + 1 }
    : undefined;
}

/** `[text](url "title")`. No reference links, and a refused URL leaves the whole as text. */
export function linkRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x5b) return false;
  const start = state.pos + 1;
  const max = state.posMax;
  const end = state.md.helpers.parseLinkLabel(state, state.pos, true);
  if (end <= start || end + 1 >= max || state.src.charAt(end + 1) !== '(') return false;
  const target = readTarget(state, end + 2);
  if (!target) return false;
  if (!silent) {
    const open = state.push('link_open', 'a', 1);
    open.attrs = [['href', target.href]];
    if (target.title) open.attrs.push(['title', target.title]);
    state.pos = start;
    state.posMax = end;
    state.linkLevel++;
    state.md.inline.tokenize(state);
    state.linkLevel--;
    state.push('link_close', 'a', -1);
  }
  state.pos = target.end;
  state.posMax = max;
  return true;
}

/** In characters, with scheme and port. */
const MAX_HOST = 300;

/** Takes `https://…` in one piece, so that `*` or `~~` inside a URL is no markup. */
export function urlRule(state: StateInline, silent: boolean): boolean {
  if (silent || state.linkLevel > 0 || !state.src.startsWith('://', state.pos)) return false;
  // Of the source: to read the end of what is pending copies all of it, for each such sign anew.
  const before = state.src.slice(Math.max(0, state.pos - 6), state.pos);
  const scheme = /(?:^|[^a-z0-9+.-])(https?|ftp)$/i.exec(before)?.[1];
  if (scheme === undefined) return false;
  const from = state.pos - scheme.length;
  const start = state.src.slice(from, Math.min(from + MAX_HOST, state.posMax));
  const [hostEnd] = hostEnds(start, isRootIn(state.md));
  const end = hostEnd === undefined ? state.posMax : from + hostEnd;
  const found = state.md.linkify.matchAtStart(state.src.slice(from, end));
  const url = trimEndOf(found?.raw ?? '', TRAILING);
  const href = url.length > scheme.length + 3 ? hrefFor(state.md, url) : undefined;
  if (href === undefined || !state.pending.endsWith(scheme)) return false;
  state.pending = state.pending.slice(0, -scheme.length);
  state.push('link_open', 'a', 1).attrs = [['href', href]];
  state.push('text', '', 0).content = url;
  state.push('link_close', 'a', -1);
  state.pos += url.length - scheme.length;
  return true;
}

interface FoundLink {
  readonly index: number;
  readonly text: string;
  readonly href: string;
}

function* findLinks(md: MarkdownIt, text: string): Generator<FoundLink & { isEmail: boolean }> {
  const found = /[.:@]/.test(text) ? md.linkify.match(separateHosts(text, isRootIn(md))) : null;
  for (const match of found ?? []) {
    const raw = trimEndOf(text.slice(match.index, match.lastIndex), TRAILING);
    if (match.schema === '' && FILE_NAME.test(raw)) continue;
    const isEmail = match.schema === 'mailto:';
    const url = isEmail && !/^mailto:/i.test(raw) ? `mailto:${raw}` : raw;
    const href = hrefFor(md, match.schema === '' ? `http://${raw}` : url);
    if (href !== undefined) yield { index: match.index, text: raw, href, isEmail };
  }
}

/** Turns what is left in plain text (domains, e-mail addresses) into links. */
export function bareLinksRule(state: StateCore): void {
  replaceInText(state, ({ content }, { isInLink, previous }) => {
    if (isInLink || !/[.:@]/.test(content)) return [];
    // What follows an escaped character is the rest of something the writer did not want linked.
    const followsEscape = previous?.type === 'text_special';
    return [...findLinks(state.md, content)]
      .filter((link) => link.index > 0 || !followsEscape)
      .map(({ index, text, href }) => ({
        index,
        length: text.length,
        tokens: linkTokens(state, href, text),
      }));
  });
}

const isText = ({ type }: Token): boolean => type === 'text' || type === 'text_special';

/** What stands before a text: nothing at the start of a line or of marks, some sign behind anything else. */
function textBefore(previous: Token | undefined): string {
  if (previous === undefined || previous.nesting === 1 || previous.tag === 'br') return '';
  return isText(previous) ? previous.content : '\ufffc';
}

/** Turns what the organization's linkifiers match into links. */
export function linkifierRule(state: StateCore): void {
  const { markup, budgets } = renderingOf(state.env);
  if (markup.linkifiers.length === 0) return;
  replaceInText(state, ({ content }, { isInLink, previous, next }) => {
    if (isInLink) return [];
    const around = {
      before: textBefore(previous),
      behind: next && isText(next) ? next.content : '',
    };
    const hits = matchLinkifiers(markup.linkifiers, content, budgets.linkifiers, around);
    return hits.flatMap(({ index, text, url }) => {
      const href = hrefFor(state.md, url);
      if (href === undefined) return [];
      return [{ index, length: text.length, tokens: linkTokens(state, href, text) }];
    });
  });
}

/**
 * Hrefs of what the linkifiers match in a text that is no Markdown, in order, then of the bare URLs in it,
 * without e-mail addresses.
 */
export function linksOfText(
  md: MarkdownIt,
  text: string,
  linkifiers: readonly Linkifier[],
): string[] {
  const links = [...findLinks(md, text)];
  const isInUrl = (index: number): boolean =>
    links.some((link) => link.index <= index && index < link.index + link.text.length);
  const hits = linkifiers.length === 0 ? [] : matchLinkifiers(linkifiers, text, linkifierBudget());
  const hitLinks = hits.flatMap(({ index, url }) =>
    isInUrl(index) ? [] : (hrefFor(md, url) ?? []),
  );
  return [...hitLinks, ...links.filter((link) => !link.isEmail).map((link) => link.href)];
}
