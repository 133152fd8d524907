/** The traffic of streams, against one that counts each message as it is sent. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reads, writes } from '#service/db/port.ts';
import { openMemoryStore } from '#test/support/service/memory-store.ts';
import { newMessage, toStream, toUsers } from '#test/support/service/store.ts';

const STREAMS = [1, 2] as const;
const DAYS = [19_000, 19_001, 19_002] as const;
const SECONDS_PER_DAY = 86_400;

const store = openMemoryStore();
store.db.exec(`
  INSERT INTO account (id, email, email_key, full_name, full_name_key, short_name, role, gravatar_hash, joined_at)
    VALUES (1, 'a', 'a', 'A', 'a', 'a', 'member', '0', 1), (2, 'b', 'b', 'B', 'b', 'b', 'member', '0', 1);
  INSERT INTO recipient (id, kind) VALUES (1, 'stream'), (2, 'stream');
  INSERT INTO stream (id, recipient_id, name, name_key, is_private, is_history_public, created_at)
    VALUES (1, 1, 's1', 's1', 0, 1, 1), (2, 2, 's2', 's2', 0, 1, 1);
  INSERT INTO sqlite_sequence (name, seq) VALUES ('message', 0)`);

interface Sent {
  readonly streamId: number;
  readonly day: number;
}

/** What the office has, and what counts: each message once, where and when it was sent. */
class World {
  readonly present: number[] = [];
  readonly #sent: Sent[] = [];
  #holes: number[] = [];

  send(streamId: number, day: number, count: number): void {
    for (let left = count; left > 0; left--) {
      const sentAt = day * SECONDS_PER_DAY + left;
      const id = store.perform(
        writes.appendMessage(newMessage({ target: toStream(streamId), sentAt })),
      );
      this.present.push(id);
      this.#sent.push({ streamId, day });
    }
  }

  sendPrivately(day: number): void {
    const sentAt = day * SECONDS_PER_DAY;
    store.perform(writes.appendMessage(newMessage({ target: toUsers(1, 2), sentAt })));
  }

  /** Ids that the file lacks and somebody else may have. */
  skip(): void {
    const newest = this.#newest();
    this.#holes.push(newest + 1, newest + 2);
    store.db.exec("UPDATE sqlite_sequence SET seq = seq + 2 WHERE name = 'message'");
  }

  putBack(streamId: number, day: number, isAhead: boolean): void {
    const id = isAhead ? this.#newest() + 1 : this.#holes.shift();
    if (id === undefined) return;
    const recovered = { id, editNumber: 0, recoveredAt: 1, sentAt: day * SECONDS_PER_DAY };
    store.perform(
      writes.insertReuploaded({ ...newMessage({ target: toStream(streamId) }), ...recovered }),
    );
    this.present.push(id);
    this.#sent.push({ streamId, day });
  }

  delete(which: number): void {
    const [id] = this.present.splice(which % Math.max(1, this.present.length), 1);
    if (id !== undefined) store.perform(writes.deleteMessages([id]));
  }

  move(which: number, streamId: number): void {
    const messageId = this.present[which % Math.max(1, this.present.length)];
    if (messageId === undefined) return;
    const move = { propagate: 'change_one', streamId, topic: 'moved', topicKey: 'moved' } as const;
    store.perform(writes.editMessage({ messageId, editorId: 1, editedAt: 1, content: null, move }));
  }

  #newest(): number {
    return store.db.prepare('SELECT id FROM newest_message').pluck().get() as number;
  }

  countSince(day: number): Record<number, number> {
    const counts = STREAMS.map(
      (id) =>
        [id, this.#sent.filter((sent) => sent.streamId === id && sent.day > day).length] as const,
    );
    return Object.fromEntries(counts.filter(([, count]) => count > 0));
  }
}

const streamId = fc.constantFrom(...STREAMS);
const day = fc.constantFrom(...DAYS);
const step: fc.Arbitrary<(world: World) => void> = fc.oneof(
  fc.tuple(streamId, day, fc.integer({ min: 1, max: 50 })).map(
    ([to, at, count]) =>
      (world: World) =>
        world.send(to, at, count),
  ),
  day.map((at) => (world: World) => world.sendPrivately(at)),
  fc.constant((world: World) => world.skip()),
  fc.tuple(streamId, day, fc.boolean()).map(
    ([to, at, isAhead]) =>
      (world: World) =>
        world.putBack(to, at, isAhead),
  ),
  fc.nat().map((which) => (world: World) => world.delete(which)),
  fc.tuple(fc.nat(), streamId).map(
    ([which, to]) =>
      (world: World) =>
        world.move(which, to),
  ),
);

test('every message counts once, where and when it was sent, whatever becomes of it', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      store.undone(() => {
        const world = new World();
        for (const take of steps) {
          take(world);
          for (const since of [DAYS[0] - 1, ...DAYS]) {
            const read = reads.countMessagesSince(since * SECONDS_PER_DAY + 5);
            expect(Object.fromEntries(store.perform(read))).toEqual(world.countSince(since));
          }
        }
      });
    }),
    { numRuns: 60 },
  );
});
