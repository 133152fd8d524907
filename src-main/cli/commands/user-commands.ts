/** `hearth user`: people, one action each. */
import { columns } from '#node/command-line/help.ts';
import { suggestion } from '#node/command-line/nearest.ts';
import {
  flag,
  OptionError,
  type Option,
  text,
  value,
  withInitial,
} from '#node/command-line/option.ts';
import { commandName } from '#node/own-command.ts';
import { readRole } from '../people/people-file.ts';
import {
  type DeclaredCommand,
  declareCommand,
  serviceDataDir,
  sharedOf,
} from './declare-command.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const roleWords = 'administrator, member or guest';
const role = withInitial(
  value('ROLE', `${roleWords}; of a file, for lines without one`, roleWords, readRole),
  'member',
  'member',
);
const streams: Option<readonly string[]> = {
  type: 'strings',
  argument: 'NAME',
  expected: 'a name',
  initial: [],
  summary: 'a stream to join; may be given several times',
  initialText: 'those that everybody joins',
  read: (name) => [name],
};

const change = (kind: 'deactivate' | 'reactivate', about: string, summary: string) =>
  declareCommand({
    usage: ['EMAIL... [options]'],
    summary,
    about,
    argument: { name: 'EMAIL', isRepeated: true },
    options: { 'data-dir': serviceDataDir },
    make: (values, { all }) => ({
      kind: 'user',
      ...sharedOf(values),
      action: { kind, emails: [...all] },
    }),
  });

export const userActions: Readonly<Record<string, DeclaredCommand>> = {
  list: declareCommand({
    usage: ['[options]'],
    summary: 'everybody who has an account, bots and deactivated ones too',
    about: 'Prints every account: its address, name, role, and whether it is a bot or deactivated.',
    options: { 'data-dir': serviceDataDir },
    make: (values) => ({ kind: 'user', ...sharedOf(values), action: { kind: 'list' } }),
  }),
  add: declareCommand({
    usage: ['EMAIL --name NAME [options]', '--csv FILE [options]'],
    summary: 'make accounts, one or all of a file, each with a link to a first password',
    about: `Makes an account and prints a link with which whoever has it chooses its password: good once, and for ten days. Hearth sends no
mail; pass the link on. With --csv it makes all accounts of a file, and prints their addresses, names and links as CSV. The first
line of the file names its columns: email, name, and where they are wanted role and streams (separated by commas, or by | where a
name has one). It is UTF-8, with commas, semicolons or tabs. Where one line cannot be used nobody is added, and every such line is
named with its number.`,
    argument: { name: 'EMAIL', unless: 'csv' },
    exclusive: [['csv', 'name']],
    options: {
      name: text('NAME', 'the name that others see'),
      csv: text('FILE', 'a file of people; - is standard input'),
      role,
      stream: streams,
      'skip-known': flag('leave out lines whose address has an account already'),
      'data-dir': serviceDataDir,
    },
    make: ({ csv, name, stream, ...values }, { argument: email }) => {
      const others = { role: values.role, streams: stream.length > 0 ? [...stream] : null };
      const shared = { kind: 'user', ...sharedOf(values) } as const;
      if (csv !== null) {
        if (email !== '') throw new OptionError(cliWords('email_with_csv'));
        const skipsKnown = values['skip-known'];
        return { ...shared, action: { kind: 'add-file', file: csv, others, skipsKnown } };
      }
      if (values['skip-known']) throw new OptionError(cliWords('skip_known_without_csv'));
      if (name === null) throw new OptionError(cliWords('option_missing', { option: 'name' }));
      return { ...shared, action: { kind: 'add', person: { email, fullName: name, ...others } } };
    },
  }),
  role: declareCommand({
    usage: ['EMAIL ROLE [options]'],
    summary: 'make somebody an administrator, a member or a guest',
    about: `Gives somebody another role: ${roleWords}. Their bots follow.`,
    argument: { name: 'EMAIL', isRepeated: true },
    options: { 'data-dir': serviceDataDir },
    make: (values, { all: [email = '', written = '', surplus] }) => {
      if (surplus !== undefined) {
        throw new OptionError(cliWords('argument_unexpected', { argument: surplus }));
      }
      if (written === '') throw new OptionError(cliWords('role_missing'));
      const wanted = readRole(written);
      if (wanted === undefined) {
        throw new OptionError(cliWords('role_unknown', { role: written, roles: roleWords }));
      }
      return {
        kind: 'user',
        ...sharedOf(values),
        action: { kind: 'role', emails: [email], role: wanted },
      };
    },
  }),
  deactivate: change(
    'deactivate',
    'Deactivates accounts: nobody can sign in with them any more, and their bots and keys end. What they have written stays.',
    'let people in no longer',
  ),
  reactivate: change(
    'reactivate',
    'Lets people in again, with the password that they had.',
    'let them in again',
  ),
};

const overview = (): string => `Usage: ${commandName} user ACTION [options]

People of an organization, also while it is being served. Open windows are told at once; the audit log keeps it.

${columns(
  Object.entries(userActions).map(([word, { argument, summary }]) => [
    `${word} ${argument}`.trimEnd(),
    summary,
  ]),
).join('\n')}

"${commandName} user ACTION --help" tells more of each.
`;

export const userCommand: DeclaredCommand = {
  argument: 'ACTION',
  summary: 'people: list, add (also from CSV), role, deactivate, reactivate',
  actions: userActions,
  help: overview,
  read: ([action = '']) => {
    if (action === '--help') return 'help';
    if (action === '') throw new OptionError(cliWords('action_missing'));
    const actions = Object.keys(userActions);
    const hint = suggestion(action, actions);
    throw new OptionError(
      hint === ''
        ? cliWords('action_unknown', { action, actions: actions.join(', ') })
        : cliWords('action_not_found', { action, hint }),
    );
  },
};
