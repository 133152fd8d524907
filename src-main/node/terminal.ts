/** Everything that is printed: names, addresses and answers from outside neither move a cursor nor begin a line. */
import { codeOf } from './error-code.ts';

/** Control characters, what turns the direction of text round, and other ends of lines. */
const CONTROLS = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu;

/** With such characters as `\u001b`, which is also how JSON writes them. */
export const terminalLine = (line: string): string =>
  line.replace(
    CONTROLS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** By the first signal: what goes on ends at its next step, with nothing left. The second one ends it at once. */
export function abortedBySignal(): AbortSignal {
  const giveUp = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => giveUp.abort());
  return giveUp.signal;
}

type Output = 'stdout' | 'stderr';

const guarded = new Set<Output>();

/** Whoever read it may have left, as `head` does, and the disk of a log may be full: neither ends what is under way. */
function guard(to: Output): void {
  if (guarded.has(to)) return;
  guarded.add(to);
  process[to].on('error', (error) => {
    // What a command had to say is lost.
    if (codeOf(error) !== 'EPIPE') process.exitCode = 1;
  });
}

export function print(to: Output, ...lines: readonly string[]): void {
  guard(to);
  process[to].write(lines.map((line) => `${terminalLine(line)}\n`).join(''));
}
