/** How much is said in each stream, counted by day as it is said: counting messages would have to read them. */
import { list, type Operation, run } from '../operation.ts';

const SECONDS_PER_DAY = 86_400;

const COUNT = `INSERT INTO stream_traffic (day, recipient_id, messages) VALUES (:day, :recipientId, 1)
  ON CONFLICT (day, recipient_id) DO UPDATE SET messages = stream_traffic.messages + 1`;
const SUM = `SELECT recipient_id, SUM(messages) AS messages FROM stream_traffic
  WHERE day > :day GROUP BY recipient_id`;

/** Step: counts a message that is sent to a stream. @param sentAt  UNIX seconds */
export function* countMessage(recipientId: number, sentAt: number): Operation<void> {
  yield* run(COUNT, { day: Math.floor(sentAt / SECONDS_PER_DAY), recipientId });
}

export const trafficReads = {
  /**
   * Messages sent to each stream since a time, by recipient; of the day of that time itself none are counted.
   * @param sinceSeconds  UNIX seconds
   */
  *countMessagesSince(sinceSeconds: number): Operation<ReadonlyMap<number, number>> {
    const day = Math.floor(sinceSeconds / SECONDS_PER_DAY);
    const rows = yield* list<{ recipient_id: number; messages: number }>(SUM, { day });
    return new Map(rows.map((row) => [row.recipient_id, row.messages]));
  },
};
