import { ServiceError } from '../../contract/errors.ts';
import type { Audience, LoggedEvent } from '../../contract/log.ts';
import {
  findOne,
  lastEventId,
  list,
  type NewEvent,
  type Operation,
  record,
  run,
} from './operation.ts';
import { type FactName, type Facts, readFacts } from './registration.ts';

export interface QueueRow {
  readonly id: string;
  readonly account_id: number;
  /** JSON of the queue's filters and render options. */
  readonly options: string;
  /** What /register returned; where a fetch without `last_event_id` starts. */
  readonly registered_id: number;
  readonly acknowledged_id: number;
  readonly lifespan_seconds: number;
  /** UNIX seconds. */
  readonly last_seen_at: number;
}

/** Message ids for which an account belonged to a recipient: `from` exclusive, `until` inclusive. */
export interface MembershipRange {
  readonly recipientId: number;
  readonly from: number;
  readonly until: number | null;
}

interface EventRow {
  readonly id: number;
  readonly type: string;
  readonly audience: string;
  readonly payload: string;
}

const LIST_AFTER = `SELECT id, type, audience, payload FROM event
  WHERE id > :afterId ORDER BY id LIMIT :limit`;
const MEASURE = `SELECT COUNT(*) AS events, MAX(id) AS through_id,
    COALESCE(SUM(LENGTH(audience) + LENGTH(payload)), 0) AS bytes
  FROM (SELECT id, audience, payload FROM event
    WHERE id > :afterId AND id <= :throughId ORDER BY id LIMIT :limit)`;
const LIST_QUEUES = 'SELECT * FROM queue';
const RANGES = 'SELECT recipient_id, from_id, until_id FROM membership WHERE account_id = :userId';
const FIND_ACCOUNT = 'SELECT is_active FROM account WHERE id = :userId';
const INSERT_QUEUE = `INSERT INTO queue (id, account_id, options, registered_id, acknowledged_id,
    lifespan_seconds, last_seen_at)
  VALUES (:id, :userId, :options, :lastId, :lastId, :lifespanSeconds, :lastSeenAt)`;
const UPDATE_QUEUE = `UPDATE queue SET acknowledged_id = :acknowledgedId, last_seen_at = :lastSeenAt
  WHERE id = :id`;
const DELETE_QUEUE = 'DELETE FROM queue WHERE id = :id';
const TRIM = `DELETE FROM event WHERE id <= :throughId
  AND id <= (SELECT COALESCE(MIN(acknowledged_id), :throughId) FROM queue)`;

const decode = (row: EventRow): LoggedEvent => ({
  id: row.id,
  type: row.type,
  audience: JSON.parse(row.audience) as Audience,
  payload: JSON.parse(row.payload) as Readonly<Record<string, unknown>>,
});

export const eventReads = {
  /** Events above an id, ascending. */
  *listEventsAfter(afterId: number, limit: number): Operation<readonly LoggedEvent[]> {
    return (yield* list<EventRow>(LIST_AFTER, { afterId, limit })).map(decode);
  },
  /** How many characters the next events above an id take, and where they end; undefined when there are none. */
  *measureEvents(
    afterId: number,
    throughId: number,
    limit: number,
  ): Operation<
    { readonly throughId: number; readonly events: number; readonly bytes: number } | undefined
  > {
    const row = yield* findOne<{ events: number; through_id: number | null; bytes: number }>(
      MEASURE,
      { afterId, throughId, limit },
    );
    if (row === undefined || row.through_id === null) return undefined;
    return { throughId: row.through_id, events: row.events, bytes: row.bytes };
  },
  *listQueues(): Operation<readonly QueueRow[]> {
    return yield* list<QueueRow>(LIST_QUEUES);
  },
  /** All memberships of an account, past ones included. */
  *listMembershipRanges(userId: number): Operation<readonly MembershipRange[]> {
    const rows = yield* list<{ recipient_id: number; from_id: number; until_id: number | null }>(
      RANGES,
      { userId },
    );
    return rows.map((row) => ({
      recipientId: row.recipient_id,
      from: row.from_id,
      until: row.until_id,
    }));
  },
};

/** A queue's first event id and the state that holds just before it. */
export interface Registration {
  readonly lastEventId: number;
  readonly facts: Partial<Facts>;
}

export interface NewQueue {
  readonly id: string;
  readonly userId: number;
  readonly options: string;
  readonly lifespanSeconds: number;
  /** UNIX seconds. */
  readonly lastSeenAt: number;
}

export const eventWrites = {
  /**
   * Registers a queue and reads the state it starts from in one transaction, so that nothing happens between the
   * snapshot and the first event (API decisions, section 9).
   * @throws USER_DEACTIVATED when the account was deactivated since it was looked up
   */
  *registerQueue(
    queue: NewQueue,
    names: readonly FactName[],
    weekAgoSeconds: number,
  ): Operation<Registration> {
    const lastId = yield* lastEventId();
    const { id, userId, options, lifespanSeconds, lastSeenAt } = queue;
    const account = yield* findOne<{ is_active: 0 | 1 }>(FIND_ACCOUNT, { userId });
    if (account?.is_active === 0) {
      throw new ServiceError('USER_DEACTIVATED', 'Account is deactivated');
    }
    yield* run(INSERT_QUEUE, { id, userId, options, lastId, lifespanSeconds, lastSeenAt });
    return { lastEventId: lastId, facts: yield* readFacts(names, { userId, weekAgoSeconds }) };
  },
  /** Saves how far queues were acknowledged and when they were last fetched. */
  *saveCursors(
    cursors: readonly {
      readonly id: string;
      readonly acknowledgedId: number;
      /** UNIX seconds. */
      readonly lastSeenAt: number;
    }[],
  ): Operation<void> {
    for (const cursor of cursors) yield* run(UPDATE_QUEUE, { ...cursor });
  },
  *deleteQueues(ids: readonly string[]): Operation<void> {
    for (const id of ids) yield* run(DELETE_QUEUE, { id });
  },
  /** Deletes events that every queue has acknowledged; answers how many. */
  *trimEvents(throughId: number): Operation<number> {
    return yield* run(TRIM, { throughId });
  },
  *appendEvent(event: NewEvent): Operation<number> {
    return yield* record(event);
  },
};
