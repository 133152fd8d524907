/** One command line for what is done to an organization on the computer that has it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { homedir, hostname } from 'node:os';
import manifest from '#package.json' with { type: 'json' };
import { databaseIn } from '#node/files/data-folder.ts';
import type { MigrationProgress } from '#node/threads/backup-messages.ts';
import { counted, lostWarning, oneLine, sizeText, timeText } from '#node/wording.ts';
import type {
  BackupCommand,
  CheckBackupsCommand,
  ConfigCommand,
  Command,
  InviteCommand,
  MoveInCommand,
  MoveOutCommand,
  OpenCommand,
  RecoveryCodeCommand,
  ResetPasswordCommand,
  RestoreCommand,
  SendCommand,
  ServiceCommand,
  StolenCommand,
  UserCommand,
  WebhookTargetsCommand,
} from './command-kinds.ts';
import { commandName, serveCommand, shellWord } from '#node/own-command.ts';
import { cacheCompiledCode } from '#node/compile-cache.ts';
import { readCommand } from './command-options.ts';
import { SECRET_FILE } from '#node/tls/server-identity.ts';
import { OptionError } from '#node/command-line/option.ts';
import { letServiceGoFirst } from '#node/threads/priority.ts';
import { abortedBySignal, print } from '#node/terminal.ts';

/** Ends a command that has done what it was asked, but for what the data folder itself has lost. */
const INCOMPLETE = 3;

/** What a command has to say: to people in lines, to programs as an object. */
interface CommandOutput {
  readonly lines: readonly string[];
  /** For standard error, beside what was done. */
  readonly warnings: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly exitCode: number;
}

async function checkBackupsCommand({
  dataDir,
  folder,
}: CheckBackupsCommand): Promise<CommandOutput> {
  const { checkBackups } = await import('#backup/last-archive.ts');
  const { isRecent, line, archive } = await checkBackups(dataDir, folder, new Date());
  const fields = {
    is_recent: isRecent,
    file: archive?.file ?? null,
    made_at: archive === undefined ? null : new Date(archive.madeAtSeconds * 1000).toISOString(),
  };
  return { lines: [line], warnings: [], fields, exitCode: isRecent ? 0 : 1 };
}

const codeLines = (code: string): readonly string[] => [
  `recovery code: ${code}`,
  'Write these words down, and store them away from this computer. Nothing else opens the archives, and the code is not shown again.',
];

/** Without a secret there is nothing to name files by, and the archive has them itself. */
async function readNamingSecret({
  dataDir,
  areFilesBeside,
}: BackupCommand): Promise<Uint8Array | null> {
  if (!areFilesBeside) return null;
  const { readSecret } = await import('#service/security/secret-file.ts');
  return (await readSecret(join(dataDir, SECRET_FILE))) ?? null;
}

async function makeSealedBackup(
  command: BackupCommand,
  signal: AbortSignal,
): Promise<CommandOutput> {
  const { makeSealedArchive } = await import('#backup/sealed-copy.ts');
  const { dataDir, into } = command;
  const { version } = manifest;
  const filesBeside = await readNamingSecret(command);
  const made = await makeSealedArchive({ dataDir, into, version, filesBeside }, new Date(), signal);
  const { file, sizeBytes, messages, lost, newCode, hasKeys, notes } = made;
  const amount = `${counted(messages, 'message')}, ${sizeText(sizeBytes)}`;
  const keysWarning = `The archive has no keys, because ${dataDir} has none: after a restore everybody signs in anew. A desktop adds its keys when it starts.`;
  return {
    lines: [`sealed ${amount}, into ${file}`, ...(newCode === null ? [] : codeLines(newCode))],
    warnings: [...(hasKeys ? [] : [keysWarning]), ...notes, ...lostWarning(dataDir, lost)],
    fields: {
      file,
      messages,
      size_bytes: sizeBytes,
      lost_files: lost,
      recovery_code: newCode,
      has_keys: hasKeys,
    },
    exitCode: lost.length === 0 ? 0 : INCOMPLETE,
  };
}

