/** Compiled from backup.json by `npm run messages`. */
import { pluralOf } from '../format.ts';

export const backup = {
  archive_damaged_before_messages:
    'The archive is damaged before the end of its messages, and nothing of it can be restored: take an older one.',
  archive_entry_foreign: (values: { file: string | number }): string =>
    `The archive holds "${values.file}", which is no part of an organization: nothing is restored.`,
  archive_file_length_missing: (values: { file: string | number }): string =>
    `The archive does not say how long its file ${values.file} is.`,
  archive_files_damaged: (values: { readable: string | number; files: number }): string =>
    `The archive is damaged: ${values.readable} of its ${pluralOf('en', values.files) === 'one' ? `${values.files} file` : `${values.files} files`} can be read, and all of its messages. Add --accept-damage to restore these, or take an older archive.`,
  archive_files_missing: (values: {
    files: number;
    folder: string | number;
    readable: string | number;
  }): string =>
    `The archive has ${pluralOf('en', values.files) === 'one' ? `${values.files} file` : `${values.files} files`} beside it, in the folder ${values.folder}: ${values.readable} can be read, and all of its messages. Put that folder beside the archive, or add --accept-damage to restore without what is missing.`,
  archive_list_damaged: "The list of the archive's files is damaged.",
  archive_unknown: (values: { file: string | number }): string =>
    `The archive ${values.file} was made in a way that this version of Hearth does not know: install the version that made it or a later one.`,
  archive_unreadable: (values: { file: string | number; code: string | number }): string =>
    `The archive ${values.file} cannot be read (${values.code}).`,
  archived_database_damaged: (values: { damage: string | number }): string =>
    `The database in the archive is damaged (${values.damage}): take an older one.`,
  copied_database_damaged: (values: { folder: string | number; damage: string | number }): string =>
    `The database of ${values.folder} or its copy is damaged (${values.damage}): look at both disks, and keep every older copy.`,
  copy_disk_full: (values: { folder: string | number }): string =>
    `The disk of ${values.folder} is full: make room there or name a folder on another one.`,
  copy_exists: (values: { file: string | number }): string =>
    `There is a copy of this second already, ${values.file}: try again.`,
  copy_failed: (values: { folder: string | number; reason: string | number }): string =>
    `No copy could be made in ${values.folder} (${values.reason}): see to that or name another folder.`,
  copy_folder_in_data_folder: (values: { folder: string | number }): string =>
    `The folder ${values.folder} lies in the data folder, and a copy there would be lost with it: name one on another disk.`,
  copy_folder_missing: (values: { folder: string | number }): string =>
    `There is no folder ${values.folder} for the copy: make it first, or name another one.`,
  copy_folder_not_writable: (values: { folder: string | number; code: string | number }): string =>
    `The folder ${values.folder} cannot be written (${values.code}): change who may write to it or name another one.`,
  copy_given_up: 'The copy was given up before it was whole.',
  data_folder_not_readable: (values: { folder: string | number; code: string | number }): string =>
    `The folder ${values.folder} cannot be read (${values.code}): make the copy as whoever runs the service.`,
  data_folder_without_organization: (values: { folder: string | number }): string =>
    `The folder ${values.folder} has no organization: name the data folder of the service with --data-dir.`,
  folder_not_readable: (values: { folder: string | number }): string =>
    `The folder ${values.folder} cannot be read.`,
  keys_in_keychain: (values: { folder: string | number }): string =>
    `The keys of the organization in ${values.folder} are in the keychain of a desktop: say it there, in Settings → Backups, or restore its newest archive with --stolen into a folder of its own.`,
  keys_not_sealed: 'This computer has no sealed copy of the keys of its organization.',
  last_archive_not_noted: (values: { folder: string | number; code: string | number }): string =>
    `The folder ${values.folder} cannot be written (${values.code}): that this archive was made could not be noted there, and it is not found by itself later.`,
  metrics_token_invalid: (values: { file: string | number; least: string | number }): string =>
    `The file ${values.file} of --metrics-token needs one word of at least ${values.least} characters and nothing else.`,
  metrics_token_not_readable: (values: { file: string | number; code: string | number }): string =>
    `The file ${values.file} of --metrics-token cannot be read (${values.code}): make it, or start without it.`,
  move_connection_ended:
    'The connection to the other computer ended in the middle: go on with the same code.',
  move_database_damaged: (values: { damage: string | number }): string =>
    `The database came over damaged (${values.damage}): go on with the same code.`,
  move_handed_over:
    'The organization goes on on another computer. If that one is lost, restore a backup with the recovery code.',
  move_handover_unsigned: 'What the other computer handed over is not signed by the organization.',
  move_needs_newer_version:
    'The other computer has a newer Hearth: install the same version here first. Nothing was taken.',
  move_not_asked_for: 'That computer does not ask any more: make another code.',
  move_not_served: (values: { folder: string | number }): string =>
    `The organization in ${values.folder} is not served now: start it so that the other computer reaches it, then make the code.`,
  move_other_computer:
    'Another computer answers there than the code is of: nothing was sent to it. Make a new code.',
  move_refused: 'The other computer has refused.',
  move_under_way: 'A move is under way: finish it on the other computer, or cancel it here first.',
  move_unfinished: (values: { folder: string | number }): string =>
    `Another move is unfinished in ${values.folder}: finish it with its own code, or remove that folder once the organization runs elsewhere.`,
  move_unreachable: (values: { addresses: string | number }): string =>
    `The other computer does not answer at ${values.addresses}: see that both are in one network and that Hearth runs there, then go on with the same code.`,
  next_key_missing:
    'No other key was made for this organization in time, so that nobody would know it by one: go on with the key that it has, and have everybody choose another password.',
  other_recovery_code:
    'This is another recovery code than that of the organization on this computer.',
  recovery_code_exists:
    'This organization has a recovery code already. It was shown once, and Hearth does not keep it. To replace it, add --new.',
  recovery_code_not_kept: (values: { folder: string | number }): string =>
    `The disk of ${values.folder} is full, and the recovery code cannot be kept there: make some room there.`,
  recovery_code_not_made: 'The organization on this computer has no recovery code yet.',
  recovery_code_of_schedule_missing: (values: { command: string | number }): string =>
    `The archives of --backup-to open with a recovery code, and there is none yet. Make it and write it down: ${values.command}`,
  restore_folder_not_empty: (values: { folder: string | number }): string =>
    `The folder ${values.folder} is not empty: name an empty one, or one that is not there yet, with --data-dir.`,
  restore_folder_unusable: (values: { folder: string | number; code: string | number }): string =>
    `The folder ${values.folder} cannot be used (${values.code}): name another one with --data-dir.`,
  restore_parent_missing: (values: { folder: string | number }): string =>
    `There is no folder ${values.folder}: make it first.`,
  sealed_elsewhere: (values: { folder: string | number }): string =>
    `The disk of ${values.folder} is full: make room there.`,
  sealed_in_target: (values: { folder: string | number; into: string | number }): string =>
    `The disk of ${values.folder} is full: make room there. What is in the archive lay unsealed in ${values.into} until it was sealed.`,
  transfer_code_invalid: 'This is not a transfer code: copy all of it.',
};
