/** The ids of the tests that prove each row, by the key of the row: what their titles end in. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** The rows of one table, under their full keys. */
export const table = (name: string, rows: Rows): Rows =>
  Object.fromEntries(Object.entries(rows).map(([row, ids]) => [`${name}: ${row}`, ids]));

/** Rows that the same tests prove. */
export const alike = (rows: readonly string[], ids: readonly string[]): Rows =>
  Object.fromEntries(rows.map((row) => [row, ids]));
