/** Why an organization cannot be reached: what was looked at, in the order in which a connection comes about. */

/** What does not connect. No token and no password is part of it: none is needed to find out. */
export type CheckSubject =
  /** As somebody typed it. */
  | { readonly kind: 'address'; readonly address: string }
  /** Where an invitation leads, and to whom. */
  | {
      readonly kind: 'invitation';
      readonly addresses: readonly string[];
      readonly pin: string | null;
    }
  | { readonly kind: 'account'; readonly accountId: string };

export const checkNames = [
  'name',
  'address',
  'port',
  'tls',
  'identity',
  'clock',
  'version',
  'signIn',
] as const;

export type CheckName = (typeof checkNames)[number];

export interface CheckStep {
  readonly name: CheckName;
  /** `left-out`: it does not matter here, or cannot be known. `not-reached`: one before it has failed. */
  readonly result: 'passed' | 'failed' | 'left-out' | 'not-reached';
}

export interface ConnectionReport {
  /** Nothing is wrong any more. */
  readonly isWell: boolean;
  /** What failed first, and what to do about it. */
  readonly sentence: string;
  /** The address that came furthest, of those that were tried. */
  readonly address: string;
  readonly steps: readonly CheckStep[];
  /** All of it as text, to be sent to whoever helps. It has names and addresses, and no secret. */
  readonly text: string;
}
