/**
 * An operation is one atomic unit of work, written once as a generator of statements. An engine that is
 * synchronous runs it in one go inside a savepoint; one that is not awaits each step.
 */
import type { AuditDetails, AuditType } from '#shared/api/models/audit.ts';
import type { Event } from '#shared/api/events.ts';
import type { Audience } from './event-log.ts';

export type Value = string | number | null;
export type Values = Readonly<Record<string, Value>>;

type Frozen<T> = { readonly [K in keyof T]: Frozen<T[K]> };

/** Stands where a bot's key goes, which is derived from it when the event is delivered: no key is ever stored. */
type KeyAsGeneration<B> = 'api_key' extends keyof B ? Omit<B, 'api_key'> & { api_key?: number } : B;

/** What is stored of an event: its keys in the API beside `id` and `type`, but for what delivery fills in. */
type Stored<E> = E extends { type: 'message' }
  ? { readonly message_id: number; readonly echo: unknown; readonly has_deliveries?: boolean }
  : E extends { type: 'update_message' }
    ? Frozen<Omit<E, 'id' | 'type' | 'flags'>>
    : E extends { type: 'realm_bot'; op: infer Op; bot: infer B }
      ? { readonly op: Op; readonly bot: Frozen<KeyAsGeneration<B>> }
      : Frozen<Omit<E, 'id' | 'type'>>;

type StoredEvents = {
  [T in Event['type']]: Event extends infer E ? (E extends { type: T } ? Stored<E> : never) : never;
};

type WithOp<P, Op> = P extends { readonly op: infer O } ? (Op extends O ? P : never) : never;

/** The payloads of a type of event; of those with an `op`, where it is given, of that one. */
export type PayloadOf<T extends Event['type'], Op = unknown> = unknown extends Op
  ? StoredEvents[T]
  : WithOp<StoredEvents[T], Op>;

/** An event as an operation appends it to the log (architecture 4): a payload of another type does not compile. */
export type NewEvent = {
  [T in Event['type']]: {
    readonly type: T;
    readonly audience: Audience;
    readonly payload: StoredEvents[T];
    /** Handed to those who are told of the commit, so that they need not read it again. */
    readonly attached?: unknown;
  };
}[Event['type']];

/** An entry of the audit log (API decisions 15.9): what happened, who did it, and from where. */
export interface NewEntry {
  readonly entry: AuditType;
  /** UNIX seconds. */
  readonly at: number;
  readonly actorId: number | null;
  readonly address: string;
  readonly client: string;
  /** The account that it was done to. */
  readonly userId: number | null;
  readonly streamId: number | null;
  readonly details: AuditDetails;
}

/** What a change leaves behind: events for clients, entries of the audit log for administrators. */
export type NewRecord = NewEvent | NewEntry;

/**
 * What is kept is read from: who there is and who belongs to what; the names of topics and programs, and hours, which are only
 * ever added to; or messages that were there before.
 */
export type CachedFrom = 'directory' | 'names' | 'messages';

/** What answers are kept by. */
type CachedAnswerFrom = Exclude<CachedFrom, 'messages'>;

export type Statement =
  | {
      readonly kind: 'run' | 'one' | 'all' | 'column';
      readonly sql: string;
      readonly values: Values;
    }
  | { readonly kind: 'insert'; readonly sql: string; readonly values: Values }
  | { readonly kind: 'event'; readonly event: NewEvent }
  | { readonly kind: 'last-event-id' }
  | { readonly kind: 'directory-version' }
  | { readonly kind: 'kept-rows' }
  | { readonly kind: 'pause' }
  | {
      readonly kind: 'kept';
      readonly from: CachedAnswerFrom;
      readonly key: string;
      readonly read: () => Operation<unknown>;
    };

export type Operation<T> = Generator<Statement, T, unknown>;

const noValues: Values = {};

/** Runs a statement; answers how many rows it changed. */
export function* run(sql: string, values: Values = noValues): Operation<number> {
  return (yield { kind: 'run', sql, values }) as number;
}

/** Inserts a row into a table with an integer key; answers the key. */
export function* insert(sql: string, values: Values = noValues): Operation<number> {
  return (yield { kind: 'insert', sql, values }) as number;
}

export function* findOne<Row>(sql: string, values: Values = noValues): Operation<Row | undefined> {
  return (yield { kind: 'one', sql, values }) as Row | undefined;
}

export function* list<Row>(sql: string, values: Values = noValues): Operation<readonly Row[]> {
  return (yield { kind: 'all', sql, values }) as readonly Row[];
}

/** The first column of each row, a third quicker than the rows. */
export function* listColumn<T extends Value>(
  sql: string,
  values: Values = noValues,
): Operation<readonly T[]> {
  return (yield { kind: 'column', sql, values }) as readonly T[];
}

const INSERT_ENTRY = `INSERT INTO audit_entry (type, at, actor_id, address, client, user_id, stream_id, details)
  VALUES (:type, :at, :actorId, :address, :client, :userId, :streamId, :details)`;

/** Appends an event or an entry in the transaction of the change that it tells of; answers its id. */
export function* record(change: NewRecord): Operation<number> {
  if (!('entry' in change)) return (yield { kind: 'event', event: change }) as number;
  const { entry: type, details, ...columns } = change;
  return yield* insert(INSERT_ENTRY, { ...columns, type, details: JSON.stringify(details) });
}

/** Step: appends them in their order, with a pause after each. */
export function* recordAll(changes: Iterable<NewRecord>): Operation<void> {
  for (const change of changes) {
    yield* record(change);
    yield* pause();
  }
}

/**
 * Step: an answer that an engine may keep until a row of the tables changes that it is read from. What is not there is not
 * kept. Answers are shared: nobody may change them.
 */
export function* cached<T>(
  from: CachedAnswerFrom,
  key: string,
  read: () => Operation<T | undefined>,
): Operation<T | undefined> {
  return (yield { kind: 'kept', from, key, read }) as T | undefined;
}

/** Rows by their ids. They are shared: nobody may change them. */
export interface CachedRows<Row> {
  readonly get: (id: number) => Row | undefined;
  readonly put: (row: Row) => void;
}

/**
 * Step: where an engine keeps messages as everybody sees them, each until it may have changed; undefined where it keeps none,
 * as within a change. They are good for the rest of the operation.
 */
export function* cachedMessages<Row>(): Operation<CachedRows<Row> | undefined> {
  return (yield { kind: 'kept-rows' }) as CachedRows<Row> | undefined;
}

/**
 * Step: where a change in parts may let others have a turn and go on in the same transaction. Nothing that it has written is
 * seen before it is committed, and no other change comes in between. Everywhere else nothing happens.
 */
export function* pause(): Operation<void> {
  yield { kind: 'pause' };
}

/** The newest event id that was handed out, stored or not. */
export function* lastEventId(): Operation<number> {
  return (yield { kind: 'last-event-id' }) as number;
}

/**
 * Step: a number that is another one as soon as anything about people and places may have changed; undefined where the
 * transaction itself has changed something, or nothing is known.
 */
export function* directoryVersion(): Operation<number | undefined> {
  return (yield { kind: 'directory-version' }) as number | undefined;
}

/** What the callers of a store see of a record of operations. */
export type Port<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer A) => Operation<infer R>
    ? (...values: A) => Promise<R>
    : never;
};
