/** Options as help lists them. */
import type { Options } from './option.ts';

const WIDTH = 110;
/** Longer ones have a line of their own. */
const MOST_HEAD = 26;

function wrapped(text: string, indent: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    const fits = last !== undefined && indent + last.length + word.length < WIDTH;
    // A line that begins with dashes would look like an option.
    if (last !== undefined && (fits || word.startsWith('--'))) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** A name with what it means, in two columns. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const heads = rows.map(([head]) => head.length).filter((length) => length <= MOST_HEAD);
  const indent = Math.max(...heads, 0) + 3;
  return rows.flatMap(([head, text]) => {
    const [first = '', ...more] = wrapped(text, indent);
    const isLong = head.length > MOST_HEAD;
    const begin = isLong
      ? [`  ${head}`, ' '.repeat(indent) + first]
      : [`  ${head}`.padEnd(indent) + first];
    return [...begin, ...more.map((line) => ' '.repeat(indent) + line)];
  });
}

const defaultText = (initialText: string): string =>
  initialText === '' ? '' : ` (default: ${initialText})`;

export const optionLines = (options: Options): readonly string[] =>
  columns(
    Object.entries(options)
      .filter(([, { isHidden }]) => isHidden !== true)
      .map(([name, { argument, summary, initialText }]) => [
        `--${name} ${argument}`.trimEnd(),
        summary + defaultText(initialText),
      ]),
  );
