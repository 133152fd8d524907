/**
 * How much is said in each stream, by day: counting all messages when somebody asks would have to read them. Those that were
 * sent lately are counted then; the others have been, many at a time, because a count for each message is a page more to write.
 */
import { list, type Operation, run } from '#service/db/operation.ts';

const SECONDS_PER_DAY = 86_400;
/** So many messages, or a few more where ids were skipped, are counted when somebody asks. */
const MESSAGES_TOGETHER = 64;

const SENT_DAY = `sent_at / ${String(SECONDS_PER_DAY)}`;
const NOT_COUNTED = 'id > (SELECT through_id FROM traffic_counted) AND topic_id IS NOT NULL';
const ADD =
  'ON CONFLICT (day, recipient_id) DO UPDATE SET messages = stream_traffic.messages + excluded.messages';
const COUNT = `INSERT INTO stream_traffic (day, recipient_id, messages)
  SELECT ${SENT_DAY}, recipient_id, COUNT(*) FROM message WHERE ${NOT_COUNTED} GROUP BY 1, 2 ${ADD}`;
const SET_COUNTED = 'UPDATE traffic_counted SET through_id = (SELECT id FROM newest_message)';
const COUNT_PUT_BACK = `INSERT INTO stream_traffic (day, recipient_id, messages)
  SELECT :day, :recipientId, 1 FROM traffic_counted WHERE :id <= through_id ${ADD}`;
const SUM = `SELECT recipient_id, SUM(messages) AS messages FROM (
    SELECT recipient_id, messages FROM stream_traffic WHERE day > :day
    UNION ALL
    SELECT recipient_id, 1 FROM message WHERE ${NOT_COUNTED} AND ${SENT_DAY} > :day
  ) GROUP BY recipient_id`;

const dayOf = (seconds: number): number => Math.floor(seconds / SECONDS_PER_DAY);

/** Step: counts what was sent. Whatever is moved or deleted counts where and when it was sent, so it has to be counted before. */
export function* countSent(): Operation<void> {
  yield* run(COUNT);
  yield* run(SET_COUNTED);
}

/** Step: counts what was sent, once for many messages. @param newestId  the message that was just stored */
export function* countAtTimes(newestId: number): Operation<void> {
  if (newestId % MESSAGES_TOGETHER === 0) yield* countSent();
}

/** Step: counts a message that was put back, unless it will be with those that were sent lately. */
export function* countPutBack(message: {
  readonly id: number;
  readonly recipientId: number;
  /** UNIX seconds. */
  readonly sentAt: number;
}): Operation<void> {
  const { id, recipientId, sentAt } = message;
  yield* run(COUNT_PUT_BACK, { id, recipientId, day: dayOf(sentAt) });
}

export const trafficReads = {
  /**
   * Messages sent to each stream since a time, by recipient; of the day of that time itself none are counted.
   * @param sinceSeconds  UNIX seconds
   */
  *countMessagesSince(sinceSeconds: number): Operation<ReadonlyMap<number, number>> {
    const rows = yield* list<{ recipient_id: number; messages: number }>(SUM, {
      day: dayOf(sinceSeconds),
    });
    return new Map(rows.map((row) => [row.recipient_id, row.messages]));
  },
};
