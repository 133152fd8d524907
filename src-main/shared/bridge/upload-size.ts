/** The largest file that a window hands over: it is in memory on its way. */
export const MOST_WINDOW_UPLOAD_MIB = 250;
