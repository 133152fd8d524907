import type { ErrorCode } from '#shared/api/errors.ts';

/** What a message must tell, written down from the payload alone. */
export interface Facts {
  /** Each message's, in order. */
  readonly topic?: string | readonly string[];
  /** Words that stand in the text of one of them. */
  readonly says?: readonly string[];
  /** Paths of values whose first line stands there. */
  readonly of?: readonly string[];
  /** Paths of addresses, or addresses, that something links to. */
  readonly links?: readonly string[];
  /** The branch of a push: `branches` of the request may leave it out. */
  readonly branch?: string;
  readonly isSilent?: true;
  readonly refused?: ErrorCode;
  /** A path that the refusal names. */
  readonly names?: string;
}

/** By name and file. */
export type FactTable = Readonly<Record<string, Facts>>;
