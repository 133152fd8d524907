/** Compiled from system.json by `npm run messages`. */
export const system = {
  keychain_linux:
    'The keychain of this computer does not answer. Install or unlock a Secret Service, such as GNOME Keyring or KWallet, and try again.',
  keychain_macos:
    'The keychain refused access. Unlock it in Keychain Access, allow Hearth to use it, and try again.',
  keychain_missing: 'This computer has no keychain.',
  keychain_windows:
    'The Windows Credential Manager refused access. Sign out of Windows, sign in, and try again.',
  login_item_refused:
    'This computer did not let Hearth change what starts with your session. Change it in the settings of the system.',
  open_failed: 'Hearth could not open',
  preference_not_kept:
    'The choice could not be written to the disk, so it was not changed. Make room on the disk and try again.',
  profile_folder_not_writable: (values: {
    folder: string | number;
    code: string | number;
  }): string =>
    `Hearth cannot write to its folder ${values.folder} (${values.code}). Change who may write there, or name another folder with --user-data-dir DIR.`,
  window_choice: 'You can wait for it or load it again. Messages are still received.',
  window_ended: 'The window of Hearth stopped several times in a minute.',
  window_kept:
    'Nothing is lost: messages are still received, and drafts and unsent messages are kept. Try again, or close the window and open it later.',
  window_not_loaded: 'The window of Hearth could not be loaded.',
  window_silent: 'The window of Hearth does not answer.',
};
