/** The command line of `hearth`: one word that says what to do, what it is done to, and options. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { OrganizationCommandWord } from './command-words.ts';
import type {
  BackupCommand,
  CheckBackupsCommand,
  Command,
  InviteCommand,
  RestoreCommand,
  SendCommand,
} from './command-kinds.ts';
import {
  backupUsage,
  inviteUsage,
  moveInUsage,
  moveOutUsage,
  openUsage,
  recoveryCodeUsage,
  resetPasswordUsage,
  restoreUsage,
  serviceUsage,
  stolenUsage,
  webhookTargetsUsage,
} from './command-usage.ts';
import { readServeRequest } from '#hosting/options.ts';
import { defaultDataDir } from '#node/paths.ts';
import { commandName } from '#node/own-command.ts';

const known = {
  'data-dir': { type: 'string' },
  plain: { type: 'boolean' },
  check: { type: 'boolean' },
  'files-beside': { type: 'boolean' },
  remove: { type: 'boolean' },
  new: { type: 'boolean' },
  'call-off': { type: 'boolean' },
  'code-file': { type: 'string' },
  yes: { type: 'boolean' },
  show: { type: 'boolean' },
  'keep-keys': { type: 'boolean' },
  stolen: { type: 'boolean' },
  'accept-damage': { type: 'boolean' },
  stream: { type: 'string' },
  topic: { type: 'string' },
  url: { type: 'string' },
  email: { type: 'string' },
  'key-file': { type: 'string' },
  config: { type: 'string' },
  'cert-bundle': { type: 'string' },
  as: { type: 'string' },
  days: { type: 'string' },
  uses: { type: 'string' },
  system: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

type Name = keyof typeof known;

interface CommandText {
  /** What stands behind the command and is no option; null where nothing may. */
  readonly argument: string | null;
  /** Without it another way is taken. */
  readonly isArgumentOptional?: true;
  /** There may be any number of it. */
  readonly isArgumentRepeated?: true;
  /** What stands behind `--` is handed on. */
  readonly takesRest?: true;
  /** Those without which it is a mistake. */
  readonly required?: readonly Name[];
  readonly options: readonly Name[];
  readonly usage: (dataDir: string) => string;
}

const jsonLine = '  --json           print one JSON object in place of sentences';
const helpLine = '  --help           print this and end';

const commands: Readonly<Record<OrganizationCommandWord, CommandText>> = {
  backup: {
    argument: 'DIR',
    isArgumentOptional: true,
    options: ['data-dir', 'plain', 'files-beside', 'check', 'json', 'help'],
    usage: backupUsage,
  },
  invite: {
    argument: 'EMAIL',
    isArgumentOptional: true,
    isArgumentRepeated: true,
    options: ['data-dir', 'as', 'days', 'uses', 'json', 'help'],
    usage: inviteUsage,
  },
  'webhook-targets': {
    argument: 'TARGET',
    isArgumentOptional: true,
    isArgumentRepeated: true,
    options: ['data-dir', 'remove', 'json', 'help'],
    usage: webhookTargetsUsage,
  },
  service: {
    argument: 'ACTION',
    takesRest: true,
    options: ['data-dir', 'system', 'json', 'help'],
    usage: serviceUsage,
  },
  open: {
    argument: 'NUMBER',
    options: ['data-dir', 'json', 'help'],
    usage: openUsage,
  },
  'reset-password': {
    argument: 'EMAIL',
    options: ['data-dir', 'json', 'help'],
    usage: resetPasswordUsage,
  },
  'move-out': {
    argument: null,
    options: ['data-dir', 'call-off', 'json', 'help'],
    usage: moveOutUsage,
  },
  'move-in': {
    argument: 'CODE',
    options: ['data-dir', 'json', 'help'],
    usage: moveInUsage,
  },
  restore: {
    argument: 'FILE',
    options: [
      ...(['data-dir', 'code-file', 'yes', 'show', 'keep-keys', 'stolen'] as const),
      ...(['accept-damage', 'json', 'help'] as const),
    ],
    usage: restoreUsage,
  },
  stolen: {
    argument: null,
    options: ['data-dir', 'code-file', 'json', 'help'],
    usage: stolenUsage,
  },
  'recovery-code': {
    argument: null,
    options: ['data-dir', 'new', 'json', 'help'],
    usage: recoveryCodeUsage,
  },
  send: {
    argument: 'TEXT',
    isArgumentOptional: true,
    required: ['stream', 'topic'],
    options: [
      ...(['stream', 'topic', 'url', 'email', 'key-file', 'config'] as const),
      ...(['cert-bundle', 'json', 'help'] as const),
    ],
    usage: () => `Usage: ${commandName} send --stream STREAM --topic TOPIC [options] [TEXT]

Posts TEXT, or what it reads from standard input, as the account of an API key: make | ${commandName} send …
The address, the account and its key are those of a zuliprc, which the window hands out beside a key, but for what is given here.

  --stream STREAM  the name of the stream
  --topic TOPIC    the topic
  --config FILE    a zuliprc (default: ~/.zuliprc)
  --url URL        the address of the organization
  --email EMAIL    the address of the account
  --key-file FILE  the file that has the API key and nothing else
  --cert-bundle FILE
                   the certificates to trust in place of the system's
${jsonLine}
${helpLine}

Where the certificate is the organization's own, FILE of --cert-bundle is office-ca.pem of its data folder. A zuliprc says the same
as cert_bundle=FILE, from the folder of the zuliprc on; the window saves that file beside the zuliprc that it hands out.

Exit status: 0 posted; 1 not posted, and one sentence on standard error says why; 2 options that do not go together.
`,
  },
};

