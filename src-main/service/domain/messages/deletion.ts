/** Deleting messages for good (specification 4, DELETE /messages; API decisions 7.1). */
import { badRequest } from '../../../contract/errors.ts';
import type { Caller, CallerDeed } from '../../ports/handlers.ts';
import type { Operation, Predicate, Reading, Store } from '../../store/port.ts';
import { change, type Change } from '../change.ts';
import { messageFacts } from './edit-and-move.ts';
import { getActableMessage } from './message-access.ts';
import { deleteRecords } from './message-events.ts';
import type { DomainContext } from '../ports.ts';
import { noting } from '../rules/audit.ts';
import { fold } from '../../../contract/fold.ts';
import { mayDeleteMessage } from '../rules/permissions.ts';
import { realmSettings } from '../rules/realm-settings.ts';
import { uploadPlace } from '../files/places.ts';
import { getVisibleStream } from '../stream-access.ts';

export interface DeleteOperations {
  /** @throws BAD_REQUEST when the message may not be seen, or not be deleted by the caller */
  readonly deleteMessage: (deed: CallerDeed, id: number) => Promise<void>;
  /** Deletes what the caller may see of a topic. @throws BAD_REQUEST when that is nothing */
  readonly deleteTopic: (deed: CallerDeed, streamId: number, topic: string) => Promise<void>;
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
  if (may === 'not-allowed') throw badRequest("You don't have permission to delete this message");
  if (may === 'too-late') throw badRequest('The time limit for deleting this message has passed');
}

/** What the caller may see of a topic. @throws BAD_REQUEST when that is nothing */
function* listDeletable(
  tx: Reading,
  caller: Caller,
  streamId: number,
  topic: string,
): Operation<readonly number[]> {
  const { stream, isSubscribed, isHistoryOpen } = yield* getVisibleStream(tx, caller, streamId);
  const predicates: Predicate[] = [
    { condition: { kind: 'recipient', recipientId: stream.recipient_id }, isNegated: false },
    { condition: { kind: 'topic', topicKey: fold(topic) }, isNegated: false },
  ];
  const base = isHistoryOpen ? 'open' : 'held';
  const mayAct = isSubscribed || stream.is_private === 0;
  const ids = mayAct ? yield* tx.listSelectedIds({ userId: caller.userId, base, predicates }) : [];
  if (ids.length === 0) throw badRequest('There are no messages in this topic');
  return ids;
}

export function deleteOperations(store: Store, context: DomainContext): DeleteOperations {
  /** @param find  ids of what is to be deleted */
  async function deleteAll(deed: CallerDeed, find: Change<readonly number[]>): Promise<void> {
    const filePaths = await change(store, deed.caller, function* (tx, caller) {
      const done = yield* tx.deleteMessages(yield* find(tx, caller));
      const note = noting(context, deed);
      yield* tx.recordAll(deleteRecords(done.deleted, deed.caller.userId, note));
      return done.filePaths;
    });
    for (const path of filePaths) await context.files.remove(uploadPlace(path));
  }
  return {
    deleteMessage: (deed, id) =>
      deleteAll(deed, function* (tx, caller) {
        yield* checkDeletable(tx, caller, id, context.nowSeconds());
        return [id];
      }),
    deleteTopic: (deed, streamId, topic) =>
      deleteAll(deed, (tx, caller) => listDeletable(tx, caller, streamId, topic)),
  };
}
