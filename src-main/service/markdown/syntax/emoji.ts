import type { StateCore, StateInline, Token } from 'markdown-it';
import { emojiCodeOf, findEmoji } from '../../../contract/emoji.ts';
import { renderingOf } from '../env.ts';
import { escapeText, escapeValue } from '../escape.ts';
import { replaceInText } from '../pieces.ts';

const NAMED = /:([\w+-]+):/y;
// Nothing below this is an emoji; keycaps end in a character above it.
const MAYBE_EMOJI = /[\u00a9-\uffff]/;

/** `:tada:`; the organization's own emoji come first. */
export function emojiRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3a) return false;
  NAMED.lastIndex = state.pos;
  const match = NAMED.exec(state.src);
  if (match === null || NAMED.lastIndex > state.posMax) return false;
  const name = match[1] ?? '';
  const path = renderingOf(state.env).markup.customEmoji.get(name);
  const code = path === undefined ? emojiCodeOf(name) : undefined;
  if (path === undefined && code === undefined) return false;
  if (!silent) {
    const token = state.push(path === undefined ? 'emoji' : 'custom_emoji', '', 0);
    token.content = name;
    token.info = path ?? code ?? '';
  }
  state.pos += match[0].length;
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