const overview = `Usage: ${commandName} COMMAND [options]

  serve            serve Hearth to browsers and to clients of its API
  backup DIR       seal an organization into a file in DIR, also while it is being served
  restore FILE     make a data folder out of such a file
  open NUMBER      let people into a restored organization again
  stolen           say that somebody else has the old computer of a restored organization
  recovery-code    create or replace the code that opens such files
  move-out         make a code with which another computer takes an organization over
  move-in CODE     take one over from another computer
  send [TEXT]      post a message, also from a pipe
  invite [EMAIL…]  make links by which people join, and the text to send with them
  service ACTION   serve Hearth whenever the computer is on: install, uninstall, status
  reset-password EMAIL
                   make a link to a new password for somebody
  webhook-targets [TARGET…]
                   let outgoing webhook bots reach something inside of this network

"${commandName} COMMAND --help" tells more of each, and "${commandName} --version" which Hearth this is.
`;

class UsageError extends Error {}

interface Token {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

function readName(token: Token, allowed: readonly Name[]): Name {
  const name = allowed.find((each) => each === token.name);
  if (name === undefined) throw new UsageError(`unknown option ${token.rawName}`);
  const takesValue = known[name].type === 'string';
  const isMissing =
    token.value === undefined ||
    token.value === '' ||
    (token.inlineValue !== true && token.value.startsWith('--'));
  if (takesValue && isMissing) throw new UsageError(`--${name} needs a value`);
  if (!takesValue && token.value !== undefined) throw new UsageError(`--${name} takes no value`);
  return name;
}

interface ParsedArguments {
  readonly values: Readonly<Partial<Record<Name, string | true>>>;
  /** Undefined where there is none. */
  readonly argument: string | undefined;
  readonly all: readonly string[];
  readonly rest: readonly string[];
}

/** What has to be there and is not. */
function missingOf(
  { argument, isArgumentOptional, required = [] }: CommandText,
  given: readonly string[],
  values: ParsedArguments['values'],
): string | undefined {
  if (argument !== null && isArgumentOptional !== true && given.length === 0) return argument;
  const missing = required.find((name) => values[name] === undefined);
  return missing === undefined ? undefined : `--${missing}`;
}

/** What is written, by kinds; nothing of it is missed or too much yet. */
function sortArguments(
  args: readonly string[],
  { options, takesRest }: CommandText,
): Omit<ParsedArguments, 'argument'> {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  const values: Partial<Record<Name, string | true>> = {};
  const all: string[] = [];
  const rest: string[] = [];
  let isRest = false;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') isRest = takesRest === true;
    if (token.kind === 'positional') (isRest ? rest : all).push(token.value);
    if (token.kind === 'option') values[readName(token, options)] = token.value ?? true;
  }
  return { values, all, rest };
}

