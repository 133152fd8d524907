/** What a move costs: asked by ranges, not message by message for each account. */
import { expect, test } from 'vitest';
import type { Operation } from '#service/db/operation.ts';
import { writes } from '#service/db/port.ts';
import { type MemoryStore, openMemoryStore } from '#test/support/service/memory-store.ts';

const MEMBERS = 40;

/** Two public streams with everybody in them, and messages of the first person in a topic of the first one. */
function storeWith(messages: number): MemoryStore {
  const store = openMemoryStore();
  const { db } = store;
  const account = db.prepare(`INSERT INTO account
    (id, email, email_key, full_name, full_name_key, short_name, role, gravatar_hash, joined_at)
    VALUES (:id, :id, :id, 'Name', 'name', 'name', 'member', '0', 1)`);
  for (let id = 1; id <= MEMBERS; id++) account.run({ id });
  db.exec(`INSERT INTO recipient (id, kind) VALUES (1, 'stream'), (2, 'stream');
    INSERT INTO stream (id, recipient_id, name, name_key, is_private, is_history_public, created_at)
      VALUES (1, 1, 'one', 'one', 0, 1, 1), (2, 2, 'two', 'two', 0, 1, 1);
    INSERT INTO membership (recipient_id, account_id, from_id)
      SELECT r.id, a.id, 0 FROM recipient r, account a;
    INSERT INTO topic (id, recipient_id, name, name_key) VALUES (1, 1, 'a', 'a');
    INSERT INTO client (id, name) VALUES (1, 'test')`);
  const message =
    db.prepare(`INSERT INTO message (recipient_id, topic_id, sender_id, client_id, content, rendered,
    is_me_message, has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
    VALUES (1, 1, 1, 1, '', '', 0, 0, 0, 0, 0, 1)`);
  for (let i = 0; i < messages; i++) message.run();
  return store;
}

function* counted<T>(operation: Operation<T>, count: { steps: number }): Operation<T> {
  let step = operation.next();
  while (step.done !== true) {
    count.steps += 1;
    step = operation.next(yield step.value);
  }
  return step.value;
}

/** Moves everything, and answers how many statements that took. */
function move(store: MemoryStore, streamId: number, topic: string): number {
  const count = { steps: 0 };
  const plan = { propagate: 'change_all', streamId, topic, topicKey: topic } as const;
  const edit = { messageId: 1, editorId: 1, editedAt: 1, content: null, move: plan };
  store.perform(counted(writes.editMessage(edit), count));
  return count.steps;
}

const exceptionsIn = ({ db }: MemoryStore): number =>
  Number(db.prepare('SELECT COUNT(*) FROM read_exception').pluck().get());

test('a move takes as many statements for a thousand messages as for ten', () => {
  for (const [streamId, topic] of [
    [1, 'b'],
    [2, 'a'],
  ] as const) {
    const [few, many] = [10, 1000].map((messages) => move(storeWith(messages), streamId, topic));
    expect(many, topic).toBe(few);
  }
});

test('what was read as a whole is no row for each message after a move to a new topic', () => {
  const store = storeWith(100);
  for (let userId = 2; userId <= MEMBERS; userId++) {
    const place = { userId, streamId: 1, topicKey: userId % 2 === 0 ? 'a' : null };
    store.perform(writes.markPlaceAsRead(place, () => true));
  }
  move(store, 1, 'b');
  expect(exceptionsIn(store)).toBe(0);
  move(store, 2, 'c');
  expect(exceptionsIn(store)).toBe(0);
  const { db } = store;
  const unread =
    db.prepare(`SELECT COUNT(*) FROM account a WHERE NOT EXISTS (SELECT 1 FROM read_mark r
    WHERE r.account_id = a.id AND r.recipient_id = 2 AND r.through_id >= 100)`);
  expect(unread.pluck().get()).toBe(1);
});
