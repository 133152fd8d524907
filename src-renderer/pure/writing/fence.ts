interface Fence {
  readonly mark: string;
  readonly length: number;
}

const opening = /^ {0,3}(?<marks>`{3,}|~{3,})(?<rest>.*)$/;

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
