/** What was deleted leaves the file: its words in the index too, which otherwise stay there until the index is next merged. */
import type { Sql } from './sql.ts';

/** Negative begins with all of the index, positive goes on; the number limits the pages that one call writes. */
const MERGE = "INSERT INTO search_index (search_index, rank) VALUES ('merge', :pages)";
const CHANGES = 'SELECT total_changes() AS count';
const PAGES = 500;
/** With fewer there was nothing left to merge. */
const LEAST_CHANGES = 2;

export class Purge {
  readonly #sql: Sql;
  #isWanted = false;
  #isBegun = false;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Something was deleted. */
  want(): void {
    this.#isWanted = true;
    this.#isBegun = false;
  }

  /** Outside of a transaction: what a large index needs beyond the limit comes with the next call. */
  run(limitMs: number): void {
    if (!this.#isWanted) return;
    const endsAt = performance.now() + limitMs;
    do this.#isWanted = this.#merge();
    while (this.#isWanted && performance.now() < endsAt);
    // The log has what the pages were before.
    this.#sql.db.pragma('wal_checkpoint(TRUNCATE)');
  }

  /** Whether there is more to merge. */
  #merge(): boolean {
    const before = this.#changes();
    this.#sql.run(MERGE, { pages: this.#isBegun ? PAGES : -PAGES });
    this.#isBegun = true;
    return this.#changes() - before >= LEAST_CHANGES;
  }

  #changes(): number {
    return this.#sql.get<{ count: number }>(CHANGES)?.count ?? 0;
  }
}
