/** Pages of messages: from the cache where it has all of them, else from the service, else what there is. */
import { NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import type { MessagePage, MessagePageRequest } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { ServiceError } from '#shared/api/errors.ts';
import type { Api } from '../transport/api.ts';
import type { ApiFailure, ApiOutcome } from '../transport/answers.ts';
import { refusal } from '../transport/answers.ts';
import { UnresolvableNarrow } from '../cache/narrow.ts';
import type { CachedPage, PageQuery } from '../cache/port.ts';
import { fetchPage } from './fetch-page.ts';
import type { SyncState } from './account-sync.ts';
import { narrowOf, historyScopeOf } from './shown-message.ts';
import { scopeOf } from './state/scope.ts';
import { clientWords } from '#shared/i18n/client-words.ts';

export interface MessagePagesParts {
  readonly api: Api;
  readonly ownUserId: number;
  readonly sync: () => SyncState;
  /** The service does not answer, or has not yet: asking it would only take time. */
  readonly isOffline: () => boolean;
  /** A page was answered in which messages may be missing. */
  readonly answeredIncomplete: () => void;
}

const unreachable = failure('UNREACHABLE', clientWords('service_not_answering'));

type ServicePage = Omit<CachedPage, 'isComplete' | 'isOwnComplete'>;

const anchorOf = (anchor: PageQuery['anchor']): object =>
  anchor === 'first-unread'
    ? { useFirstUnreadAnchor: true }
    : { anchor: anchor === 'newest' ? NEWEST_ANCHOR : anchor };

/** What is wrong with the question says more than that nobody answers it. */
const telling = (kept: ApiOutcome<unknown> | null, given: ApiFailure): ApiFailure =>
  given.code === 'UNREACHABLE' && kept?.ok === false ? kept.failure : given;

type Completeness = Pick<MessagePage, 'isComplete' | 'isOwnComplete'>;

const isWhole = ({ isComplete, indexed_from: from }: CachedPage): boolean =>
  isComplete && from === undefined;

const completenessOf = ({ isComplete, isOwnComplete }: CachedPage): Completeness =>
  isComplete ? { isComplete } : { isComplete, isOwnComplete };

const queryOf = (
  { view, anchor, before, after }: MessagePageRequest,
  ownUserId: number,
): PageQuery => ({
  narrow: narrowOf(view, ownUserId),
  anchor,
  numBefore: before,
  numAfter: after,
  ...historyScopeOf(view),
  ...(view.kind === 'search' && view.order !== undefined ? { order: view.order } : {}),
});

/** Whether the page has less than was asked for because the index of searches is being made anew. */
function isIndexing(page: ServicePage, { numBefore, order }: PageQuery): boolean {
  if (page.indexed_from === undefined) return false;
  return (
    order !== undefined || page.messages.filter(({ id }) => id < page.anchor).length < numBefore
  );
}

/** What is wrong with the question; null where nothing is, and only the service can tell. */
function faultOf(error: unknown): ApiOutcome<never> | null {
  if (error instanceof UnresolvableNarrow) return null;
  if (!(error instanceof ServiceError)) throw error;
  return failure(error.code, error.message);
}

export function createMessagePages(
  parts: MessagePagesParts,
): (request: MessagePageRequest) => Promise<Outcome<MessagePage>> {
  const { api, ownUserId, sync, isOffline } = parts;

  function kept(query: PageQuery): ApiOutcome<CachedPage> | null {
    const known = sync();
    const { state } = known;
    if (state === null) return null;
    try {
      const page = known.read((cache) => cache.page(query, scopeOf(state)), null);
      return page === null ? null : success(page);
    } catch (error) {
      return faultOf(error);
    }
  }

  async function fetched(query: PageQuery): Promise<ApiOutcome<ServicePage>> {
    // Ranges are put by the background fill, which knows what was new when it asked.
    return fetchPage(api, sync, {
      ...anchorOf(query.anchor),
      numBefore: query.numBefore,
      numAfter: query.numAfter,
      narrow: query.narrow,
      ...(query.historyScope === undefined ? {} : { reach: query.historyScope }),
      ...(query.order === undefined ? {} : { order: query.order }),
      clientGravatar: true,
      withSource: true,
    });
  }

  const shape = (query: PageQuery, page: ServicePage, known: Completeness): MessagePage => ({
    messages: sync().shown(page.messages),
    anchorId: page.anchor < NEWEST_ANCHOR ? page.anchor : null,
    hasOldest: page.found_oldest,
    hasNewest: page.found_newest,
    ...(isIndexing(page, query) ? { isIndexing: true } : {}),
    ...known,
  });

  return async (request) => {
    const query = queryOf(request, ownUserId);
    const here = kept(query);
    const usable = here?.ok === true && sync().cache.isKept ? here.value : null;
    if (usable !== null && isWhole(usable)) {
      return success(shape(query, usable, { isComplete: true }));
    }
    const outcome = usable !== null && isOffline() ? unreachable : await fetched(query);
    if (outcome.ok) return success(shape(query, outcome.value, { isComplete: true }));
    if (outcome.failure.code !== 'UNREACHABLE' || usable === null) {
      return refusal(telling(here, outcome.failure));
    }
    if (!usable.isComplete) parts.answeredIncomplete();
    return success(shape(query, usable, completenessOf(usable)));
  };
}
