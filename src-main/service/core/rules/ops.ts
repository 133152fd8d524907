import { refusal } from '#shared/api/refusal.ts';

/** The `op` of a request. @throws BAD_REQUEST for a word that is none of these (API decisions 1.2) */
export function checkOp<const T extends string>(op: string, known: readonly T[]): T {
  const found = known.find((each) => each === op);
  if (found !== undefined) return found;
  throw refusal('op_invalid', { op: op.slice(0, 60), expected: known.join(' or ') });
}
