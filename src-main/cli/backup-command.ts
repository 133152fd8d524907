/** What `hearth backup` and `hearth recovery-code` do. */
import { join } from 'node:path';
import manifest from '#package.json' with { type: 'json' };
import { counted, lostWarning, sizeText } from '#node/wording.ts';
import { letServiceGoFirst } from '#node/threads/priority.ts';
import { SECRET_FILE } from '#node/tls/server-identity.ts';
import { abortedBySignal } from '#node/terminal.ts';
import type { BackupCommand, CheckBackupsCommand, RecoveryCodeCommand } from './command-kinds.ts';
import { type CommandOutput, INCOMPLETE } from './command-output.ts';

export async function runCheckBackups({
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

export function runBackup(command: BackupCommand): Promise<CommandOutput> {
  letServiceGoFirst();
  return (command.isPlain ? makePlainBackup : makeSealedBackup)(command, abortedBySignal());
}

export async function runRecoveryCode({
  dataDir,
  isNew,
}: RecoveryCodeCommand): Promise<CommandOutput> {
  const { makeRecoveryCode } = await import('#backup/make-recovery-code.ts');
  const code = await makeRecoveryCode(dataDir, isNew);
  const old = 'Archives that were sealed before still need the old code: do not throw it away.';
  const lines = [...codeLines(code), ...(isNew ? [old] : [])];
  return { lines, warnings: [], fields: { recovery_code: code }, exitCode: 0 };
}
