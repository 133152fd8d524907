import {
  afterLine,
  isContainer,
  isSpoiler,
  marksAround,
  openFences,
  type Fence,
} from '#shared/text/fences.ts';

/** Whether the end of the text stands inside a fenced block that nothing has closed yet. */
export const isInOpenFence = (textBeforeCaret: string): boolean =>
  openFences(textBeforeCaret).length > 0;

/** The same for code alone: what stands in a quote or a spoiler is Markdown. */
export function isInOpenCode(textBeforeCaret: string): boolean {
  const inner = openFences(textBeforeCaret).at(-1);
  return inner !== undefined && !isContainer(inner);
}

/** A quote of a whole message: what is written below it stands outside, whatever the message leaves open. */
export function quoteOf(content: string): string {
  const marks = marksAround(content);
  return `${marks}quote\n${content}\n${marks}\n`;
}

/** The lines of which `isWanted` says so of the blocks around them; without code within lines. */
function linesIn(text: string, isWanted: (around: Fence) => boolean): string {
  let open: readonly Fence[] = [];
  const lines = text.split('\n').filter((line) => {
    const before = open;
    open = afterLine(open, line);
    return before === open && open.every(isWanted);
  });
  return withoutSpans(lines.join('\n'));
}

/** What notifies people: prose, without code and quotes. A block that nothing closes reaches to the end. */
export const withoutQuotes = (text: string): string => linesIn(text, isSpoiler);

export const withoutCode = (text: string): string => linesIn(text, isContainer);

/** Code within lines begins with backquotes and ends with the next as many. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)];
  const endsByLength = new Map<number, number[]>();
  for (const { 0: run, index } of runs.toReversed()) {
    const ends = endsByLength.get(run.length);
    if (ends === undefined) endsByLength.set(run.length, [index + run.length]);
    else ends.push(index + run.length);
  }
  let kept = '';
  let from = 0;
  for (const { 0: run, index } of runs) {
    const ends = endsByLength.get(run.length);
    ends?.pop();
    const end = ends?.at(-1);
    if (index < from || end === undefined) continue;
    kept += text.slice(from, index);
    from = end;
  }
  return kept + text.slice(from);
}
