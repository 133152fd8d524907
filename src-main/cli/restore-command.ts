/** What `hearth restore` and `hearth stolen` ask, and say. */
import { readRecoveryCode } from '#backup/archive/recovery-code.ts';
import { commandName, shellWord } from '#node/own-command.ts';
import { openRestored } from '#service/db/sqlite/restored.ts';
import type { OpenCommand, RestoreCommand, StolenCommand } from './command-kinds.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import { abortedBySignal, print } from '#node/terminal.ts';
import { checkOrganization } from '#backup/collect.ts';
import { declareStolen } from '#backup/key-theft.ts';
import {
  restoreOrganization,
  type RestoreResult,
  inspectArchive,
  type ArchiveInfo,
} from '#backup/restore.ts';
import { counted, timeText } from '#node/wording.ts';
import { type CommandOutput, INCOMPLETE } from './command-output.ts';
import { promptFor, readSecret } from './secret-input.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

const readCode = async ({ codeFile }: Pick<RestoreCommand, 'codeFile'>): Promise<string> =>
  readRecoveryCode(
    await readSecret({ name: 'recovery code', option: '--code-file', file: codeFile }),
  );

const archiveInfoLines = ({ summary, fingerprint, hasKeys }: ArchiveInfo): readonly string[] => [
  `${summary.name}, as it was on ${timeText(new Date(summary.madeAt))}: ${counted(summary.messages, 'message')}, ${counted(summary.files, 'file')}`,
  ...(fingerprint === null ? [] : [`pin ${fingerprint}`]),
  ...(hasKeys ? [] : ['without keys: everybody signs in anew']),
];

async function confirmRestore(command: RestoreCommand): Promise<void> {
  if (command.isAgreed) return;
  if (!process.stdin.isTTY) {
    throw new ExplainedError(cliWords('restore_not_confirmed'));
  }
  const answer = await promptFor(`Restore it into ${command.dataDir}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new ExplainedError(cliWords('restore_called_off'));
  }
}

const archiveInfoFields = ({
  summary,
  fingerprint,
  hasKeys,
}: ArchiveInfo): Readonly<Record<string, unknown>> => ({
  name: summary.name,
  made_at: summary.madeAt,
  messages: summary.messages,
  files: summary.files,
  pin: fingerprint,
  has_keys: hasKeys,
});

const oldComputerRefused =
  'Everybody signs in with their password once, and only to who has the new key: Hearth refuses the old computer from then on. Bots and other programs need new API keys.';

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

function restoreOutputOf(
  restored: RestoreResult,
  { dataDir, isStolen }: RestoreCommand,
): CommandOutput {
  const { restoreGeneration, lostFiles, summary, accountSnapshot, opensWith } = restored;
  const missing = `Changes since ${timeText(new Date(summary.madeAt))} may be missing`;
  const lost = `Of ${counted(summary.files, 'file')} ${String(lostFiles)} could not be read.`;
  return {
    lines: [`restored ${counted(summary.messages, 'message')} into ${dataDir}`],
    warnings: [
      ...(isStolen ? [oldComputerRefused] : []),
      ...(lostFiles === 0 ? [] : [lost]),
      accountSnapshot === null
        ? `${missing}: anyone who was removed from the organization or from a stream since then has to be removed again.`
        : `${missing}. Accounts, who was removed from streams, privacy and policies are those of ${timeText(new Date(accountSnapshot.atSeconds * 1000))}.`,
      `It is closed to everybody but administrators at this computer. Open it once you have looked: ${commandName} open ${opensWith} --data-dir ${shellWord(dataDir)}`,
    ],
    fields: {
      ...archiveInfoFields(restored),
      folder: dataDir,
      open_number: opensWith,
      lost_files: lostFiles,
      standing_at: accountSnapshot === null ? null : isoOf(accountSnapshot.atSeconds),
      changed_accounts: accountSnapshot?.changedAccounts ?? 0,
      epoch: { n: restoreGeneration.n, id: restoreGeneration.id, parent: restoreGeneration.parent },
    },
    exitCode: lostFiles === 0 ? 0 : INCOMPLETE,
  };
}

/** @throws errors of one sentence */
export async function runRestore(command: RestoreCommand): Promise<CommandOutput> {
  const code = await readCode(command);
  const shown = await inspectArchive(command.file, code);
  if (command.isOnlyShown) {
    return {
      lines: archiveInfoLines(shown),
      warnings: [],
      fields: archiveInfoFields(shown),
      exitCode: 0,
    };
  }
  if (!command.isJson) print('stderr', ...archiveInfoLines(shown));
  await confirmRestore(command);
  return restoreOutputOf(
    await restoreOrganization({ ...command, code }, new Date(), abortedBySignal()),
    command,
  );
}

/** @throws errors of one sentence */
export async function runStolen(command: StolenCommand): Promise<CommandOutput> {
  const { dataDir } = command;
  const code = await readCode(command);
  const { fingerprint, restoreGeneration } = await declareStolen({ dataDir, code }, new Date());
  return {
    lines: ['the old computer counts for nothing any more', `pin ${fingerprint}`],
    warnings: [oldComputerRefused],
    fields: {
      pin: fingerprint,
      folder: dataDir,
      epoch: { n: restoreGeneration.n, id: restoreGeneration.id, parent: restoreGeneration.parent },
    },
    exitCode: 0,
  };
}

/** @throws errors of one sentence */
export async function runOpen({ dataDir, number }: OpenCommand): Promise<CommandOutput> {
  await checkOrganization(dataDir);
  const outcome = openRestored(databaseIn(dataDir), number, Math.floor(Date.now() / 1000));
  if (outcome === 'refused') {
    throw new ExplainedError(cliWords('open_number_wrong', { number }));
  }
  const line = outcome === 'opened' ? 'opened to everybody' : 'it is open already';
  return { lines: [line], warnings: [], fields: { folder: dataDir }, exitCode: 0 };
}
