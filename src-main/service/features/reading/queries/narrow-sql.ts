/** Narrows as SQL: which messages an account may be shown, and which of those it asked for. */
import { markBit, marked, type MessageMark } from '#shared/api/models/message-marks.ts';
import {
  hasKinds,
  type NarrowCondition,
  type NarrowPredicate,
  type NarrowSelection,
} from '#shared/search/narrow.ts';
import {
  type Bind,
  type Tables,
  type Where,
  whereOf as whereIn,
} from '#shared/search/narrow-sql.ts';

export type { Where };

/** A stream or a conversation, by its recipient, or a conversation that there is not. */
export type NarrowPlace =
  { readonly kind: 'recipient'; readonly recipientId: number } | { readonly kind: 'nothing' };

export type Condition = NarrowCondition<NarrowPlace>;
export type Predicate = NarrowPredicate<NarrowPlace>;

/** What one account may be shown of what a narrow selects; places are recipients. */
export interface PageSelection extends NarrowSelection<NarrowPlace> {
  readonly userId: number;
  /** Whether the account sees some messages otherwise than they are now, as `hasVisibleRevisions` tells. */
  readonly hasVisibleRevisions?: boolean;
}

/** Otherwise it came to where the account had been after they had lost access. */
export const IS_SHOWN = `NOT EXISTS (SELECT 1 FROM kept_version x WHERE x.account_id = :userId
    AND x.message_id = m.id AND x.edit_id IS NULL)`;
export const HELD = `EXISTS (SELECT 1 FROM membership h WHERE h.account_id = :userId
    AND h.recipient_id = m.recipient_id AND h.from_id < m.id AND (h.until_id IS NULL
      OR (m.id <= h.until_id AND ${IS_SHOWN})))`;
/** What a message said before the first change after the version `v` of it. */
export const before = (column: string): string => `(SELECT e.${column} FROM message_edit e
    WHERE e.message_id = m.id AND e.id > v.edit_id AND e.${column} IS NOT NULL ORDER BY e.id LIMIT 1)`;
/** A mark of the content (`prev_marks`) as the account sees it, which has a version `v` or none. */
export const seenMark = (name: MessageMark): string =>
  `COALESCE(CASE WHEN v.edit_id IS NULL THEN NULL
    ELSE (${before('prev_marks')} / ${String(markBit(name))}) % 2 END, m.${name})`;
export const HISTORICAL = `EXISTS (SELECT 1 FROM message_flag f WHERE f.account_id = :userId
    AND f.message_id = m.id AND f.flag = 'historical')`;
/** Whether a mark covers the message. What does not name the message is looked up once for a statement. */
const markedFor = (recipientId: string, topicId: string): string =>
  `COALESCE((SELECT r.through_id FROM read_mark r WHERE r.account_id = :userId
    AND r.recipient_id = ${recipientId} AND r.topic_id = ${topicId}), 0) >= m.id`;
/** What the sender and the marks say of a message (architecture 5), each mark found by its key. */
export const MARKED_READ = `(m.sender_id = :userId OR ${markedFor('0', '0')}
    OR ${markedFor('m.recipient_id', '0')} OR ${markedFor('m.recipient_id', 'm.topic_id')})`;
/**
 * Read state: what was never delivered is read; else an exception decides, else the sender and the marks. Whether it was
 * delivered comes last, because nearly all is read anyway.
 */
export const READ = `(COALESCE(
    (SELECT e.is_read FROM read_exception e WHERE e.account_id = :userId AND e.message_id = m.id),
    ${MARKED_READ}) OR NOT ${HELD})`;
const UNMUTED_TOPIC = `NOT EXISTS (SELECT 1 FROM muted_topic u
  WHERE u.account_id = :userId AND u.topic_id = m.topic_id)`;
type SqlCondition = Parameters<Tables<NarrowPlace>['condition']>[0];
type ConditionSql = Tables<NarrowPlace>['condition'];

/**
 * What leads a statement to the messages that a narrow selects: their ids, which it names; the index of a mark, of which
 * there are few; a topic; or what the engine chooses. No other column may choose an index then.
 */
type Lead = 'ids' | 'mark' | 'topic' | 'any';

const marks: readonly Condition['kind'][] = hasKinds;

interface Access {
  readonly lead: Lead;
  /** Whether nothing is selected that the account does not hold. */
  readonly isHeld: boolean;
  /** The only place that is selected. */
  readonly recipientId: number | undefined;
}

const wantedOf = ({ predicates }: PageSelection): readonly Condition[] =>
  predicates.filter(({ isNegated }) => !isNegated).map((each) => each.condition);

/** Whether some of the messages may be seen as they were, which no index knows; private ones never are. */
const mayBeFormer = (selection: PageSelection): boolean =>
  selection.hasVisibleRevisions === true &&
  !wantedOf(selection).some(({ kind }) => kind === 'private');

