/** 10000 as `10,000`. The engine's tables of languages would do it, too, and cost each process 8 MiB. */
export function withThousands(value: number): string {
  let rest = String(value);
  let groups = '';
  while (rest.length > 3) {
    groups = `,${rest.slice(-3)}${groups}`;
    rest = rest.slice(0, -3);
  }
  return rest + groups;
}
