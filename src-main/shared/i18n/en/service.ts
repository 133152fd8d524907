/** Compiled from service.json by `npm run messages`. */
export const service = {
  certificate_unusable: (values: {
    certificate: string | number;
    key: string | number;
    reason: string | number;
  }): string =>
    `The certificate in ${values.certificate} cannot be used with the key in ${values.key} (${values.reason}): name two PEM files that belong together.`,
  database_damaged: (values: { file: string | number }): string =>
    `The database ${values.file} is damaged; put a backup of it in its place or move it away to start anew.`,
  database_disk_full: (values: { file: string | number }): string =>
    `The disk of the database ${values.file} is full: make room there.`,
  database_folder_missing: (values: { folder: string | number }): string =>
    `The folder ${values.folder} does not exist.`,
  database_foreign: (values: { file: string | number }): string =>
    `The file ${values.file} is not a database of Hearth.`,
  database_in_use: (values: { file: string | number }): string =>
    `The database ${values.file} is in use by another program.`,
  database_lock_damaged: (values: { file: string | number }): string =>
    `The file ${values.file} is damaged; delete it.`,
  database_not_writable: (values: { file: string | number }): string =>
    `The database ${values.file} cannot be written.`,
  database_of_newer_version: (values: {
    file: string | number;
    format: string | number;
    highest: string | number;
  }): string =>
    `The database ${values.file} was written by a newer version of Hearth (format ${values.format}, this version reads up to ${values.highest}); install that version or a later one.`,
  database_served: (values: { file: string | number }): string =>
    `The database ${values.file} is in use by another running Hearth; stop that one first.`,
  database_too_old: (values: {
    file: string | number;
    format: string | number;
    lowest: string | number;
  }): string =>
    `The database ${values.file} was written by a version of Hearth before its first release (format ${values.format}, this version reads from ${values.lowest} on), and cannot be read.`,
  identity_key_damaged: (values: { file: string | number }): string =>
    `The file ${values.file} is damaged: restore it from a backup.`,
  identity_key_lost: (values: {
    folder: string | number;
    file: string | number;
    mark: string | number;
  }): string =>
    `The organization in ${values.folder} has lost its key, the file ${values.file}: restore it from a backup, or remove the file ${values.mark} to start again with a new key, which no Hearth that knows this organization accepts.`,
  identity_key_other: (values: { folder: string | number; mark: string | number }): string =>
    `The identity key of the organization in ${values.folder} is not the one that it had before: restore it from a backup, or remove the file ${values.mark} to start again with a new key, which no Hearth that knows this organization accepts.`,
  secret_damaged: (values: { file: string | number }): string =>
    `The file ${values.file} is damaged: restore it from a backup, or remove it so that everybody has to sign in anew.`,
};
