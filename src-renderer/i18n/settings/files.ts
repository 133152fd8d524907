import { count } from '../count.ts';
import { size } from '../size.ts';

/** What people read of files on the service and of the room that they take. */
export const fileWords = {
  own: {
    title: 'Your files on the service',
    hint: 'What you and your bots uploaded, the largest first. A file goes with the last message that links to it.',
    none: 'You have not uploaded any files.',
  },
  everyone: {
    title: 'Largest files of the organization',
    hint: 'Everybody’s. The name of a file that was shared where you are not is not shown.',
    none: 'Nobody has uploaded any files.',
  },
  used: (files: number, bytes: number, limit: number | null): string =>
    `${count(files, 'file', 'files')}, ${size(bytes)}${limit === null ? '' : ` of at most ${size(limit)}`}`,
  hidden: 'A file in a conversation without you',
  unposted: 'In no message',
  unseen: (messages: number): string =>
    `In ${count(messages, 'message', 'messages')} that you cannot see`,
  more: (messages: number): string => `and ${messages.toLocaleString('en')} more`,
  inStream: (stream: string, topic: string): string => `#${stream} > ${topic}`,
  openLabel: (place: string): string => `Open the message in ${place}`,
  showMore: 'Show more',
  refresh: 'Refresh',
  delete: 'Delete…',
  deleteLabel: (name: string): string => `Delete ${name}`,
  deleteTitle: 'Delete this file?',
  deleteText: (name: string, messages: number, of: string): string => {
    const whose = of === '' ? '' : ` It was uploaded by ${of}.`;
    const linked =
      messages === 0
        ? ' No message links to it.'
        : ` ${count(messages, 'message links', 'messages link')} to it: they stay, and the link leads to nothing.`;
    return `${name} is deleted from the service for everybody.${whose}${linked} This cannot be undone.`;
  },
  deleteRun: 'Delete',
} as const;
