/** Linkifiers: patterns whose matches in messages become links. */
import { badRequest } from '../../contract/errors.ts';
import { compileLinkifier } from '../markdown/linkifiers.ts';
import type { LinkifierRow, Store } from '../store/port.ts';

export interface LinkifierOperations {
  readonly listLinkifiers: () => Promise<readonly LinkifierRow[]>;
  /**
   * @returns its id
   * @throws BAD_REQUEST when the pattern or the format is invalid, or the pattern is there already
   */
  readonly addLinkifier: (pattern: string, urlFormat: string) => Promise<number>;
  /** @throws BAD_REQUEST when there is none with that id */
  readonly removeLinkifier: (id: number) => Promise<void>;
}

/** @throws BAD_REQUEST with what the engine says */
function check(pattern: string, urlFormat: string): void {
  try {
    compileLinkifier(pattern, urlFormat);
  } catch (reason) {
    throw badRequest(reason instanceof Error ? reason.message : 'Invalid linkifier');
  }
}

export const linkifierOperations = (
  store: Pick<Store, 'addLinkifier' | 'listLinkifiers' | 'removeLinkifier'>,
): LinkifierOperations => ({
  listLinkifiers: () => store.listLinkifiers(),
  async addLinkifier(written, urlFormat) {
    const pattern = written.trim();
    const format = urlFormat.trim();
    if (pattern === '') throw badRequest('The pattern of a linkifier must not be empty');
    check(pattern, format);
    return store.addLinkifier(pattern, format);
  },
  removeLinkifier: (id) => store.removeLinkifier(id),
});
