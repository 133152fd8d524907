/** A number with what it counts, as people read it: "1 message", "1,200 messages". */
export const count = (n: number, one: string, many: string): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
