/** Rows of a long list that are drawn at first, and more of them whenever its end comes near. */
export const ROWS_AT_ONCE = 40;
