/** Narrows as SQL: which messages an account may be shown, and which of those it asked for. */
import type { SentRange } from '../../contract/narrow-terms.ts';
import type { Value } from './operation.ts';

/** One condition of a narrow, with names already resolved to ids (API decisions, section 3.2). */
export type Condition =
  | { readonly kind: 'recipient'; readonly recipientId: number }
  | { readonly kind: 'topic'; readonly topicKey: string }
  | { readonly kind: 'sender'; readonly userId: number }
  | { readonly kind: 'group-with'; readonly userId: number }
  | { readonly kind: 'message'; readonly id: number }
  | { readonly kind: 'sent'; readonly range: SentRange }
  | { readonly kind: 'flag'; readonly flags: readonly string[] }
  | {
      readonly kind:
        | 'private'
        | 'unread'
        | 'wildcard-or-mentioned'
        | 'home'
        | 'unmuted-topics'
        | 'public-streams'
        /** Of those, what the account holds and what it is subscribed to. */
        | 'own-public-streams'
        | 'nothing';
    }
  | { readonly kind: 'link' | 'image' | 'attachment' };

export interface Predicate {
  readonly condition: Condition;
  readonly isNegated: boolean;
}

export interface PageSelection {
  readonly userId: number;
  /** `held`: what the account holds; `open`: everything that the predicates select. */
  readonly base: 'held' | 'open';
  readonly predicates: readonly Predicate[];
}

export const HELD = `EXISTS (SELECT 1 FROM membership h WHERE h.account_id = :userId
    AND h.recipient_id = m.recipient_id AND h.from_id < m.id AND (h.until_id IS NULL OR m.id <= h.until_id))`;
export const HISTORICAL = `EXISTS (SELECT 1 FROM message_flag f WHERE f.account_id = :userId
    AND f.message_id = m.id AND f.flag = 'historical')`;
/** What the sender and the marks say of a message (architecture, section 5), each mark found by its key. */
export const MARKED_READ = `(m.sender_id = :userId
    OR EXISTS (SELECT 1 FROM read_mark r WHERE r.account_id = :userId AND r.recipient_id = 0
      AND r.topic_id = 0 AND r.through_id >= m.id)
    OR EXISTS (SELECT 1 FROM read_mark r WHERE r.account_id = :userId
      AND r.recipient_id = m.recipient_id AND r.topic_id IN (0, m.topic_id) AND r.through_id >= m.id))`;
/** Read state: what was never delivered is read; else an exception decides, else the sender and the marks. */
export const READ = `CASE WHEN NOT ${HELD} THEN 1 ELSE COALESCE(
    (SELECT e.is_read FROM read_exception e WHERE e.account_id = :userId AND e.message_id = m.id),
    ${MARKED_READ}) END`;
const UNMUTED_TOPIC = `NOT EXISTS (SELECT 1 FROM muted_topic u
  WHERE u.account_id = :userId AND u.topic_id = m.topic_id)`;
/** The SQL of a condition; values that it needs are added to `values` under names of their own. */
function conditionSql(condition: Condition, name: string, values: Record<string, Value>): string {
  switch (condition.kind) {
    case 'recipient':
      values[name] = condition.recipientId;
      return `m.recipient_id = :${name}`;
    case 'topic':
      values[name] = condition.topicKey;
      // A private message has no topic: its null must not make the negated condition null too.
      return `m.topic_id IS NOT NULL AND m.topic_id IN (SELECT id FROM topic WHERE name_key = :${name})`;
    case 'sender':
      values[name] = condition.userId;
      return `m.sender_id = :${name}`;
    case 'group-with':
      values[name] = condition.userId;
      return `m.recipient_id IN (SELECT g.recipient_id FROM membership g
        JOIN conversation d ON d.recipient_id = g.recipient_id
        WHERE g.account_id = :${name} AND (SELECT COUNT(*) FROM membership n
          WHERE n.recipient_id = g.recipient_id) >= 3)`;
    case 'message':
      values[name] = condition.id;
      return `m.id = :${name}`;
    case 'sent':
      return sentSql(condition.range, name, values);
    case 'flag':
      condition.flags.forEach((flag, index) => (values[`${name}_${String(index)}`] = flag));
      // Few messages carry a flag: they are looked up, not looked for.
      return `m.id IN (SELECT f.message_id FROM message_flag f WHERE f.account_id = :userId
        AND f.flag IN (${condition.flags.map((_, index) => `:${name}_${String(index)}`).join(', ')}))`;
    default:
      return constantSql(condition.kind);
  }
}

type ConstantKind = Exclude<
  Condition['kind'],
  'recipient' | 'topic' | 'sender' | 'group-with' | 'message' | 'sent' | 'flag'
>;

function sentSql({ from, before }: SentRange, name: string, values: Record<string, Value>): string {
  if (from !== null) values[`${name}_from`] = from;
  if (before !== null) values[`${name}_before`] = before;
  return [
    ...(from === null ? [] : [`m.sent_at >= :${name}_from`]),
    ...(before === null ? [] : [`m.sent_at < :${name}_before`]),
  ].join(' AND ');
}

const PUBLIC_STREAMS = `m.recipient_id IN (SELECT p.recipient_id FROM stream p
    WHERE p.is_private = 0 AND p.is_archived = 0)`;
const SUBSCRIBED = `EXISTS (SELECT 1 FROM membership n WHERE n.account_id = :userId
    AND n.recipient_id = m.recipient_id AND n.until_id IS NULL)`;

const MENTIONING = `SELECT f.message_id FROM message_flag f
    WHERE f.account_id = :userId AND f.flag IN ('mentioned', 'wildcard_mentioned')`;
/** A wildcard mentions whoever holds the message; the first term lets an index find the few that qualify. */
const MENTIONED = `(m.id IN (${MENTIONING} UNION SELECT w.id FROM message w WHERE w.has_wildcard_mention = 1)
    AND (${HELD} OR m.id IN (${MENTIONING})))`;

const constants: Readonly<Record<ConstantKind, string>> = {
  private: 'm.topic_id IS NULL',
  unread: `${READ} = 0`,
  'wildcard-or-mentioned': MENTIONED,
  'unmuted-topics': UNMUTED_TOPIC,
  home: `(${UNMUTED_TOPIC} AND NOT EXISTS (SELECT 1 FROM stream_setting g JOIN stream w ON w.id = g.stream_id
    WHERE g.account_id = :userId AND w.recipient_id = m.recipient_id AND g.is_muted = 1))`,
  'public-streams': PUBLIC_STREAMS,
  'own-public-streams': `${PUBLIC_STREAMS} AND (${SUBSCRIBED} OR ${HELD} OR ${HISTORICAL})`,
  nothing: '0 = 1',
  link: 'm.has_link = 1',
  image: 'm.has_image = 1',
  attachment: 'm.has_attachment = 1',
};

const constantSql = (kind: ConstantKind): string => constants[kind];

interface Where {
  readonly sql: string;
  readonly values: Record<string, Value>;
}

/** @returns the condition and the values that it names; `:userId` is among them */
export function whereOf(selection: PageSelection): Where {
  const values: Record<string, Value> = { userId: selection.userId };
  const parts = selection.predicates.map(({ condition, isNegated }, index) => {
    const sql = conditionSql(condition, `p${String(index)}`, values);
    return isNegated ? `NOT (${sql})` : `(${sql})`;
  });
  if (selection.base === 'held') parts.push(`(${HELD} OR ${HISTORICAL})`);
  return { sql: parts.length === 0 ? '1 = 1' : parts.join(' AND '), values };
}
