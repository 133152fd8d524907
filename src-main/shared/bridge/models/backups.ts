/** Backups of the organization that this computer hosts. */

export interface BackupsStatus {
  /** Where the archives go, as a path of this computer. */
  readonly folder: string;
  /** Nobody has chosen that folder: it is the one beside the messages. */
  readonly isDefaultFolder: boolean;
  /** It lies on the disk of the messages, and is lost with it. */
  readonly isSameDisk: boolean;
  /** By the clock on the wall. */
  readonly at: BackupTime;
  readonly isBusy: boolean;
  readonly last: LatestBackup | null;
  /** Why the newest try made none; null where it made one. */
  readonly failure: BackupFailure | null;
  readonly code: 'none' | 'unconfirmed' | 'confirmed';
  /** The window has something to ask of the person who hosts; put off by them for a while otherwise. */
  readonly isReminding: boolean;
}

export interface BackupTime {
  readonly hours: number;
  readonly minutes: number;
}

export interface LatestBackup {
  readonly file: string;
  readonly atSeconds: number;
  readonly sizeBytes: number;
  readonly messages: number;
  /** How many files the computer itself has lost. */
  readonly lostFiles: number;
}

/** A copy that somebody took along; no rule ever removes it. */
export interface SavedCopy {
  /** The archive, or the folder. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly messages: number;
  /** How many files the computer itself has lost. */
  readonly lostFiles: number;
}

export interface BackupFailure {
  readonly atSeconds: number;
  /** A sentence that says what to do. */
  readonly reason: string;
}

/** What an archive is, before anything is done with it. */
export interface ArchiveContent {
  /** The organization's. */
  readonly name: string;
  readonly madeAtSeconds: number;
  readonly messages: number;
  readonly files: number;
  /** By which people know the organization; null where the archive does not have its key. */
  readonly safetyWords: string | null;
  /** Without them everybody signs in anew. */
  readonly hasKeys: boolean;
  /** Whether the organization can go on with another key, were these in other hands. */
  readonly hasNextKey: boolean;
}

/** What may be missing in an organization that was restored and is closed to others. */
export interface MissingSinceBackup {
  /** The moment of the backup. */
  readonly sinceSeconds: number;
  /** Up to when it is known what was closed; null where nothing later than the backup is known. */
  readonly snapshotAtSeconds: number | null;
  /** How many files of the backup could not be read. */
  readonly lostFiles: number;
}

export interface RestoreChoices {
  /** Who was signed in stays so: only where nobody was shut out since. */
  readonly keepsKeys: boolean;
  /** Whether somebody else has the old computer, and with it the keys of the organization. */
  readonly isStolen: boolean;
  /** What can be read of a damaged archive will do. */
  readonly acceptsDamage: boolean;
}
