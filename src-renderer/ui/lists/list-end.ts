/** More rows of a long list that are drawn whenever its end comes near. */
export const MORE_ROWS = 40;
/** No row is lower where the text has its usual size. */
const LOWEST_ROW_PX = 32;
/** A page that draws at once may do so before its window has told it of any size. */
const USUAL_HEIGHT_PX = 720;

/** Rows of a long list that are drawn at first: as many as are seen. */
export function firstRowCount(): number {
  // As it was chosen: the computed one would cost a pass over all that is just being drawn.
  const { fontSize } = document.documentElement.style;
  const scale = fontSize.endsWith('%') ? parseFloat(fontSize) / 100 : 1;
  return Math.ceil((innerHeight || USUAL_HEIGHT_PX) / (LOWEST_ROW_PX * scale));
}
