import { marksAround } from '#shared/text/fences.ts';

/** Changes of a text as places in it, in UTF-16 code units like a text field's selection. */
export interface TextEdit {
  /** What is replaced: from `from` up to `to`, exclusive. */
  readonly from: number;
  readonly to: number;
  readonly insert: string;
  /** What is selected afterwards. */
  readonly start: number;
  readonly end: number;
}

export interface Selection {
  readonly start: number;
  readonly end: number;
}

export const applied = (text: string, { from, to, insert }: TextEdit): string =>
  text.slice(0, from) + insert + text.slice(to);

/** How many code units two texts have in common at their beginning. */
function sameStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same += 1;
  return same;
}

function sameEnd(a: string, b: string, most: number): number {
  let same = 0;
  while (same < most && a.charCodeAt(a.length - 1 - same) === b.charCodeAt(b.length - 1 - same))
    same += 1;
  return same;
}

/**
 * Where a place of a text is after it became another one.
 * @param side  of what was put in exactly there: a caret goes behind it, an anchor stays before it
 */
export function shifted(
  at: number,
  before: string,
  after: string,
  side: 'before' | 'behind' = 'before',
): number {
  const lead = sameStart(before, after);
  const tail = sameEnd(before, after, Math.min(before.length, after.length) - lead);
  const isBehind = at >= before.length - tail;
  if (at < lead || (at === lead && (side === 'before' || !isBehind))) return at;
  return isBehind ? at + after.length - before.length : after.length - tail;
}

/** The smallest change that makes one text of another; what is selected stays so. */
export function difference(before: string, after: string, { start, end }: Selection): TextEdit {
  const lead = sameStart(before, after);
  const tail = sameEnd(before, after, Math.min(before.length, after.length) - lead);
  return {
    from: lead,
    to: before.length - tail,
    insert: after.slice(lead, after.length - tail),
    start: shifted(start, before, after, 'behind'),
    end: shifted(end, before, after, 'behind'),
  };
}

const around = (text: string, { start, end }: Selection, mark: string): boolean =>
  text.slice(start - mark.length, start) === mark && text.slice(end, end + mark.length) === mark;

/** Whether the mark there is a whole one, and not half of a longer one: `*` is no part of `**`. */
function isMarked(text: string, selection: Selection, mark: string): boolean {
  const { start, end } = selection;
  if (start < mark.length || !around(text, selection, mark)) return false;
  const sign = mark.charAt(0);
  const outer = text.charAt(start - mark.length - 1) === sign;
  return !outer || text.charAt(end + mark.length) !== sign || mark.length > 1;
}

/** Puts marks around what is selected, without the blanks at its ends, or takes them away. */
export function wrapped(text: string, selection: Selection, mark: string): TextEdit {
  const chosen = text.slice(selection.start, selection.end);
  const lead = chosen.length - chosen.trimStart().length;
  const start = chosen.trim() === '' ? selection.start : selection.start + lead;
  const end = start + chosen.trim().length;
  const inner = text.slice(start, end);
  const { length } = mark;
  if (isMarked(text, { start, end }, mark)) {
    const from = start - length;
    return { from, to: end + length, insert: inner, start: from, end: from + inner.length };
  }
  return {
    from: start,
    to: end,
    insert: `${mark}${inner}${mark}`,
    start: start + length,
    end: end + length,
  };
}

/** A link around what is selected, with the address selected so that it can be typed. */
export function linked(text: string, { start, end }: Selection, address = 'https://'): TextEdit {
  const label = text.slice(start, end);
  if (label === '') {
    return { from: start, to: end, insert: `[](${address})`, start: start + 1, end: start + 1 };
  }
  const at = start + label.length + 3;
  const insert = `[${label}](${address})`;
  return { from: start, to: end, insert, start: at, end: at + address.length };
}

/** Puts a prefix before each selected line, or takes it away where every line has it. */
export function prefixed(text: string, { start, end }: Selection, prefix: string): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  const after = text.indexOf('\n', end);
  const to = after === -1 ? text.length : after;
  const lines = text.slice(from, to).split('\n');
  const isOn = lines.every((line) => line.startsWith(prefix));
  const insert = lines.map((line) => (isOn ? line.slice(prefix.length) : prefix + line)).join('\n');
  const isCaret = start === end;
  return {
    from,
    to,
    insert,
    start: isCaret ? from + insert.length : from,
    end: from + insert.length,
  };
}

/** Code: within its line by marks, over several lines by a fence. */
export function coded(text: string, selection: Selection): TextEdit {
  const { start, end } = selection;
  const chosen = text.slice(start, end);
  if (!chosen.includes('\n')) return wrapped(text, selection, '`');
  const lead = start === 0 || text.charAt(start - 1) === '\n' ? '' : '\n';
  const tail = end === text.length || text.charAt(end) === '\n' ? '' : '\n';
  const marks = marksAround(chosen);
  const insert = `${lead}${marks}\n${chosen}${chosen.endsWith('\n') ? '' : '\n'}${marks}${tail}`;
  const caret = start + lead.length + marks.length;
  return { from: start, to: end, insert, start: caret, end: caret };
}

/** Replaces what is selected and stands behind it. */
export const inserted = ({ start, end }: Selection, insert: string): TextEdit => ({
  from: start,
  to: end,
  insert,
  start: start + insert.length,
  end: start + insert.length,
});