function accessOf(selection: PageSelection, isByIds: boolean): Access {
  const isHeld = selection.base === 'held';
  if (mayBeFormer(selection)) {
    return { lead: isByIds ? 'ids' : 'any', isHeld, recipientId: undefined };
  }
  const wanted = wantedOf(selection);
  const recipientId = wanted.find((each) => each.kind === 'recipient')?.recipientId;
  const hasTopic = recipientId !== undefined && wanted.some(({ kind }) => kind === 'topic');
  const hasMark = wanted.some(({ kind }) => marks.includes(kind));
  const lead = hasMark ? 'mark' : hasTopic ? 'topic' : 'any';
  return { lead: isByIds ? 'ids' : lead, isHeld, recipientId };
}

/** A column whose index is used only where nothing else leads. */
const column = (name: string, { lead }: Access): string => `${lead === 'any' ? '' : '+'}m.${name}`;

function flagSql(flags: string, { lead }: Access): string {
  const flagged = `FROM message_flag f WHERE f.account_id = :userId AND f.flag IN (${flags})`;
  return lead === 'ids'
    ? `EXISTS (SELECT 1 ${flagged} AND f.message_id = m.id)`
    : `m.id IN (SELECT f.message_id ${flagged})`;
}

function topicSql(access: Access, key: string, inPlace: string | undefined): string {
  const topicId = access.lead === 'topic' ? 'm.topic_id' : column('topic_id', access);
  return inPlace === undefined
    ? // A private message has no topic: its null must not make the negated condition null too.
      `m.topic_id IS NOT NULL AND ${topicId} IN (SELECT id FROM topic WHERE name_key = ${key})`
    : `${topicId} = (SELECT id FROM topic WHERE recipient_id = ${inPlace} AND name_key = ${key})`;
}

const groupsWith = (userId: string): string => `(SELECT g.recipient_id FROM membership g
  JOIN conversation d ON d.recipient_id = g.recipient_id
  WHERE g.account_id = ${userId} AND (SELECT COUNT(*) FROM membership n
    WHERE n.recipient_id = g.recipient_id) >= 3)`;

const conditionSql =
  (access: Access): ConditionSql =>
  (condition, bind, isNegated) => {
    switch (condition.kind) {
      case 'recipient':
        return `${column('recipient_id', access)} = ${bind(condition.recipientId)}`;
      case 'topic': {
        const { recipientId } = access;
        const isOne = recipientId !== undefined && !isNegated;
        const inPlace = isOne ? bind(recipientId, '_in') : undefined;
        return topicSql(access, bind(condition.topicKey), inPlace);
      }
      case 'group-with':
        return `${column('recipient_id', access)} IN ${groupsWith(bind(condition.userId))}`;
      case 'flag': {
        const flags = condition.flags.map((flag, index) => bind(flag, `_${String(index)}`));
        return flagSql(flags.join(', '), access);
      }
      default:
        return fixedSql(condition.kind, isNegated, access);
    }
  };

/** A condition without an operand. */
function fixedSql(kind: FixedKind, isNegated: boolean, access: Access): string {
  switch (kind) {
    case 'private':
      return access.lead === 'any' && access.isHeld && !isNegated
        ? IN_OWN_CONVERSATION
        : IS_PRIVATE;
    case 'mentioned':
      return access.lead === 'ids' ? IS_MENTIONED : MENTIONED;
    case 'public-streams':
      return `${column('recipient_id', access)} IN ${PUBLIC_STREAMS}`;
    default:
      return constants[kind];
  }
}

type FixedKind = Exclude<SqlCondition['kind'], 'recipient' | 'topic' | 'group-with' | 'flag'>;
type ConstantKind = Exclude<FixedKind, 'private' | 'mentioned' | 'public-streams'>;

const IS_PRIVATE = 'm.topic_id IS NULL';
const IN_OWN_CONVERSATION = `m.recipient_id IN (SELECT h.recipient_id FROM membership h
  JOIN conversation d ON d.recipient_id = h.recipient_id WHERE h.account_id = :userId)`;
const PUBLIC_STREAMS = `(SELECT p.recipient_id FROM stream p
    WHERE p.is_private = 0 AND p.is_archived = 0)`;
const SUBSCRIBED = `EXISTS (SELECT 1 FROM membership n WHERE n.account_id = :userId
    AND n.recipient_id = m.recipient_id AND n.until_id IS NULL)`;

const MENTIONING = `SELECT f.message_id FROM message_flag f
    WHERE f.account_id = :userId AND f.flag IN ('mentioned', 'wildcard_mentioned')`;
/** A wildcard mentions whoever holds the message; the first term lets an index find the few that qualify. */
const MENTIONED = `(m.id IN (${MENTIONING} UNION SELECT w.id FROM message w WHERE w.has_wildcard_mention = 1)
    AND (${HELD} OR m.id IN (${MENTIONING})))`;
