import { accountDeactivated } from '#shared/api/errors.ts';
import type { Audience, LoggedEvent } from '#service/db/event-log.ts';
import {
  findOne,
  lastEventId,
  list,
  type NewEvent,
  type Operation,
  record,
  run,
} from '#service/db/operation.ts';
import { type FactName, type Facts, readFacts } from './registration.ts';

export interface QueueRow {
  readonly id: string;
  readonly account_id: number;
  /** The account itself, or the owner of the bot. */
  readonly owner_id: number;
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
const LIST_QUEUES = `SELECT q.*, COALESCE(a.owner_id, a.id) AS owner_id
  FROM queue q JOIN account a ON a.id = q.account_id`;
const RANGES = 'SELECT recipient_id, from_id, until_id FROM membership WHERE account_id = :userId';
const FIND_ACCOUNT = 'SELECT is_active FROM account WHERE id = :userId';
const INSERT_QUEUE = `INSERT INTO queue (id, account_id, options, registered_id, acknowledged_id,
    lifespan_seconds, last_seen_at)
  VALUES (:id, :userId, :options, :lastEventId, :lastEventId, :lifespanSeconds, :lastSeenAt)`;
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
  /**
   * The state that a queue starts from, and the newest event that is in it: what comes after that is an event of the queue,
   * and nothing happens in between (API decisions 9).
   */
  *readRegistration(
    userId: number,
    names: readonly FactName[],
    weekAgoSeconds: number,
  ): Operation<Registration> {
    const facts = yield* readFacts(names, { userId, weekAgoSeconds });
    return { lastEventId: yield* lastEventId(), facts };
  },
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

/** The newest event that a queue is not told, and the state in which it is included. */
export interface Registration {
  readonly lastEventId: number;
  readonly facts: Partial<Facts>;
}

export interface NewQueue {
  readonly id: string;
  readonly userId: number;
  readonly options: string;
  readonly lastEventId: number;
  readonly lifespanSeconds: number;
  /** UNIX seconds. */
  readonly lastSeenAt: number;
}

export const eventWrites = {
  /**
   * Registers a queue that begins after an event.
   * @throws USER_DEACTIVATED when the account was deactivated since it was looked up
   */
  *registerQueue(queue: NewQueue): Operation<void> {
    const account = yield* findOne<{ is_active: 0 | 1 }>(FIND_ACCOUNT, { userId: queue.userId });
    if (account?.is_active === 0) {
      throw accountDeactivated();
    }
    yield* run(INSERT_QUEUE, { ...queue });
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
