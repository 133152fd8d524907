/** Compiled from desktop.json by `npm run messages`. */
export const desktop = {
  accounts_damaged: (values: { file: string | number }): string =>
    `The list of your organizations was damaged and is now in ${values.file}. Go on and sign in again; nothing else is lost.`,
  archive_not_chosen: 'Choose a backup first.',
  authority_missing:
    'The organization does not answer with a certificate of its own. One that computers trust already needs no file.',
  authority_not_stored: 'The certificate could not be written there. Choose another folder.',
  backup_folder_elsewhere: 'Choose a folder of this computer.',
  hosted_already: 'An organization lives on this computer already.',
  hosting_ended: 'The service on this computer ended unexpectedly.',
  hosting_not_running: 'The organization of this computer does not run. Start it first.',
  hosting_not_started: 'Hosting did not start',
  hosting_secret_missing:
    'The organization on this computer is here, but the secret that its keys are made from is not in the keychain. Unlock or restore the keychain and try again.',
  identity_key_missing:
    'The organization on this computer is here, but the key by which its people know it is not in the keychain. Unlock or restore the keychain and try again.',
  move_already_under_way: 'A move is under way already.',
  move_cancelled: 'Nothing was moved.',
  move_code_invalid:
    'This is not the code of a move: copy all of it from the other computer. It begins with hearth://move.',
  not_confirmed: 'Nothing was changed.',
  not_hosted: 'No organization lives on this computer.',
  recovery_code_shown: 'The recovery code was shown once and is kept nowhere.',
  shortcut_taken: (values: { shortcut: string | number }): string =>
    `${values.shortcut} cannot be used: another program has it, or it is no key that can be taken from them. Choose another one, with Ctrl, Alt or ⌘.`,
};
