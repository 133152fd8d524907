/** Reading message history (specification 4, GET /messages; API decisions 4). */
import { type Anchor, NEWEST_ANCHOR } from '../../../contract/codecs.ts';
import { badRequest, variableMissing } from '../../../contract/errors.ts';
import type { Caller } from '../../ports/handlers.ts';
import type { Message } from '../../../contract/models/message.ts';
import type { NarrowTerm, Reach } from '../../../contract/narrow.ts';
import { createHighlighter, matchFields } from '../../../search/highlight.ts';
import { searchOf } from '../../../search/query.ts';
import type { AccountRow, MessageRow, Page, PersonalMessageRow, Store } from '../../store/port.ts';
import { topicLinks } from '../text/markup.ts';
import { type ResolvedNarrow, resolveNarrow } from './narrow.ts';
import { unreadSelection } from '../../../search/narrow.ts';
import { rankedOperands } from '../../../contract/narrow-terms.ts';
import { rankHits } from './relevance.ts';
import { getVisibleMessage } from '../messages/message-access.ts';
import { loadEditKeys } from '../messages/edit-history.ts';
import { loadReactions } from '../messages/reactions.ts';
import { flagsOf, type MessagePeople, messageShape, type RenderOptions } from '../rules/shapes.ts';
import type { Prove } from '../rules/messages/proofs.ts';
import type { SearchOperations } from './search.ts';
import { type Counts, type EncodeRows, encodeAll, type Walked, walkPage } from './page-walk.ts';

const MAX_MESSAGES = 5000;

export interface PageRequest extends RenderOptions {
  readonly anchor: Anchor | undefined;
  readonly useFirstUnreadAnchor: boolean;
  readonly numBefore: number;
  readonly numAfter: number;
  readonly narrow: readonly NarrowTerm[];
  readonly order: 'newest' | 'relevance';
  readonly reach: Reach;
}

/** What is told of a page beside its messages. */
export interface PageBounds {
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: false;
}

/** Puts some of the messages of a page into the form in which they are answered. */
export type Encode<T> = (messages: readonly Message[]) => T;

export interface MessagePage<T> {
  readonly bounds: PageBounds;
  /** Together they are its messages, ascending by id or the best first; none of them is empty. */
  readonly pieces: readonly T[];
}

/** Answers who a message names, remembering what it has looked up: at once where it need not look again. */
export type PeopleOf = (row: MessageRow) => MessagePeople | Promise<MessagePeople>;

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

const nobody: readonly AccountRow[] = [];

export function peopleOf(store: Store): PeopleOf {
  const users = new Map<number, AccountRow>();
  const conversations = new Map<number, readonly AccountRow[]>();

  async function getUser(id: number): Promise<AccountRow> {
    const user = users.get(id) ?? (await store.findUser(id));
    if (user === undefined) throw new Error(`no account ${String(id)}`);
    users.set(id, user);
    return user;
  }
  async function participantsOf(recipientId: number): Promise<readonly AccountRow[]> {
    const known = conversations.get(recipientId);
    if (known !== undefined) return known;
    const participants: AccountRow[] = [];
    for (const id of await store.listParticipantIds(recipientId))
      participants.push(await getUser(id));
    conversations.set(recipientId, participants);
    return participants;
  }
  let linksOf: ((topic: string) => readonly string[]) | undefined;
  const links = new Map<string, readonly string[]>();
  function linksIn(topic: string, find: (topic: string) => readonly string[]): readonly string[] {
    const found = links.get(topic) ?? find(topic);
    links.set(topic, found);
    return found;
  }

  async function load(row: MessageRow): Promise<MessagePeople> {
    const find = (linksOf ??= await store.read(topicLinks));
    return {
      sender: await getUser(row.sender_id),
      participants: row.stream_id === null ? await participantsOf(row.recipient_id) : nobody,
      subjectLinks: row.topic === null ? [] : linksIn(row.topic, find),
    };
  }

  return (row) => {
    const sender = users.get(row.sender_id);
    const participants = row.stream_id === null ? conversations.get(row.recipient_id) : nobody;
    if (linksOf === undefined || sender === undefined || participants === undefined)
      return load(row);
    return {
      sender,
      participants,
      subjectLinks: row.topic === null ? [] : linksIn(row.topic, linksOf),
    };
  };
}

