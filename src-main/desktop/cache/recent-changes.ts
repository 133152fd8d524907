/**
 * Messages that events have changed in these seconds. An answer of the service that was on its way meanwhile may tell
 * of them as they were before.
 */
const LASTING_MS = 60_000;
const MAX_IDS = 10_000;

export class RecentChanges {
  readonly #touchedMs = new Map<number, number>();

  touch(ids: readonly number[]): void {
    const nowMs = performance.now();
    for (const id of ids) {
      this.#touchedMs.delete(id);
      this.#touchedMs.set(id, nowMs);
    }
    for (const [id, atMs] of this.#touchedMs) {
      if (this.#touchedMs.size <= MAX_IDS && atMs > nowMs - LASTING_MS) break;
      this.#touchedMs.delete(id);
    }
  }

  forget(): void {
    this.#touchedMs.clear();
  }

  has(id: number): boolean {
    return (this.#touchedMs.get(id) ?? -Infinity) > performance.now() - LASTING_MS;
  }
}
