/**
 * An operation is one atomic unit of work, written once as a generator of statements. An engine that is
 * synchronous runs it in one go inside a savepoint; one that is not awaits each step.
 */
import type { Audience } from '../../contract/log.ts';

export type Value = string | number | null;
export type Values = Readonly<Record<string, Value>>;

/** An event as an operation appends it to the log (architecture, section 4). */
export interface NewEvent {
  readonly type: string;
  readonly audience: Audience;
  /** The event's keys beside `id` and `type`; of a message event only which message it announces. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Handed to those who are told of the commit, so that they need not read it again. */
  readonly attached?: unknown;
}

export type Statement =
  | { readonly kind: 'run' | 'one' | 'all'; readonly sql: string; readonly values: Values }
  | { readonly kind: 'insert'; readonly sql: string; readonly values: Values }
  | { readonly kind: 'event'; readonly event: NewEvent }
  | { readonly kind: 'last-event-id' };

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

/** Appends an event in the transaction of the change that it announces; answers its id. */
export function* record(event: NewEvent): Operation<number> {
  return (yield { kind: 'event', event }) as number;
}

/** The newest event id that was handed out, stored or not. */
export function* lastEventId(): Operation<number> {
  return (yield { kind: 'last-event-id' }) as number;
}

/** What the callers of a store see of a record of operations. */
export type Port<T> = {
  readonly [K in keyof T]: T[K] extends (...values: infer A) => Operation<infer R>
    ? (...values: A) => Promise<R>
    : never;
};
