/** What a window asks about the organization that its computer hosts. */
import type {
  ArchiveContent,
  BackupsStatus,
  BackupTime,
  MissingSinceBackup,
  RestoreChoices,
  SavedCopy,
} from './models/backups.ts';
import type { HostingStatus } from './models/hosting.ts';
import type {
  MigrationSourceStatus,
  MigrationTargetRequest,
  MigrationTargetStatus,
} from './models/moving.ts';
import type { Outcome } from './outcome.ts';

/** Backups of the organization that this computer hosts, and what brings one back. A browser fails with CANNOT_HOST. */
export interface BackupCalls {
  readonly backups: () => Promise<Outcome<BackupsStatus>>;
  readonly backUpNow: () => Promise<Outcome<BackupsStatus>>;
  /** Asks the person for a folder, outside of the page; nothing changes where they choose none. */
  readonly chooseBackupFolder: () => Promise<Outcome<BackupsStatus>>;
  /**
   * Makes a whole copy in a folder that the person is asked for outside of the page, sealed or as files that everybody can
   * read who gets at them. Null where they choose no folder, NOT_CONFIRMED where they would rather not.
   */
  readonly saveCopy: (isPlain: boolean) => Promise<Outcome<SavedCopy | null>>;
  readonly setBackupTime: (at: BackupTime) => Promise<Outcome<BackupsStatus>>;
  /** The window does not ask for a better folder, or for the recovery code, for a week. */
  readonly postponeBackups: () => Promise<Outcome<BackupsStatus>>;
  /**
   * The recovery code, after the person was asked outside of the page. Fails with NOT_CONFIRMED where they said no, and with
   * CODE_SHOWN where it is kept nowhere any more; then another one can be made.
   */
  readonly recoveryCode: (isNew: boolean) => Promise<Outcome<string>>;
  /** As somebody typed it: from then on it is kept nowhere here. */
  readonly confirmRecoveryCode: (code: string) => Promise<Outcome<BackupsStatus>>;
  /**
   * Somebody else has the keys of the organization: it goes on with those that this code opens, after the person was asked
   * outside of the page. Everybody signs in anew, also here. Fails with NOT_CONFIRMED where they said no.
   */
  readonly reportKeysStolen: (code: string) => Promise<Outcome<BackupsStatus>>;
  /** Asks the person for an archive, outside of the page: its name, or null where they choose none. */
  readonly chooseArchive: () => Promise<Outcome<string | null>>;
  /** What is in the chosen archive. */
  readonly inspectArchive: (code: string) => Promise<Outcome<ArchiveContent>>;
  /**
   * Brings back what was looked at, closed to everybody but administrators here, and starts its service. Fails with DAMAGED
   * where not all of it can be read.
   */
  readonly restoreArchive: (choices: RestoreChoices) => Promise<Outcome<HostingStatus>>;
  /** What may be missing in the organization that runs here since it was restored; null where it is open to others. */
  readonly missing: () => Promise<Outcome<MissingSinceBackup | null>>;
  /** Opens what was restored to others. */
  readonly openRestored: () => Promise<Outcome<HostingStatus>>;
  /** Where the keychain has lost the keys: they are opened by the recovery code. */
  readonly unlockHosting: (code: string) => Promise<Outcome<HostingStatus>>;
  /** The same without the code: with new keys, after the person was asked outside of the page. */
  readonly startHostingWithNewKeys: () => Promise<Outcome<HostingStatus>>;
}

/** An organization that changes its computer. A browser fails with CANNOT_HOST. */
export interface MigrationCalls {
  readonly migrationSource: () => Promise<Outcome<MigrationSourceStatus>>;
  /** A code for one computer; it replaces the one before. */
  readonly createTransferCode: () => Promise<Outcome<MigrationSourceStatus>>;
  /**
   * Lets the computer in that shows this number, after the person was asked outside of the page. Fails with NOT_CONFIRMED where
   * they said no.
   */
  readonly confirmMigration: (number: string) => Promise<Outcome<MigrationSourceStatus>>;
  /** As long as nothing was handed over: the organization is open here again. */
  readonly cancelMigration: () => Promise<Outcome<MigrationSourceStatus>>;
  readonly migrationTarget: () => Promise<Outcome<MigrationTargetStatus>>;
  /** Settles when it lives here and its service runs, or with what keeps it from that. */
  readonly startMigration: (request: MigrationTargetRequest) => Promise<Outcome<HostingStatus>>;
  /** `startMigration` fails with CANCELLED then. */
  readonly stopMigration: () => Promise<Outcome<null>>;
}
