import type { Env, StateInline, Token } from 'markdown-it';
import { isWordBefore, isWordBehind } from '#shared/text/word-boundaries.ts';
import { renderingOf } from './env.ts';
import { escapeText } from './escape.ts';

const INLINE = /\$\$(?!\$)((?:\\\$|[^$\n])+)\$\$(?!\$)/y;

/** `$$x^2$$`; without a typesetter it is text. */
export function formulaRule(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith('$$', state.pos)) return false;
  if (renderingOf(state.env).engines.typeset === undefined) return false;
  INLINE.lastIndex = state.pos;
  const match = INLINE.exec(state.src);
  if (match === null || INLINE.lastIndex > state.posMax) return false;
  const isInWord = isWordBefore(state.src, state.pos) || isWordBehind(state.src, INLINE.lastIndex);
  if (isInWord || state.src.charAt(state.pos - 1) === '$') return false;
  if (!silent) state.push('formula', 'span', 0).content = match[1] ?? '';
  state.pos += match[0].length;
  return true;
}

function typesetOrText(tex: string, isDisplay: boolean, env: Env): string {
  const { engines, budgets } = renderingOf(env);
  const html = budgets.mathLength > 0 ? engines.typeset?.(tex, isDisplay) : undefined;
  if (html !== undefined && html.length <= budgets.mathLength) {
    budgets.mathLength -= html.length;
    return isDisplay ? `<span class="katex-display">${html}</span>` : html;
  }
  const lines = isDisplay ? `\n${tex}\n` : tex;
  return `<span class="tex-error">$$${escapeText(lines)}$$</span>`;
}

export const writeFormula = (token: Token, env: Env): string =>
  typesetOrText(token.content, false, env);

/** A fence with the word `math`: one formula for each paragraph in it. */
export const writeFormulaBlock = (content: string, env: Env): string =>
  content
    .split(/\n[ \t]*\n/)
    .map((tex) => tex.trim())
    .filter((tex) => tex !== '')
    .map((tex) => `<p>${typesetOrText(tex, true, env)}</p>\n`)
    .join('');
