/** Rows that many ask for, kept within a bound of bytes until one of them may have changed. */
import type { KeptRows } from '../operation.ts';

export interface CheckedRows<Row> {
  /** What is there as of this moment. */
  readonly current: () => KeptRows<Row>;
  /** Forgets everything: call it after a commit that may have changed a row. */
  readonly clear: () => void;
}

interface Keeping<Row> {
  readonly maxBytes: number;
  /** About what a row takes in memory, with what others make of it. */
  readonly bytesOf: (row: Row) => number;
  /** Another number as soon as something else has changed that the rows were read from. */
  readonly version: () => number;
}

/** Those that were read first go first. */
export function createKeptRows<Row extends { readonly id: number }>({
  maxBytes,
  bytesOf,
  version,
}: Keeping<Row>): CheckedRows<Row> {
  const rows = new Map<number, Row>();
  let bytes = 0;
  let known = version();

  function clear(): void {
    rows.clear();
    bytes = 0;
  }

  const kept: KeptRows<Row> = {
    get: (id) => rows.get(id),
    put(row) {
      if (rows.has(row.id)) return;
      rows.set(row.id, row);
      bytes += bytesOf(row);
      for (const [id, oldest] of rows) {
        if (bytes <= maxBytes) return;
        rows.delete(id);
        bytes -= bytesOf(oldest);
      }
    },
  };

  return {
    clear,
    current() {
      const now = version();
      if (now !== known) clear();
      known = now;
      return kept;
    },
  };
}
