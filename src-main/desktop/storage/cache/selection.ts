/** Narrows as SQL over the table of messages. */
import type { NarrowPlace, Selection } from '#client/cache/narrow.ts';
import type { NarrowScope } from '#client/cache/narrow-scope.ts';
import { mentionFlags } from '#shared/api/flags.ts';
import {
  type Bind,
  type Tables,
  type Where,
  whereOf as whereIn,
} from '#shared/search/narrow-sql.ts';
import { bitsOf, FLAG, FEATURE } from './message-codec.ts';
import { idList, type IdRow, idsOf, type Sql } from './sql.ts';

/** More topics of one name are looked for by the way. */
const MAX_TOPICS = 500;

const TOPICS = 'SELECT id FROM topic WHERE name_key = :key LIMIT :limit';
const TOPIC = 'SELECT id FROM topic WHERE name_key = :key AND stream_id = :streamId';
const CONVERSATION = 'SELECT id FROM conversation WHERE user_key = :key';
const GROUPS = `SELECT id FROM conversation
  WHERE users >= 3 AND ',' || user_key || ',' LIKE '%,' || :userId || ',%'`;

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

type SqlCondition = Parameters<Tables<NarrowPlace>['condition']>[0];

interface Context {
  readonly sql: Sql;
  readonly scope: NarrowScope;
  readonly selection: Selection;
}

const inList = (column: string, ids: readonly number[], bind: Bind, suffix = ''): string => {
  const [only] = ids;
  if (only === undefined) return '0 = 1';
  // One value lets an index answer in the order of ids.
  return ids.length === 1
    ? `${column} IS ${bind(only, suffix)}`
    : `(${column} IS NOT NULL AND ${column} IN (SELECT value FROM json_each(${bind(idList(ids), suffix)})))`;
};

function topicSql(key: string, bind: Bind, { sql, selection }: Context): string {
  const ids = topicIdsOf(sql, selection, key);
  if (ids !== undefined) return inList('m.topic_id', ids, bind);
  return `m.topic_id IS NOT NULL AND m.topic_id IN (SELECT id FROM topic WHERE name_key = ${bind(key)})`;
}

function streamsSql(isOwnOnly: boolean, bind: Bind, { scope }: Context): string {
  const isPublic = scope.streams.filter(({ isPrivate }) => !isPrivate);
  const ids = isPublic.map(({ streamId }) => streamId);
  const all = inList('m.stream_id', ids, bind);
  if (!isOwnOnly) return all;
  const own = isPublic.filter(({ isSubscribed }) => isSubscribed).map(({ streamId }) => streamId);
  return `${all} AND (m.is_held = 1 OR ${inList('m.stream_id', own, bind, '_own')})`;
}

function homeSql(bind: Bind, { scope }: Context): string {
  const muted = scope.streams.filter(({ isMuted }) => isMuted);
  const ids = muted.map(({ streamId }) => streamId);
  return `${UNMUTED_TOPIC} AND NOT (${inList('m.stream_id', ids, bind)})`;
}

function conditionSql(condition: SqlCondition, bind: Bind, context: Context): string {
  switch (condition.kind) {
    case 'stream':
      return inList('m.stream_id', [condition.streamId], bind);
    case 'conversation': {
      const id = findConversationId(context.sql, condition.key);
      return inList('m.conversation_id', id === undefined ? [] : [id], bind);
    }
    case 'topic':
      return topicSql(condition.topicKey, bind, context);
    case 'group-with': {
      // As text: a number would be written with a fraction.
      const userId = String(condition.userId);
      const groups = context.sql.list<IdRow>(GROUPS, { userId });
      return inList('m.conversation_id', idsOf(groups), bind);
    }
    case 'home':
      return homeSql(bind, context);
    case 'public-streams':
      return streamsSql(false, bind, context);
    case 'own-public-streams':
      return streamsSql(true, bind, context);
    default:
      return markSql(condition);
  }
}

type Mark = Exclude<
  SqlCondition,
  {
    readonly kind:
      | NarrowPlace['kind']
      | 'topic'
      | 'group-with'
      | 'home'
      | 'public-streams'
      | 'own-public-streams';
  }
>;

function markSql(condition: Mark): string {
  switch (condition.kind) {
    case 'flag':
      return flagged(bitsOf(condition.flags));
    case 'mentioned':
      return flagged(bitsOf(mentionFlags));
    case 'private':
      return 'm.stream_id IS NULL';
    case 'unread':
      return `(m.flags & ${String(FLAG.read)}) = 0`;
    case 'unmuted-topics':
      return UNMUTED_TOPIC;
    case 'link':
    case 'image':
    case 'attachment':
      return `(m.has & ${String(FEATURE[condition.kind])}) <> 0`;
  }
}

export const whereOf = (sql: Sql, selection: Selection, scope: NarrowScope): Where =>
  whereIn(selection, {
    condition: (condition, bind) => conditionSql(condition, bind, { sql, scope, selection }),
    base: (base, bind) =>
      base === 'held'
        ? 'm.is_held = 1'
        : `(m.is_held = 1 OR ${inList('m.stream_id', base.alsoIn, bind)})`,
  });
