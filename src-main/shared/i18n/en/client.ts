/** Compiled from client.json by `npm run messages`. */
export const client = {
  account_being_opened: 'This account is being opened.',
  account_not_here: 'This account is not on this computer.',
  accounts_not_readable: 'The list of accounts on this computer could not be read.',
  accounts_not_writable: 'The list of accounts could not be written to this computer.',
  address_missing: 'Enter an address, such as chat.example.com.',
  address_of_other_scheme:
    'Enter an address that starts with https:// or http://, or with neither.',
  answer_not_understood: (values: { address: string | number }): string =>
    `${values.address} gave an answer that this application does not understand.`,
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
  invitation_ended: 'This invitation was used already, taken back, or is too old.',
  invitation_not_reached: (values: { address: string | number }): string =>
    `Nothing answers at ${values.address}. Check the address, and that the service runs. Be in the same network as whoever invited you, not in one for guests.`,
  key_gone: 'The key of this account is no longer in the keychain. Sign in again.',
  keychain_unusable:
    'The keychain of this computer cannot be used. Unlock it or install one, then try again.',
  link_not_opened:
    'This computer has no program that opens the link. Copy it and open it yourself.',
  link_of_other_scheme: 'Only links to web pages and e-mail addresses are opened.',
  lost_messages_not_kept:
    'Messages that the organization has lost cannot be set aside: the disk does not take it. Free some space.',
  message_failed_here: (values: { reason: string | number }): string =>
    `This message could not be sent: ${values.reason}. Try again, or copy it.`,
  message_not_waiting: 'This message is no longer waiting to be sent.',
  message_perhaps_sent:
    'This message may have been sent already, which shows as soon as there is a connection. You can edit or delete it then.',
  message_perhaps_sent_all_the_same: (values: { reason: string | number }): string =>
    `${values.reason} It may have been sent all the same: look before you send it again.`,
  message_sent_already: 'This message has been sent. You can edit or delete it there.',
  message_waited_perhaps_sent: (values: { days: string | number }): string =>
    `This message has waited for more than ${values.days} days. It may have been sent: look before you send it again.`,
  message_waited_too_long: (values: { days: string | number }): string =>
    `This message has waited for more than ${values.days} days. Send it now if it is still wanted.`,
  no_address_to_check: 'There is no address to look at.',
  not_a_service: (values: { address: string | number }): string =>
    `What answers at ${values.address} is not a Hearth service. Check the address.`,
  not_loaded: 'Nothing of this organization is known here yet.',
  nothing_answers: (values: { address: string | number }): string =>
    `Nothing answers at ${values.address}. Check the address, and that the service runs.`,
  notifications_not_permitted: 'The system does not let Hearth show notifications.',
  organization_behind_other_key: (values: { address: string | number }): string =>
    `The organization at ${values.address} goes on with another key, because its old computer was stolen: sign in again.`,
  organization_hosted_here: (values: {
    organization: string | number;
    address: string | number;
  }): string =>
    `This computer hosts ${values.organization} already. Sign in to it at ${values.address} instead.`,
  organization_left_behind: (values: { address: string | number }): string =>
    `The computer at ${values.address} has an older copy of this organization, which goes on elsewhere. Nothing was sent to it.`,
  organization_missing: (values: { address: string | number }): string =>
    `The service at ${values.address} has no organization yet. Create one on its computer.`,
  organization_moved_away: (values: { address: string | number }): string =>
    `The organization has moved from ${values.address} to another computer, which does not answer yet.`,
  own_disk_full: 'The disk does not take it. Free some space and try again.',
  own_password_first: 'Choose a password of your own first.',
  password_link_ended:
    'This link was used already, or is too old. Ask an administrator for a new one.',
  password_missing: 'Enter your password.',
  password_wrong: 'The e-mail address or the password is wrong.',
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
  requests_to_join_refused: (values: { organization: string | number }): string =>
    `${values.organization} takes no requests to join from here. Ask somebody there for an invitation.`,
  requests_to_join_refused_there:
    'This organization takes no requests to join from here. Ask somebody there for an invitation.',
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
  sign_in_email_unknown: 'No account here has this e-mail address.',
  topics_not_here: 'The topics are not on this computer, and the service does not answer.',
  upload_already_running: (values: { name: string | number }): string =>
    `${values.name} is being uploaded already.`,
  upload_cancelled: 'The upload was cancelled.',
  upload_gone: 'The upload did not go on. Attach the file again.',
  upload_interrupted: 'The upload was interrupted.',
  window_may_not_call: (values: { name: string | number }): string =>
    `A window may not call ${values.name}.`,
  wrong_server: (values: { address: string | number }): string =>
    `What answers at ${values.address} is not this organization: it has another key. Nothing was sent to it.`,
};
