import type { StateCore, StateInline, Token } from 'markdown-it';
import { emojiCodeOf, findEmoji } from '#shared/text/emoji.ts';
import { isWordBefore, isWordBehind } from '#shared/text/word-boundaries.ts';
import { renderingOf } from '../env.ts';
import { escapeText, escapeValue } from '../escape.ts';
import { replaceInText } from '../pieces.ts';

const NAMED = /:([\w+-]+):/y;
// Nothing below this is an emoji; keycaps end in a character above it.
const MAYBE_EMOJI = /[\u00a9-\uffff]/;

interface NamedEmoji {
  readonly name: string;
  /** Of the organization's own image, which comes first; undefined for an emoji of Unicode. */
  readonly path: string | undefined;
  readonly code: string | undefined;
  readonly end: number;
}

function namedEmojiAt({ src, posMax, env }: StateInline, at: number): NamedEmoji | undefined {
  NAMED.lastIndex = at;
  const name = NAMED.exec(src)?.[1];
  if (name === undefined || NAMED.lastIndex > posMax) return undefined;
  const path = renderingOf(env).markup.customEmoji.get(name);
  const code = path === undefined ? emojiCodeOf(name) : undefined;
  if (path === undefined && code === undefined) return undefined;
  return { name, path, code, end: NAMED.lastIndex };
}

const isEmoji = (token: Token | undefined): boolean =>
  token?.type === 'emoji' || token?.type === 'custom_emoji';

/** Colons with a word at their other side belong to a MAC address, a path of names or the like. */
function isBeginningAt(state: StateInline): boolean {
  if (state.pending === '' && isEmoji(state.tokens.at(-1))) return true;
  let at = state.pos;
  while (state.src.charAt(at - 1) === ':') at--;
  return !isWordBefore(state.src, at);
}

function isEndAt(state: StateInline, end: number): boolean {
  let at = end;
  while (state.src.charAt(at) === ':') at++;
  return !isWordBehind(state.src, at) || namedEmojiAt(state, at - 1) !== undefined;
}

/** `:tada:` with no letter or digit beside it (API decisions 6.4). */
export function emojiRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a) return false;
  const found = namedEmojiAt(state, state.pos);
  if (found === undefined || !isBeginningAt(state) || !isEndAt(state, found.end)) return false;
  const { name, path, code, end } = found;
  if (!silent) {
    const token = state.push(path === undefined ? 'emoji' : 'custom_emoji', '', 0);
    token.content = name;
    token.info = path ?? code ?? '';
  }
  state.pos = end;
  return true;
}

/** Emoji that were typed as themselves become what their names become. */
export function literalEmojiRule(state: StateCore): void {
  replaceInText(state, (token) => {
    if (!MAYBE_EMOJI.test(token.content)) return [];
    return Array.from(findEmoji(token.content), ({ index, literal, code, name }) => {
      const emoji = new state.Token('emoji', '', 0);
      emoji.content = name;
      emoji.info = code;
      return { index, length: literal.length, tokens: [emoji] };
    });
  });
}

export function writeEmoji(token: Token): string {
  const title = escapeValue(token.content.replaceAll('_', ' '));
  const attributes = `aria-label="${title}" class="emoji emoji-${token.info}" role="img" title="${title}"`;
  return `<span ${attributes}>:${escapeText(token.content)}:</span>`;
}

export function writeCustomEmoji(token: Token): string {
  const name = escapeValue(token.content);
  const title = name.replaceAll('_', ' ');
  return `<img alt=":${name}:" class="emoji" src="${escapeValue(token.info)}" title="${title}">`;
}
