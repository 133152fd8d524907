/** The command line of `hearth`: one word that says what to do, what it is done to, and options. */
import { columns } from '#node/command-line/help.ts';
import { suggestion } from '#node/command-line/nearest.ts';
import { OptionError } from '#node/command-line/option.ts';
import { commandName } from '#node/own-command.ts';
import type { Command } from './command-kinds.ts';
import { commandWords, type OrganizationCommandWord } from './command-words.ts';
import { copyCommands } from './commands/copy-commands.ts';
import type { Environment } from '#hosting/options/option-sources.ts';
import type { DeclaredCommand } from './commands/declare-command.ts';
import { peopleCommands } from './commands/people-commands.ts';
import { serviceCommands } from './commands/service-commands.ts';
import { userCommand } from './commands/user-commands.ts';
import { toldOf } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const commands: Readonly<Record<OrganizationCommandWord, DeclaredCommand>> = {
  ...copyCommands,
  ...serviceCommands,
  user: userCommand,
  ...peopleCommands,
};

const overview = (): string => `Usage: ${commandName} COMMAND [options]

${columns([
  ['serve', 'serve Hearth to browsers and to clients of its API'],
  ...Object.entries(commands).map(([word, { argument, summary }]): readonly [string, string] => [
    `${word} ${argument}`.trimEnd(),
    summary,
  ]),
]).join('\n')}

"${commandName} COMMAND --help" tells more of each, and "${commandName} --version" which Hearth this is.
`;

const isCommand = (word: string): word is OrganizationCommandWord => Object.hasOwn(commands, word);

/** The command that is meant, or an action of it, with what stands behind. */
function commandOf(word: OrganizationCommandWord, args: readonly string[]) {
  const command = commands[word];
  const [action = '', ...rest] = args;
  const found = new Map(Object.entries(command.actions ?? {})).get(action);
  return found === undefined
    ? { name: word, command, own: args }
    : { name: `${word} ${action}`, command: found, own: rest };
}

/**
 * What `hearth` is asked to do.
 * @param args  what follows the program on the command line
 */
export function readCommand(args: readonly string[], env: Environment = {}): Command {
  const [word = '--help', ...rest] = args;
  if (word === 'serve') return { kind: 'serve', args: rest };
  if (word === '--version') return { kind: 'version' };
  if (word === '--help' || word === 'help') return { kind: 'help', text: overview() };
  if (!isCommand(word)) {
    const told = cliWords('command_unknown', {
      command: word,
      hint: suggestion(word, commandWords),
    });
    return { kind: 'mistake', ...told, isJson: false };
  }
  const { name, command, own } = commandOf(word, rest);
  try {
    const read = command.read(own, env);
    return read === 'help' ? { kind: 'help', text: command.help(name) } : read;
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    return {
      kind: 'mistake',
      ...toldOf(error),
      message: cliWords('option_see_help', {
        reason: error.message,
        command: name,
      }).message,
      isJson: rest.includes('--json'),
    };
  }
}