const exclusive = [
  ['plain', 'files-beside'] as const,
  ['plain', 'check'] as const,
  ['files-beside', 'check'] as const,
  ['keep-keys', 'stolen'] as const,
];

function parseArguments(args: readonly string[], command: CommandText): ParsedArguments {
  const { values, all, rest } = sortArguments(args, command);
  const wanted = command.argument === null ? 0 : 1;
  const surplus = command.isArgumentRepeated === true ? undefined : all[wanted];
  if (surplus !== undefined) throw new UsageError(`unexpected argument '${surplus}'`);
  for (const [one, other] of exclusive) {
    if (values[one] === undefined || values[other] === undefined) continue;
    throw new UsageError(`--${one} and --${other} do not go together`);
  }
  const missing = values.help === undefined ? missingOf(command, all, values) : undefined;
  if (missing !== undefined) throw new UsageError(`${missing} is missing`);
  return { values, argument: all[0], all, rest };
}

const textOf = (value: string | true | undefined): string | null =>
  typeof value === 'string' ? value : null;

const fileOf = (value: string | true | undefined): string | null =>
  typeof value === 'string' ? resolve(value) : null;

function restoreOptions(
  values: ParsedArguments['values'],
): Omit<RestoreCommand, 'kind' | 'file' | 'dataDir' | 'isJson'> {
  return {
    codeFile: fileOf(values['code-file']),
    isAgreed: values.yes !== undefined,
    isOnlyShown: values.show !== undefined,
    keepsKeys: values['keep-keys'] !== undefined,
    isStolen: values.stolen !== undefined,
    acceptsDamage: values['accept-damage'] !== undefined,
  };
}

const sendOptions = (
  values: ParsedArguments['values'],
): Omit<SendCommand, 'kind' | 'isJson' | 'text'> => ({
  stream: textOf(values.stream) ?? '',
  topic: textOf(values.topic) ?? '',
  url: textOf(values.url),
  email: textOf(values.email),
  keyFile: fileOf(values['key-file']),
  certBundle: fileOf(values['cert-bundle']),
  config: fileOf(values.config),
});

function numberOf(
  values: ParsedArguments['values'],
  name: 'days' | 'uses',
  most: number,
): number | null {
  const text = values[name];
  if (text === undefined) return null;
  const number = typeof text === 'string' && /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new UsageError(`--${name} takes a number from 1 to ${String(most)}`);
}

const isEmail = (text: string): boolean => /^[^\s@,<>]+@[^\s@,<>]+$/.test(text);

function emailsIn(given: readonly string[]): readonly string[] {
  const strange = given.find((each) => !isEmail(each));
  if (strange === undefined) return given;
  throw new UsageError(`EMAIL '${strange}' is no e-mail address`);
}

function inviteOptions({
  values,
  all,
}: ParsedArguments): Omit<InviteCommand, 'kind' | 'dataDir' | 'isJson'> {
  const days = numberOf(values, 'days', 30);
  const uses = numberOf(values, 'uses', 500);
  if (all.length > 0 && (days ?? uses) !== null) {
    throw new UsageError('--days and --uses are for a link that many can use, without EMAIL');
  }
  const as = textOf(values.as);
  if (as !== null && !isEmail(as)) throw new UsageError(`--as '${as}' is no e-mail address`);
  return { emails: emailsIn(all), as, validDays: days ?? 7, maxUses: uses ?? 50 };
}

const sharedOf = (values: ParsedArguments['values']) => ({
  dataDir: fileOf(values['data-dir']) ?? defaultDataDir(),
  isJson: values.json !== undefined,
});

type UnsharedOf<C> = Omit<C, keyof ReturnType<typeof sharedOf>>;

const actions = ['install', 'uninstall', 'status'] as const;

