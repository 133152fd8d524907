/** An organization that comes to this computer, or comes back: out of an archive, or with keys that were lost. */
import { failure, failureAt, success, type Outcome } from '#shared/bridge/outcome.ts';
import type {
  ArchiveContent,
  MissingSinceBackup,
  RestoreChoices,
} from '#shared/bridge/models/backups.ts';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import type { KeyStore } from '#client/ports.ts';
import type { ArchiveShown, BackupThread } from '#node/threads/backup-messages.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { catchingKeychain } from '#client/accounts/keychain.ts';
import { forgetKeys, makeNewKeys, saveKeys } from './host-keys.ts';
import type { Hosting } from './hosting.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

export interface RestoringParts {
  readonly backupThread: BackupThread;
  readonly dataDir: string;
  readonly keys: KeyStore;
  readonly hosting: Pick<Hosting, 'hasData' | 'makeRoom' | 'start' | 'status' | 'noteOpened'>;
}

export interface Restoring {
  /** What `restore` is going to bring back. @param file  as the person chose it outside of the page */
  readonly inspect: (file: string, code: string) => Promise<Outcome<ArchiveContent>>;
  /**
   * Restores what was looked at last, closed to everybody but administrators here. Its service runs when it settles, or
   * the failure says why it does not.
   */
  readonly restore: (choices: RestoreChoices) => Promise<Outcome<HostingStatus>>;
  /** What may be missing in what runs here; null where it is open to others, also because somebody has opened it elsewhere. */
  readonly missing: () => Promise<Outcome<MissingSinceBackup | null>>;
  /** Opens it to others. */
  readonly open: () => Promise<Outcome<HostingStatus>>;
  /** Puts the keys back into the keychain, by the words with which archives open, and starts the service. */
  readonly unlock: (code: string) => Promise<Outcome<HostingStatus>>;
  /** Without the keys of before: everybody signs in anew, and to an office with another identity. */
  readonly startWithNewKeys: () => Promise<Outcome<HostingStatus>>;
}

interface InspectedArchive {
  readonly file: string;
  readonly code: string;
}

export function createRestoring(parts: RestoringParts): Restoring {
  const { backupThread, dataDir, keys, hosting } = parts;
  let looked: InspectedArchive | undefined;

  async function start(): Promise<Outcome<HostingStatus>> {
    const started = await hosting.start();
    return started.ok ? success(hosting.status()) : started;
  }

  return {
    inspect: async (file, code) => {
      const shown = await backupThread('show', { file, code });
      if (!shown.ok) {
        const { code: kind } = shown.failure;
        const isCode = kind === 'BAD_CODE' || kind === 'WRONG_CODE';
        return failureAt(isCode ? 'code' : 'file', shown.failure);
      }
      looked = { file, code };
      return success(await contentOf(shown.value));
    },
    restore: (choices) =>
      catchingKeychain(async () => {
        if (looked === undefined) {
          return failure('BAD_REQUEST', desktopWords('archive_not_chosen'), 'file');
        }
        if (await hosting.hasData()) {
          return failure('ALREADY_HOSTED', desktopWords('hosted_already'));
        }
        await hosting.makeRoom();
        // Also so that without a keychain nothing is done: the restored organization could not be started.
        await forgetKeys({ keys });
        const restored = await backupThread('restore', { ...looked, ...choices, dataDir });
        if (!restored.ok) return restored;
        looked = undefined;
        if (!restored.value.hasKeys) await makeNewKeys({ keys, dataDir });
        return start();
      }),
    ...opening(parts),
    unlock: (code) =>
      catchingKeychain(async () => {
        const opened = await backupThread('openKeys', { dataDir, code });
        if (!opened.ok) return failureAt('code', opened.failure);
        await saveKeys({ keys }, opened.value);
        return start();
      }),
    startWithNewKeys: () =>
      catchingKeychain(async () => {
        await makeNewKeys({ keys, dataDir });
        return start();
      }),
  };
}

const opening = ({
  backupThread,
  dataDir,
  hosting,
}: RestoringParts): Pick<Restoring, 'missing' | 'open'> => ({
  missing: async () => {
    const status = hosting.status();
    if (status.phase !== 'running' || status.isClosed !== true) return success(null);
    const found = await backupThread('missing', { dataDir });
    if (found.ok && found.value === null) hosting.noteOpened();
    return found;
  },
  open: async () => {
    const opened = await backupThread('openRestored', { dataDir });
    if (!opened.ok) return opened;
    hosting.noteOpened();
    return success(hosting.status());
  },
});

async function contentOf({ pin, madeAt, ...shown }: ArchiveShown): Promise<ArchiveContent> {
  const { name, messages, files, hasKeys, hasNextKey } = shown;
  return {
    name,
    messages,
    files,
    hasKeys,
    hasNextKey,
    madeAtSeconds: Math.floor(Date.parse(madeAt) / 1000),
    safetyWords: pin === null ? null : await safetyWords(pin),
  };
}