/** Rows as GET /messages answers them, with the reader's flags (API decisions 5). */
type ShapeRows = (rows: readonly PersonalMessageRow[]) => Promise<readonly Message[]>;

function shaping(store: Store, options: RenderOptions, prove: Prove): ShapeRows {
  const people = peopleOf(store);
  return async (rows) => {
    const edits = await loadEditKeys(store, rows);
    // What others do to a message belongs to those who may read it now.
    const shownIds = rows.filter((row) => row.is_lost === 0).map((row) => row.id);
    const reactions = await loadReactions(store, shownIds);
    const attached = await store.listSubmessages(shownIds);
    const messages: Message[] = [];
    for (const row of rows) {
      const named = people(row);
      // A page has thousands of rows and few people: waiting for what is known would take longer than the rest.
      const shape = messageShape(
        row,
        named instanceof Promise ? await named : named,
        options,
        prove,
      );
      const whole = {
        submessages: [...(attached.get(row.id) ?? [])],
        reactions: reactions.get(row.id) ?? [],
        flags: flagsOf(row),
        ...(options.withSource === true ? { is_held: row.is_held === 1 } : {}),
      };
      messages.push(Object.assign(shape, whole, edits.get(row.id)));
    }
    return messages;
  };
}

/** With what a search has found in them. */
function marking(shape: ShapeRows, { search }: ResolvedNarrow): ShapeRows {
  if (search === null) return shape;
  const highlighter = createHighlighter(search.wanted);
  return async (rows) => {
    const messages = await shape(rows);
    return messages.map((message, index) => {
      const row = rows[index];
      return row === undefined ? message : { ...message, ...matchFields(row, highlighter) };
    });
  };
}

interface Ranked {
  readonly narrow: ResolvedNarrow;
  readonly request: PageRequest;
}

async function rankedPage<T>(
  searching: Pick<SearchOperations, 'page'>,
  encode: EncodeRows<T>,
  { narrow, request }: Ranked,
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
    found_oldest: !ranked.hasOlder && ranked.rows.length <= numBefore,
    found_newest: true,
    history_limited: false,
  };
  return { bounds, pieces: await encodeAll(rows, encode) };
}

/** @throws BAD_REQUEST */
function checkSize({ numBefore, numAfter }: PageRequest): void {
  if (numBefore + numAfter <= MAX_MESSAGES) return;
  throw badRequest(
    `Too many messages requested (limit: ${String(MAX_MESSAGES)} in num_before and num_after together)`,
  );
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
): Promise<Walked<T>> {
  const { search } = narrow;
  if (search === null) {
    const read = (from: number, some: Counts): Promise<Page> =>
      store.pageMessages(narrow, from, some);
    return walkPage({ read }, encode, anchor, counts);
  }
  const page = await searching.page({ selection: narrow, search }, anchor, counts);
  return { ...page, pieces: await encodeAll(page.rows, encode) };
}

export function historyOperations(
  store: Store,
  searching: Pick<SearchOperations, 'findFirstId' | 'page'>,
  prove: Prove,
): HistoryOperations {
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
      const [message] = await shaping(store, options, prove)([row]);
      if (message === undefined) throw new Error(`message ${String(id)} has no shape`);
      return { raw_content: row.content, message };
    },
    async getMessages<T>(caller: Caller, request: PageRequest, put: Encode<T>) {
      checkSize(request);
      const narrow = await resolveNarrow(store, caller, request.narrow, request.reach);
      const shape = marking(shaping(store, request, prove), narrow);
      const encode: EncodeRows<T> = async (rows) => put(await shape(rows));
      if (request.order === 'relevance') return rankedPage(searching, encode, { narrow, request });
      const { anchor, isUnreadMissing } = await anchorOf(request, narrow);
      const counts = { before: request.numBefore, after: isUnreadMissing ? 0 : request.numAfter };
      const page = await walkNarrow({ store, searching }, narrow, encode, [anchor, counts]);
      return {
        bounds: {
          anchor,
          found_anchor: page.hasAnchor,
          found_oldest: anchor === 0 || !page.hasOlder,
          found_newest: anchor >= NEWEST_ANCHOR || !page.hasNewer,
          history_limited: false,
        },
        pieces: page.pieces,
      };
    },
  };
}
