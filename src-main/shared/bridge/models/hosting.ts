/** How the service of this computer's organization is doing. */
export type HostingStatus =
  /** No organization lives here, or nobody has asked for its service yet. */
  | { readonly phase: 'off' }
  | { readonly phase: 'starting' }
  | {
      readonly phase: 'running';
      readonly address: string;
      /** To everybody but administrators here, since it was restored. */
      readonly isClosed?: true;
    }
  /** By a person: it stays so until somebody starts it. */
  | { readonly phase: 'stopped'; readonly port: number }
  | HostingFailure;

export interface HostingFailure {
  readonly phase: 'failed';
  readonly code: string;
  /** A sentence that says what to do. */
  readonly reason: string;
  readonly port: number;
  /** It is tried again without anybody asking. */
  readonly isRetried: boolean;
}

/** A name, an address or a network with a port inside of this computer's network; both null only ask. */
export interface TargetChoice {
  readonly allow: string | null;
  readonly remove: string | null;
}

/** How others come to the organization of this computer. */
export interface NetworkAccess {
  /** Others may join, in the networks that are agreed to; otherwise nobody but this computer is listened to. */
  readonly isOpen: boolean;
  /** Somebody has said whether they may. */
  readonly isDecided: boolean;
  /** Those that this computer is in now. */
  readonly networks: readonly LocalNetwork[];
  /** Origins by which colleagues reach it now, those that mean something to everybody first. */
  readonly addresses: readonly string[];
  /** Addresses of the computers that are connected now. */
  readonly remoteClients: readonly string[];
  /** By which colleagues know the office; null while its service does not run, or nobody may join. */
  readonly identity: { readonly fingerprint: string; readonly words: string } | null;
  readonly system: 'linux' | 'macos' | 'windows';
}

export interface LocalNetwork {
  /** The same whenever this computer is in it. */
  readonly id: string;
  /** Such as 192.168.1.0/24. */
  readonly subnet: string;
  readonly interfaceName: string;
  /** Null where nobody has said anything of it yet. */
  readonly isAllowed: boolean | null;
  /** Why nobody can come by it although it is agreed to. */
  readonly problem: 'port-taken' | 'failed' | null;
}

/** Whether the office answers at one of its addresses, as colleagues would see it. */
export interface AddressCheck {
  readonly address: string;
  readonly result: 'reached' | 'nobody' | 'somebody-else';
}
