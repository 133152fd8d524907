import type Database from 'better-sqlite3';

const BLOCK = 1000;

/**
 * Ids of events and heartbeats. A block of ids is reserved on disk before one of it is handed out, so that no id
 * is ever handed out twice, not even after a crash (architecture 4).
 */
export interface EventCounter {
  /** Only inside the writer's transaction: a block that is reserved there is rolled back with it. */
  readonly takeInTransaction: () => number;
  /** An id of the current block, or undefined where it has to be taken in a transaction. */
  readonly takeReserved: () => number | undefined;
  /** The newest that was handed out and is not hidden. */
  readonly last: () => number;
  /** What a rolled back transaction or savepoint has to restore. */
  readonly position: () => CounterPosition;
  /** Only with a position of the same turn, or one that is hidden: ids that were taken since then were shown to nobody. */
  readonly restore: (position: CounterPosition) => void;
  /** What was taken since then is shown to nobody, and no other is reserved meanwhile; undefined ends that. */
  readonly hideSince: (position: CounterPosition | undefined) => void;
}

export interface CounterPosition {
  readonly last: number;
  readonly reserved: number;
}

/** Undefined where the table has lost its one row. */
export function createEventCounter(db: Database.Database): EventCounter | undefined {
  const row = db.prepare('SELECT reserved_through AS reserved FROM event_counter').get() as
    { reserved: number } | undefined;
  if (row === undefined) return undefined;
  const reserve = db.prepare('UPDATE event_counter SET reserved_through = ?');
  let reserved = row.reserved;
  // Where the process before this one stopped inside its block is not known: its whole block is spent.
  let last = reserved;
  let shown: CounterPosition | undefined;

  return {
    takeInTransaction() {
      if (last + 1 > reserved) {
        reserved = last + BLOCK;
        reserve.run(reserved);
      }
      last += 1;
      return last;
    },
    takeReserved() {
      if (shown !== undefined || last + 1 > reserved) return undefined;
      last += 1;
      return last;
    },
    last: () => (shown ?? { last }).last,
    position: () => ({ last, reserved }),
    restore(position) {
      // Both: a queue's cursor must not get ahead of what a crash would start again from.
      ({ last, reserved } = position);
    },
    hideSince: (position) => void (shown = position),
  };
}
