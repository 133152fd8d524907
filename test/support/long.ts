/**
 * Soaks, fuzzes and large walks have two forms: a short one in `npm test`, which everybody pays for with every change,
 * and all of it in `npm run test:long`.
 */
export const isLong = process.env['HEARTH_TEST_LONG'] === '1';

/** How often something random is repeated. */
export const shortOrLong = (short: number, long: number): number => (isLong ? long : short);
