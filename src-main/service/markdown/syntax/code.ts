import type { Env, StateInline, Token } from 'markdown-it';
import { renderingOf } from '../env.ts';
import { escapeText, escapeValue } from '../escape.ts';
import { writeFormulaBlock } from '../formulas.ts';
import { type Language, languageOf } from '../languages.ts';

// Grammars may look far ahead for every character of a line.
const LONG_LINE = /[^\n]{400}/;

function writeCode(content: string, language: Language | undefined, env: Env): string {
  const { engines, budgets } = renderingOf(env);
  const grammar = language?.grammar;
  if (grammar === undefined || engines.highlight === undefined) return escapeText(content);
  if (content.length > budgets.codeLength || LONG_LINE.test(content)) return escapeText(content);
  budgets.codeLength -= content.length;
  return engines.highlight(content, grammar);
}

function writeBlock(token: Token, language: Language | undefined, env: Env): string {
  const attribute =
    language === undefined ? '' : ` data-code-language="${escapeValue(language.name)}"`;
  // A fence that the end of the message closes has lost its last line break.
  const content = token.content.replace(/[^\n]$/, '$&\n');
  const code = `<pre><span></span><code>${writeCode(content, language, env)}</code></pre>`;
  return `<div class="codehilite"${attribute}>${code}</div>\n`;
}

export const writeCodeBlock = (token: Token, env: Env): string => writeBlock(token, undefined, env);

export function writeFence(token: Token, env: Env): string {
  const named = token.info.trim();
  const info = named === '' ? (renderingOf(env).markup.defaultCodeLanguage ?? '') : named;
  if (info === 'math' && renderingOf(env).engines.typeset)
    return writeFormulaBlock(token.content, env);
  return writeBlock(token, languageOf(info), env);
}

function runEnd(src: string, from: number, max: number): number {
  let pos = from;
  while (pos < max && src.charCodeAt(pos) === 0x60) pos++;
  return pos;
}

/** Where the next run of exactly as many backticks starts, or -1. */
function findCloser(state: StateInline, from: number, length: number): number {
  const { src, posMax } = state;
  // Lengths known to have no closer from a position on: without this, runs that never close would
  // be searched for again and again.
  const hopeless = state.backticks[length];
  if (hopeless !== undefined && from >= hopeless) return -1;
  for (let at = src.indexOf('`', from); at >= 0 && at < posMax; at = src.indexOf('`', at)) {
    const end = runEnd(src, at, posMax);
    if (end - at === length) return at;
    at = end;
  }
  if (posMax === src.length) state.backticks[length] = from;
  return -1;
}

/** `` `code` `` with the content untouched, blanks and line breaks included. */
export function codeSpanRule(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x60) return false;
  const start = runEnd(state.src, state.pos, state.posMax);
  const length = start - state.pos;
  const close = findCloser(state, start, length);
  if (close < 0) {
    if (!silent) state.pending += state.src.slice(state.pos, start);
    state.pos = start;
    return true;
  }
  if (!silent) state.push('code_inline', 'code', 0).content = state.src.slice(start, close);
  state.pos = close + length;
  return true;
}
