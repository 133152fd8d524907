/** Fenced blocks: code, and the containers whose content is Markdown again (API decisions 6.2). */

export interface Fence {
  readonly marker: string;
  readonly length: number;
  /** What stands behind the marks; empty where the line may close a block. */
  readonly info: string;
}

/** @param line  without its indentation */
export function fenceOf(line: string): Fence | undefined {
  const [, marks, rest] = /^(`{3,}(?!`)|~{3,}(?!~))(.*)$/.exec(line) ?? [];
  if (marks === undefined || rest === undefined) return undefined;
  // "```a```" on one line is code inside a line, not the start of a block.
  if (marks.startsWith('`') && rest.includes('`')) return undefined;
  return { marker: marks.charAt(0), length: marks.length, info: rest.trim() };
}

export const isSpoiler = ({ info }: Fence): boolean => /^spoiler(?:\s|$)/.test(info);
export const isContainer = (fence: Fence): boolean => fence.info === 'quote' || isSpoiler(fence);

/** How many of the open blocks remain; undefined where the line closes none. */
function remaining(open: readonly Fence[], { marker, length, info }: Fence): number | undefined {
  const inner = open.at(-1);
  if (inner === undefined || info !== '') return undefined;
  const isSame = (fence: Fence): boolean => fence.marker === marker && fence.length === length;
  if (isSame(inner)) return open.length - 1;
  // The end of a container is its own, also where a shorter fence inside is left open.
  const shorter = open.findLastIndex((fence) => fence.length >= length);
  const container = open[shorter];
  if (container !== undefined && isContainer(container) && isSame(container)) return shorter;
  return inner.marker === marker && length > inner.length ? open.length - 1 : undefined;
}

/** The blocks that are open behind a line. @param open  before it, the innermost last */
export function afterFence(open: readonly Fence[], fence: Fence): readonly Fence[] {
  const left = remaining(open, fence);
  if (left !== undefined) return open.slice(0, left);
  const inner = open.at(-1);
  return inner === undefined || isContainer(inner) ? [...open, fence] : open;
}

/** The blocks that are open behind a line of a text that may be anything. */
export function afterLine(open: readonly Fence[], line: string): readonly Fence[] {
  const fence = fenceOf(line.replace(/^ {1,3}(?! )/, ''));
  return fence === undefined ? open : afterFence(open, fence);
}

/** The blocks that nothing has closed at the end of a text, the innermost last. */
export const openFences = (text: string): readonly Fence[] =>
  text.split('\n').reduce<readonly Fence[]>(afterLine, []);

/** Marks for a block around a text: longer than every run of marks within. */
export function marksAround(text: string): string {
  const runs = text.match(/`+|~+/g) ?? [];
  return '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length), 2) + 1);
}
