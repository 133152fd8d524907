/** Reading message history (specification 4, GET /messages; API decisions 4). */
import { PAGE_MESSAGES } from '#shared/api/bounds.ts';
import { type Anchor, NEWEST_ANCHOR } from '#shared/api/codecs.ts';
import { variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { Message } from '#shared/api/models/message.ts';
import type { NarrowTerm, HistoryScope } from '#shared/api/narrow.ts';
import { searchOf } from '#shared/search/query.ts';
import type { Page, PageCounts, Store } from '#service/db/port.ts';
import { type ResolvedNarrow, resolveNarrow } from './narrow.ts';
import { unreadSelection } from '#shared/search/narrow.ts';
import { rankedOperands } from '#shared/search/narrow-terms.ts';
import { rankHits } from './relevance.ts';
import { getVisibleMessage } from '#service/features/messages/operations/message-access.ts';
import type { RenderOptions } from '#service/core/rules/shapes.ts';
import type { ComputeMac } from '#service/core/rules/message-macs.ts';
import { createShaping, markingMatches, type PageMessage } from './page-messages.ts';
import type { SearchOperations, SearchPage } from './search.ts';
import { type Counts, type EncodeRows, encodeAll, type WalkedPage, walkPage } from './page-walk.ts';

export interface PageRequest extends RenderOptions {
  readonly anchor: Anchor | undefined;
  readonly useFirstUnreadAnchor: boolean;
  readonly numBefore: number;
  readonly numAfter: number;
  readonly narrow: readonly NarrowTerm[];
  readonly order: 'newest' | 'relevance';
  readonly reach: HistoryScope;
}

/** What is told of a page beside its messages. */
export interface PageBounds {
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: false;
  /** While the search index is made anew: nothing older was searched. */
  readonly indexed_from?: number;
}

/** Puts some of the messages of a page into the form in which they are answered. */
export type Encode<T> = (messages: readonly PageMessage[]) => T;

export interface MessagePage<T> {
  readonly bounds: PageBounds;
  /** Together they are its messages, ascending by id or the best first; none of them is empty. */
  readonly pieces: readonly T[];
}

export interface HistoryOperations {
  /**
   * A long page comes in pieces: others have their turns between two of them, and what a piece was made of is gone before the next.
   * @throws BAD_NARROW, BAD_REQUEST, REQUEST_VARIABLE_MISSING
   */
  readonly getMessages: <T>(
    caller: Caller,
    request: PageRequest,
    encode: Encode<T>,
  ) => Promise<MessagePage<T>>;
  /** @throws BAD_REQUEST when the message does not exist or the caller may not see it */
  readonly getMessage: (
    caller: Caller,
    id: number,
    options: RenderOptions,
  ) => Promise<{ readonly raw_content: string; readonly message: Message }>;
}

const indexedKey = ({
  indexedFrom,
}: Pick<SearchPage, 'indexedFrom'>): Pick<PageBounds, 'indexed_from'> =>
  indexedFrom === null ? {} : { indexed_from: indexedFrom };

interface RankedRequest {
  readonly narrow: ResolvedNarrow;
  readonly request: PageRequest;
}

async function rankedPage<T>(
  searching: Pick<SearchOperations, 'page'>,
  encode: EncodeRows<T>,
  { narrow, request }: RankedRequest,
): Promise<MessagePage<T>> {
  const { anchor = 0, numAfter, numBefore, useFirstUnreadAnchor } = request;
  const isNewest = !useFirstUnreadAnchor && anchor !== 'first_unread' && anchor >= NEWEST_ANCHOR;
  const wanted = rankedOperands(request.narrow, { isNewest, numAfter });
  // There is a search term, or that was refused.
  const search = narrow.search ?? searchOf(wanted, []);
  const ranked = await rankHits(searching, { selection: narrow, search }, wanted);
  const rows = ranked.rows.slice(0, numBefore);
  const bounds: PageBounds = {
    anchor: NEWEST_ANCHOR,
    found_anchor: false,
    found_oldest:
      ranked.indexedFrom === null && !ranked.hasOlder && ranked.rows.length <= numBefore,
    found_newest: true,
    history_limited: false,
    ...indexedKey(ranked),
  };
  return { bounds, pieces: await encodeAll(rows, encode) };
}

/** @throws BAD_REQUEST */
function checkSize({ numBefore, numAfter }: PageRequest): void {
  if (numBefore + numAfter <= PAGE_MESSAGES) return;
  throw refusal('too_many_messages_requested', { limit: PAGE_MESSAGES });
}

interface Sources {
  readonly store: Store;
  readonly searching: Pick<SearchOperations, 'page'>;
}

async function walkNarrow<T>(
  { store, searching }: Sources,
  narrow: ResolvedNarrow,
  encode: EncodeRows<T>,
  [anchor, counts]: readonly [number, Counts],
): Promise<WalkedPage<T> & Pick<SearchPage, 'indexedFrom'>> {
  const { search } = narrow;
  if (search === null) {
    const read = (from: number, some: PageCounts): Promise<Page> =>
      store.pageMessages(narrow, from, some);
    return { ...(await walkPage({ read }, encode, anchor, counts)), indexedFrom: null };
  }
  const page = await searching.page({ selection: narrow, search }, anchor, counts);
  return { ...page, pieces: await encodeAll(page.rows, encode) };
}

export function historyOperations(
  store: Store,
  searching: Pick<SearchOperations, 'findFirstId' | 'page'>,
  computeMac: ComputeMac,
): HistoryOperations {
  const shaping = createShaping(store, computeMac);

  async function findFirstUnread(
    request: PageRequest,
    narrow: ResolvedNarrow,
  ): Promise<number | undefined> {
    const selection = unreadSelection(narrow, request.narrow);
    const id = await store.findFirstId(selection);
    if (id === undefined || narrow.search === null) return id;
    return searching.findFirstId({ selection, search: narrow.search }, id);
  }

  async function anchorOf(
    request: PageRequest,
    narrow: ResolvedNarrow,
  ): Promise<{ anchor: number; isUnreadMissing: boolean }> {
    if (request.useFirstUnreadAnchor || request.anchor === 'first_unread') {
      const id = await findFirstUnread(request, narrow);
      return { anchor: id ?? NEWEST_ANCHOR, isUnreadMissing: id === undefined };
    }
    if (request.anchor === undefined) throw variableMissing('anchor');
    return { anchor: request.anchor, isUnreadMissing: false };
  }

  return {
    async getMessage(caller, id, options) {
      const row = await store.read((tx) => getVisibleMessage(tx, caller, id));
      const [message] = await shaping(options)([row]);
      // A row that was read alone is kept nowhere.
      if (message?.shared !== null) throw new Error(`message ${String(id)} has no shape`);
      return { raw_content: row.content, message: message.own };
    },
    async getMessages<T>(caller: Caller, request: PageRequest, put: Encode<T>) {
      checkSize(request);
      const narrow = await resolveNarrow(store, caller, request.narrow, request.reach);
      const shape = markingMatches(shaping(request), narrow);
      const encode: EncodeRows<T> = async (rows) => put(await shape(rows));
      if (request.order === 'relevance') return rankedPage(searching, encode, { narrow, request });
      const { anchor, isUnreadMissing } = await anchorOf(request, narrow);
      const counts = { before: request.numBefore, after: isUnreadMissing ? 0 : request.numAfter };
      const page = await walkNarrow({ store, searching }, narrow, encode, [anchor, counts]);
      return {
        bounds: {
          anchor,
          found_anchor: page.hasAnchor,
          found_oldest: page.indexedFrom === null && (anchor === 0 || !page.hasOlder),
          found_newest: anchor >= NEWEST_ANCHOR || !page.hasNewer,
          history_limited: false,
          ...indexedKey(page),
        },
        pieces: page.pieces,
      };
    },
  };
}
