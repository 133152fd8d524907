/** Reading message history (specification 4, GET /messages; API decisions, section 4). */
import { type Anchor, NEWEST_ANCHOR } from '../../contract/codecs.ts';
import { badRequest, variableMissing } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Message } from '../../contract/models/message.ts';
import type { NarrowTerm } from '../../contract/narrow.ts';
import { subjectLinks } from '../markdown/render.ts';
import type { AccountRow, MessageRow, PageSelection, Store } from '../store/port.ts';
import { type NarrowStore, resolveNarrow } from './narrow.ts';
import { flagsOf, type MessagePeople, messageShape, type RenderOptions } from './rules/shapes.ts';

const MAX_MESSAGES = 5000;

export interface PageRequest extends RenderOptions {
  readonly anchor: Anchor | undefined;
  readonly useFirstUnreadAnchor: boolean;
  readonly numBefore: number;
  readonly numAfter: number;
  readonly narrow: readonly NarrowTerm[];
}

export interface MessagePage {
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: false;
  readonly messages: Message[];
}

/** Answers who a message names, remembering what it has looked up. */
export type PeopleOf = (row: MessageRow) => Promise<MessagePeople>;

export interface HistoryOperations {
  /** @throws BAD_NARROW, BAD_REQUEST, REQUEST_VARIABLE_MISSING */
  readonly getMessages: (caller: Caller, request: PageRequest) => Promise<MessagePage>;
}

type HistoryStore = NarrowStore &
  Pick<Store, 'findFirstId' | 'findUser' | 'listParticipantIds' | 'pageMessages'>;

export function peopleOf(store: Pick<Store, 'findUser' | 'listParticipantIds'>): PeopleOf {
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
  return async (row) => ({
    sender: await getUser(row.sender_id),
    participants: row.stream_id === null ? await participantsOf(row.recipient_id) : [],
    subjectLinks: row.topic === null ? [] : subjectLinks(row.topic),
  });
}

/** Muted topics are skipped, muted streams only where the narrow names no stream. */
const firstUnread = (selection: PageSelection, narrow: readonly NarrowTerm[]): PageSelection => {
  const namesStream = narrow.some(
    (term) => term.negated !== true && /^(stream|channel)$/i.test(term.operator),
  );
  return {
    ...selection,
    base: 'held',
    predicates: [
      ...selection.predicates,
      { condition: { kind: 'unread' }, isNegated: false },
      { condition: { kind: namesStream ? 'unmuted-topics' : 'home' }, isNegated: false },
    ],
  };
};

export function historyOperations(store: HistoryStore): HistoryOperations {
  async function anchorOf(
    request: PageRequest,
    selection: PageSelection,
  ): Promise<{ anchor: number; isUnreadMissing: boolean }> {
    if (request.useFirstUnreadAnchor || request.anchor === 'first_unread') {
      const id = await store.findFirstId(firstUnread(selection, request.narrow));
      return { anchor: id ?? NEWEST_ANCHOR, isUnreadMissing: id === undefined };
    }
    if (request.anchor === undefined) throw variableMissing('anchor');
    return { anchor: request.anchor, isUnreadMissing: false };
  }

  return {
    async getMessages(caller, request) {
      if (request.numBefore + request.numAfter > MAX_MESSAGES) {
        throw badRequest(
          `Too many messages requested (limit: ${String(MAX_MESSAGES)} in num_before and num_after together)`,
        );
      }
      const selection = await resolveNarrow(store, caller, request.narrow);
      const { anchor, isUnreadMissing } = await anchorOf(request, selection);
      const after = isUnreadMissing ? 0 : request.numAfter;
      const page = await store.pageMessages(selection, anchor, {
        before: request.numBefore,
        after,
      });
      const people = peopleOf(store);
      const messages: Message[] = [];
      for (const row of page.rows) {
        const shape = messageShape(row, await people(row), request);
        messages.push({ ...shape, flags: flagsOf(row) });
      }
      return {
        anchor,
        found_anchor: page.hasAnchor,
        found_oldest: anchor === 0 || !page.hasOlder,
        found_newest: anchor >= NEWEST_ANCHOR || !page.hasNewer,
        history_limited: false,
        messages,
      };
    },
  };
}
