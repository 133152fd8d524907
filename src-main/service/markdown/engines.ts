/** The parts of rendering that are too large to load before a message needs them. */
export interface Engines {
  /** A formula as HTML; undefined when it is none. */
  readonly typeset: ((tex: string, isDisplay: boolean) => string | undefined) | undefined;
  /** Code as escaped HTML with its parts marked. */
  readonly highlight: ((code: string, grammar: string) => string) | undefined;
}

export const noEngines: Engines = { typeset: undefined, highlight: undefined };

const FENCE = /```|~~~/;

/** Whether a fence, or another on its line, may be one of math. */
const hasMathFence = (content: string): boolean =>
  content.split('\n').some((line) => FENCE.test(line) && line.includes('math', line.search(FENCE)));

let math: Promise<Pick<Engines, 'typeset'>> | undefined;
let code: Promise<Pick<Engines, 'highlight'>> | undefined;

/**
 * The engines that a text needs, or could: it is only looked at roughly.
 * @param defaultLanguage  of code blocks that name none
 */
export async function enginesFor(
  content: string,
  defaultLanguage: string | null,
): Promise<Engines> {
  const hasFence = FENCE.test(content);
  if (!hasFence && !content.includes('$$')) return noEngines;
  const needsMath =
    content.includes('$$') || (hasFence && (defaultLanguage === 'math' || hasMathFence(content)));
  math ??= needsMath ? import('./syntax/math.ts') : undefined;
  code ??= hasFence ? import('./highlight.ts') : undefined;
  return { typeset: (await math)?.typeset, highlight: (await code)?.highlight };
}
