/** Backups of the organization that lives on this computer: at a time of every day, and whenever somebody wants one. */
import { mkdir, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type {
  LatestBackup,
  BackupsStatus,
  BackupTime,
  SavedCopy,
} from '#shared/bridge/models/backups.ts';
import { failure, failureAt, success, type Outcome } from '#shared/bridge/outcome.ts';
import type { Clock, KeyStore } from '#client/ports.ts';
import type {
  ArchiveMade,
  RecoveryCodeState,
  HostKeys,
  BackupThread,
} from '#node/threads/backup-messages.ts';
import type { Log } from '#node/log.ts';
import { isDue, isPausing } from '#node/time-of-day.ts';
import type { BackupStore } from '../storage/backup-store.ts';
import { moveKeysToFiles } from './host-keys.ts';
import type { Hosting } from './hosting.ts';
import { HOST_SECRET, IDENTITY_KEY, RECOVERY_CODE } from '../system/keychain.ts';
import { catchingKeychain } from '#client/accounts/keychain.ts';
import { desktopWords } from '#shared/i18n/desktop-words.ts';

export interface BackupsParts {
  readonly backupThread: BackupThread;
  readonly store: BackupStore;
  /** The organization's, which may not be there. */
  readonly dataDir: string;
  /** Where archives go until somebody chooses a better place. */
  readonly defaultFolder: string;
  /** Of Hearth. */
  readonly version: string;
  readonly keys: KeyStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly hosting: Pick<Hosting, 'hasData' | 'start' | 'stop'>;
}

export interface Backups {
  readonly status: () => Promise<Outcome<BackupsStatus>>;
  readonly backUp: () => Promise<Outcome<BackupsStatus>>;
  /** @param folder  null for the one beside the messages */
  readonly setFolder: (folder: string | null) => Promise<Outcome<BackupsStatus>>;
  /** @param isPlain  a folder that everybody can read who gets at it, in place of a sealed archive */
  readonly saveCopy: (into: string, isPlain: boolean) => Promise<Outcome<SavedCopy>>;
  readonly setTime: (at: BackupTime) => Promise<Outcome<BackupsStatus>>;
  /** The words as long as nobody has typed them once again; afterwards, and where they are lost, others are made. */
  readonly showCode: (isNew: boolean) => Promise<Outcome<string>>;
  readonly confirmCode: (typed: string) => Promise<Outcome<BackupsStatus>>;
  /**
   * Somebody else has the keys of the organization: it goes on with those that only the recovery code opens, everybody signs
   * in anew, and a backup of it is begun. The service pauses meanwhile, and runs again also where it fails.
   */
  readonly declareStolen: (code: string) => Promise<Outcome<BackupsStatus>>;
  /** The window asks again after a while. */
  readonly putOff: () => Promise<Outcome<BackupsStatus>>;
  /** Told of every change. */
  readonly onStatus: (listener: (status: BackupsStatus) => void) => () => void;
  readonly begin: () => void;
  /** Settles when nothing of it runs any more; an archive that is not whole is given up. */
  readonly end: () => Promise<void>;
}

/** A computer that slept, or whose clock was set, is found out within a minute. */
const LOOK_EVERY_MS = 60_000;
/** A disk that is not there now may be in an hour. */
const RETRY_MS = 60 * 60_000;
const QUIET_SECONDS = 7 * 24 * 60 * 60;

export const createBackups = (parts: BackupsParts): Backups => new ManagedBackups(parts);

const noOrganization = (): Outcome<never> => failure('NOT_HOSTED', desktopWords('not_hosted'));

class ManagedBackups implements Backups {
  readonly #parts: BackupsParts;
  readonly #ending = new AbortController();
  readonly #listeners = new Set<(status: BackupsStatus) => void>();
  #making: Promise<Outcome<null>> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: BackupsParts) {
    this.#parts = parts;
  }

  readonly status: Backups['status'] = () => this.#answer(async () => success(null));

  readonly backUp: Backups['backUp'] = () => this.#answer(() => this.#make());

  readonly setFolder: Backups['setFolder'] = (folder) =>
    this.#answer(async () => {
      if (folder !== null && !isAbsolute(folder)) {
        return failure('BAD_REQUEST', desktopWords('backup_folder_elsewhere'), 'folder');
      }
      await this.#parts.store.change({ folder, failure: null });
      return success(null);
    });

  readonly setTime: Backups['setTime'] = (at) =>
    this.#answer(async () => {
      await this.#parts.store.change({ at });
      return success(null);
    });

  readonly saveCopy: Backups['saveCopy'] = (into, isPlain) =>
    this.#guardedInTurn(async () => {
      const own = await this.#codedKeys();
      if (!own.ok) return own;
      const { backupThread, dataDir, version } = this.#parts;
      const ask = { dataDir, into, version, keys: own.value, isPlain };
      const copied = await backupThread('copy', ask, this.#ending.signal);
      await this.#tell();
      return copied;
    });

  readonly putOff: Backups['putOff'] = () =>
    this.#answer(async () => {
      await this.#parts.store.change({ quietUntilSeconds: this.#now() + QUIET_SECONDS });
      return success(null);
    });

  readonly showCode: Backups['showCode'] = (isNew) =>
    this.#guarded(async () => {
      const kept = isNew ? undefined : await this.#parts.keys.find(RECOVERY_CODE);
      if (kept !== undefined) return success(kept);
      const made = await this.#inTurn(() => this.#makeCodeNow(isNew));
      if (!made.ok) return made;
      await this.#tell();
      return made.value === null
        ? failure('CODE_SHOWN', desktopWords('recovery_code_shown'))
        : success(made.value);
    });

  readonly confirmCode: Backups['confirmCode'] = (typed) =>
    this.#answer(async () => {
      const { keys, dataDir, backupThread } = this.#parts;
      const confirmed = await backupThread('confirmCode', { dataDir, code: typed });
      if (!confirmed.ok) return failureAt('code', confirmed.failure);
      await keys.remove(RECOVERY_CODE);
      await this.#parts.store.change({ code: 'confirmed' });
      return success(null);
    });

  readonly declareStolen: Backups['declareStolen'] = async (code) => {
    const declared = await this.#guardedInTurn(() => this.#rekey(code));
    if (!declared.ok) return declared;
    // No archive has the keys of now yet, and nobody has heard of those that would come after them.
    void this.#make().catch((error: unknown) => {
      this.#parts.log.error('no backup was made with the new keys', { error });
    });
    return this.status();
  };

  readonly onStatus: Backups['onStatus'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly begin = (): void => {
    this.#looking = this.#look();
  };

  readonly end = async (): Promise<void> => {
    this.#ending.abort();
    await this.#looking;
    await this.#making;
  };

  /** The first look comes after a pause: a start of the application has enough to do. */
  async #look(): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#ending;
    for (;;) {
      await clock.wait(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      try {
        if (await this.#isDue()) await this.#make();
      } catch (error) {
        log.error('the backups could not be looked at', { error });
      }
    }
  }

  async #isDue(): Promise<boolean> {
    const { store, hosting } = this.#parts;
    const { at, last, failure: failed } = await store.read();
    const now = new Date(this.#parts.clock.now());
    if (failed !== null && isPausing(failed.atSeconds * 1000, RETRY_MS, now)) return false;
    const isWanted = last === null || isDue(at, last.atSeconds * 1000, now);
    return isWanted && (await hosting.hasData());
  }

  /** Two that want one at once both get the same. */
  #make(): Promise<Outcome<null>> {
    this.#making ??= this.#inTurn(() => this.#makeOne()).finally(async () => {
      this.#making = undefined;
      await this.#tell();
    });
    return this.#making;
  }

  async #makeOne(): Promise<Outcome<null>> {
    const { store, log } = this.#parts;
    const made = await this.#archive();
    const atSeconds = this.#now();
    if (made.ok) {
      const { code, ...archive } = made.value;
      const last: LatestBackup = { ...archive, atSeconds };
      await store.change({ last, code, failure: null });
      log.info('backed up', { file: last.file });
      return success(null);
    }
    const { message: reason } = made.failure;
    if (!this.#ending.signal.aborted) {
      log.error('no backup was made', { reason });
      await store.change({ failure: { atSeconds, reason } });
    }
    return made;
  }

  async #archive(): Promise<Outcome<ArchiveMade>> {
    if (!(await this.#parts.hosting.hasData())) return noOrganization();
    const own = await this.#codedKeys();
    return own.ok ? this.#ask(own.value) : own;
  }

  /** The keys, once there is a code: it is kept before anything is sealed by it, so that it is not lost with an archive. */
  async #codedKeys(): Promise<Outcome<HostKeys>> {
    const own = await this.#ownKeys();
    if (!own.ok || (await this.#parts.store.read()).code !== 'none') return own;
    const coded = await this.#makeCode(own.value, false);
    return coded.ok ? own : coded;
  }

  async #ask(own: HostKeys): Promise<Outcome<ArchiveMade>> {
    const { backupThread, dataDir, version, store, defaultFolder } = this.#parts;
    const { folder } = await store.read();
    if (folder === null) await mkdir(defaultFolder, { recursive: true, mode: 0o700 });
    void this.#tell();
    const into = folder ?? defaultFolder;
    return backupThread('backUp', { dataDir, into, version, keys: own }, this.#ending.signal);
  }

  async #makeCodeNow(isNew: boolean): Promise<Outcome<string | null>> {
    const own = await this.#ownKeys();
    return own.ok ? this.#makeCode(own.value, isNew) : own;
  }

  /** An organization that was restored here, or moved, has brought its own. */
  async #foundCode(): Promise<RecoveryCodeState> {
    const { backupThread, dataDir, store } = this.#parts;
    const found = await backupThread('codeState', { dataDir });
    if (!found.ok) return 'none';
    if (found.value !== 'none') await store.change({ code: found.value });
    return found.value;
  }

  /** Null where there is a code that stays. */
  async #makeCode(own: HostKeys, isNew: boolean): Promise<Outcome<string | null>> {
    const { backupThread, dataDir, keys, store } = this.#parts;
    const made = await backupThread('makeCode', { dataDir, keys: own, isNew });
    if (!made.ok || made.value === null) return made;
    await keys.save(RECOVERY_CODE, made.value);
    await store.change({ code: 'unconfirmed' });
    return made;
  }

  async #ownKeys(): Promise<Outcome<HostKeys>> {
    const { keys } = this.#parts;
    const secret = await keys.find(HOST_SECRET);
    if (secret === undefined) return noOrganization();
    return success({ secret, officeKey: (await keys.find(IDENTITY_KEY)) ?? null });
  }

  #now(): number {
    return Math.floor(this.#parts.clock.now() / 1000);
  }

  async #tell(): Promise<void> {
    if (this.#listeners.size === 0) return;
    const status = await this.#current();
    if (status.ok) for (const listener of [...this.#listeners]) listener(status.value);
  }

  /** What was done, and how things are afterwards. */
  #answer(run: () => Promise<Outcome<null>>): Promise<Outcome<BackupsStatus>> {
    return this.#guarded(async () => {
      const done = await run();
      return done.ok ? this.#current() : done;
    });
  }

  /** The keys are in their files while they change: an interrupted change is taken up by the next start. */
  async #rekey(code: string): Promise<Outcome<null>> {
    const { backupThread, keys, dataDir, hosting } = this.#parts;
    // Words that open nothing cost nobody their connection.
    const opened = await backupThread('openKeys', { dataDir, code });
    if (!opened.ok) return failureAt('code', opened.failure);
    await hosting.stop();
    let started: Outcome<unknown>;
    try {
      await moveKeysToFiles({ keys, dataDir });
      const declared = await backupThread('declareStolen', { dataDir, code });
      if (!declared.ok) return declared;
    } finally {
      started = await hosting.start();
    }
    return started.ok ? success(null) : started;
  }

  #guardedInTurn<T>(run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    return this.#inTurn(() => this.#guarded(run));
  }

  /** One after the other whatever has the keys in its hands: they may be others afterwards. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const done = this.#last.then(run);
    this.#last = done.catch(() => undefined);
    return done;
  }

  #guarded<T>(run: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
    return catchingKeychain(async () =>
      (await this.#parts.hosting.hasData()) ? run() : noOrganization(),
    );
  }

  async #current(): Promise<Outcome<BackupsStatus>> {
    const { store, defaultFolder, dataDir } = this.#parts;
    const { quietUntilSeconds, ...kept } = await store.read();
    const { folder, last, failure: failed } = kept;
    const code = kept.code === 'none' ? await this.#foundCode() : kept.code;
    const isSameDisk = folder === null || (await areOnOneDisk(folder, dataDir));
    const wants = last !== null && (isSameDisk || code !== 'confirmed');
    return success({
      ...kept,
      code,
      folder: folder ?? defaultFolder,
      isDefaultFolder: folder === null,
      isSameDisk,
      isBusy: this.#making !== undefined,
      isReminding: failed !== null || (wants && this.#now() >= quietUntilSeconds),
    });
  }
}

/** A folder that is not there, as on a disk that is not plugged in, counts as on another disk. */
async function areOnOneDisk(folder: string, dataDir: string): Promise<boolean> {
  const [one, other] = await Promise.all(
    [folder, dataDir].map((each) => stat(each).catch(() => undefined)),
  );
  return one !== undefined && one.dev === other?.dev;
}
