import katex from 'katex';

// Beside what one message may hold: macros that repeat themselves, sizes that cover the window, and
// nesting that no browser could show.
const MAX_EXPANSIONS = 300;
// Each use of a macro that the formula defines may put nearly all of it there once more.
const DEFINITION = /\\(?:[egx]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![a-z])/i;
const MAX_EXPANDED = 30_000;
const MAX_SIZE_EM = 10;
const MAX_LENGTH = 3000;
const MAX_DEPTH = 100;

function depthOf(html: string): number {
  let [depth, deepest] = [0, 0];
  for (const [, slash] of html.matchAll(/<(\/?)/g)) {
    depth += slash === '' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const expansionsFor = (tex: string): number =>
  DEFINITION.test(tex) ? Math.min(MAX_EXPANSIONS, MAX_EXPANDED / tex.length) : MAX_EXPANSIONS;

/** A formula as a `katex` span of MathML; undefined when it is none, or too much of one. */
export function typeset(tex: string, isDisplay: boolean): string | undefined {
  if (tex.length > MAX_LENGTH) return undefined;
  try {
    const html = katex
      .renderToString(tex, {
        output: 'mathml',
        displayMode: isDisplay,
        throwOnError: true,
        strict: false,
        trust: false,
        maxExpand: expansionsFor(tex),
        maxSize: MAX_SIZE_EM,
      })
      // In the one form in which the rest of the HTML is written.
      .replace(/<(m[a-z]+)(?![a-z])([^<>]*)\/>/g, '<$1$2></$1>')
      .replaceAll('&#x27;', "'")
      .replaceAll('&quot;', '"');
    return depthOf(html) > MAX_DEPTH ? undefined : html;
  } catch {
    // Whatever is wrong with it, down to nesting that overflows the stack: it is shown as it was typed.
    return undefined;
  }
}
