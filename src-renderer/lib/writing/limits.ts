/** How long a message is, counted the way the service counts it. */

/** From here on a counter is worth its place. */
export const TOPIC_COUNTER_FROM = 50;
export const CONTENT_COUNTER_FROM = 9_000;

const LONG_CHARACTERS = 2_000;
const LONG_LINES = 40;

/** Whether a text that is pasted is read more easily as a file. */
export const isLongPaste = (text: string): boolean =>
  text.length > LONG_CHARACTERS || text.split('\n', LONG_LINES + 1).length > LONG_LINES;

const encoder = new TextEncoder();

/** Length in UTF-8 of what would be sent: the service drops white space at the end. */
export const contentBytes = (content: string): number => encoder.encode(content.trimEnd()).length;

/** Characters as people see them counted: an emoji outside of the basic plane is one. */
export const characters = (text: string): number => Array.from(text.trim()).length;
