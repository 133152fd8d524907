/** What operations need of the world beside the store. */
import type { RestoreGeneration } from '#shared/api/restore-generation.ts';
import type { Limits } from '#shared/limits.ts';

export interface DomainCredentials {
  readonly apiKeys: {
    readonly derive: (userId: number, generation: number) => string;
    readonly deriveDevice: (deviceId: number, generation: number) => string;
    readonly hash: (key: string) => string;
    /** It begins with the invitation's id and a hyphen. */
    readonly invitationToken: (invitationId: number, emailKey: string) => string;
    readonly random: () => string;
    /** What shows that this office has said so. */
    readonly messageMac: (about: string) => string;
    /** In constant time. */
    readonly isEqual: (a: string, b: string) => boolean;
  };
  readonly passwords: {
    readonly hash: (password: string) => Promise<string>;
    readonly verify: (hash: string | null, password: string) => Promise<boolean>;
  };
  /** MD5 of the trimmed, lower-cased address: what gravatar URLs are made of. */
  readonly gravatarHash: (email: string) => string;
  /** Whether the key of this office has signed it. */
  readonly isOwnGeneration: (epoch: RestoreGeneration) => boolean;
}

/** Room on the disk on which files are kept. */
export interface DiskRoom {
  /** What a service may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Which is on that disk. */
  readonly folder: string;
}

/** A file that is being written, one piece after the other. */
export interface FileWriter {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Settles when what was written is on disk. */
  readonly close: () => Promise<void>;
}

/** Uploaded files by a path of our own making, such as `uploads/1/x7/plan.pdf`. */
export interface FileStore {
  /** Settles when the bytes are on disk; folders are made as needed. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
  /**
   * Goes on with a file, behind what it has up to an offset; at offset 0 it is made.
   * @param sizeBytes  how much is expected to follow
   * @returns undefined where there is none that long
   */
  readonly writeFrom: (
    path: string,
    offset: number,
    sizeBytes: number,
  ) => Promise<FileWriter | undefined>;
  /** Undefined when there is none. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /**
   * A part of a file, piece by piece, so that a long one is never in memory as a whole.
   * @param from  first byte
   * @param to    last byte, inclusive
   * @returns undefined when there is none
   */
  readonly stream: (
    path: string,
    from: number,
    to: number,
  ) => Promise<AsyncIterable<Uint8Array> | undefined>;
  readonly remove: (path: string) => Promise<void>;
  /** The names of the files in a folder, those that were only begun among them; none where there is no folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly room: () => Promise<DiskRoom>;
}

/** An answer of another server, or why there is none. */
export type WebAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** Asking again would change nothing. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Requests to addresses that people enter. */
export interface WebClient {
  /** Redirects are answered, not followed. Never rejects. */
  readonly post: (
    url: string,
    request: {
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly timeoutMs: number;
      /** Limits the answer's body. */
      readonly maxBytes: number;
      /** Aborts when nobody wants the answer any more. */
      readonly signal: AbortSignal;
    },
  ) => Promise<WebAnswer>;
}

export interface DomainContext {
  readonly limits: Limits;
  readonly credentials: DomainCredentials;
  /** With which somebody who is not at this computer may create the organization. */
  readonly setupCode: { readonly take: (given: string) => 'right' | 'wrong' | 'ended' };
  /** Answers the fetches of an account that wait: whoever waits with a key that ended is refused the next one. */
  readonly releasePolls: (userId: number) => void;
  readonly files: FileStore;
  /** UNIX seconds. */
  readonly nowSeconds: () => number;
  readonly isDevelopment: boolean;
  /** The product's own version. */
  readonly version: string;
}
