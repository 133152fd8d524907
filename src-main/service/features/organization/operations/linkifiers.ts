/** Linkifiers: patterns whose matches in messages become links. */
import { refusal } from '#shared/api/refusal.ts';
import { compileLinkifier } from '#service/markdown/syntax/linkifiers.ts';
import type { CallerActionSource } from '#service/core/ports/handlers.ts';
import type { LinkifierRow, Operation, Store, Transaction } from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { checkQuota } from '#service/core/quotas.ts';
import { auditEntryMaker } from '../rules/audit.ts';

export interface LinkifierOperations {
  readonly listLinkifiers: () => Promise<readonly LinkifierRow[]>;
  /**
   * @returns its id
   * @throws BAD_REQUEST when the pattern or the format is invalid, or the pattern is there already
   */
  readonly addLinkifier: (
    source: CallerActionSource,
    pattern: string,
    urlFormat: string,
  ) => Promise<number>;
  /** @throws BAD_REQUEST when there is none with that id */
  readonly removeLinkifier: (source: CallerActionSource, id: number) => Promise<void>;
}

function* announce(tx: Transaction): Operation<void> {
  const rows = yield* tx.listLinkifiers();
  yield* tx.record({
    type: 'realm_filters',
    audience: { kind: 'realm' },
    payload: { realm_filters: rows.map((row) => [row.pattern, row.url_format, row.id]) },
  });
}

export const linkifierOperations = (
  store: Store,
  context: Pick<DomainContext, 'limits' | 'nowSeconds'>,
): LinkifierOperations => ({
  listLinkifiers: () => store.listLinkifiers(),
  addLinkifier: (source, written, urlFormat) =>
    change(store, source.caller, function* (tx, caller) {
      const pattern = written.trim();
      const format = urlFormat.trim();
      if (pattern === '') throw refusal('linkifier_pattern_empty');
      compileLinkifier(pattern, format);
      if ((yield* tx.listLinkifiers()).some((row) => row.pattern === pattern)) {
        throw refusal('linkifier_pattern_taken', { pattern });
      }
      yield* checkQuota(tx, context.limits, { kind: 'linkifiers', caller });
      const id = yield* tx.insertLinkifier(pattern, format);
      yield* announce(tx);
      const details = { name: pattern, new: format };
      yield* tx.record(auditEntryMaker(context, source)('linkifier_added', { details }));
      return id;
    }),
  removeLinkifier: (source, id) =>
    change(store, source.caller, function* (tx) {
      const row = (yield* tx.listLinkifiers()).find((each) => each.id === id);
      if (row === undefined) throw refusal('no_such_linkifier');
      yield* tx.deleteLinkifier(id);
      yield* announce(tx);
      const details = { name: row.pattern, old: row.url_format };
      yield* tx.record(auditEntryMaker(context, source)('linkifier_removed', { details }));
    }),
});
