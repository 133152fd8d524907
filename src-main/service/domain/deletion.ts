/** Deleting messages for good (specification 4, DELETE /messages; API decisions, section 7.1). */
import { badRequest } from '../../contract/errors.ts';
import type { Caller } from '../../contract/handlers.ts';
import type { Predicate, Store } from '../store/port.ts';
import { messageFacts } from './editing.ts';
import { getVisibleMessage, type MessageAccessStore } from './message-access.ts';
import { deleteEvent } from './message-events.ts';
import type { DomainContext } from './ports.ts';
import { fold } from '../../contract/fold.ts';
import { canReadHistory, canSeeStream, factsOf, mayDeleteMessage } from './rules/permissions.ts';
import { realmSettings } from './rules/realm-settings.ts';

export interface DeleteOperations {
  /** @throws BAD_REQUEST when the message may not be seen, or not be deleted by the caller */
  readonly deleteMessage: (caller: Caller, id: number) => Promise<void>;
  /** Deletes what the caller may see of a topic. @throws BAD_REQUEST when that is nothing */
  readonly deleteTopic: (caller: Caller, streamId: number, topic: string) => Promise<void>;
}

type DeletionStore = MessageAccessStore &
  Pick<Store, 'deleteMessages' | 'findRealm' | 'listSelectedIds'>;

export function deleteOperations(store: DeletionStore, context: DomainContext): DeleteOperations {
  return {
    async deleteMessage(caller, id) {
      const row = await getVisibleMessage(store, caller, id);
      const settings = realmSettings(await store.findRealm());
      const may = mayDeleteMessage(
        caller,
        messageFacts(caller, row, context.nowSeconds()),
        settings,
      );
      if (may === 'not-allowed')
        throw badRequest("You don't have permission to delete this message");
      if (may === 'too-late')
        throw badRequest('The time limit for deleting this message has passed');
      await store.deleteMessages([id], deleteEvent);
    },
    async deleteTopic(caller, streamId, topic) {
      const stream = await store.findStream(streamId);
      const isSubscribed =
        stream !== undefined && (await store.isMember(stream.recipient_id, caller.userId));
      if (stream?.is_archived !== 0 || !canSeeStream(caller, factsOf(stream), isSubscribed)) {
        throw badRequest('Invalid stream id');
      }
      const predicates: Predicate[] = [
        { condition: { kind: 'recipient', recipientId: stream.recipient_id }, isNegated: false },
        { condition: { kind: 'topic', topicKey: fold(topic) }, isNegated: false },
      ];
      const base = canReadHistory(caller, factsOf(stream), isSubscribed) ? 'open' : 'held';
      const ids = await store.listSelectedIds({ userId: caller.userId, base, predicates });
      if (ids.length === 0) throw badRequest('There are no messages in this topic');
      await store.deleteMessages(ids, deleteEvent);
    },
  };
}
