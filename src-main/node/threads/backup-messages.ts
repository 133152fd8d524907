/** What the main process and the worker thread that backs up and restores say to each other; both are of one build. */
import type { Explanation } from '#shared/i18n/explained-error.ts';

/** What a host goes on with as the same office; a desktop has them in its keychain. */
export interface HostKeys {
  /** 64 hexadecimal digits. */
  readonly secret: string;
  /** As `readServerIdentity` takes it; null for an office that has none. */
  readonly officeKey: string | null;
}

export interface ArchiveMade {
  readonly file: string;
  readonly sizeBytes: number;
  readonly messages: number;
  /** How many files the data folder itself has lost. */
  readonly lostFiles: number;
  readonly code: RecoveryCodeState;
}

export interface CopyMade {
  /** The archive, or the folder. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly messages: number;
  /** How many files the data folder itself has lost. */
  readonly lostFiles: number;
}

/** What an archive is, before anything is done with it. */
export interface ArchiveShown {
  readonly name: string;
  /** ISO 8601, in UTC. */
  readonly madeAt: string;
  readonly messages: number;
  readonly files: number;
  /** By which everybody knows the office; null where the archive has no key of it. */
  readonly pin: string | null;
  /** Without them everybody signs in anew. */
  readonly hasKeys: boolean;
  /** Whether it could go on with another key, were these in other hands. */
  readonly hasNextKey: boolean;
}

/** What may be missing in an organization that was restored and is closed to others. */
export interface MissingSinceBackup {
  /** UNIX seconds: the moment of the backup. */
  readonly sinceSeconds: number;
  /** Up to when it is known what was closed, in UNIX seconds; null where nothing later than the backup is known. */
  readonly snapshotAtSeconds: number | null;
  /** How many files of the backup could not be read. */
  readonly lostFiles: number;
}

export interface ArchiveRestored extends ArchiveShown {
  readonly lostFiles: number;
}

/** Whether somebody has the words with which archives open. */
export type RecoveryCodeState = 'none' | 'unconfirmed' | 'confirmed';

/** What is coming to this computer. */
export interface IncomingOrganization {
  readonly name: string;
  readonly pin: string;
  readonly sizeBytes: number;
  /** Shown on both screens. */
  readonly number: string;
}

/** How far a move is. From `asking` on, whether the old computer has let go is not known until it answers. */
export type MigrationProgress =
  | { readonly step: 'claiming' | 'asking' | 'finishing' }
  /** Somebody has to agree at the other computer. */
  | { readonly step: 'waiting'; readonly content: IncomingOrganization }
  | {
      readonly step: 'taking';
      readonly content: IncomingOrganization;
      readonly takenBytes: number;
    };

interface BackupJob<Ask, Answer> {
  readonly ask: Ask;
  readonly answer: Answer;
}

/** Each job with what it is given and what it answers. `code` is as somebody typed it. */
export interface BackupJobs {
  readonly backUp: BackupJob<
    {
      readonly dataDir: string;
      readonly into: string;
      readonly version: string;
      readonly keys: HostKeys;
    },
    ArchiveMade
  >;
  /** A copy that nothing else needs, in a folder that somebody chose; no rule ever removes it. */
  readonly copy: BackupJob<
    {
      readonly dataDir: string;
      readonly into: string;
      readonly version: string;
      readonly keys: HostKeys;
      /** A folder that everybody can read who gets at it, in place of a sealed archive. */
      readonly isPlain: boolean;
    },
    CopyMade
  >;
  /** A code for the archives from now on; null where there is one, and no new one is asked for. */
  readonly makeCode: BackupJob<
    { readonly dataDir: string; readonly keys: HostKeys; readonly isNew: boolean },
    string | null
  >;
  /** Asks the folder itself, which may have come from another computer. */
  readonly codeState: BackupJob<{ readonly dataDir: string }, RecoveryCodeState>;
  readonly confirmCode: BackupJob<{ readonly dataDir: string; readonly code: string }, null>;
  readonly show: BackupJob<{ readonly file: string; readonly code: string }, ArchiveShown>;
  readonly restore: BackupJob<
    {
      readonly file: string;
      readonly code: string;
      readonly dataDir: string;
      readonly keepsKeys: boolean;
      readonly isStolen: boolean;
      readonly acceptsDamage: boolean;
    },
    ArchiveRestored
  >;
  /** Of an organization that is served; null where it is open to others. */
  readonly missing: BackupJob<{ readonly dataDir: string }, MissingSinceBackup | null>;
  /** Opens it to others, also while it is served. */
  readonly openRestored: BackupJob<{ readonly dataDir: string }, null>;
  /** The keys that a data folder keeps sealed beside its database. */
  readonly openKeys: BackupJob<{ readonly dataDir: string; readonly code: string }, HostKeys>;
  /** Ends all that the keys of before have made, in a folder that has them in files and that nobody serves. */
  readonly declareStolen: BackupJob<{ readonly dataDir: string; readonly code: string }, null>;
  /** A code for another computer, whom somebody here has to confirm. */
  readonly offerMove: BackupJob<
    { readonly dataDir: string },
    { readonly code: string; readonly expiresAtSeconds: number }
  >;
  readonly confirmMove: BackupJob<{ readonly dataDir: string; readonly number: string }, null>;
  readonly callOffMove: BackupJob<{ readonly dataDir: string }, null>;
  /** The code of a move to here that was begun and may have been handed over; null where there is none. */
  readonly unfinishedMove: BackupJob<{ readonly dataDir: string }, string | null>;
  /** Takes an organization over; tells how far it is. */
  readonly arrive: BackupJob<
    { readonly dataDir: string; readonly code: string; readonly computer: string },
    null
  >;
}

export type BackupJobName = keyof BackupJobs;

export type BackupJobRequest = {
  readonly [N in BackupJobName]: { readonly name: N; readonly ask: BackupJobs[N]['ask'] };
}[BackupJobName];

export type BackupFailureCode = 'BAD_CODE' | 'WRONG_CODE' | 'DAMAGED' | 'NOT_AN_ARCHIVE' | 'FAILED';

export type BackupJobAnswer<N extends BackupJobName> =
  | { readonly ok: true; readonly value: BackupJobs[N]['answer'] }
  | {
      readonly ok: false;
      readonly failure: Explanation & { readonly code: BackupFailureCode };
    };

/** Carries a job out; aborting gives it up, with nothing left of it. */
export type BackupThread = <N extends BackupJobName>(
  name: N,
  ask: BackupJobs[N]['ask'],
  signal?: AbortSignal,
  onProgress?: (progress: MigrationProgress) => void,
) => Promise<BackupJobAnswer<N>>;
