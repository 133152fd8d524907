/**
 * A narrow as SQL, over a table of messages that is called `m` and has `id` and `sent_at`. What a condition is beyond that differs:
 * the service asks who holds a message, the client's cache keeps what it was told with the message.
 */
import type { SentRange } from './narrow-terms.ts';
import type { VisibleScope, NarrowCondition, NarrowSelection } from './narrow.ts';

type Value = string | number | null;

export interface Where {
  readonly sql: string;
  /** By the names that the SQL has for them. */
  readonly values: Readonly<Record<string, Value>>;
}

/** Adds a value under a name that begins with that of its condition, and answers how it is written. */
export type Bind = (value: Value, suffix?: string) => string;

/** How one database says what messages are. @typeParam Place  how it names a stream or a conversation */
export interface Tables<Place> {
  /** Never null where it is negated. */
  readonly condition: (
    condition: Exclude<NarrowCondition<Place>, PlainCondition>,
    bind: Bind,
    isNegated: boolean,
  ) => string;
  /** `m.sender_id` by default; an expression where no index is to be chosen by the sender. */
  readonly senderColumn?: string;
  /** What the account holds, and everything in some places. */
  readonly base: (base: 'held' | VisibleScope, bind: Bind) => string;
  /** Values that conditions share. */
  readonly values?: Readonly<Record<string, Value>>;
}

/** Is the same in every database. */
type PlainCondition = Extract<
  NarrowCondition<never>,
  { readonly kind: 'message' | 'sender' | 'sent' }
>;

const isPlain = <Place extends { readonly kind: string }>(
  condition: NarrowCondition<Place>,
): condition is PlainCondition & NarrowCondition<Place> =>
  condition.kind === 'message' || condition.kind === 'sender' || condition.kind === 'sent';

function sentSql({ from, before }: SentRange, bind: Bind): string {
  return [
    ...(from === null ? [] : [`m.sent_at >= ${bind(from, '_from')}`]),
    ...(before === null ? [] : [`m.sent_at < ${bind(before, '_before')}`]),
  ].join(' AND ');
}

function oneOf(column: string, ids: readonly number[], bind: Bind): string {
  const [only] = ids;
  if (ids.length === 1 && only !== undefined) return `${column} = ${bind(only)}`;
  return `${column} IN (${ids.map((id, index) => bind(id, `_${String(index)}`)).join(', ')})`;
}

function plainSql(condition: PlainCondition, bind: Bind, senderColumn = 'm.sender_id'): string {
  switch (condition.kind) {
    case 'message':
      return `m.id = ${bind(condition.id)}`;
    case 'sender':
      return oneOf(senderColumn, condition.userIds, bind);
    case 'sent':
      return sentSql(condition.range, bind);
  }
}

export function whereOf<Place extends { readonly kind: string }>(
  { base, predicates }: NarrowSelection<Place>,
  tables: Tables<Place>,
): Where {
  const values: Record<string, Value> = { ...tables.values };
  const binding =
    (name: string): Bind =>
    (value, suffix = '') => {
      values[`${name}${suffix}`] = value;
      return `:${name}${suffix}`;
    };
  const parts = predicates.map(({ condition, isNegated }, index) => {
    const bind = binding(`p${String(index)}`);
    const sql = isPlain(condition)
      ? plainSql(condition, bind, tables.senderColumn)
      : tables.condition(
          condition as Exclude<NarrowCondition<Place>, PlainCondition>,
          bind,
          isNegated,
        );
    return isNegated ? `NOT (${sql})` : `(${sql})`;
  });
  if (base !== 'open') parts.push(tables.base(base, binding('base')));
  return { sql: parts.length === 0 ? '1 = 1' : parts.join(' AND '), values };
}
