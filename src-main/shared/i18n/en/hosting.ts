/** Compiled from hosting.json by `npm run messages`. */
export const hosting = {
  data_folder_of_organization: (values: { folder: string | number }): string =>
    `The folder ${values.folder} has an organization that --dev did not make, and --dev would give everybody its keys: choose an empty folder.`,
  data_folder_open_to_others: (values: {
    folder: string | number;
    argument: string | number;
  }): string =>
    `Other accounts of this computer can get into the folder ${values.folder}, where messages and keys are kept: enter chmod 700 ${values.argument} in a terminal, then start again.`,
  data_folder_unwritable: (values: { folder: string | number; code: string | number }): string =>
    `The folder ${values.folder} cannot be written (${values.code}): choose another one or change who may write to it.`,
  host_address_missing: (values: { host: string | number }): string =>
    `This computer has no address ${values.host}: choose another host.`,
  identity_key_unusable: (values: { folder: string | number; code: string | number }): string =>
    `The identity key of the organization in ${values.folder} cannot be read or made (${values.code}): change who may use that folder or choose another one.`,
  port_in_use: (values: { port: string | number; host: string | number }): string =>
    `Port ${values.port} of ${values.host} is already in use: stop the program that uses it or choose another port.`,
  port_not_permitted: (values: { port: string | number }): string =>
    `Port ${values.port} may not be used by this account: choose one above 1023.`,
  secret_unusable: (values: { file: string | number; code: string | number }): string =>
    `The file ${values.file} cannot be read or made (${values.code}): change who may use it or choose another folder.`,
  service_ended: 'The service on this computer ended.',
  service_start_failed: (values: { reason: string | number }): string =>
    `The service could not start: ${values.reason}`,
  service_thread_failed: (values: { reason: string | number }): string =>
    `The service on this computer could not be started (${values.reason}): start the application again, and if that does not help, install it anew.`,
  target_is_service: (values: { target: string | number }): string =>
    `${values.target}: this is the service itself, which is never reached`,
  target_is_this_computer: (values: { target: string | number }): string =>
    `${values.target}: this computer itself is never reached`,
  target_network_size: (values: {
    target: string | number;
    widest: string | number;
    narrowest: string | number;
  }): string => `${values.target}: a network has /${values.widest} to /${values.narrowest}`,
  target_never_reached: (values: { target: string | number }): string =>
    `${values.target}: this computer, the cable it is on and the keys of clouds are never reached`,
  target_not_allowed: (values: { target: string | number }): string =>
    `${values.target}: this is not allowed anyway`,
  target_not_understood: (values: { target: string | number }): string =>
    `${values.target}: expected a name, an address or a network with a port, such as jenkins.lan:8080, 10.1.0.7:443, 10.1.0.0/24:443 or [fd00::7]:80`,
  thread_failed: (values: { reason: string | number }): string =>
    `Hearth could not do it (${values.reason}): start the application again, and if that does not help, install it anew.`,
  too_many_targets: (values: { limit: string | number }): string =>
    `No more than ${values.limit} names and networks can be allowed`,
};