const IS_MENTIONED = `((m.has_wildcard_mention = 1 AND ${HELD}) OR EXISTS (${MENTIONING} AND f.message_id = m.id))`;

const constants: Readonly<Record<ConstantKind, string>> = {
  unread: `${READ} = 0`,
  'unmuted-topics': UNMUTED_TOPIC,
  home: `(${UNMUTED_TOPIC} AND NOT EXISTS (SELECT 1 FROM stream_setting g JOIN stream w ON w.id = g.stream_id
    WHERE g.account_id = :userId AND w.recipient_id = m.recipient_id AND g.is_muted = 1))`,
  'own-public-streams': `+m.recipient_id IN ${PUBLIC_STREAMS} AND (${SUBSCRIBED} OR ${HELD} OR ${HISTORICAL})`,
  nothing: '0 = 1',
  ...marked(hasKinds, (kind) => `m.has_${kind} = 1`),
};

/** The first or the last message of what the account has muted; null where it has muted nothing. */
const endOfMuted = (end: 'MIN' | 'MAX'): string => `(SELECT ${end}(e.id) FROM (
    SELECT (SELECT ${end}(x.id) FROM message x WHERE x.topic_id = u.topic_id) AS id
      FROM muted_topic u WHERE u.account_id = :userId
    UNION ALL SELECT (SELECT ${end}(x.id) FROM message x WHERE x.recipient_id = w.recipient_id)
      FROM stream_setting g JOIN stream w ON w.id = g.stream_id WHERE g.account_id = :userId AND g.is_muted = 1) e)`;
/** Otherwise whoever has muted little would have all messages looked at for it. */
const NEAR_MUTED = `m.id >= ${endOfMuted('MIN')} AND m.id <= ${endOfMuted('MAX')}`;

const isMutedOnly = ({ predicates }: PageSelection): boolean =>
  predicates.some(({ condition, isNegated }) => condition.kind === 'home' && isNegated);

const HAS_REVISION = `EXISTS (SELECT 1 FROM kept_version v WHERE v.account_id = :userId
    AND v.message_id = m.id AND v.edit_id IS NOT NULL)`;
const ofVersion = (condition: string): string => `EXISTS (SELECT 1 FROM kept_version v
    WHERE v.account_id = :userId AND v.message_id = m.id AND ${condition})`;

/** The condition on what the account sees of a message that has changed since; undefined where it stays the same. */
function thenSql(condition: SqlCondition, bind: Bind): string | undefined {
  switch (condition.kind) {
    case 'topic':
      return ofVersion(`COALESCE(${before('prev_topic_id')}, m.topic_id) IN
        (SELECT id FROM topic WHERE name_key = ${bind(condition.topicKey)})`);
    case 'link':
    case 'image':
    case 'attachment':
      return ofVersion(`${seenMark(`has_${condition.kind}`)} = 1`);
    case 'mentioned':
      return `(${ofVersion(`${seenMark('has_wildcard_mention')} = 1`)} OR m.id IN (${MENTIONING}))`;
    default:
      return undefined;
  }
}

/** Whatever is selected by what it is now, or by what it was, is looked for by an index first. */
const candidates = (now: string): string => `m.id IN (SELECT m.id FROM message m WHERE ${now}
    UNION SELECT v.message_id FROM kept_version v WHERE v.account_id = :userId AND v.edit_id IS NOT NULL)`;

const seenSql =
  (access: Access): ConditionSql =>
  (condition, bind, isNegated) => {
    const now = conditionSql(access)(condition, bind, isNegated);
    const then = thenSql(condition, bind);
    if (then === undefined) return now;
    const seen = `CASE WHEN ${HAS_REVISION} THEN ${then} ELSE ${now} END`;
    return isNegated || access.lead === 'ids' ? seen : `${candidates(now)} AND ${seen}`;
  };

/**
 * @param isByIds  whether the statement names the ids of the messages that it reads
 * @returns the condition and the values that it names; `:userId` is among them
 */
export function whereOf(selection: PageSelection, isByIds = false): Where {
  const access = accessOf(selection, isByIds);
  const where = whereIn(selection, {
    values: { userId: selection.userId },
    condition: (mayBeFormer(selection) ? seenSql : conditionSql)(access),
    senderColumn: column('sender_id', access),
    base: (base, bind) =>
      base === 'held'
        ? `(${HELD} OR ${HISTORICAL})`
        : // First, because it is the quickest to decide.
          `(m.recipient_id IN (SELECT value FROM json_each(${bind(JSON.stringify(base.alsoIn))})) OR ${HELD} OR ${HISTORICAL})`,
  });
  return isMutedOnly(selection) && !mayBeFormer(selection)
    ? { ...where, sql: `${where.sql} AND ${NEAR_MUTED}` }
    : where;
}
