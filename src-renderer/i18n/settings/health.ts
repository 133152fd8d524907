import { count } from '../count.ts';
import { size } from '../size.ts';

/** How the service of an organization is, as its administrators read it. */
export const healthWords = {
  title: 'Now',
  version: 'Hearth',
  running: (version: string, since: string): string => `${version}, running since ${since}`,
  disk: 'Disk',
  free: (free: number, total: number): string => `${size(free)} of ${size(total)} free`,
  full: 'So little is free that nobody can upload files. Messages still go through. Make room on the disk of the service.',
  database: 'Messages and settings',
  uploads: 'Uploaded files',
  memory: 'Memory',
  people: 'Applications',
  connected: (connected: number, queues: number): string =>
    `${count(connected, 'is', 'are')} connected, ${queues.toLocaleString('en')} can go on where they were`,

  warnings: 'Warnings',
  warningsHint:
    'What the service had to say since it started, at most a hundred. No key, password or message is in it.',
  none: 'None since it started.',
  levels: { warn: 'Warning', error: 'Error' },
  details: 'Details',
  copy: 'Copy all',
} as const;
