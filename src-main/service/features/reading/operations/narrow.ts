/** Narrows resolved by what the store knows of the names in them (API decisions 3). */
import type { Caller } from '#service/core/ports/handlers.ts';
import { badNarrow } from '#shared/search/narrow-terms.ts';
import type { NarrowTerm, HistoryScope } from '#shared/api/narrow.ts';
import {
  type NamedStream,
  type Names,
  type Resolution,
  resolveNarrow as resolve,
} from '#shared/search/narrow.ts';
import type { PageSelection, NarrowPlace, Store, StreamRow } from '#service/db/port.ts';
import { fold } from '#shared/text/fold.ts';
import { listScopedRecipients } from './history-scope.ts';
import { accessTo } from '#service/core/stream-access.ts';

/** What a narrow selects, and what is sought in there; null where it has no `search` term. */
export type ResolvedNarrow = PageSelection & Resolution<NarrowPlace>;

async function isAnythingHeld(store: Store, caller: Caller, stream: StreamRow): Promise<boolean> {
  const condition: NarrowPlace = { kind: 'recipient', recipientId: stream.recipient_id };
  const predicates = [{ condition, isNegated: false }];
  const held = await store.listSelected({ userId: caller.userId, base: 'held', predicates }, 1);
  return held.length > 0;
}

async function findNamedStream(
  store: Store,
  caller: Caller,
  operand: string | number,
): Promise<NamedStream<NarrowPlace> | undefined> {
  const stream =
    typeof operand === 'number'
      ? await store.findStream(operand)
      : await store.findStreamByName(fold(operand));
  if (stream === undefined) return undefined;
  const access = await store.read((tx) => accessTo(tx, caller, stream));
  // What the caller holds stays readable after the stream was left or archived.
  if (access === undefined && !(await isAnythingHeld(store, caller, stream))) return undefined;
  return {
    place: { kind: 'recipient', recipientId: stream.recipient_id },
    isHistoryOpen: access?.isHistoryOpen === true,
  };
}

const namesFor = (store: Store, caller: Caller): Names<NarrowPlace> => ({
  ownUserId: caller.userId,
  isGuest: caller.role === 'guest',
  findStream: (operand) => findNamedStream(store, caller, operand),
  async findUserId(operand) {
    const user =
      typeof operand === 'number'
        ? await store.findUser(operand)
        : await store.findUserByEmail(fold(operand));
    return user?.id;
  },
  async findConversation(key) {
    const recipientId = await store.findConversation(key);
    return recipientId === undefined ? { kind: 'nothing' } : { kind: 'recipient', recipientId };
  },
  listReached: (historyScope) => listScopedRecipients(store, caller, historyScope),
  unknown: badNarrow,
});

/**
 * @param historyScope  of narrows that name no place whose history is open
 * @throws BAD_NARROW
 */
export async function resolveNarrow(
  store: Store,
  caller: Caller,
  terms: readonly NarrowTerm[],
  historyScope: HistoryScope = 'held',
): Promise<ResolvedNarrow> {
  return {
    ...(await resolve(namesFor(store, caller), terms, historyScope)),
    userId: caller.userId,
    hasVisibleRevisions: await store.hasVisibleRevisions(caller.userId),
  };
}
