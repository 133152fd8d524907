/** Compiled from storage.json by `npm run messages`. */
import { pluralOf } from '../format.ts';

export const storage = {
  account_closed: 'This account is closed.',
  cache_damaged:
    'The messages that are kept on this computer are damaged; they are being fetched again.',
  cache_disk_full:
    'The disk is full: new messages stay on the service until there is room for them here. Free some space on the disk.',
  cache_set_aside: (values: { file: string | number }): string =>
    `The messages that were kept on this computer were damaged; they are being fetched again. The damaged file is ${values.file}.`,
  cache_unavailable:
    'The messages that are kept on this computer cannot be read or written. Check the disk and the rights of its folder.',
  outbox_damaged:
    'The file with your unsent messages was found to be damaged. Try again: what can be read of it is taken over.',
  outbox_disk_full:
    'The disk is full, so what you write cannot be kept safe. Free some space and try again.',
  outbox_disk_refuses: (values: { code: string | number }): string =>
    `What you write cannot be kept safe: the disk does not take it (${values.code}). Try again.`,
  outbox_lost: (values: { file: string | number }): string =>
    `The file with your unsent messages and drafts was damaged. Nothing in it could be read any more. The damaged file is kept as ${values.file}.`,
  outbox_of_newer_version:
    'Your unsent messages were kept by a newer version of Hearth. Install that version to write here.',
  outbox_salvaged: (values: { messages: number; drafts: number; file: string | number }): string =>
    `The file with your unsent messages and drafts was damaged. ${pluralOf('en', values.messages) === 'one' ? `${values.messages} message` : `${values.messages} messages`} and ${pluralOf('en', values.drafts) === 'one' ? `${values.drafts} draft` : `${values.drafts} drafts`} could be read and are here. The damaged file is kept as ${values.file}.`,
};
