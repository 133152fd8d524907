/** What a desktop asks for by its worker thread (`node/threads/backup-messages.ts`). */
import { readRecoveryCode } from './archive/recovery-code.ts';
import { createRecoveryKit, readRecoveryKit, replaceRecoveryKit } from './archive/recovery-kit.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import type {
  MigrationProgress,
  ArchiveMade,
  ArchiveRestored,
  ArchiveShown,
  RecoveryCodeState,
  CopyMade,
  HostKeys,
  BackupJobs,
  BackupJobName,
  BackupJobRequest,
  MissingSinceBackup,
} from '#node/threads/backup-messages.ts';
import { findTransferCode } from '#node/migration/transfer-code.ts';
import { findRestoreReport, openRestored } from '#service/db/sqlite/restored.ts';
import { ExplainedError } from '#shared/i18n/explained-error.ts';
import { backupWords } from '#shared/i18n/backup-words.ts';
import { removeExpired } from './retention.ts';
import { makePlainCopy } from './plain-copy.ts';
import { receiveOrganization, unfinishedMigration } from './migration/target.ts';
import {
  cancelMigration,
  confirmMigration,
  issueTransferCode,
} from './migration/transfer-offer.ts';
import { openRecoveryKit, openSealedKeys } from './recovery-keys.ts';
import { restoreOrganization, inspectArchive, type ArchiveInfo } from './restore.ts';
import { makeSealedArchive, sealHostKeys, type SealedArchive } from './sealed-copy.ts';
import { declareStolen } from './key-theft.ts';

type JobInput<N extends BackupJobName> = BackupJobs[N]['ask'];

async function backUp(
  { dataDir, into, version, keys }: JobInput<'backUp'>,
  signal: AbortSignal,
): Promise<ArchiveMade> {
  await sealHostKeys(dataDir, keys);
  const filesBeside = Buffer.from(keys.secret, 'hex');
  const made = await makeSealedArchive({ dataDir, into, version, filesBeside }, new Date(), signal);
  const { file, sizeBytes, messages, lost } = made;
  await removeExpired(into, file, lost.length);
  const code = await codeState(dataDir);
  return { file, sizeBytes, messages, lostFiles: lost.length, code };
}

async function copy(
  { isPlain, dataDir, into, version, keys }: JobInput<'copy'>,
  signal: AbortSignal,
): Promise<CopyMade> {
  const now = new Date();
  if (isPlain) {
    const { folder, ...made } = await makePlainCopy({ dataDir, into }, now, signal);
    return copyMade(folder, made);
  }
  await sealHostKeys(dataDir, keys);
  const request = { dataDir, into, version, filesBeside: null };
  const { file, ...made } = await makeSealedArchive(request, now, signal);
  return copyMade(file, made);
}

const copyMade = (
  path: string,
  { sizeBytes, messages, lost }: Pick<SealedArchive, 'sizeBytes' | 'messages' | 'lost'>,
): CopyMade => ({ path, sizeBytes, messages, lostFiles: lost.length });

async function codeState(dataDir: string): Promise<RecoveryCodeState> {
  const kit = await readRecoveryKit(dataDir);
  if (kit === undefined) return 'none';
  return kit.isCodeConfirmed ? 'confirmed' : 'unconfirmed';
}

async function makeCode({ dataDir, keys, isNew }: JobInput<'makeCode'>): Promise<string | null> {
  if (!isNew && (await readRecoveryKit(dataDir)) !== undefined) return null;
  const { kit, code } = await createRecoveryKit();
  await replaceRecoveryKit(dataDir, kit);
  await sealHostKeys(dataDir, keys);
  return code;
}

async function confirmCode({ dataDir, code }: JobInput<'confirmCode'>): Promise<null> {
  const { kit } = await openRecoveryKit(dataDir, readRecoveryCode(code));
  await replaceRecoveryKit(dataDir, { ...kit, isCodeConfirmed: true });
  return null;
}

async function openKeys({ dataDir, code }: JobInput<'openKeys'>): Promise<HostKeys> {
  // The next identity key stays under the seal.
  const { secret, officeKey } = await openSealedKeys(dataDir, readRecoveryCode(code));
  return { secret, officeKey };
}

