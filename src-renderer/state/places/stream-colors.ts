/** The colours that are offered for streams, in the order of their names in `placeWords.colorNames`. */
export const streamColors = [
  '#4caf6d',
  '#e4a11b',
  '#4a7fd6',
  '#d65b8f',
  '#8a63d2',
  '#2b9c9c',
  '#e2752b',
  '#cf4436',
  '#8c8f2d',
  '#48a8de',
  '#946a45',
  '#8b8b8b',
] as const;