function readService({ values, argument, rest }: ParsedArguments): Command {
  const action = actions.find((each) => each === argument);
  if (action === undefined) {
    throw new UsageError(`ACTION '${argument ?? ''}' is none of ${actions.join(', ')}`);
  }
  const isForSystem = values.system !== undefined;
  if (rest.length > 0 && action !== 'install') {
    throw new UsageError(`unexpected argument '${rest[0] ?? ''}'`);
  }
  if (isForSystem && action === 'install' && values['data-dir'] === undefined) {
    throw new UsageError('--data-dir is missing, which --system needs');
  }
  const serveArgs = ['--data-dir', sharedOf(values).dataDir, ...rest];
  const asked = readServeRequest(serveArgs);
  if (asked.kind === 'mistake') throw new UsageError(`behind --: ${asked.message}`);
  if (asked.kind !== 'run' || asked.passwordLinkFor !== null) {
    throw new UsageError('behind --: only options with which a service goes on running');
  }
  return { kind: 'service', action, isForSystem, serveArgs, ...sharedOf(values) };
}

function readOrganizationCommand(
  kind: 'invite' | 'reset-password' | 'service' | 'webhook-targets',
  written: ParsedArguments,
  shared: ReturnType<typeof sharedOf>,
): Command {
  if (kind === 'service') return readService(written);
  if (kind === 'webhook-targets') {
    const isRemoved = written.values.remove !== undefined;
    if (isRemoved && written.all.length === 0) throw new UsageError('TARGET is missing');
    return { kind, ...shared, targets: written.all, isRemoved };
  }
  if (kind === 'invite') return { kind, ...shared, ...inviteOptions(written) };
  const [email = ''] = emailsIn(written.all);
  return { kind, ...shared, email };
}

function readBackup({
  values,
  argument,
}: ParsedArguments): UnsharedOf<BackupCommand> | UnsharedOf<CheckBackupsCommand> {
  const into = argument === undefined ? null : resolve(argument);
  if (values.check !== undefined) return { kind: 'check-backups', folder: into };
  if (into === null) throw new UsageError('DIR is missing');
  const areFilesBeside = values['files-beside'] !== undefined;
  return { kind: 'backup', into, isPlain: values.plain !== undefined, areFilesBeside };
}

function readOne(command: keyof typeof commands, args: readonly string[]): Command {
  const written = parseArguments(args, commands[command]);
  const { values, argument: given } = written;
  const argument = given ?? '';
  if (values.help !== undefined) {
    return { kind: 'help', text: commands[command].usage(defaultDataDir()) };
  }
  const shared = sharedOf(values);
  switch (command) {
    case 'backup':
      return { ...readBackup(written), ...shared };
    case 'restore':
      return { kind: 'restore', ...shared, ...restoreOptions(values), file: resolve(argument) };
    case 'stolen':
      return { kind: command, ...shared, codeFile: fileOf(values['code-file']) };
    case 'open':
      return { kind: command, ...shared, number: argument };
    case 'recovery-code':
      return { kind: command, ...shared, isNew: values.new !== undefined };
    case 'move-out':
      return { kind: 'move-out', ...shared, isCalledOff: values['call-off'] !== undefined };
    case 'move-in':
      return { kind: 'move-in', ...shared, code: argument };
    default:
      return readOrganizationCommand(command, written, shared);
    case 'send':
      return { kind: 'send', isJson: shared.isJson, text: given ?? null, ...sendOptions(values) };
  }
}

const isCommand = (word: string): word is keyof typeof commands => Object.hasOwn(commands, word);

/** What `hearth` is asked to do. @param args  what follows the program on the command line */
export function readCommand(args: readonly string[]): Command {
  const [word = '--help', ...rest] = args;
  if (word === 'serve') return { kind: 'serve', args: rest };
  if (word === '--version') return { kind: 'version' };
  if (word === '--help' || word === 'help') return { kind: 'help', text: overview };
  if (!isCommand(word)) {
    return { kind: 'mistake', message: `unknown command '${word}'`, isJson: false };
  }
  try {
    return readOne(word, rest);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return {
      kind: 'mistake',
      message: `${error.message} (see ${word} --help)`,
      isJson: rest.includes('--json'),
    };
  }
}
