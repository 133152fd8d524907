/** Letters and signs that several keyboards write in several ways, by the one of a plain keyboard. */

/** @param pairs  a sign and what stands for it, without anything between them; pairs are separated by blanks */
export const tableOf = (pairs: string): ReadonlyMap<string, string> =>
  new Map(pairs.split(' ').map((pair) => [pair.charAt(0), pair.slice(1)]));

/** Letters that no accent explains, in lower case, and signs that a plain keyboard has in one form. */
export const plainLetters = tableOf(
  "ßss æae œoe øo łl đd ðd þth ıi ħh ŧt ŋn ĸk ʼ' ’' ‘' ʻ' `' ´' ‐- ‑- –- ςσ",
);
