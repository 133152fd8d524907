import Database from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { type Predicate, whereOf } from '#service/features/reading/queries/narrow-sql.ts';
import { schema } from '#service/db/migrations/index.ts';

let db: Database.Database;

beforeAll(() => {
  db = new Database(':memory:');
  db.exec(schema);
  return () => db.close();
});

type Condition = Predicate['condition'];

interface Case {
  /** For the title. */
  readonly narrow: string;
  readonly conditions: readonly Condition[];
  readonly hasKeptVersions?: boolean;
  /** How the plan comes to the messages. */
  readonly expected: RegExp;
}

const stream: Condition = { kind: 'recipient', recipientId: 3 };
const topic: Condition = { kind: 'topic', topicKey: 'lunch' };
const privately: Condition = { kind: 'private' };
const marks = ['link', 'image', 'attachment'] as const;

const byTopic = /^SEARCH m USING (COVERING )?INDEX message_by_topic \(topic_id=\?/;
const byRecipient = /^SEARCH m USING (COVERING )?INDEX message_by_recipient \(recipient_id=\?/;
const byIds = /^SEARCH m USING INTEGER PRIMARY KEY \(rowid=\?\)/;

const cases: readonly Case[] = [
  ...marks.flatMap((kind) => {
    const expected = new RegExp(`^SEARCH m USING COVERING INDEX message_by_${kind} \\(id<\\?\\)`);
    const beside: readonly (readonly Condition[])[] = [
      [],
      [stream],
      [stream, topic],
      [privately],
      [{ kind: 'sender', userIds: [2] }],
      [{ kind: 'sender', userIds: [2, 3] }],
      [{ kind: 'public-streams' }],
    ];
    return beside.map((others) => ({
      narrow: [kind, ...others.map((other) => other.kind)].join(' '),
      conditions: [...others, { kind }],
      expected,
    }));
  }),
  { narrow: 'a topic of a stream', conditions: [stream, topic], expected: byTopic },
  { narrow: 'a topic of any stream', conditions: [topic], expected: byTopic },
  { narrow: 'private', conditions: [privately], expected: byRecipient },
  ...marks.map((kind) => ({
    narrow: `${kind}, some seen as they were`,
    conditions: [{ kind }],
    hasKeptVersions: true,
    expected: byIds,
  })),
  {
    narrow: 'a topic, some seen as they were',
    conditions: [topic],
    hasKeptVersions: true,
    expected: byIds,
  },
  {
    narrow: 'private, some others seen as they were',
    conditions: [privately],
    hasKeptVersions: true,
    expected: byRecipient,
  },
];

test.for(cases)('a page finds its messages by an index: $narrow', (each) => {
  const { conditions, hasKeptVersions: hasVisibleRevisions = false, expected } = each;
  const predicates = conditions.map((condition) => ({ condition, isNegated: false }));
  const where = whereOf({ userId: 1, base: 'held', predicates, hasVisibleRevisions });
  const plan = db
    .prepare<unknown[], { readonly detail: string }>(
      `EXPLAIN QUERY PLAN SELECT m.id FROM message m WHERE m.id < :anchor AND ${where.sql}
        ORDER BY m.id DESC LIMIT :limit`,
    )
    .all({ ...where.values, anchor: 1000, limit: 50 });
  expect(plan[0]?.detail).toMatch(expected);
});
