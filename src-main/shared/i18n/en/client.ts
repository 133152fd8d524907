/** Compiled from client.json by `npm run messages`. */
export const client = {
  account_being_opened: 'This account is being opened.',
  account_not_here: 'This account is not on this computer.',
  accounts_not_readable: 'The list of accounts on this computer could not be read.',
  accounts_not_writable: 'The list of accounts could not be written to this computer.',
  address_missing: 'Enter an address, such as chat.example.com.',
  address_of_other_scheme:
    'Enter an address that starts with https:// or http://, or with neither.',
  argument_names_other_path: (values: { name: string | number; value: string | number }): string =>
    `${values.name} cannot take '${values.value}' here.`,
  argument_unknown: (values: { name: string | number; argument: string | number }): string =>
    `${values.name} takes no '${values.argument}'.`,
  certificate_not_trusted: (values: { address: string | number }): string =>
    `What answers at ${values.address} has a certificate that nobody vouches for, and is no Hearth service. Nothing was sent to it. Check the address.`,
  download_cancelled: 'The download was cancelled.',
  download_not_stored: 'It could not be written. Make room there, or choose another place.',
  export_needs_application:
    'A browser cannot write a folder. Use the application on a computer for it.',
  export_not_stored: (values: { reason: string | number }): string =>
    `Nothing was saved, because the folder could not be written (${values.reason}). Make room there or choose another folder.`,
  file_another_by_now: 'The file is another one by now.',
  file_empty: (values: { name: string | number }): string => `${values.name} is empty.`,
  file_gone: 'This file is no longer on the service.',
  file_gone_here: 'The file is gone, or was changed. Attach it again.',
  file_needs_sign_in: 'Sign in again to see this file.',
  file_not_given: (values: { status: string | number }): string =>
    `The service did not give the file (${values.status}).`,
  file_not_of_service:
    'This file is not on the service of the organization. Open its link to see it in a browser.',
  file_not_permitted: 'You may not see this file.',
  file_over_limit: (values: {
    name: string | number;
    size: string | number;
    most: string | number;
  }): string =>
    `${values.name} has ${values.size} MiB; at most ${values.most} MiB can be uploaded.`,
  file_too_large_to_show: (values: { most: string | number }): string =>
    `This file has more than ${values.most} MiB. Save it to see it.`,
  hosting_not_possible: 'An organization cannot be hosted from here.',
  hosting_stopped: 'Hosting is stopped on this computer.',
  key_gone: 'The key of this account is no longer in the keychain. Sign in again.',
  keychain_unusable:
    'The keychain of this computer cannot be used. Unlock it or install one, then try again.',
  link_not_opened:
    'This computer has no program that opens the link. Copy it and open it yourself.',
  link_of_other_scheme: 'Only links to web pages and e-mail addresses are opened.',
  lost_messages_not_kept:
    'Messages that the organization has lost cannot be set aside: the disk does not take it. Free some space.',
  no_address_to_check: 'There is no address to look at.',
  not_loaded: 'Nothing of this organization is known here yet.',
  nothing_answers: (values: { address: string | number }): string =>
    `Nothing answers at ${values.address}. Check the address, and that the service runs.`,
  notifications_not_permitted: 'The system does not let Hearth show notifications.',
  own_disk_full: 'The disk does not take it. Free some space and try again.',
  picture_too_long: (values: {
    name: string | number;
    width: string | number;
    height: string | number;
    frames: string | number;
  }): string =>
    `${values.name} has ${values.width} × ${values.height} pixels in ${values.frames} moments; choose a smaller or a shorter one.`,
  picture_too_wide: (values: {
    name: string | number;
    width: string | number;
    height: string | number;
    side: string | number;
  }): string =>
    `${values.name} has ${values.width} × ${values.height} pixels; choose one of at most ${values.side} × ${values.side}.`,
  safety_words_needed: (values: { address: string | number }): string =>
    `Compare the safety words of ${values.address} with those of whoever invited you.`,
  safety_words_wrong: (values: { address: string | number }): string =>
    `These are not the safety words of the computer that answers at ${values.address}: it may not be your organization's. Nothing was sent to it. Ask whoever invited you for the address and the words.`,
  save_not_stored: 'It could not be written there. Choose another place.',
  server_stolen: (values: { address: string | number }): string =>
    `The computer at ${values.address} has the key that your organization had before its computer was stolen. Nothing was sent to it. Ask an administrator for the address of today.`,
  service_not_answering: 'The service does not answer.',
  service_not_answering_at: (values: { address: string | number }): string =>
    `${values.address} does not answer.`,
  service_not_answering_yet: (values: { address: string | number }): string =>
    `${values.address} has not answered yet.`,
  session_busy: 'The session is asked to do something else.',
  topics_not_here: 'The topics are not on this computer, and the service does not answer.',
  upload_already_running: (values: { name: string | number }): string =>
    `${values.name} is being uploaded already.`,
  upload_cancelled: 'The upload was cancelled.',
  upload_gone: 'The upload did not go on. Attach the file again.',
  upload_interrupted: 'The upload was interrupted.',
  window_may_not_call: (values: { name: string | number }): string =>
    `A window may not call ${values.name}.`,
};