async function makePlainBackup(
  { dataDir, into }: BackupCommand,
  signal: AbortSignal,
): Promise<CommandOutput> {
  const { carryOutPlainCopy } = await import('#backup/plain-copy-command.ts');
  const { line, isComplete, ...said } = await carryOutPlainCopy({ dataDir, into }, signal);
  return { ...said, lines: [line], exitCode: isComplete ? 0 : INCOMPLETE };
}

async function makeRecoveryCodeCommand({
  dataDir,
  isNew,
}: RecoveryCodeCommand): Promise<CommandOutput> {
  const { makeRecoveryCode } = await import('#backup/make-recovery-code.ts');
  const code = await makeRecoveryCode(dataDir, isNew);
  const old = 'Archives that were sealed before still need the old code: do not throw it away.';
  const lines = [...codeLines(code), ...(isNew ? [old] : [])];
  return { lines, warnings: [], fields: { recovery_code: code }, exitCode: 0 };
}

async function restoreCommand(
  command: RestoreCommand,
  signal: AbortSignal,
): Promise<CommandOutput> {
  const { runRestore } = await import('./restore-command.ts');
  const { isComplete, ...said } = await runRestore(command, signal);
  return { ...said, exitCode: isComplete ? 0 : INCOMPLETE };
}

async function stolenCommand(command: StolenCommand, signal: AbortSignal): Promise<CommandOutput> {
  const { runStolen } = await import('./restore-command.ts');
  const { isComplete, ...said } = await runStolen(command, signal);
  return { ...said, exitCode: isComplete ? 0 : INCOMPLETE };
}

async function openCommand(command: OpenCommand): Promise<CommandOutput> {
  const { runOpen } = await import('./restore-command.ts');
  const { isComplete: _, ...said } = await runOpen(command);
  return { ...said, exitCode: 0 };
}

async function moveOutCommand({ dataDir, isCalledOff }: MoveOutCommand): Promise<CommandOutput> {
  const { cancelMigration, issueTransferCode } =
    await import('#backup/migration/transfer-offer.ts');
  const said = { warnings: [], exitCode: 0 };
  if (isCalledOff) {
    const isOpen = await cancelMigration(dataDir);
    const line = isOpen
      ? 'called off: the organization is open here again'
      : 'called off: the organization opens here again when it is served';
    return { ...said, lines: [line], fields: { is_open: isOpen } };
  }
  const { code, fingerprint, expiresAt } = await issueTransferCode(dataDir, new Date(), false);
  const lines = [
    `code: ${code}`,
    `On the other computer paste it in Hearth, or give this command, before ${timeText(expiresAt)}:`,
    `  ${commandName} move-in ${shellWord(code)} --data-dir NEW`,
    'NEW is a folder that is not there yet. The code is good once, and gives away the whole organization.',
  ];
  return {
    ...said,
    lines,
    fields: { code, pin: fingerprint, expires_at: expiresAt.toISOString() },
  };
}

const stepLines = {
  claiming: 'asking the other computer to close',
  taking: 'taking everything over',
  asking: 'waiting until the other computer has let go',
  finishing: 'finishing',
} as const;

async function moveInCommand(command: MoveInCommand, signal: AbortSignal): Promise<CommandOutput> {
  const { receiveOrganization } = await import('#backup/migration/target.ts');
  const { findTransferCode } = await import('#node/migration/transfer-code.ts');
  const { dataDir, isJson } = command;
  const code = findTransferCode(command.code);
  if (code === undefined) {
    throw new Error('CODE has to be one that "move-out" printed: hearth://move/…');
  }
  let last = '';
  const onStep = (at: MigrationProgress): void => {
    const line =
      at.step === 'waiting'
        ? `confirm on the other computer that it is the one with the number ${at.content.number}`
        : stepLines[at.step];
    if (!isJson && line !== last) print('stderr', line);
    last = line;
  };
  const { name, fingerprint, messages } = await receiveOrganization(
    { code, dataDir, computer: hostname() },
    onStep,
    signal,
  );
  return {
    lines: [
      `${name} lives in ${dataDir} now, with ${counted(messages, 'message')}: serve it from there`,
    ],
    warnings: [],
    fields: { name, pin: fingerprint, messages, folder: dataDir },
    exitCode: 0,
  };
}

