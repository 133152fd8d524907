/** Compiled from archive.json by `npm run messages`. */
import { pluralOf } from '../format.ts';

export const archive = {
  archive_damaged: (values: { reason: string | number }): string =>
    `The archive is damaged (${values.reason}).`,
  archive_ends_early: 'The archive ends too early.',
  archive_entry_not_plain: (values: { file: string | number }): string =>
    `The archive holds "${values.file}", which is no plain file: nothing of it is unpacked.`,
  archive_entry_unsafe: (values: { file: string | number }): string =>
    `The archive holds a file with the name "${values.file}", which may lead elsewhere.`,
  archive_keys_damaged: 'The keys in this archive are damaged.',
  archive_keys_invalid: 'The keys of this archive are damaged.',
  archive_packed_part_damaged: 'The archive is damaged (a packed part of it).',
  archive_part_too_long: (values: { part: string | number }): string =>
    `Its part ${values.part} is too long.`,
  archive_tar_damaged: 'This is no tar, or it is damaged.',
  archived_file_changed: (values: { file: string | number }): string =>
    `The file ${values.file} has changed its length while it was copied.`,
  archived_file_length_damaged: 'The length of a file is damaged.',
  archived_file_name_too_long: (values: { file: string | number }): string =>
    `The name ${values.file} is too long for a tar.`,
  disk_gives_other_bytes: (values: { file: string | number }): string =>
    `The disk of ${values.file} gives back other bytes than were written to it.`,
  not_an_archive: (values: { file: string | number }): string =>
    `The file ${values.file} is no archive of Hearth.`,
  recovery_code_length: (values: { words: string | number; given: number }): string =>
    `A recovery code has ${values.words} words, but ${pluralOf('en', values.given) === 'one' ? `${values.given} was` : `${values.given} were`} given.`,
  recovery_code_missing: (values: { words: string | number }): string =>
    `No recovery code was given: it is ${values.words} words.`,
  recovery_code_word_unknown: (values: {
    position: string | number;
    word: string | number;
  }): string =>
    `Word ${values.position} of the recovery code, "${values.word}", is not in the word list: check it against what you wrote down.`,
  recovery_code_words_wrong:
    'These words are not a recovery code: one is wrong, or two are in the wrong order.',
  recovery_kit_damaged: (values: { file: string | number }): string =>
    `The file ${values.file} is damaged: move it away, and a new recovery code is made.`,
  wrong_recovery_code:
    'This recovery code does not open this archive: it belongs to another one, or to an earlier code of the organization.',
};