async function reportStolen({ dataDir, code }: JobInput<'declareStolen'>): Promise<null> {
  await declareStolen({ dataDir, code: readRecoveryCode(code) }, new Date());
  return null;
}

const toArchiveShown = ({
  summary,
  fingerprint,
  hasKeys,
  hasNextKey,
}: ArchiveInfo): ArchiveShown => {
  const { name, madeAt, messages, files } = summary;
  return { name, madeAt, messages, files, pin: fingerprint, hasKeys, hasNextKey };
};

async function restoreArchive(
  { code, ...request }: JobInput<'restore'>,
  signal: AbortSignal,
): Promise<ArchiveRestored> {
  const restored = await restoreOrganization(
    { ...request, code: readRecoveryCode(code) },
    new Date(),
    signal,
  );
  return { ...toArchiveShown(restored), lostFiles: restored.lostFiles };
}

function findMissing({ dataDir }: JobInput<'missing'>): MissingSinceBackup | null {
  const report = findRestoreReport(databaseIn(dataDir));
  if (report === null) return null;
  const { backedUpAt, standingAt, lostFiles } = report;
  return { sinceSeconds: backedUpAt, snapshotAtSeconds: standingAt, lostFiles };
}

function openRestoredOrganization({ dataDir }: JobInput<'openRestored'>): null {
  openRestored(databaseIn(dataDir), null, Math.floor(Date.now() / 1000));
  return null;
}

async function createTransfer({
  dataDir,
}: JobInput<'offerMove'>): Promise<BackupJobs['offerMove']['answer']> {
  const { code, expiresAt } = await issueTransferCode(dataDir, new Date(), true);
  return { code, expiresAtSeconds: Math.floor(expiresAt.getTime() / 1000) };
}

async function receive(
  { code: text, ...ask }: JobInput<'arrive'>,
  signal: AbortSignal,
  onProgress: (progress: MigrationProgress) => void,
): Promise<null> {
  const code = findTransferCode(text);
  if (code === undefined) throw new ExplainedError(backupWords('transfer_code_invalid'));
  await receiveOrganization({ ...ask, code }, onProgress, signal);
  return null;
}

type MigrationJob = Extract<
  BackupJobRequest,
  { readonly name: 'offerMove' | 'confirmMove' | 'callOffMove' | 'unfinishedMove' | 'arrive' }
>;

async function runMigrationJob(
  { name, ask }: MigrationJob,
  signal: AbortSignal,
  onProgress: (progress: MigrationProgress) => void,
): Promise<BackupJobs[MigrationJob['name']]['answer']> {
  switch (name) {
    case 'offerMove':
      return await createTransfer(ask);
    case 'confirmMove':
      await confirmMigration(ask.dataDir, ask.number);
      return null;
    case 'callOffMove':
      await cancelMigration(ask.dataDir);
      return null;
    case 'unfinishedMove':
      return (await unfinishedMigration(ask.dataDir)) ?? null;
    case 'arrive':
      return await receive(ask, signal, onProgress);
  }
}

/** @throws errors of one sentence */
export async function runBackupJob(
  request: BackupJobRequest,
  signal: AbortSignal,
  onProgress: (progress: MigrationProgress) => void,
): Promise<BackupJobs[BackupJobName]['answer']> {
  switch (request.name) {
    case 'backUp':
      return await backUp(request.ask, signal);
    case 'copy':
      return await copy(request.ask, signal);
    case 'makeCode':
      return await makeCode(request.ask);
    case 'codeState':
      return await codeState(request.ask.dataDir);
    case 'confirmCode':
      return await confirmCode(request.ask);
    case 'show':
      return toArchiveShown(
        await inspectArchive(request.ask.file, readRecoveryCode(request.ask.code)),
      );
    case 'restore':
      return await restoreArchive(request.ask, signal);
    case 'missing':
      return findMissing(request.ask);
    case 'openRestored':
      return openRestoredOrganization(request.ask);
    case 'openKeys':
      return await openKeys(request.ask);
    case 'declareStolen':
      return await reportStolen(request.ask);
    default:
      return await runMigrationJob(request, signal, onProgress);
  }
}