async function sendCommand(command: SendCommand): Promise<CommandOutput> {
  const { sendMessage } = await import('./send-message.ts');
  const id = await sendMessage(command, process.stdin);
  return { lines: [`posted as ${String(id)}`], warnings: [], fields: { id }, exitCode: 0 };
}

async function resetPasswordCommand({
  dataDir,
  email,
}: ResetPasswordCommand): Promise<CommandOutput> {
  const { requestPasswordLink } = await import('#hosting/commands/command-socket.ts');
  const { makeLinkWithoutService } = await import('#hosting/commands/offline-commands.ts');
  const { compose } = await import('#hosting/compose-service.ts');
  const asked = await requestPasswordLink(dataDir, email);
  const link = asked ?? (await makeLinkWithoutService(dataDir, email, compose));
  const isServed = asked !== undefined;
  const when = isServed ? '' : ', once the service runs again,';
  const lines = [
    `password link: ${link}`,
    `Open it in a browser${when} or paste it in Hearth under "Connect to an existing one". It is good once, and for a day; whoever has it signs in as ${email}.`,
  ];
  return { lines, warnings: [], fields: { email, link, is_served: isServed }, exitCode: 0 };
}

async function inviteCommand(command: InviteCommand): Promise<CommandOutput> {
  const { makeInvitations } = await import('#hosting/commands/make-invitations.ts');
  const { inviter, invitations } = await makeInvitations(command);
  const lines = invitations.flatMap(({ email, text, expiresAt }) => [
    email === ''
      ? `for everybody who has it, ${counted(command.maxUses, 'time')} at most, until ${timeText(expiresAt)}:`
      : `for ${email}, until ${timeText(expiresAt)}:`,
    ...['', ...text.split('\n'), ''],
  ]);
  const fields = {
    invited_by: inviter,
    invitations: invitations.map(({ email, link, webLink, text, expiresAt }) => ({
      ...(email === '' ? {} : { email }),
      link,
      web_link: webLink,
      text,
      expires_at: expiresAt.toISOString(),
    })),
  };
  return { lines, warnings: [], fields, exitCode: 0 };
}

async function webhookTargetsCommand(command: WebhookTargetsCommand): Promise<CommandOutput> {
  const { requestTargetChange } = await import('#hosting/commands/command-socket.ts');
  const { dataDir, targets: given, isRemoved } = command;
  const change = isRemoved ? { allow: [], remove: given } : { allow: given, remove: [] };
  const targets = await requestTargetChange(dataDir, change);
  if (targets === undefined) {
    throw new Error(
      `The organization in ${dataDir} is not served now: start it, or name its folder with --data-dir.`,
    );
  }
  const nothing = 'outgoing bots reach nothing inside of this network';
  const lines = targets.length === 0 ? [nothing] : targets;
  return { lines, warnings: [], fields: { targets }, exitCode: 0 };
}

async function configCommand(command: ConfigCommand): Promise<CommandOutput> {
  const { showConfig } = await import('./config-command.ts');
  return { ...(await showConfig(command)), exitCode: 0 };
}

async function userCommand(command: UserCommand): Promise<CommandOutput> {
  const { BadLinesError, runUser } = await import('./people/user-command.ts');
  try {
    return { ...(await runUser(command)), exitCode: 0 };
  } catch (error) {
    if (!(error instanceof BadLinesError)) throw error;
    const { bad, message } = error;
    if (!command.isJson) {
      const lines = bad.map(({ line, reason }) => `line ${String(line)}: ${reason}`);
      return { lines: [], warnings: [...lines, message], fields: {}, exitCode: 1 };
    }
    const fields = { result: 'error', message, bad_lines: bad };
    return { lines: [], warnings: [], fields, exitCode: 1 };
  }
}

