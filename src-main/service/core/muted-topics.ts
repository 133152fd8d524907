import type { Operation, Transaction } from '../db/port.ts';

/** Step: tells an account all its muted topics. */
export function* announceMuted(tx: Transaction, userId: number): Operation<void> {
  const rows = yield* tx.listMutedTopics(userId);
  yield* tx.record({
    type: 'muted_topics',
    audience: { kind: 'users', userIds: [userId] },
    payload: { muted_topics: rows.map((row) => [row.stream_name, row.topic]) },
  });
}
