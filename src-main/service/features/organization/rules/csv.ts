/** Tables as comma-separated values (RFC 4180). */

/** Spreadsheets run what begins like this as a formula. */
const FORMULA = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** Whatever would be a formula is made a text. */
export const withoutFormula = (text: string): string => (FORMULA.test(text) ? `'${text}` : text);

const cellOf = (value: string | number): string =>
  `"${withoutFormula(String(value)).replaceAll('"', '""')}"`;

/** One line with its end. */
export const csvLine = (cells: readonly (string | number)[]): string =>
  `${cells.map(cellOf).join(',')}\r\n`;
