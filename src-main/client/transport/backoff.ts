const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 30_000;

/**
 * How long to wait before the next attempt: doubling up to 30 s, of which a random half is taken off, so that
 * the clients of a service that comes back do not all return in the same moment.
 * @param failures  failed attempts in a row, from 1
 * @param random    0 to 1
 */
export const backoffMs = (failures: number, random: number): number =>
  Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(failures - 1, 10)) * (1 - random / 2);
