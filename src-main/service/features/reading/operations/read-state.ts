/** What accounts have read, and the flags that they set on messages (API decisions 7.1). */
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { SettableFlag, Store, StreamRow } from '#service/db/port.ts';
import { change, changeInParts } from '#service/core/change.ts';
import { fold } from '#shared/text/fold.ts';
import { canReadHistory, canSeeStream } from '#shared/policies/streams.ts';
import { factsOf } from '#service/core/rules/permissions.ts';

export interface FlagRequest {
  readonly messageIds: readonly number[];
  readonly op: 'add' | 'remove';
  readonly flag: string;
}

export interface ReadStateOperations {
  readonly markAllAsRead: (caller: Caller) => Promise<void>;
  /** @throws BAD_REQUEST when there is no such stream for the caller */
  readonly markStreamAsRead: (caller: Caller, streamId: number) => Promise<void>;
  /** @throws BAD_REQUEST when there is no such stream for the caller, or it holds no message in the topic */
  readonly markTopicAsRead: (caller: Caller, streamId: number, topic: string) => Promise<void>;
  /** @throws BAD_REQUEST for a flag that does not exist or that clients do not set */
  readonly changeFlags: (caller: Caller, request: FlagRequest) => Promise<void>;
}

const settable: readonly SettableFlag[] = ['read', 'starred', 'collapsed'];
const given: readonly string[] = [
  'mentioned',
  'wildcard_mentioned',
  'has_alert_word',
  'historical',
];
/** More would hold up everybody else's writes; each part has an event of its own. */
const AT_ONCE = 5000;

function checkFlag(flag: string): SettableFlag {
  const found = settable.find((each) => each === flag);
  if (found !== undefined) return found;
  const expected = settable.join(', ');
  throw given.includes(flag)
    ? refusal('flag_not_editable', { flag, expected })
    : refusal('flag_invalid', { flag: flag.slice(0, 100), expected });
}

export function readStateOperations(store: Store): ReadStateOperations {
  const maySee =
    (caller: Caller) =>
    (stream: StreamRow, isSubscribed: boolean): boolean =>
      canSeeStream(caller, factsOf(stream), isSubscribed);
  const markPlace = (known: Caller, streamId: number, topicKey: string | null): Promise<void> =>
    changeInParts(store, known, (tx, caller) =>
      tx.markPlaceAsRead({ userId: caller.userId, streamId, topicKey }, maySee(caller)),
    );
  return {
    markAllAsRead: (known) => change(store, known, (tx, { userId }) => tx.markAllAsRead(userId)),
    markStreamAsRead: (caller, streamId) => markPlace(caller, streamId, null),
    markTopicAsRead: (caller, streamId, topic) => markPlace(caller, streamId, fold(topic)),
    async changeFlags(known, { messageIds, op, flag: given }) {
      const flag = checkFlag(given);
      for (let start = 0; start < messageIds.length; start += AT_ONCE) {
        const part = messageIds.slice(start, start + AT_ONCE);
        await change(store, known, (tx, caller) =>
          tx.changeFlags({ userId: caller.userId, op, flag, messageIds: part }, mayRead(caller)),
        );
      }
    },
  };
}

const mayRead =
  (caller: Caller) =>
  (stream: StreamRow, isSubscribed: boolean): boolean =>
    canReadHistory(caller, factsOf(stream), isSubscribed);
