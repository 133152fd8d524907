/** The part of a file that a request asks for (RFC 9110, section 14). */

export interface ByteRange {
  /** First byte. */
  readonly from: number;
  /** Last byte, inclusive. */
  readonly to: number;
}

const RANGE = /^bytes=(\d{0,15})-(\d{0,15})$/;

function lastBytes(count: number, sizeBytes: number): ByteRange | 'unsatisfiable' {
  const length = Math.min(count, sizeBytes);
  return length === 0 ? 'unsatisfiable' : { from: sizeBytes - length, to: sizeBytes - 1 };
}

/**
 * @param header  as received; several ranges, other units and what is malformed mean the whole file
 * @returns null for the whole file
 */
export function byteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first = '', last = ''] = RANGE.exec(header?.trim() ?? '') ?? [];
  if (first === '') return last === '' ? null : lastBytes(Number(last), sizeBytes);
  const from = Number(first);
  const to = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < from) return null;
  return from >= sizeBytes ? 'unsatisfiable' : { from, to };
}