const running = (isRunning: boolean | null): string => {
  if (isRunning === null) return 'the system cannot be asked whether it runs';
  return isRunning ? 'it runs' : 'it does not run';
};

async function serviceCommand({
  action,
  dataDir,
  isForSystem,
  serveArgs,
}: ServiceCommand): Promise<CommandOutput> {
  const { installService, serviceState, uninstallService } = await import('./install-service.ts');
  const { env, platform } = process;
  const place = { platform, env, home: homedir(), userId: process.getuid?.() ?? 0, isForSystem };
  const said = { warnings: [], exitCode: 0 };
  if (action === 'status') {
    const { file, isInstalled, isRunning } = await serviceState(place);
    const line = isInstalled ? `installed as ${file}; ${running(isRunning)}` : 'not installed';
    const fields = { file, is_installed: isInstalled, is_running: isRunning };
    return { ...said, lines: [line], fields };
  }
  if (action === 'uninstall') {
    const file = await uninstallService(place);
    const line = file === null ? 'nothing was installed' : `removed ${file}; the data folder stays`;
    return { ...said, lines: [line], fields: { file } };
  }
  if (existsSync(databaseIn(dataDir)) && !existsSync(join(dataDir, SECRET_FILE))) {
    throw new Error(
      `The keys of the organization in ${dataDir} are in the keychain of a desktop, where a service does not come at them: host it from the window, or move it into a folder of its own ("move-in").`,
    );
  }
  const words = [...serveCommand(), ...serveArgs];
  const { file, starts, unfinished } = await installService(place, words);
  const warnings =
    unfinished === null
      ? []
      : [
          `The file is there, but "${unfinished.join(' ')}" did not work: start the service yourself.`,
        ];
  const fields = { file, is_started: unfinished === null };
  return { ...said, lines: [`installed as ${file}. ${starts}`], warnings, fields };
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

function fail(message: string, exitCode: number, isJson: boolean): void {
  if (isJson) print('stdout', JSON.stringify({ result: 'error', message }));
  else print('stderr', message);
  process.exitCode = exitCode;
}

type RunnableCommand = Exclude<
  Command,
  { readonly kind: 'help' | 'mistake' | 'serve' | 'version' }
>;

type Kind = RunnableCommand['kind'];
type CommandRunner<K extends Kind> = (
  command: Extract<RunnableCommand, { readonly kind: K }>,
  signal: AbortSignal,
) => Promise<CommandOutput>;

const runners: { readonly [K in Kind]: CommandRunner<K> } = {
  backup: (command, signal) => {
    letServiceGoFirst();
    return (command.isPlain ? makePlainBackup : makeSealedBackup)(command, signal);
  },
  config: configCommand,
  'check-backups': checkBackupsCommand,
  restore: restoreCommand,
  stolen: stolenCommand,
  open: openCommand,
  'recovery-code': makeRecoveryCodeCommand,
  'move-out': moveOutCommand,
  'move-in': moveInCommand,
  invite: inviteCommand,
  'reset-password': resetPasswordCommand,
  'webhook-targets': webhookTargetsCommand,
  service: serviceCommand,
  send: sendCommand,
  user: userCommand,
};

const runOne = (command: RunnableCommand, signal: AbortSignal): Promise<CommandOutput> =>
  (runners[command.kind] as CommandRunner<Kind>)(command, signal);

async function runWithSignals(command: RunnableCommand): Promise<void> {
  cacheCompiledCode();
  try {
    printOutput(await runOne(command, abortedBySignal()), command.isJson);
  } catch (error) {
    fail(oneLine(error), error instanceof OptionError ? 2 : 1, command.isJson);
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
      fail(command.message, 2, command.isJson);
      break;
    default:
      await runWithSignals(command);
  }
}

await run(readCommand(process.argv.slice(2), process.env));
