import type { AccountRow } from '#service/db/port.ts';

/**
 * The generation of the next key. A generation of before a restore may have been given out after the copy was made: its
 * key would be good again.
 */
export const nextGeneration = ({
  key_generation: current,
  key_floor: floor,
}: Pick<AccountRow, 'key_generation' | 'key_floor'>): number => Math.max(current + 1, floor);
