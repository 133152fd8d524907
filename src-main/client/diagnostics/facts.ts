/** What was found out about a connection that does not come about. */

/** The certificate that was shown. */
export interface ProbedCertificate {
  /** The office's that is there, or says it is; null where there is none. */
  readonly fingerprint: string | null;
  /** Whether this system trusts it for that address. */
  readonly isTrusted: boolean;
  /** Why not, as OpenSSL calls it; empty where it is trusted. */
  readonly fault: string;
  /** Who has signed it, as it says. */
  readonly issuer: string;
  readonly beginsAtMs: number;
  readonly endsAtMs: number;
}

/** What the network itself tells of an address. */
export interface ProbeResult {
  /** What the name leads to; an address leads to itself. Empty where nobody knows the name. */
  readonly redirectsTo: readonly string[];
  /** `closed`: the computer is there, and nothing listens. `silent`: nobody says anything. */
  readonly port: 'open' | 'closed' | 'silent';
  /** All that it leads to are addresses of a private network which this computer is not in. */
  readonly isOtherNetwork: boolean;
  /** What is spoken behind an open port. */
  readonly protocol: 'tls' | 'http' | 'else' | null;
  readonly certificate: ProbedCertificate | null;
}

/** How a service answered, where it was asked. */
export type ServerAnswer =
  | { readonly kind: 'service'; readonly version: string; readonly hasOrganization: boolean }
  /** An answer, and none that a service gives. */
  | { readonly kind: 'strange' }
  /** It says why it does not want to. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'nothing' };

export interface ConnectionFacts {
  /** An origin. */
  readonly address: string;
  /** The office's that has to be there, where it is known. */
  readonly fingerprint: string | null;
  readonly nowMs: number;
  /** Networks that this computer is in; null where that is not known, as in a browser. */
  readonly ownNetworks: readonly string[] | null;
  /** Null where it cannot be known, as in a browser. */
  readonly probe: ProbeResult | null;
  /** Null where the service was not asked. */
  readonly answered: ServerAnswer | null;
  /** Why the account is not let in, `accepted`, or null where nobody tried. */
  readonly signIn: 'accepted' | 'refused' | 'deactivated' | null;
}
