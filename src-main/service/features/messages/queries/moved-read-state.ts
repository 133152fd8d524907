/**
 * Read state of messages that go to another topic or stream (architecture 5): for everybody who holds a message afterwards it
 * stays read or unread as it was. What the marks of an account say of all of them is one comparison, so that only what they say
 * wrongly in the new place becomes an exception; a topic without messages gets other marks instead.
 */
import { list, type Operation, run } from '#service/db/operation.ts';
import { type HeldParts, partsOf } from './move-holders.ts';
import { runOver } from './move-slices.ts';
import { ahead, behind, common, indexAbove, lengthOf, type Stretch, without } from './id-ranges.ts';

/** Messages of one topic, and where they are about to go. */
export interface MovePlaces {
  readonly recipientId: number;
  readonly topicId: number;
  readonly toRecipientId: number;
  readonly toTopicId: number;
  /** Of the moved messages, ascending; never empty. */
  readonly ids: readonly number[];
  /** Whether no message stands in the new topic yet. */
  readonly isNewTopic: boolean;
}

/** Through which message an account has read. */
export interface ReadThrough {
  /** In the place where the messages are. */
  readonly here: number;
  /** In all of the stream to which they go. */
  readonly thereInStream: number;
  /** In the topic to which they go, by a mark of its own. */
  readonly thereInTopic: number;
}

interface MarkRow {
  readonly account_id: number;
  readonly recipient_id: number;
  readonly topic_id: number;
  readonly through_id: number;
}

const nowhere: ReadThrough = { here: 0, thereInStream: 0, thereInTopic: 0 };

const MARKS = `SELECT account_id, recipient_id, topic_id, through_id FROM read_mark
  WHERE (recipient_id = 0 AND topic_id = 0)
    OR (recipient_id = :recipientId AND topic_id IN (0, :topicId))
    OR (recipient_id = :toRecipientId AND topic_id IN (0, :toTopicId))`;
const FORGET_MARKS =
  'DELETE FROM read_mark WHERE recipient_id = :toRecipientId AND topic_id = :toTopicId';
const COPY_MARKS = `INSERT INTO read_mark (account_id, recipient_id, topic_id, through_id)
  SELECT account_id, recipient_id, :toTopicId, through_id FROM read_mark
  WHERE recipient_id = :toRecipientId AND topic_id = :topicId`;
const PUT_MARK = `INSERT INTO read_mark (account_id, recipient_id, topic_id, through_id)
  VALUES (:userId, :toRecipientId, :toTopicId, :throughId)`;
/** What the account wrote itself is read anyway; an exception that is there says already what is right. */
const EXCEPT = `INSERT INTO read_exception (account_id, message_id, is_read)
  SELECT :userId, m.id, :isRead FROM message m
  WHERE m.topic_id = :topicId AND m.id >= :firstId AND m.id <= :lastId AND m.sender_id <> :userId
  ON CONFLICT DO NOTHING`;

/** Step: by account; whoever has no mark in any of the places is left out. */
export function* readThrough(places: MovePlaces): Operation<ReadonlyMap<number, ReadThrough>> {
  const { recipientId, topicId, toRecipientId, toTopicId } = places;
  const marks = yield* list<MarkRow>(MARKS, { recipientId, topicId, toRecipientId, toTopicId });
  const through = new Map<number, ReadThrough>();
  for (const { account_id: accountId, through_id: id, ...at } of marks) {
    const { here, thereInStream, thereInTopic } = through.get(accountId) ?? nowhere;
    const isOf = (recipient: number, topic: number): boolean =>
      at.recipient_id === recipient && (at.topic_id === topic || at.topic_id === 0);
    const isHere = at.recipient_id === 0 || isOf(recipientId, topicId);
    const isTopicThere = at.recipient_id === toRecipientId && at.topic_id === toTopicId;
    const isStreamThere = at.recipient_id === 0 || isOf(toRecipientId, 0);
    through.set(accountId, {
      here: isHere ? Math.max(here, id) : here,
      thereInStream: isStreamThere ? Math.max(thereInStream, id) : thereInStream,
      thereInTopic: isTopicThere ? id : thereInTopic,
    });
  }
  return through;
}

