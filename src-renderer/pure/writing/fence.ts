interface Fence {
  readonly mark: string;
  readonly length: number;
}

const opening = /^ {0,3}(?<marks>`{3,}(?!`)|~{3,}(?!~))(?<rest>.*)$/;

function fenceAfter(line: string, open: Fence | null): Fence | null {
  const found = opening.exec(line)?.groups;
  const marks = found?.['marks'];
  if (found === undefined || marks === undefined) return open;
  const rest = found['rest'] ?? '';
  const mark = marks.charAt(0);
  if (open === null) {
    // "```a```" on one line is code inside a line, not the start of a block.
    return mark === '`' && rest.includes('`') ? null : { mark, length: marks.length };
  }
  const closes = mark === open.mark && marks.length >= open.length && rest.trim() === '';
  return closes ? null : open;
}

/** Whether the end of the text stands inside a fenced block that nothing has closed yet. */
export const isInOpenFence = (textBeforeCaret: string): boolean =>
  textBeforeCaret.split('\n').reduce<Fence | null>((open, line) => fenceAfter(line, open), null) !==
  null;

/** Prose alone: a block that nothing closes reaches to the end. */
export function withoutCode(text: string): string {
  let open: Fence | null = null;
  const prose = text.split('\n').filter((line) => {
    const before = open;
    open = fenceAfter(line, open);
    return before === null && open === null;
  });
  return withoutSpans(prose.join('\n'));
}

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
