/** What the domain needs of the world beside the store. */

export interface DomainCredentials {
  readonly apiKeys: {
    readonly derive: (userId: number, generation: number) => string;
    readonly hash: (key: string) => string;
  };
  readonly passwords: {
    readonly hash: (password: string) => Promise<string>;
    readonly verify: (hash: string | null, password: string) => Promise<boolean>;
  };
  /** MD5 of the trimmed, lower-cased address: what gravatar URLs are made of. */
  readonly gravatarHash: (email: string) => string;
}

/** Uploaded files by a path of our own making, such as `uploads/1/x7/plan.pdf`. */
export interface FileStore {
  /** Settles when the bytes are on disk; folders are made as needed. */
  readonly write: (path: string, bytes: Uint8Array) => Promise<void>;
  /** Undefined when there is none. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  readonly remove: (path: string) => Promise<void>;
}

export interface DomainContext {
  readonly credentials: DomainCredentials;
  readonly files: FileStore;
  /** UNIX seconds. */
  readonly nowSeconds: () => number;
  readonly isDevelopment: boolean;
  /** The product's own version. */
  readonly version: string;
}
