/** Files of the service by their address; the least recently used ones go first. */
import type { Cache } from '#client/cache/port.ts';
import type { Sql } from './sql.ts';

const FIND = 'SELECT type, bytes, used FROM file WHERE url = :url';
const NEWEST = 'SELECT COALESCE(MAX(used), 0) AS used FROM file';
const USE = 'UPDATE file SET used = :used WHERE url = :url';
const DELETE = 'DELETE FROM file WHERE url = :url RETURNING size';
const COUNT = 'UPDATE total SET file_bytes = file_bytes + :bytes WHERE id = 1';
const PUT = `INSERT INTO file (url, type, bytes, size, used)
  VALUES (:url, :type, :bytes, :size, :used)`;
const OLDEST = 'SELECT url FROM file ORDER BY used LIMIT 1';

interface FileRow {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly used: number;
}

export class FileTable {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  find(url: string): ReturnType<Cache['findFile']> {
    const row = this.#sql.get<FileRow>(FIND, { url });
    // A plain array: a Buffer may share its memory with others, and does not cross to a window as it is.
    return row === undefined ? null : { type: row.type, bytes: new Uint8Array(row.bytes) };
  }

  use(url: string): void {
    this.#sql.run(USE, { url, used: this.#next() });
  }

  put(url: string, type: string, bytes: Uint8Array): void {
    this.#delete(url);
    this.#sql.run(PUT, { url, type, bytes, size: bytes.length, used: this.#next() });
    this.#sql.run(COUNT, { bytes: bytes.length });
  }

  /** Answers whether there was one. */
  dropOldest(): boolean {
    const oldest = this.#sql.get<{ url: string }>(OLDEST);
    if (oldest === undefined) return false;
    this.#delete(oldest.url);
    return true;
  }

  #delete(url: string): void {
    for (const { size } of this.#sql.list<{ size: number }>(DELETE, { url })) {
      this.#sql.run(COUNT, { bytes: -size });
    }
  }

  #next(): number {
    return (this.#sql.get<{ used: number }>(NEWEST)?.used ?? 0) + 1;
  }
}