function* except(
  { ids, topicId }: MovePlaces,
  userId: number,
  { stretches, isRead }: { readonly stretches: readonly Stretch[]; readonly isRead: 0 | 1 },
): Operation<void> {
  yield* runOver(ids, stretches, [{ sql: EXCEPT, values: { userId, isRead, topicId } }]);
}

/** Step, before a move inside a stream. */
export function* keepInStream(places: MovePlaces, held: HeldParts): Operation<void> {
  const { toRecipientId, toTopicId, topicId, ids, isNewTopic } = places;
  if (toTopicId === topicId) return;
  if (isNewTopic) {
    yield* run(FORGET_MARKS, { toRecipientId, toTopicId });
    yield* run(COPY_MARKS, { toRecipientId, toTopicId, topicId });
    return;
  }
  for (const [userId, { here, thereInStream, thereInTopic }] of yield* readThrough(places)) {
    const there = Math.max(thereInStream, thereInTopic);
    const own = partsOf(held, userId);
    const [low, high] = [Math.min(here, there), Math.max(here, there)];
    const between = ahead(behind(own, indexAbove(ids, low)), indexAbove(ids, high));
    yield* except(places, userId, { stretches: between, isRead: here > there ? 1 : 0 });
  }
}

/** Of messages that come to where the account holds them. */
interface ArrivedMessages {
  readonly read: readonly Stretch[];
  readonly unread: readonly Stretch[];
}

/** How many exceptions a mark leaves. */
const exceptionsOf = (
  ids: readonly number[],
  { read, unread }: ArrivedMessages,
  through: number,
): number =>
  lengthOf(behind(read, indexAbove(ids, through))) +
  lengthOf(ahead(unread, indexAbove(ids, through)));

/** The mark of a topic without messages that leaves the fewest exceptions; 0 for none. */
function bestMark(ids: readonly number[], arrival: ArrivedMessages, inStream: number): number {
  const beforeUnread = ids[(arrival.unread[0]?.[0] ?? ids.length) - 1] ?? 0;
  const costOf = (mark: number): number => exceptionsOf(ids, arrival, Math.max(mark, inStream));
  return [0, beforeUnread, ids.at(-1) ?? 0].reduce((best, mark) =>
    costOf(mark) < costOf(best) ? mark : best,
  );
}

/**
 * Step, before a move to another stream. To whom a message is new it is old news, like all history.
 * @param known  what each account held and was shown
 * @param held  what each account will hold and be shown
 */
export function* keepBetweenStreams(
  places: MovePlaces,
  { known, held }: { readonly known: HeldParts; readonly held: HeldParts },
  through: ReadonlyMap<number, ReadThrough>,
): Operation<void> {
  const { toRecipientId, toTopicId, ids, isNewTopic } = places;
  if (isNewTopic) yield* run(FORGET_MARKS, { toRecipientId, toTopicId });
  for (const [userId, own] of held) {
    const { here, thereInStream, thereInTopic } = through.get(userId) ?? nowhere;
    const unread = behind(common(own, partsOf(known, userId)), indexAbove(ids, here));
    const arrival = { unread, read: without(own, unread) };
    const mark = isNewTopic ? bestMark(ids, arrival, thereInStream) : thereInTopic;
    if (isNewTopic && mark > thereInStream) {
      yield* run(PUT_MARK, { userId, toRecipientId, toTopicId, throughId: mark });
    }
    const position = indexAbove(ids, Math.max(thereInStream, mark));
    yield* except(places, userId, { stretches: ahead(unread, position), isRead: 0 });
    yield* except(places, userId, { stretches: behind(arrival.read, position), isRead: 1 });
  }
}
