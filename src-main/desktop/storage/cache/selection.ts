/** Narrows as SQL over the table of messages. */
import type { Condition, Predicate, Selection } from '../../../client/cache/narrow.ts';
import type { NarrowScope } from '../../../client/cache/narrow-scope.ts';
import { mentionFlags } from '../../../contract/flags.ts';
import type { SentRange } from '../../../contract/narrow-terms.ts';
import { bitsOf, FLAG, HAS } from './codec.ts';
import { idList, type IdRow, idsOf, type Sql, type Value } from './sql.ts';

/** More topics of one name are looked for by the way. */
const MAX_TOPICS = 500;

const TOPICS = 'SELECT id FROM topic WHERE name_key = :key LIMIT :limit';
const TOPIC = 'SELECT id FROM topic WHERE name_key = :key AND stream_id = :streamId';
const CONVERSATION = 'SELECT id FROM conversation WHERE user_key = :key';
const GROUPS = `SELECT id FROM conversation
  WHERE users >= 3 AND ',' || user_key || ',' LIKE '%,' || :userId || ',%'`;

export interface Where {
  readonly sql: string;
  readonly values: Record<string, Value>;
}

export const findConversationId = (sql: Sql, key: string): number | undefined =>
  sql.get<IdRow>(CONVERSATION, { key })?.id;

/** The topics of a name, in one stream where the narrow names one; undefined where they are too many. */
export function topicIdsOf(
  sql: Sql,
  { predicates }: Selection,
  key: string,
): readonly number[] | undefined {
  for (const { condition, isNegated } of predicates) {
    if (condition.kind !== 'stream' || isNegated) continue;
    return idsOf(sql.list<IdRow>(TOPIC, { key, streamId: condition.streamId }));
  }
  const ids = idsOf(sql.list<IdRow>(TOPICS, { key, limit: MAX_TOPICS + 1 }));
  return ids.length > MAX_TOPICS ? undefined : ids;
}

const flagged = (bits: number): string => `(m.flags & ${String(bits)}) <> 0`;
/** The function is one of the connection and knows the scope of the page. */
const UNMUTED_TOPIC = `(m.topic_id IS NULL OR NOT EXISTS (SELECT 1 FROM topic t
  WHERE t.id = m.topic_id AND is_muted_topic(t.id, t.stream_id, t.name_key)))`;

interface Context {
  readonly sql: Sql;
  readonly scope: NarrowScope;
  readonly selection: Selection;
  readonly values: Record<string, Value>;
}

const inList = (column: string, ids: readonly number[], name: string, context: Context): string => {
  const [only] = ids;
  if (only === undefined) return '0 = 1';
  // One value lets an index answer in the order of ids.
  context.values[name] = ids.length === 1 ? only : idList(ids);
  return ids.length === 1
    ? `${column} IS :${name}`
    : `(${column} IS NOT NULL AND ${column} IN (SELECT value FROM json_each(:${name})))`;
};

function topicSql(key: string, name: string, context: Context): string {
  const { sql, selection, values } = context;
  const ids = topicIdsOf(sql, selection, key);
  if (ids !== undefined) return inList('m.topic_id', ids, name, context);
  values[name] = key;
  return `(m.topic_id IS NOT NULL AND m.topic_id IN (SELECT id FROM topic WHERE name_key = :${name}))`;
}

function streamsSql(isOwnOnly: boolean, name: string, context: Context): string {
  const { streams } = context.scope;
  const isPublic = streams.filter(({ isPrivate }) => !isPrivate);
  const ids = isPublic.map(({ streamId }) => streamId);
  const all = inList('m.stream_id', ids, name, context);
  if (!isOwnOnly) return all;
  const own = isPublic.filter(({ isSubscribed }) => isSubscribed).map(({ streamId }) => streamId);
  return `(${all} AND (m.is_held = 1 OR ${inList('m.stream_id', own, `${name}_own`, context)}))`;
}

function homeSql(name: string, context: Context): string {
  const muted = context.scope.streams.filter(({ isMuted }) => isMuted);
  const ids = muted.map(({ streamId }) => streamId);
  return `(${UNMUTED_TOPIC} AND NOT (${inList('m.stream_id', ids, name, context)}))`;
}

function sentSql({ from, before }: SentRange, name: string, { values }: Context): string {
  if (from !== null) values[`${name}_from`] = from;
  if (before !== null) values[`${name}_before`] = before;
  const ends = [
    ...(from === null ? [] : [`m.sent_at >= :${name}_from`]),
    ...(before === null ? [] : [`m.sent_at < :${name}_before`]),
  ];
  return `(${ends.join(' AND ')})`;
}

function namedSql(condition: Condition, name: string, context: Context): string {
  switch (condition.kind) {
    case 'stream':
      return inList('m.stream_id', [condition.streamId], name, context);
    case 'conversation': {
      const id = findConversationId(context.sql, condition.key);
      return inList('m.conversation_id', id === undefined ? [] : [id], name, context);
    }
    case 'topic':
      return topicSql(condition.topicKey, name, context);
    case 'sender':
      return inList('m.sender_id', [condition.userId], name, context);
    case 'group-with': {
      // As text: a number would be written with a fraction.
      const userId = String(condition.userId);
      const groups = context.sql.list<IdRow>(GROUPS, { userId });
      return inList('m.conversation_id', idsOf(groups), name, context);
    }
    case 'sent':
      return sentSql(condition.range, name, context);
    case 'message':
      return inList('m.id', [condition.id], name, context);
    default:
      return plainSql(condition, name, context);
  }
}

function plainSql(condition: Condition, name: string, context: Context): string {
  switch (condition.kind) {
    case 'flag':
      return flagged(bitsOf(condition.flags));
    case 'mentioned':
      return flagged(bitsOf(mentionFlags));
    case 'private':
      return 'm.stream_id IS NULL';
    case 'unread':
      return `(m.flags & ${String(FLAG.read)}) = 0`;
    case 'home':
      return homeSql(name, context);
    case 'unmuted-topics':
      return UNMUTED_TOPIC;
    case 'public-streams':
      return streamsSql(false, name, context);
    case 'own-public-streams':
      return streamsSql(true, name, context);
    case 'link':
    case 'image':
    case 'attachment':
      return `(m.has & ${String(HAS[condition.kind])}) <> 0`;
    default:
      return '1 = 1';
  }
}

export function whereOf(sql: Sql, selection: Selection, scope: NarrowScope): Where {
  const values: Record<string, Value> = {};
  const context: Context = { sql, scope, selection, values };
  const parts = selection.predicates.map(({ condition, isNegated }: Predicate, index) => {
    const text = namedSql(condition, `p${String(index)}`, context);
    return isNegated ? `NOT (${text})` : text;
  });
  const { base } = selection;
  if (base === 'held') parts.push('m.is_held = 1');
  else if (base !== 'open') {
    parts.push(`(m.is_held = 1 OR ${inList('m.stream_id', base.alsoIn, 'also', context)})`);
  }
  return { sql: parts.length === 0 ? '1 = 1' : parts.join(' AND '), values };
}
