/** The organization's linkifiers. */
import { badRequest } from '../../contract/errors.ts';
import { findOne, insert, list, type Operation, record, run } from './operation.ts';

export interface LinkifierRow {
  readonly id: number;
  readonly pattern: string;
  readonly url_format: string;
}

const LIST = 'SELECT id, pattern, url_format FROM linkifier ORDER BY id';
const FIND_BY_PATTERN = 'SELECT id FROM linkifier WHERE pattern = :pattern';
const INSERT = 'INSERT INTO linkifier (pattern, url_format) VALUES (:pattern, :urlFormat)';
const DELETE = 'DELETE FROM linkifier WHERE id = :id';

export const linkifierReads = {
  /** By id: in the order in which they were added. */
  *listLinkifiers(): Operation<readonly LinkifierRow[]> {
    return yield* list<LinkifierRow>(LIST);
  },
};

function* announce(): Operation<void> {
  const rows = yield* list<LinkifierRow>(LIST);
  yield* record({
    type: 'realm_filters',
    audience: { kind: 'realm' },
    payload: { realm_filters: rows.map((row) => [row.pattern, row.url_format, row.id]) },
  });
}

export const linkifierWrites = {
  /**
   * Adds a linkifier that was found to be valid; answers its id.
   * @throws BAD_REQUEST when there is one with the same pattern
   */
  *addLinkifier(pattern: string, urlFormat: string): Operation<number> {
    if ((yield* findOne(FIND_BY_PATTERN, { pattern })) !== undefined) {
      throw badRequest(`There is a linkifier with the pattern '${pattern}' already`);
    }
    const id = yield* insert(INSERT, { pattern, urlFormat });
    yield* announce();
    return id;
  },
  /** @throws BAD_REQUEST when there is none with that id */
  *removeLinkifier(id: number): Operation<void> {
    if ((yield* run(DELETE, { id })) === 0) throw badRequest('Invalid linkifier id');
    yield* announce();
  },
};
