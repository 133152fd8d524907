/** How much there is of what everybody's registration carries (API decisions 13). */
import { findOne, type Operation } from '#service/db/operation.ts';

export type CountedKind =
  | 'bots'
  | 'emoji'
  | 'linkifiers'
  | 'mutedTopics'
  | 'profileFields'
  | 'reactions'
  | 'streams'
  | 'submessages'
  | 'userGroups';

export interface Totals {
  readonly all: number;
  /** Of one person with their bots. */
  readonly own: number;
}

const PERSON = '(SELECT id FROM account WHERE id = :ownerId OR owner_id = :ownerId)';

/** `own` of those that nobody owns is 0; where only those of one person count, `all` is. */
const SELECTS: Readonly<Record<CountedKind, string>> = {
  // Those that are deactivated stay in the list of people.
  bots: 'SELECT 0 AS "all", COUNT(*) AS own FROM account WHERE owner_id = :ownerId',
  // Those that were removed are still told, for old messages.
  emoji: `SELECT COUNT(*) AS "all", COUNT(*) FILTER (WHERE author_id IN ${PERSON}) AS own FROM emoji`,
  linkifiers: 'SELECT COUNT(*) AS "all", 0 AS own FROM linkifier',
  mutedTopics: 'SELECT 0 AS "all", COUNT(*) AS own FROM muted_topic WHERE account_id = :ownerId',
  profileFields: 'SELECT COUNT(*) AS "all", 0 AS own FROM profile_field',
  reactions: `SELECT 0 AS "all", COUNT(*) AS own FROM reaction
    WHERE message_id = :messageId AND account_id IN ${PERSON}`,
  streams: `SELECT COUNT(*) AS "all", COUNT(*) FILTER (WHERE creator_id IN ${PERSON}) AS own
    FROM stream WHERE is_archived = 0`,
  submessages: `SELECT 0 AS "all", COUNT(*) AS own FROM submessage
    WHERE message_id = :messageId AND sender_id IN ${PERSON}`,
  userGroups: 'SELECT COUNT(*) AS "all", 0 AS own FROM user_group',
};

const nothing: Totals = { all: 0, own: 0 };

export const countReads = {
  /** @param messageId  on which message, for what is on messages */
  *countTotals(kind: CountedKind, ownerId: number, messageId = 0): Operation<Totals> {
    const sql = SELECTS[kind];
    const values = {
      ...(sql.includes(':ownerId') ? { ownerId } : {}),
      ...(sql.includes(':messageId') ? { messageId } : {}),
    };
    return (yield* findOne<Totals>(sql, values)) ?? nothing;
  },
};
