/** An organization that leaves for another computer, or comes to this one. */

/** What is coming, before anything is taken. */
export interface MigratingOrganization {
  readonly name: string;
  /** By which people know the organization. */
  readonly safetyWords: string;
  readonly sizeBytes: number;
  /** Shown on both computers. */
  readonly number: string;
}

/** Told at the computer that has it. */
export type MigrationSourceStatus =
  | { readonly phase: 'none' }
  /** The code is known in the process alone that made it. */
  | { readonly phase: 'offered'; readonly code: string | null; readonly expiresAtSeconds: number }
  | { readonly phase: 'expired' }
  | {
      readonly phase: 'asked';
      /** As it calls itself, which anybody can. */
      readonly computer: string;
      readonly address: string;
      readonly number: string;
      readonly isConfirmed: boolean;
    }
  /** It is closed, and can still be had back. */
  | { readonly phase: 'moving'; readonly computer: string }
  | {
      readonly phase: 'moved';
      readonly computer: string;
      /** Empty as long as the other one has not said how it is reached. */
      readonly addresses: readonly string[];
    };

/** Told at the computer that it comes to. */
export type MigrationTargetStatus =
  | { readonly phase: 'none' }
  /** One that was begun before, and may have been handed over already. */
  | { readonly phase: 'unfinished' }
  | { readonly phase: 'claiming' }
  | { readonly phase: 'waiting'; readonly organization: MigratingOrganization }
  | {
      readonly phase: 'taking';
      readonly organization: MigratingOrganization;
      readonly receivedBytes: number;
    }
  | { readonly phase: 'asking' }
  | { readonly phase: 'finishing' };

export interface MigrationTargetRequest {
  /** As it was pasted; null to go on with what is unfinished. */
  readonly code: string | null;
  /** Whether others in the network may reach it here. */
  readonly opensToNetwork: boolean;
}
