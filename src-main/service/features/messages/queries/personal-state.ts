/**
 * What of messages is an account's own, of many at once. One statement with `HELD` and `READ` says the same in 20 lines, and makes
 * a request for 100 messages cost a quarter more processor time.
 */
import { cached, list, type Operation } from '#service/db/operation.ts';
import type { PersonalMessageRow } from './message-rows.ts';

/** What decides it beside the account. */
export interface PlacedRow {
  readonly id: number;
  readonly recipient_id: number;
  readonly topic_id: number | null;
  readonly sender_id: number;
}

export type UserMessageState = Pick<PersonalMessageRow, 'is_held' | 'is_read' | 'flags'>;

const MEMBERSHIPS = `SELECT recipient_id, from_id, until_id FROM membership
  WHERE account_id = :userId AND recipient_id IN (SELECT value FROM json_each(:recipients))`;
const MEMBERSHIPS_OF_PLACE = `SELECT recipient_id, from_id, until_id FROM membership
  WHERE account_id = :userId AND recipient_id = :recipientId`;
/** Of more places than these all are asked at once: each alone costs as much, the first time. */
const FEW_PLACES = 32;
/** Of everything and of whole places. */
const WIDE_MARKS = `SELECT recipient_id, topic_id, through_id FROM read_mark
  WHERE account_id = :userId AND recipient_id IN (SELECT value FROM json_each(:recipients)) AND topic_id = 0`;
/** Topics by their recipients, of which one may be there many times: pairs in a list would each be parsed twice more. */
const TOPIC_MARKS = `SELECT r.recipient_id, r.topic_id, r.through_id FROM json_each(:topics) p
  CROSS JOIN read_mark r ON r.account_id = :userId AND r.recipient_id = p.key AND r.topic_id = p.value`;
/** Whether a message is read whatever is marked, and its flags: one statement costs more than the rows of the other. */
const NOTED = (about: string, before = ''): string =>
  `SELECT ${before} message_id, is_read, NULL AS flag FROM read_exception WHERE account_id = :userId AND ${about}
  UNION ALL SELECT ${before} message_id, NULL, flag FROM message_flag WHERE account_id = :userId AND ${about}`;
const BETWEEN = 'message_id BETWEEN :low AND :high';
const AMONG = 'message_id IN (SELECT value FROM json_each(:ids))';
/** Both of messages of one place, with all marks that are good there. */
const OF_PLACE = `SELECT recipient_id, topic_id, through_id, NULL AS message_id, NULL AS is_read, NULL AS flag
    FROM read_mark WHERE account_id = :userId AND recipient_id IN (0, :recipientId)
  UNION ALL ${NOTED(BETWEEN, 'NULL, NULL, NULL,')} LIMIT :limit`;
const HIDDEN = (about: string): string =>
  `SELECT message_id FROM kept_version WHERE account_id = :userId AND edit_id IS NULL AND ${about}`;

/** Of `BETWEEN`; many more rows than there are messages are not read for them. */
const stretchOf = (ids: readonly number[]) => ({
  low: Math.min(...ids),
  high: Math.max(...ids),
  limit: 100 + 2 * ids.length,
});

interface OfMessage {
  readonly message_id: number;
}

interface NotedRow extends OfMessage {
  readonly is_read: 0 | 1 | null;
  readonly flag: string | null;
}

/**
 * Step: rows of the account about some messages, among others. What is between the first and the last of them is read at once
 * where that is little, as nearly always.
 */
function* listAbout<Row extends OfMessage>(
  sqlOf: (about: string) => string,
  userId: number,
  ids: readonly number[],
): Operation<readonly Row[]> {
  const stretch = stretchOf(ids);
  const near = yield* list<Row>(`${sqlOf(BETWEEN)} LIMIT :limit`, { userId, ...stretch });
  if (near.length < stretch.limit) return near;
  return yield* list<Row>(sqlOf(AMONG), { userId, ids: JSON.stringify(ids) });
}

interface Membership {
  readonly recipient_id: number;
  readonly from_id: number;
  readonly until_id: number | null;
}

type IsHeld = (row: PlacedRow) => boolean;

/** Step: of the account in some places. */
function* membershipsIn(
  userId: number,
  places: ReadonlySet<number>,
): Operation<readonly Membership[]> {
  if (places.size > FEW_PLACES)
    return yield* list<Membership>(MEMBERSHIPS, {
      userId,
      recipients: JSON.stringify([...places]),
    });
  const memberships: Membership[] = [];
  for (const recipientId of places) {
    const key = `memberships ${String(userId)} ${String(recipientId)}`;
    const here = yield* cached('directory', key, () =>
      list<Membership>(MEMBERSHIPS_OF_PLACE, { userId, recipientId }),
    );
    memberships.push(...(here ?? []));
  }
  return memberships;
}

