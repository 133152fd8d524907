/** What `hearth` can be asked to do. */

import type { NewPerson } from './people/people-file.ts';
import type { Explanation } from '#shared/i18n/explained-error.ts';

interface OutputOptions {
  /** Whether one JSON object is printed in place of sentences. */
  readonly isJson: boolean;
}

export interface BackupCommand extends OutputOptions {
  readonly kind: 'backup';
  readonly dataDir: string;
  /** The folder that gets the copy. */
  readonly into: string;
  /** A folder that everybody can read who gets at it, in place of a sealed archive. */
  readonly isPlain: boolean;
  /** What was uploaded lies beside the sealed archives of the folder, once for all of them. */
  readonly areFilesBeside: boolean;
}

export interface CheckBackupsCommand extends OutputOptions {
  readonly kind: 'check-backups';
  readonly dataDir: string;
  /** Where the newest archive is looked for; null for the last one, wherever it went. */
  readonly folder: string | null;
}

export interface RestoreCommand extends OutputOptions {
  readonly kind: 'restore';
  /** The sealed archive. */
  readonly file: string;
  readonly dataDir: string;
  /** What has the recovery code in it; null for standard input. */
  readonly codeFile: string | null;
  /** Whether nobody is asked before it is done. */
  readonly isAgreed: boolean;
  /** Whether it is only shown what the archive is. */
  readonly isOnlyShown: boolean;
  readonly keepsKeys: boolean;
  readonly isStolen: boolean;
  readonly acceptsDamage: boolean;
}

export interface OpenCommand extends OutputOptions {
  readonly kind: 'open';
  readonly dataDir: string;
  /** As the restore printed it. */
  readonly number: string;
}

export interface StolenCommand extends OutputOptions {
  readonly kind: 'stolen';
  readonly dataDir: string;
  /** What has the recovery code in it; null for standard input. */
  readonly codeFile: string | null;
}

export interface RecoveryCodeCommand extends OutputOptions {
  readonly kind: 'recovery-code';
  readonly dataDir: string;
  /** Whether a code that is there already makes room for another one. */
  readonly isNew: boolean;
}

export interface MoveOutCommand extends OutputOptions {
  readonly kind: 'move-out';
  readonly dataDir: string;
  /** Whether a move that has not handed over is ended. */
  readonly isCalledOff: boolean;
}

export interface MoveInCommand extends OutputOptions {
  readonly kind: 'move-in';
  /** As it was pasted on the command line, where others can read it; null where it was not. */
  readonly code: string | null;
  /** What has the code in it; null for standard input. */
  readonly codeFile: string | null;
  readonly dataDir: string;
}

export interface SendCommand extends OutputOptions {
  readonly kind: 'send';
  /** Null for standard input. */
  readonly text: string | null;
  readonly stream: string;
  readonly topic: string;
  /** What is null here is read from `config`. */
  readonly url: string | null;
  readonly email: string | null;
  readonly keyFile: string | null;
  /** A file of certificates (PEM) that are trusted in place of the system's. */
  readonly certBundle: string | null;
  /** Null for `~/.zuliprc`. */
  readonly config: string | null;
}

export interface ResetPasswordCommand extends OutputOptions {
  readonly kind: 'reset-password';
  readonly email: string;
  readonly dataDir: string;
}

export interface WebhookTargetsCommand extends OutputOptions {
  readonly kind: 'webhook-targets';
  readonly targets: readonly string[];
  readonly isRemoved: boolean;
  readonly dataDir: string;
}

export interface InviteCommand extends OutputOptions {
  readonly kind: 'invite';
  /** None for one link that many can use. */
  readonly emails: readonly string[];
  readonly dataDir: string;
  /** Who invites; null for the first administrator. */
  readonly as: string | null;
  readonly validDays: number;
  readonly maxUses: number;
}

export interface ServiceCommand extends OutputOptions {
  readonly kind: 'service';
  readonly action: 'install' | 'uninstall' | 'status';
  readonly dataDir: string;
  /** For the whole computer, in place of one account. */
  readonly isForSystem: boolean;
  /** Further options of the service. */
  readonly serveArgs: readonly string[];
}

export interface ConfigCommand extends OutputOptions {
  readonly kind: 'config';
  /** Options of the service. */
  readonly args: readonly string[];
}

export interface UserCommand extends OutputOptions {
  readonly kind: 'user';
  readonly dataDir: string;
  readonly action:
    | { readonly kind: 'list' }
    | { readonly kind: 'add'; readonly person: NewPerson }
    | {
        readonly kind: 'add-file';
        /** `-` for standard input. */
        readonly file: string;
        readonly others: Pick<NewPerson, 'role' | 'streams'>;
        readonly skipsKnown: boolean;
      }
    | { readonly kind: 'role'; readonly emails: string[]; readonly role: NewPerson['role'] }
    | { readonly kind: 'deactivate' | 'reactivate'; readonly emails: string[] };
}

export type Command =
  | BackupCommand
  | CheckBackupsCommand
  | ConfigCommand
  | InviteCommand
  | MoveInCommand
  | MoveOutCommand
  | OpenCommand
  | RecoveryCodeCommand
  | ResetPasswordCommand
  | RestoreCommand
  | SendCommand
  | ServiceCommand
  | StolenCommand
  | UserCommand
  | WebhookTargetsCommand
  /** `args` are those of the service. */
  | { readonly kind: 'serve'; readonly args: readonly string[] }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'version' }
  | ({ readonly kind: 'mistake'; readonly isJson: boolean } & Explanation);
