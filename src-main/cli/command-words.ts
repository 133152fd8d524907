/** What can be done to an organization from a terminal. */
export const organizationCommandWords = [
  'backup',
  'config',
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
  'user',
  'webhook-targets',
] as const;

export type OrganizationCommandWord = (typeof organizationCommandWords)[number];

/** What is asked of the program itself. */
export const switchesOfCommands = ['--help', '--version'] as const;

export const commandWords: readonly string[] = ['serve', ...organizationCommandWords];

export const isCommandWord = (word: string | undefined): boolean =>
  word !== undefined && commandWords.includes(word);