/** Step: whether the account was there when it came (architecture 5), as `HELD` says it in SQL. */
function* holding(
  userId: number,
  ids: readonly number[],
  places: ReadonlySet<number>,
): Operation<IsHeld> {
  const memberships = yield* membershipsIn(userId, places);
  const hasEnded = memberships.some((each) => each.until_id !== null);
  const hidden = hasEnded ? yield* listAbout<OfMessage>(HIDDEN, userId, ids) : [];
  const hiddenIds = new Set(hidden.map((each) => each.message_id));
  return ({ id, recipient_id: recipientId }) =>
    memberships.some(
      (each) =>
        each.recipient_id === recipientId &&
        each.from_id < id &&
        (each.until_id === null || (id <= each.until_id && !hiddenIds.has(id))),
    );
}

type ThroughId = (row: PlacedRow) => number;

interface Mark {
  readonly recipient_id: number;
  readonly topic_id: number;
  readonly through_id: number;
}

/** What some marks tell of each message: a mark of a whole place, or of everything, has no topic. */
function throughOf(marks: readonly Mark[]): ThroughId {
  const wide = new Map<number, number>();
  const narrow = new Map<number, number>();
  for (const mark of marks) {
    if (mark.topic_id === 0) wide.set(mark.recipient_id, mark.through_id);
    else narrow.set(mark.topic_id, mark.through_id);
  }
  const everywhere = wide.get(0) ?? 0;
  return ({ recipient_id: recipientId, topic_id: topicId }) =>
    Math.max(everywhere, wide.get(recipientId) ?? 0, narrow.get(topicId ?? 0) ?? 0);
}

/** Step: through which message the account has read where a message stands, as `MARKED_READ` says it in SQL. */
function* marking(
  userId: number,
  rows: readonly PlacedRow[],
  places: ReadonlySet<number>,
): Operation<ThroughId> {
  const recipients = JSON.stringify([0, ...places]);
  const wide = yield* list<Mark>(WIDE_MARKS, { userId, recipients });
  const wideThrough = throughOf(wide);
  const topics = new Map<number, number>();
  for (const row of rows) {
    if (row.topic_id !== null && wideThrough(row) < row.id) {
      topics.set(row.topic_id, row.recipient_id);
    }
  }
  if (topics.size === 0) return wideThrough;
  const pairs = Array.from(topics, ([topic, recipient]) => `"${recipient}":${topic}`);
  const narrow = yield* list<Mark>(TOPIC_MARKS, { userId, topics: `{${pairs.join(',')}}` });
  return throughOf([...wide, ...narrow]);
}

interface PlaceState {
  readonly marks: readonly Mark[];
  readonly noted: readonly NotedRow[];
}

type RowOfPlace =
  | (Mark & { readonly [K in keyof NotedRow]: null })
  | (NotedRow & { readonly [K in keyof Mark]: null });

const isMark = (row: RowOfPlace): row is Extract<RowOfPlace, Mark> => row.through_id !== null;

/** Step: what tells of messages of one place, in one read; undefined where that is much more than there are messages. */
function* nearbyIn(
  userId: number,
  recipientId: number,
  ids: readonly number[],
): Operation<PlaceState | undefined> {
  const stretch = stretchOf(ids);
  const rows = yield* list<RowOfPlace>(OF_PLACE, { userId, recipientId, ...stretch });
  if (rows.length >= stretch.limit) return undefined;
  const marks: Mark[] = [];
  const noted: NotedRow[] = [];
  for (const row of rows) {
    if (isMark(row)) marks.push(row);
    else noted.push(row);
  }
  return { marks, noted };
}

/** Step: what is the account's own of each of some messages, where they stand now. */
export function* userMessageStateOf(
  userId: number,
  rows: readonly PlacedRow[],
): Operation<(row: PlacedRow) => UserMessageState> {
  const ids = rows.map(({ id }) => id);
  const places = new Set(rows.map((row) => row.recipient_id));
  const isMember = yield* holding(userId, ids, places);
  const [place = 0] = places;
  const nearby = places.size === 1 ? yield* nearbyIn(userId, place, ids) : undefined;
  const readThrough =
    nearby === undefined ? yield* marking(userId, rows, places) : throughOf(nearby.marks);
  const noted = nearby?.noted ?? (yield* listAbout<NotedRow>(NOTED, userId, ids));
  const exceptions = new Map<number, 0 | 1>();
  const flags = new Map<number, string>();
  const historical = new Set<number>();
  for (const { message_id: id, is_read: isRead, flag } of noted) {
    if (isRead !== null) exceptions.set(id, isRead);
    if (flag === null) continue;
    const others = flags.get(id);
    flags.set(id, others === undefined ? flag : `${others} ${flag}`);
    if (flag === 'historical') historical.add(id);
  }
  return (row) => {
    const { id } = row;
    const isHeld = isMember(row);
    const exception = exceptions.get(id);
    const isMarked = row.sender_id === userId || readThrough(row) >= id;
    const isRead = (exception === undefined ? isMarked : exception === 1) || !isHeld;
    return {
      is_held: isHeld || historical.has(id) ? 1 : 0,
      is_read: isRead ? 1 : 0,
      flags: flags.get(id) ?? null,
    };
  };
}
