/** The code with which a new service is claimed: whoever reads what the service printed has it. */
import { randomText } from './random-text.ts';

export interface SetupCode {
  /** As it is printed: XXXX-XXXX. */
  readonly code: string;
  /** Counts a wrong one; the tenth is the end of the code, until the service is started again. */
  readonly take: (given: string) => 'right' | 'wrong' | 'ended';
}

/** Without letters and digits that look like one another. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const HALF = 4;
const MAX_WRONG = 10;

const half = (): string => randomText(ALPHABET, HALF);

/** People copy it by hand: without case, and whatever stands between. */
const plain = (typed: string): string => typed.toUpperCase().replaceAll(/[^A-Z0-9]/g, '');

/** @param isEqual  in constant time */
export function createSetupCode(isEqual: (a: string, b: string) => boolean): SetupCode {
  const code = `${half()}-${half()}`;
  let wrong = 0;
  return {
    code,
    take(given) {
      if (wrong >= MAX_WRONG) return 'ended';
      if (isEqual(plain(given), plain(code))) return 'right';
      wrong += 1;
      return wrong >= MAX_WRONG ? 'ended' : 'wrong';
    },
  };
}
