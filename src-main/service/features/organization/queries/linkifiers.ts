/** The organization's linkifiers. */
import { insert, list, type Operation, run } from '#service/db/operation.ts';

export interface LinkifierRow {
  readonly id: number;
  readonly pattern: string;
  readonly url_format: string;
}

const LIST = 'SELECT id, pattern, url_format FROM linkifier ORDER BY id';
const INSERT = 'INSERT INTO linkifier (pattern, url_format) VALUES (:pattern, :urlFormat)';
const DELETE = 'DELETE FROM linkifier WHERE id = :id';

export const linkifierReads = {
  /** By id: in the order in which they were added. */
  *listLinkifiers(): Operation<readonly LinkifierRow[]> {
    return yield* list<LinkifierRow>(LIST);
  },
};

export const linkifierWrites = {
  /** Answers its id. */
  *insertLinkifier(pattern: string, urlFormat: string): Operation<number> {
    return yield* insert(INSERT, { pattern, urlFormat });
  },
  *deleteLinkifier(id: number): Operation<void> {
    yield* run(DELETE, { id });
  },
};
