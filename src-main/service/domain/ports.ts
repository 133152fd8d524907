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

export interface DomainContext {
  readonly credentials: DomainCredentials;
  /** UNIX seconds. */
  readonly nowSeconds: () => number;
  readonly isDevelopment: boolean;
  /** The product's own version. */
  readonly version: string;
}
