/** What `hearth restore` and `hearth stolen` ask, and say. */
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { readRecoveryCode } from '#backup/archive/recovery-code.ts';
import { commandName, shellWord } from '#node/own-command.ts';
import { openRestored } from '#service/db/sqlite/restored.ts';
import type { OpenCommand, RestoreCommand, StolenCommand } from './command-kinds.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { codeOf } from '#node/error-code.ts';
import { print, terminalLine } from '#node/terminal.ts';
import { checkOrganization, KeepingError } from '#backup/collect.ts';
import { declareStolen } from '#backup/key-theft.ts';
import { restore, type Restored, show, type Shown } from '#backup/restore.ts';
import { counted, timeText } from '#node/wording.ts';

async function asked(question: string, signal: AbortSignal): Promise<string> {
  // Standard output has nothing but what was done.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(terminalLine(question), { signal });
  } finally {
    lines.close();
  }
}

async function readCode(
  { codeFile }: Pick<RestoreCommand, 'codeFile'>,
  signal: AbortSignal,
): Promise<string> {
  if (codeFile !== null) {
    const typed = await readFile(codeFile, 'utf8').catch((error: unknown) => {
      throw new KeepingError(`The file ${codeFile} cannot be read (${codeOf(error)}).`);
    });
    return readRecoveryCode(typed);
  }
  const question = 'Recovery code: ';
  const typed = process.stdin.isTTY ? await asked(question, signal) : await text(process.stdin);
  if (typed.trim() === '') {
    throw new KeepingError(
      'No recovery code was given: type it at a terminal, pipe it into this command, or name a file that has it with --code-file.',
    );
  }
  return readRecoveryCode(typed);
}

const shownLines = ({ about, pin, hasKeys }: Shown): readonly string[] => [
  `${about.name}, as it was on ${timeText(new Date(about.madeAt))}: ${counted(about.messages, 'message')}, ${counted(about.files, 'file')}`,
  ...(pin === null ? [] : [`pin ${pin}`]),
  ...(hasKeys ? [] : ['without keys: everybody signs in anew']),
];

async function agree(command: RestoreCommand, signal: AbortSignal): Promise<void> {
  if (command.isAgreed) return;
  if (!process.stdin.isTTY) {
    throw new KeepingError('Nothing was restored, because nobody could be asked: add --yes.');
  }
  const answer = await asked(`Restore it into ${command.dataDir}? [y/N] `, signal);
  if (!/^y(es)?$/i.test(answer.trim())) throw new KeepingError('Nothing was restored.');
}

const fieldsOf = ({ about, pin, hasKeys }: Shown): Readonly<Record<string, unknown>> => ({
  ...{ name: about.name, made_at: about.madeAt, messages: about.messages, files: about.files },
  ...{ pin, has_keys: hasKeys },
});

export interface RestoreSaid {
  readonly lines: readonly string[];
  readonly warnings: readonly string[];
  readonly fields: Readonly<Record<string, unknown>>;
  readonly isComplete: boolean;
}

const oldIsRefused =
  'Everybody signs in with their password once, and only to who has the new key: Hearth refuses the old computer from then on. Bots and other programs need new API keys.';

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

function saidOf(restored: Restored, { dataDir, isStolen }: RestoreCommand): RestoreSaid {
  const { epoch, lostFiles, about, standing, opensWith } = restored;
  const missing = `Changes since ${timeText(new Date(about.madeAt))} may be missing`;
  const lost = `Of ${counted(about.files, 'file')} ${String(lostFiles)} could not be read.`;
  return {
    lines: [`restored ${counted(about.messages, 'message')} into ${dataDir}`],
    warnings: [
      ...(isStolen ? [oldIsRefused] : []),
      ...(lostFiles === 0 ? [] : [lost]),
      standing === null
        ? `${missing}: whoever was shut out since, of the office or of a stream, is to be shut out again.`
        : `${missing}. Accounts, who was removed from streams, privacy and policies are those of ${timeText(new Date(standing.atSeconds * 1000))}.`,
      `It is closed to everybody but administrators at this computer. Open it once you have looked: ${commandName} open ${opensWith} --data-dir ${shellWord(dataDir)}`,
    ],
    fields: {
      ...fieldsOf(restored),
      folder: dataDir,
      open_number: opensWith,
      lost_files: lostFiles,
      standing_at: standing === null ? null : isoOf(standing.atSeconds),
      changed_accounts: standing?.changedAccounts ?? 0,
      epoch: { n: epoch.n, id: epoch.id, parent: epoch.parent },
    },
    isComplete: lostFiles === 0,
  };
}

/** @throws errors of one sentence */
export async function carryOutRestore(
  command: RestoreCommand,
  signal: AbortSignal,
): Promise<RestoreSaid> {
  const code = await readCode(command, signal);
  const shown = await show(command.file, code);
  if (command.isOnlyShown) {
    return { lines: shownLines(shown), warnings: [], fields: fieldsOf(shown), isComplete: true };
  }
  if (!command.isJson) print('stderr', ...shownLines(shown));
  await agree(command, signal);
  return saidOf(await restore({ ...command, code }, new Date(), signal), command);
}

/** @throws errors of one sentence */
export async function carryOutStolen(
  command: StolenCommand,
  signal: AbortSignal,
): Promise<RestoreSaid> {
  const { dataDir } = command;
  const code = await readCode(command, signal);
  const { pin, epoch } = await declareStolen({ dataDir, code }, new Date());
  return {
    lines: ['the old computer counts for nothing any more', `pin ${pin}`],
    warnings: [oldIsRefused],
    fields: { pin, folder: dataDir, epoch: { n: epoch.n, id: epoch.id, parent: epoch.parent } },
    isComplete: true,
  };
}

/** @throws errors of one sentence */
export async function carryOutOpen({ dataDir, number }: OpenCommand): Promise<RestoreSaid> {
  await checkOrganization(dataDir);
  const outcome = openRestored(databaseIn(dataDir), number, Math.floor(Date.now() / 1000));
  if (outcome === 'refused') {
    throw new KeepingError(
      `NUMBER ${number} is not the one that the restore printed, and the service when it started: six digits.`,
    );
  }
  const line = outcome === 'opened' ? 'opened to everybody' : 'it is open already';
  return { lines: [line], warnings: [], fields: { folder: dataDir }, isComplete: true };
}
