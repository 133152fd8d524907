/** One command line for what is done to an organization on the computer that has it. */
import manifest from '#package.json' with { type: 'json' };
import { cacheCompiledCode } from '#node/compile-cache.ts';
import { OptionError } from '#node/command-line/option.ts';
import { print } from '#node/terminal.ts';
import { oneLine } from '#node/wording.ts';
import type { Command } from './command-kinds.ts';
import { readCommand } from './command-options.ts';
import type { CommandOutput } from './command-output.ts';
import { type Explanation, toldOf } from '#shared/i18n/explained-error.ts';

type RunnableCommand = Exclude<
  Command,
  { readonly kind: 'help' | 'mistake' | 'serve' | 'version' }
>;

type Kind = RunnableCommand['kind'];
type CommandRunner<K extends Kind> = (
  command: Extract<RunnableCommand, { readonly kind: K }>,
) => Promise<CommandOutput>;

const backup = () => import('./backup-command.ts');
const restore = () => import('./restore-command.ts');
const move = () => import('./move-command.ts');
const people = () => import('./people-command.ts');

/** Each is loaded when it is asked for. */
const runners: { readonly [K in Kind]: () => Promise<CommandRunner<K>> } = {
  backup: async () => (await backup()).runBackup,
  'check-backups': async () => (await backup()).runCheckBackups,
  'recovery-code': async () => (await backup()).runRecoveryCode,
  restore: async () => (await restore()).runRestore,
  stolen: async () => (await restore()).runStolen,
  open: async () => (await restore()).runOpen,
  'move-out': async () => (await move()).runMoveOut,
  'move-in': async () => (await move()).runMoveIn,
  invite: async () => (await people()).runInvite,
  'reset-password': async () => (await people()).runResetPassword,
  'webhook-targets': async () => (await people()).runWebhookTargets,
  user: async () => (await import('./people/user-command.ts')).runUser,
  config: async () => (await import('./config-command.ts')).runConfig,
  service: async () => (await import('./service-command.ts')).runService,
  send: async () => (await import('./send-message.ts')).runSend,
};

async function runOne(command: RunnableCommand): Promise<CommandOutput> {
  const run = (await runners[command.kind]()) as CommandRunner<Kind>;
  return run(command);
}

function printOutput({ lines, warnings, fields, exitCode }: CommandOutput, isJson: boolean): void {
  if (isJson) {
    print('stdout', JSON.stringify({ result: 'success', ...fields, warnings }));
  } else {
    print('stdout', ...lines);
    print('stderr', ...warnings);
  }
  process.exitCode = exitCode;
}

function fail({ message, cause }: Explanation, exitCode: number, isJson: boolean): void {
  if (isJson) print('stdout', JSON.stringify({ result: 'error', message, cause }));
  else print('stderr', message);
  process.exitCode = exitCode;
}

async function runAndPrint(command: RunnableCommand): Promise<void> {
  cacheCompiledCode();
  try {
    printOutput(await runOne(command), command.isJson);
  } catch (error) {
    const told = { ...toldOf(error), message: oneLine(error) };
    fail(told, error instanceof OptionError ? 2 : 1, command.isJson);
  }
}

async function run(command: Command): Promise<void> {
  switch (command.kind) {
    case 'serve':
      // It reads its own options, in the place where they are when it is started by itself.
      process.argv.splice(2, process.argv.length, ...command.args);
      await import('#hosting/serve.ts');
      break;
    case 'help':
      print('stdout', ...command.text.trimEnd().split('\n'));
      break;
    case 'version':
      print('stdout', `hearth ${manifest.version}`);
      break;
    case 'mistake':
      fail(command, 2, command.isJson);
      break;
    default:
      await runAndPrint(command);
  }
}

await run(readCommand(process.argv.slice(2), process.env));
