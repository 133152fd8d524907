import type Database from 'better-sqlite3';

const BLOCK = 1000;

/**
 * Ids of events and heartbeats. A block of ids is reserved on disk before one of it is handed out, so that no id
 * is ever handed out twice, not even after a crash (architecture, section 4).
 */
export interface EventCounter {
  /** Only inside the writer's transaction: a block that is reserved there is rolled back with it. */
  readonly takeInTransaction: () => number;
  /** An id of the current block, or undefined where a new block has to be reserved first. */
  readonly takeReserved: () => number | undefined;
  readonly last: () => number;
  /** What a rolled back transaction or savepoint has to restore. */
  readonly reserved: () => number;
  readonly restore: (reserved: number) => void;
}

export function createEventCounter(db: Database.Database): EventCounter {
  const row = db.prepare('SELECT reserved_through AS reserved FROM event_counter').get() as {
    reserved: number;
  };
  const reserve = db.prepare('UPDATE event_counter SET reserved_through = ?');
  let reserved = row.reserved;
  // Where the process before this one stopped inside its block is not known: its whole block is spent.
  let last = reserved;

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
      if (last + 1 > reserved) return undefined;
      last += 1;
      return last;
    },
    last: () => last,
    reserved: () => reserved,
    restore(value) {
      reserved = value;
    },
  };
}
