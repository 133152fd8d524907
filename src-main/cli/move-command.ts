/** What `hearth move-out` and `hearth move-in` do. */
import { hostname } from 'node:os';
import type { MigrationProgress } from '#node/threads/backup-messages.ts';
import { findTransferCode } from '#node/migration/transfer-code.ts';
import { commandName } from '#node/own-command.ts';
import { abortedBySignal, print } from '#node/terminal.ts';
import { counted, timeText } from '#node/wording.ts';
import { cancelMigration, issueTransferCode } from '#backup/migration/transfer-offer.ts';
import { receiveOrganization } from '#backup/migration/target.ts';
import type { MoveInCommand, MoveOutCommand } from './command-kinds.ts';
import type { CommandOutput } from './command-output.ts';
import { readSecret } from './secret-input.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

export async function runMoveOut({ dataDir, isCalledOff }: MoveOutCommand): Promise<CommandOutput> {
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
    `On the other computer paste it in Hearth, or give this command and paste it there, before ${timeText(expiresAt)}:`,
    `  ${commandName} move-in --data-dir NEW`,
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

const seenByOthers =
  'Everybody on this computer can read CODE on the command line: leave it out and paste it when it is asked for, pipe it in, or use --code-file.';

export async function runMoveIn(command: MoveInCommand): Promise<CommandOutput> {
  const { dataDir, isJson, codeFile } = command;
  const isOnCommandLine = command.code !== null;
  if (isOnCommandLine && !isJson) print('stderr', seenByOthers);
  const source = { name: 'code', option: '--code-file', file: codeFile };
  const code = findTransferCode(command.code ?? (await readSecret(source)));
  if (code === undefined) {
    throw new ExplainedError(cliWords('move_code_of_command_invalid'));
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
    abortedBySignal(),
  );
  return {
    lines: [
      `${name} lives in ${dataDir} now, with ${counted(messages, 'message')}: serve it from there`,
    ],
    warnings: isOnCommandLine && isJson ? [seenByOthers] : [],
    fields: { name, pin: fingerprint, messages, folder: dataDir },
    exitCode: 0,
  };
}
