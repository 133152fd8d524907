/** Pages of messages: from the cache where it has all of them, else from the service, else what there is. */
import { NEWEST_ANCHOR } from '../contract/codecs.ts';
import type { MessagePage, MessagePageRequest } from '../contract/models/client.ts';
import type { Outcome } from '../contract/outcome.ts';
import { failure, success } from '../contract/outcome.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Api, ApiOutcome } from './api.ts';
import { refusal } from './api.ts';
import type { CachedPage, PageQuery } from './cache/port.ts';
import { fetchPage } from './fetch-page.ts';
import type { Replica } from './replica.ts';
import { narrowOf } from './shown-message.ts';
import { scopeOf } from './state/scope.ts';

export interface MessagePagesParts {
  readonly api: Api;
  readonly ownUserId: number;
  readonly replica: () => Replica;
  /** The service does not answer, or has not yet: asking it would only take time. */
  readonly isOffline: () => boolean;
  /** A page was answered in which messages may be missing. */
  readonly answeredIncomplete: () => void;
}

const unreachable = failure('UNREACHABLE', 'The service does not answer.');

type ServicePage = Omit<CachedPage, 'isComplete'>;

const anchorOf = (anchor: PageQuery['anchor']): object =>
  anchor === 'first-unread'
    ? { useFirstUnreadAnchor: true }
    : { anchor: anchor === 'newest' ? NEWEST_ANCHOR : anchor };

export function createMessagePages(
  parts: MessagePagesParts,
): (request: MessagePageRequest) => Promise<Outcome<MessagePage>> {
  const { api, ownUserId, replica, isOffline } = parts;

  function kept(query: PageQuery): ApiOutcome<CachedPage> | null {
    const known = replica();
    const { state } = known;
    if (state === null) return null;
    try {
      const page = known.read((cache) => cache.page(query, scopeOf(state)), null);
      return page === null ? null : success(page);
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return failure(error.code, error.message);
    }
  }

  async function fetched(query: PageQuery): Promise<ApiOutcome<ServicePage>> {
    // Ranges are put by the background fill, which knows what was new when it asked.
    return fetchPage(api, replica, {
      ...anchorOf(query.anchor),
      numBefore: query.numBefore,
      numAfter: query.numAfter,
      narrow: query.narrow,
      ...(query.order === undefined ? {} : { order: query.order }),
      clientGravatar: true,
      withSource: true,
    });
  }

  return async ({ view, anchor, before, after }) => {
    const query = {
      narrow: narrowOf(view, ownUserId),
      anchor,
      numBefore: before,
      numAfter: after,
      ...(view.kind === 'search' && view.order !== undefined ? { order: view.order } : {}),
    };
    const here = kept(query);
    const shape = (page: ServicePage, isComplete: boolean): MessagePage => ({
      messages: replica().shown(page.messages),
      anchorId: page.anchor < NEWEST_ANCHOR ? page.anchor : null,
      hasOldest: page.found_oldest,
      hasNewest: page.found_newest,
      isComplete,
    });
    const isUsable = here?.ok === true && replica().cache.isKept;
    if (isUsable && here.value.isComplete) return success(shape(here.value, true));
    const outcome = isUsable && isOffline() ? unreachable : await fetched(query);
    if (outcome.ok) return success(shape(outcome.value, true));
    if (outcome.failure.code !== 'UNREACHABLE' || !isUsable) return refusal(outcome.failure);
    parts.answeredIncomplete();
    return success(shape(here.value, false));
  };
}
