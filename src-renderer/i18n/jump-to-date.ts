/** What is said where a day is jumped to. */
export const jumpWords = {
  day: 'Day',
  jump: 'Jump',
  nothingSince: (day: string): string => `Nothing was written here on ${day} or later.`,
  laterDay: (day: string): string =>
    `Nothing was written on that day. The next message is of ${day}.`,
} as const;
