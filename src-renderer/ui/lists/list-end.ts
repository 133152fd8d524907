/** More rows of a long list that are drawn whenever its end comes near. */
export const MORE_ROWS = 40;
/** No row is lower. */
const LOWEST_ROW_REM = 2;

/** Rows of a long list that are drawn at first: as many as are seen. */
export function firstRowCount(): number {
  const remPx = parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.ceil(innerHeight / (LOWEST_ROW_REM * remPx));
}
