import type Database from 'better-sqlite3';

/** Tables whose rows grow with the messages, or with people times messages, topics or streams. */
const growing: ReadonlySet<string> = new Set([
  'attachment',
  'attachment_message',
  'audit_entry',
  'bot_delivery',
  'conversation',
  'deleted_message',
  'event',
  'kept_delivery',
  'kept_delivery_content',
  'kept_version',
  'lost_access',
  'membership',
  'message',
  'message_edit',
  'message_flag',
  'message_hour',
  'muted_topic',
  'reaction',
  'read_exception',
  'read_mark',
  'recipient',
  'sent_local_id',
  'stream_traffic',
  'submessage',
  'superseded_text',
  'topic',
]);

/** What may be read from one of its ends, or whole, as `scansOf` names it, and why. */
const excused: readonly (readonly [scan: RegExp, reason: string])[] = [
  [/^SCAN m: SELECT m\.id.* ORDER BY m\.id(?: ASC| DESC)? LIMIT \S+$/, 'a page, from an end'],
  [
    /USING (?:COVERING )?INDEX message_by_(?:wildcard|link|image|attachment):/,
    'these have the mark',
  ],
  [/^SCAN message: SELECT 1 FROM \(SELECT .* ORDER BY id DESC LIMIT/, 'some, from the newest on'],
  [/^SCAN audit_entry: .* ORDER BY id DESC LIMIT \S+$/, 'a page, from the newest on'],
  [/^SCAN t: .* FROM topic t .* ORDER BY t\.id DESC LIMIT \S+$/, 'the newest topics'],
  [/^SCAN m USING COVERING INDEX membership_archived:/, 'these are archived'],
  [/^SCAN c USING INDEX kept_delivery_unredacted:/, 'these are unredacted'],
  [/^SCAN sent_local_id: DELETE .* ORDER BY message_id LIMIT \d+\)/, 'the two oldest'],
  [/^SCAN (?:message_hour|h): /, 'a row an hour, 9,000 a year'],
  [/^SCAN bot_delivery: DELETE FROM bot_delivery WHERE account_id/, 'what waits, when a bot goes'],
  [/^SCAN bot_delivery: DELETE FROM bot_delivery$/, 'all go'],
  [/^SCAN message_edit USING INDEX message_edit_with_file:/, 'these had a file'],
  [
    /^SCAN f(?: USING .*)?: SELECT f\.\*.* ORDER BY f\.size_bytes DESC/,
    'the largest, where an administrator asks',
  ],
  [/^SCAN attachment(?: USING .*)?: SELECT COUNT\(\*\) AS files/, 'sizes alone'],
];

const oneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim();

/** Tables are named in a plan as they are in the statement, by their alias. */
function isGrowing(name: string, sql: string): boolean {
  const aliased = [...sql.matchAll(new RegExp(String.raw`(\w+)\s+(?:AS\s+)?${name}\b`, 'g'))];
  return [name, ...aliased.map(([, table = '']) => table)].some((each) => growing.has(each));
}

const anyValues = (sql: string): Record<string, number> =>
  Object.fromEntries(Array.from(sql.matchAll(/[:@$]([A-Za-z]\w*)/g), ([, name = '']) => [name, 0]));

/** What the plan of a statement with named parameters reads whole of tables that grow, but for what is excused. */
export function scansOf(db: Database.Database, sql: string): readonly string[] {
  const plan = db
    .prepare<[Record<string, number>], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(anyValues(sql));
  return plan
    .map(({ detail }) => detail)
    .filter((detail) => {
      const [, name] = /^SCAN (\w+)/.exec(detail) ?? [];
      return name !== undefined && isGrowing(name, sql);
    })
    .map((detail) => `${detail}: ${oneLine(sql)}`)
    .filter((scan) => !excused.some(([excuse]) => excuse.test(scan)));
}
