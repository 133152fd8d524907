/** What can be done to an organization from a terminal. */
export const officeCommandWords = [
  'backup',
  'invite',
  'move-in',
  'move-out',
  'open',
  'recovery-code',
  'reset-password',
  'restore',
  'send',
  'service',
  'stolen',
  'webhook-targets',
] as const;

export type OfficeCommandWord = (typeof officeCommandWords)[number];

/** What is asked of the program itself. */
export const switchesOfCommands = ['--help', '--version'] as const;

export const commandWords: readonly string[] = ['serve', ...officeCommandWords];

export const isCommandWord = (word: string | undefined): boolean =>
  word !== undefined && commandWords.includes(word);
