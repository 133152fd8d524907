/** What a desktop asks for by its worker thread (`node/threads/backup-messages.ts`). */
import { readRecoveryCode } from './archive/recovery-code.ts';
import { createRecoveryKit, readRecoveryKit, replaceRecoveryKit } from './archive/recovery-kit.ts';
import { databaseIn } from '#node/files/data-folder.ts';
import type {
  ArrivalProgress,
  ArchiveMade,
  ArchiveRestored,
  ArchiveShown,
  CodeState,
  CopyMade,
  HostKeys,
  KeepingJobs,
  KeepingName,
  KeepingRequest,
  Missing,
} from '#node/threads/backup-messages.ts';
import { moveCodeIn } from '#node/migration/transfer-code.ts';
import { findRestoreReport, openRestored } from '#service/db/sqlite/restored.ts';
import { KeepingError } from './collect.ts';
import { removeSurplus } from './retention.ts';
import { copyPlainly } from './plain-copy.ts';
import { arrive, unfinishedMove } from './migration/target.ts';
import { callOffMove, confirmMove, offerMove } from './migration/transfer-offer.ts';
import { openKit, openOwnKeys } from './recovery-keys.ts';
import { restore, show, type Shown } from './restore.ts';
import { copySealed, keepKeys, type SealedCopy } from './sealed-copy.ts';
import { declareStolen } from './key-theft.ts';

type Ask<N extends KeepingName> = KeepingJobs[N]['ask'];

async function backUp(
  { dataDir, into, version, keys }: Ask<'backUp'>,
  signal: AbortSignal,
): Promise<ArchiveMade> {
  await keepKeys(dataDir, keys);
  const filesBeside = Buffer.from(keys.secret, 'hex');
  const made = await copySealed({ dataDir, into, version, filesBeside }, new Date(), signal);
  const { file, sizeBytes, messages, lost } = made;
  await removeSurplus(into, file, lost.length);
  const code = await codeState(dataDir);
  return { file, sizeBytes, messages, lostFiles: lost.length, code };
}

async function copy(
  { isPlain, dataDir, into, version, keys }: Ask<'copy'>,
  signal: AbortSignal,
): Promise<CopyMade> {
  const now = new Date();
  if (isPlain) {
    const { folder, ...made } = await copyPlainly({ dataDir, into }, now, signal);
    return copyMade(folder, made);
  }
  await keepKeys(dataDir, keys);
  const request = { dataDir, into, version, filesBeside: null };
  const { file, ...made } = await copySealed(request, now, signal);
  return copyMade(file, made);
}

const copyMade = (
  path: string,
  { sizeBytes, messages, lost }: Pick<SealedCopy, 'sizeBytes' | 'messages' | 'lost'>,
): CopyMade => ({ path, sizeBytes, messages, lostFiles: lost.length });

async function codeState(dataDir: string): Promise<CodeState> {
  const kit = await readRecoveryKit(dataDir);
  if (kit === undefined) return 'none';
  return kit.isCodeConfirmed ? 'confirmed' : 'unconfirmed';
}

async function makeCode({ dataDir, keys, isNew }: Ask<'makeCode'>): Promise<string | null> {
  if (!isNew && (await readRecoveryKit(dataDir)) !== undefined) return null;
  const { kit, code } = await createRecoveryKit();
  await replaceRecoveryKit(dataDir, kit);
  await keepKeys(dataDir, keys);
  return code;
}

async function confirmCode({ dataDir, code }: Ask<'confirmCode'>): Promise<null> {
  const { kit } = await openKit(dataDir, readRecoveryCode(code));
  await replaceRecoveryKit(dataDir, { ...kit, isCodeConfirmed: true });
  return null;
}

async function openKeys({ dataDir, code }: Ask<'openKeys'>): Promise<HostKeys> {
  // The successor stays under the seal.
  const { secret, officeKey } = await openOwnKeys(dataDir, readRecoveryCode(code));
  return { secret, officeKey };
}

async function sayStolen({ dataDir, code }: Ask<'declareStolen'>): Promise<null> {
  await declareStolen({ dataDir, code: readRecoveryCode(code) }, new Date());
  return null;
}

const shownOf = ({ about, pin, hasKeys, hasSuccessor }: Shown): ArchiveShown => {
  const { name, madeAt, messages, files } = about;
  return { name, madeAt, messages, files, pin, hasKeys, hasSuccessor };
};

async function restoreArchive(
  { code, ...request }: Ask<'restore'>,
  signal: AbortSignal,
): Promise<ArchiveRestored> {
  const restored = await restore({ ...request, code: readRecoveryCode(code) }, new Date(), signal);
  return { ...shownOf(restored), lostFiles: restored.lostFiles };
}

function findMissing({ dataDir }: Ask<'missing'>): Missing | null {
  const report = findRestoreReport(databaseIn(dataDir));
  if (report === null) return null;
  const { backedUpAt, standingAt, lostFiles } = report;
  return { sinceSeconds: backedUpAt, standingAtSeconds: standingAt, lostFiles };
}

function openToOthers({ dataDir }: Ask<'openRestored'>): null {
  openRestored(databaseIn(dataDir), null, Math.floor(Date.now() / 1000));
  return null;
}

async function offer({ dataDir }: Ask<'offerMove'>): Promise<KeepingJobs['offerMove']['answer']> {
  const { code, expiresAt } = await offerMove(dataDir, new Date(), true);
  return { code, expiresAtSeconds: Math.floor(expiresAt.getTime() / 1000) };
}

async function takeOver(
  { code: text, ...ask }: Ask<'arrive'>,
  signal: AbortSignal,
  onProgress: (progress: ArrivalProgress) => void,
): Promise<null> {
  const code = moveCodeIn(text);
  if (code === undefined) throw new KeepingError('This is not a code of a move: copy all of it.');
  await arrive({ ...ask, code }, onProgress, signal);
  return null;
}

type MoveRequest = Extract<
  KeepingRequest,
  { readonly name: 'offerMove' | 'confirmMove' | 'callOffMove' | 'unfinishedMove' | 'arrive' }
>;

async function carryOutMove(
  { name, ask }: MoveRequest,
  signal: AbortSignal,
  onProgress: (progress: ArrivalProgress) => void,
): Promise<KeepingJobs[MoveRequest['name']]['answer']> {
  switch (name) {
    case 'offerMove':
      return await offer(ask);
    case 'confirmMove':
      await confirmMove(ask.dataDir, ask.number);
      return null;
    case 'callOffMove':
      await callOffMove(ask.dataDir);
      return null;
    case 'unfinishedMove':
      return (await unfinishedMove(ask.dataDir)) ?? null;
    case 'arrive':
      return await takeOver(ask, signal, onProgress);
  }
}

/** @throws errors of one sentence */
export async function carryOut(
  request: KeepingRequest,
  signal: AbortSignal,
  onProgress: (progress: ArrivalProgress) => void,
): Promise<KeepingJobs[KeepingName]['answer']> {
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
      return shownOf(await show(request.ask.file, readRecoveryCode(request.ask.code)));
    case 'restore':
      return await restoreArchive(request.ask, signal);
    case 'missing':
      return findMissing(request.ask);
    case 'openRestored':
      return openToOthers(request.ask);
    case 'openKeys':
      return await openKeys(request.ask);
    case 'declareStolen':
      return await sayStolen(request.ask);
    default:
      return await carryOutMove(request, signal, onProgress);
  }
}
