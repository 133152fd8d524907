/** What the main process and the worker thread that backs up and restores say to each other; both are of one build. */

/** What a host goes on with as the same office; a desktop has them in its keychain. */
export interface HostKeys {
  /** 64 hexadecimal digits. */
  readonly secret: string;
  /** As `readOfficeKey` takes it; null for an office that has none. */
  readonly officeKey: string | null;
}

export interface ArchiveMade {
  readonly file: string;
  readonly sizeBytes: number;
  readonly messages: number;
  /** How many files the data folder itself has lost. */
  readonly lostFiles: number;
  readonly code: CodeState;
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
  readonly hasSuccessor: boolean;
}

/** What may be missing in an organization that was restored and is closed to others. */
export interface Missing {
  /** UNIX seconds: the moment of the backup. */
  readonly sinceSeconds: number;
  /** Up to when it is known what was closed, in UNIX seconds; null where nothing later than the backup is known. */
  readonly standingAtSeconds: number | null;
  /** How many files of the backup could not be read. */
  readonly lostFiles: number;
}

export interface ArchiveRestored extends ArchiveShown {
  readonly lostFiles: number;
}

/** Whether somebody has the words with which archives open. */
export type CodeState = 'none' | 'unconfirmed' | 'confirmed';

/** What is coming to this computer. */
export interface Coming {
  readonly name: string;
  readonly pin: string;
  readonly sizeBytes: number;
  /** Shown on both screens. */
  readonly number: string;
}

/** How far a move is. From `asking` on, whether the old computer has let go is not known until it answers. */
export type ArrivalProgress =
  | { readonly step: 'claiming' | 'asking' | 'finishing' }
  /** Somebody has to agree at the other computer. */
  | { readonly step: 'waiting'; readonly content: Coming }
  | { readonly step: 'taking'; readonly content: Coming; readonly takenBytes: number };

interface Job<Ask, Answer> {
  readonly ask: Ask;
  readonly answer: Answer;
}

/** Each job with what it is given and what it answers. `code` is as somebody typed it. */
export interface KeepingJobs {
  readonly backUp: Job<
    {
      readonly dataDir: string;
      readonly into: string;
      readonly version: string;
      readonly keys: HostKeys;
    },
    ArchiveMade
  >;
  /** A copy that nothing else needs, in a folder that somebody chose; no rule ever removes it. */
  readonly copy: Job<
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
  readonly makeCode: Job<
    { readonly dataDir: string; readonly keys: HostKeys; readonly isNew: boolean },
    string | null
  >;
  /** Asks the folder itself, which may have come from another computer. */
  readonly codeState: Job<{ readonly dataDir: string }, CodeState>;
  readonly confirmCode: Job<{ readonly dataDir: string; readonly code: string }, null>;
  readonly show: Job<{ readonly file: string; readonly code: string }, ArchiveShown>;
  readonly restore: Job<
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
  readonly missing: Job<{ readonly dataDir: string }, Missing | null>;
  /** Opens it to others, also while it is served. */
  readonly openRestored: Job<{ readonly dataDir: string }, null>;
  /** The keys that a data folder keeps sealed beside its database. */
  readonly openKeys: Job<{ readonly dataDir: string; readonly code: string }, HostKeys>;
  /** Ends all that the keys of before have made, in a folder that has them in files and that nobody serves. */
  readonly declareStolen: Job<{ readonly dataDir: string; readonly code: string }, null>;
  /** A code for another computer, whom somebody here has to confirm. */
  readonly offerMove: Job<
    { readonly dataDir: string },
    { readonly code: string; readonly expiresAtSeconds: number }
  >;
  readonly confirmMove: Job<{ readonly dataDir: string; readonly number: string }, null>;
  readonly callOffMove: Job<{ readonly dataDir: string }, null>;
  /** The code of a move to here that was begun and may have been handed over; null where there is none. */
  readonly unfinishedMove: Job<{ readonly dataDir: string }, string | null>;
  /** Takes an organization over; tells how far it is. */
  readonly arrive: Job<
    { readonly dataDir: string; readonly code: string; readonly computer: string },
    null
  >;
}

export type KeepingName = keyof KeepingJobs;

export type KeepingRequest = {
  readonly [N in KeepingName]: { readonly name: N; readonly ask: KeepingJobs[N]['ask'] };
}[KeepingName];

export type KeepingFailureCode =
  'BAD_CODE' | 'WRONG_CODE' | 'DAMAGED' | 'NOT_AN_ARCHIVE' | 'FAILED';

export type KeepingAnswer<N extends KeepingName> =
  | { readonly ok: true; readonly value: KeepingJobs[N]['answer'] }
  | {
      readonly ok: false;
      /** The message is a sentence that says what to do. */
      readonly failure: { readonly code: KeepingFailureCode; readonly message: string };
    };

/** Carries a job out; aborting gives it up, with nothing left of it. */
export type Keeper = <N extends KeepingName>(
  name: N,
  ask: KeepingJobs[N]['ask'],
  signal?: AbortSignal,
  onProgress?: (progress: ArrivalProgress) => void,
) => Promise<KeepingAnswer<N>>;
