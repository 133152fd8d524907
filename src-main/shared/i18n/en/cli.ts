/** Compiled from cli.json by `npm run messages`. */
export const cli = {
  action_missing: 'ACTION is missing',
  action_not_found: (values: { action: string | number; hint: string | number }): string =>
    `ACTION '${values.action}' is unknown${values.hint}`,
  action_unknown: (values: { action: string | number; actions: string | number }): string =>
    `ACTION '${values.action}' is none of ${values.actions}`,
  argument_missing: (values: { name: string | number }): string => `${values.name} is missing`,
  argument_unexpected: (values: { argument: string | number }): string =>
    `unexpected argument '${values.argument}'`,
  as_not_an_email: (values: { email: string | number }): string =>
    `--as '${values.email}' is no e-mail address`,
  backup_with_other_option: (values: { option: string | number }): string =>
    `--backup makes a copy and ends: ${values.option} is not possible with it`,
  backup_without_folder: (values: { option: string | number }): string =>
    `${values.option} says when, and --backup-to where: add it`,
  certificate_without_key: (values: { source: string | number }): string =>
    `--tls-cert and --tls-key go together: a certificate is no use without its key${values.source}`,
  command_answer_missing: 'The service ended before it had answered: try again.',
  command_of_other_version:
    'The service that runs here is of another version of Hearth: restart it.',
  command_path_too_long: (values: { folder: string | number }): string =>
    `The path ${values.folder} is too long for a command to reach its service: use a shorter one.`,
  command_refused: (values: { folder: string | number; code: string | number }): string =>
    `The service in ${values.folder} cannot be asked (${values.code}): do it as whoever runs it.`,
  command_too_long: 'That is more than can be asked for at once: give it in several parts.',
  command_unknown: (values: { command: string | number; hint: string | number }): string =>
    `unknown command '${values.command}'${values.hint}`,
  configuration_ambiguous: (values: { file: string | number; other: string | number }): string =>
    `there are both ${values.file} and ${values.other}: keep one of them`,
  configuration_missing: (values: { file: string | number }): string =>
    `there is no configuration file ${values.file}`,
  configuration_not_object: 'it has to be one object',
  configuration_not_readable: (values: { file: string | number; code: string | number }): string =>
    `the configuration file ${values.file} cannot be read (${values.code})`,
  configuration_not_understood: (values: {
    file: string | number;
    reason: string | number;
  }): string => `the configuration file ${values.file} cannot be understood: ${values.reason}`,
  configuration_not_utf8: (values: { file: string | number }): string =>
    `the configuration file ${values.file} is not UTF-8: save it as that`,
  configuration_syntax: (values: {
    line: string | number;
    column: string | number;
    reason: string | number;
  }): string => `line ${values.line}, column ${values.column}: ${values.reason}`,
  csv_cell_without_column: (values: { cell: string | number }): string =>
    `cell ${values.cell} stands in no column: put one with a separator in it into quotes`,
  csv_column_missing: (values: { place: string | number; column: string | number }): string =>
    `${values.place}: there is no column ${values.column}`,
  csv_column_twice: (values: { place: string | number }): string =>
    `${values.place}: it is there twice`,
  csv_column_unknown: (values: {
    place: string | number;
    column: string | number;
    columns: string | number;
    hint: string | number;
  }): string => `${values.place}: '${values.column}' is none of ${values.columns}${values.hint}`,
  csv_not_utf8: (values: { place: string | number }): string =>
    `${values.place}: it is not UTF-8: save it as CSV in UTF-8`,
  csv_quote_open: (values: { place: string | number }): string =>
    `${values.place}: a quote is not closed`,
  csv_text_behind_quote: (values: { place: string | number }): string =>
    `${values.place}: something stands behind a closed quote`,
  csv_utf16: 'line 1: it is UTF-16: save it as CSV in UTF-8',
  data_dir_of_file_differs: (values: { option: string | number }): string =>
    `${values.option} names another folder than the one that the file is in`,
  data_dir_of_system_service_missing: '--data-dir is missing, which --system needs',
  development_host_public: (values: { option: string | number; host: string | number }): string =>
    `--dev gives everybody who asks the key of every account: ${values.option} ${values.host} is not possible with it`,
  email_argument_invalid: (values: { email: string | number }): string =>
    `EMAIL '${values.email}' is no e-mail address`,
  email_refused: (values: { email: string | number; reason: string | number }): string =>
    `EMAIL ${values.email}: ${values.reason}`,
  email_with_csv: 'EMAIL and --csv do not go together',
  file_not_readable: (values: { file: string | number; code: string | number }): string =>
    `The file ${values.file} cannot be read (${values.code}).`,
  invitation_bounds_with_email: '--days and --uses are for a link that many can use, without EMAIL',
  invitations_not_served: (values: { folder: string | number }): string =>
    `The organization in ${values.folder} is not served now: start it, or name its folder with --data-dir.`,
  invitations_without_network:
    'Only this computer can reach the organization, so nobody could use an invitation: let others join in Settings, Office, or serve it with --host.',
  keys_held_by_desktop: (values: { folder: string | number }): string =>
    `The keys of the organization in ${values.folder} are in the keychain of a desktop: open Hearth there, then give the command again.`,
  keys_out_of_reach: (values: { folder: string | number }): string =>
    `The keys of the organization in ${values.folder} are in the keychain of a desktop, where a service does not come at them: host it from the window, or move it into a folder of its own ("move-in").`,
  limit_unknown: (values: { limit: string | number; limits: string | number }): string =>
    `--limit ${values.limit} names no limit: use one of ${values.limits}`,
  limit_unknown_near: (values: { limit: string | number; near: string | number }): string =>
    `--limit ${values.limit} names no limit: did you mean ${values.near}?`,
  limits_not_a_table: (values: { option: string | number }): string =>
    `${values.option} needs a table of limits, as in [limit]`,
  move_code_of_command_invalid: 'The code has to be one that "move-out" printed: hearth://move/…',
  move_code_twice: 'CODE and --code-file do not go together',
  nobody_added: 'Nobody was added.',
  open_number_wrong: (values: { number: string | number }): string =>
    `NUMBER ${values.number} is not the one that the restore printed, and the service when it started: six digits.`,
  option_behind_dashes_invalid: (values: { reason: string | number }): string =>
    `behind --: ${values.reason}`,
  option_behind_dashes_not_for_running:
    'behind --: only options with which a service goes on running',
  option_missing: (values: { option: string | number }): string => `--${values.option} is missing`,
  option_needs_other: (values: { option: string | number; other: string | number }): string =>
    `--${values.option} is only possible together with --${values.other}`,
  option_needs_type: (values: {
    option: string | number;
    type: string | number;
    value: string | number;
  }): string => `${values.option} needs ${values.type}, not ${values.value}`,
  option_needs_value: (values: { option: string | number }): string =>
    `--${values.option} needs a value`,
  option_not_in_file: (values: { key: string | number; option: string | number }): string =>
    `${values.key} is not possible in a file: give --${values.option}`,
  option_of_file_unknown: (values: { key: string | number; hint: string | number }): string =>
    `${values.key} is no option${values.hint}`,
  option_see_help: (values: { reason: string | number; command: string | number }): string =>
    `${values.reason} (see ${values.command} --help)`,
  option_takes_no_value: (values: {
    option: string | number;
    expected: string | number;
    value: string | number;
  }): string => `--${values.option} takes no value but ${values.expected}, not '${values.value}'`,
  option_unknown: (values: { option: string | number; hint: string | number }): string =>
    `unknown option ${values.option}${values.hint}`,
  option_value_invalid: (values: {
    option: string | number;
    expected: string | number;
    value: string | number;
  }): string => `${values.option} needs ${values.expected}, not '${values.value}'`,
  options_exclude: (values: { option: string | number; other: string | number }): string =>
    `--${values.option} and --${values.other} do not go together`,
  organization_cannot_be_served: (values: { folder: string | number }): string =>
    `The organization in ${values.folder} cannot be served.`,
  people_file_unusable: (values: { file: string | number; reason: string | number }): string =>
    `The file ${values.file} cannot be used: ${values.reason}.`,
  restore_called_off: 'Nothing was restored.',
  restore_not_confirmed: 'Nothing was restored, because nobody could be asked: add --yes.',
  role_missing: 'ROLE is missing',
  role_unknown: (values: { role: string | number; roles: string | number }): string =>
    `ROLE '${values.role}' is none of ${values.roles}`,
  role_unknown_in_file: (values: { role: string | number }): string =>
    `'${values.role}' is none of administrator, member, guest`,
  secret_file_empty: (values: { file: string | number; secret: string | number }): string =>
    `The file ${values.file} has no ${values.secret} in it.`,
  secret_not_given: (values: { secret: string | number; option: string | number }): string =>
    `No ${values.secret} was given: type it at a terminal, pipe it into this command, or name a file that has it with ${values.option}.`,
  send_address_invalid: (values: { address: string | number }): string =>
    `${values.address} is not an address that begins with https:// or http://`,
  send_file_incomplete: (values: { file: string | number; name: string | number }): string =>
    `${values.file} does not say the ${values.name}`,
  send_file_not_readable: (values: { what: string | number; file: string | number }): string =>
    `${values.what} ${values.file} cannot be read`,
  send_nothing: 'There is nothing to send',
  send_status: (values: { address: string | number; status: string | number }): string =>
    `${values.address} answered with the HTTP status ${values.status}`,
  send_unreachable: (values: { address: string | number; reason: string | number }): string =>
    `${values.address} cannot be reached: ${values.reason}`,
  service_file_not_writable: (values: { file: string | number; code: string | number }): string =>
    `The file ${values.file} cannot be written (${values.code}): with --system, give the command as root.`,
  service_not_supported: (values: { command: string | number }): string =>
    `Hearth installs no service on this system: host from its window with "Start at login", or have the task scheduler run "${values.command}".`,
  service_path_with_line_break: 'A path with a line break in it cannot be written for the system.',
  skip_known_without_csv: '--skip-known is for --csv',
  target_missing: 'TARGET is missing',
};
