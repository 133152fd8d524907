/** Deleting messages for good (specification 4, DELETE /messages; API decisions 7.1). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller, CallerActionSource } from '#service/core/ports/handlers.ts';
import type { Operation, PageSelection, Predicate, Reading, Store } from '#service/db/port.ts';
import { change, type Change } from '#service/core/change.ts';
import { messageFacts } from './edit-and-move.ts';
import { getActableMessage } from './message-access.ts';
import { deleteRecords } from './message-events.ts';
import { yieldToOthers } from '#service/core/yield-thread.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import { auditEntryMaker } from '#service/features/organization/rules/audit.ts';
import { fold } from '#shared/text/fold.ts';
import { mayDeleteMessage } from '#shared/policies/messages.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { uploadPlace } from '#service/features/files/operations/file-paths.ts';
import { getVisibleStream } from '#service/core/stream-access.ts';

export interface DeleteOperations {
  /** @throws BAD_REQUEST when the message may not be seen, or not be deleted by the caller */
  readonly deleteMessage: (source: CallerActionSource, id: number) => Promise<void>;
  /**
   * Deletes what the caller may see of a topic, some hundred messages at a time: what is gone stays gone if the service ends
   * before the last of them. @throws BAD_REQUEST when that is nothing
   */
  readonly deleteTopic: (
    source: CallerActionSource,
    streamId: number,
    topic: string,
  ) => Promise<void>;
}

/** @throws BAD_REQUEST when the caller may not see it, or not delete it */
function* checkDeletable(
  tx: Reading,
  caller: Caller,
  id: number,
  nowSeconds: number,
): Operation<void> {
  const row = yield* getActableMessage(tx, caller, id);
  const settings = realmSettings(yield* tx.findRealm());
  const may = mayDeleteMessage(caller, messageFacts(caller, row, nowSeconds), settings);
  if (may === 'not-allowed') throw refusal('delete_not_allowed');
  if (may === 'too-late') throw refusal('delete_limit_passed');
}

/** How many messages of a topic are deleted in one transaction, between which others have theirs. */
const AT_ONCE = 200;
const LISTED_AT_ONCE = 4000;

/** What the caller may see of a topic; undefined for nothing, because they may not act there. */
function* deletableOf(
  tx: Reading,
  caller: Caller,
  streamId: number,
  topic: string,
): Operation<PageSelection | undefined> {
  const { stream, isSubscribed, isHistoryOpen } = yield* getVisibleStream(tx, caller, streamId);
  const predicates: Predicate[] = [
    { condition: { kind: 'recipient', recipientId: stream.recipient_id }, isNegated: false },
    { condition: { kind: 'topic', topicKey: fold(topic) }, isNegated: false },
  ];
  const base = isHistoryOpen ? 'open' : 'held';
  const mayAct = isSubscribed || stream.is_private === 0;
  return mayAct ? { userId: caller.userId, base, predicates } : undefined;
}

/** In slices that are told and noted together: those of one author, whose entry in the audit log names them. */
async function slicesOf(
  store: Store,
  caller: Caller,
  find: (tx: Reading, caller: Caller) => Operation<PageSelection | undefined>,
): Promise<readonly (readonly number[])[]> {
  const rows: { readonly id: number; readonly sender_id: number }[] = [];
  for (let isMore = true; isMore;) {
    const some = await store.read(function* (tx) {
      const selection = yield* find(tx, caller);
      const after = rows.at(-1)?.id ?? 0;
      return selection === undefined
        ? []
        : yield* tx.listSelectedSenders(selection, after, LISTED_AT_ONCE);
    });
    rows.push(...some);
    isMore = some.length === LISTED_AT_ONCE;
    if (isMore) await yieldToOthers();
  }
  const ids = rows.toSorted((a, b) => a.sender_id - b.sender_id || a.id - b.id);
  return Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, index) =>
    ids.slice(index * AT_ONCE, (index + 1) * AT_ONCE).map(({ id }) => id),
  );
}

export function deleteOperations(store: Store, context: DomainContext): DeleteOperations {
  /** @param find  ids of what is to be deleted. Answers whether anything was */
  async function deleteAll(
    source: CallerActionSource,
    find: Change<readonly number[]>,
  ): Promise<boolean> {
    const { filePaths, deleted } = await change(store, source.caller, function* (tx, caller) {
      const ids = yield* find(tx, caller);
      if (ids.length === 0) return { filePaths: [], deleted: [] };
      const done = yield* tx.deleteMessages(ids);
      const note = auditEntryMaker(context, source);
      yield* tx.recordAll(deleteRecords(done.deleted, source.caller.userId, note));
      return done;
    });
    for (const path of filePaths) await context.files.remove(uploadPlace(path));
    return deleted.length > 0;
  }
  return {
    async deleteMessage(source, id) {
      await deleteAll(source, function* (tx, caller) {
        yield* checkDeletable(tx, caller, id, context.nowSeconds());
        return [id];
      });
    },
    async deleteTopic(source, streamId, topic) {
      const find = (tx: Reading, caller: Caller) => deletableOf(tx, caller, streamId, topic);
      let isAnyDeleted = false;
      for (const slice of await slicesOf(store, source.caller, find)) {
        const isDeleted = await deleteAll(source, function* (tx, caller) {
          const selection = yield* find(tx, caller);
          return selection === undefined ? [] : yield* tx.listSelectedOf(selection, slice);
        });
        isAnyDeleted ||= isDeleted;
      }
      if (!isAnyDeleted) throw refusal('topic_without_messages');
    },
  };
}
