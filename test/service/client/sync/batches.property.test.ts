import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ShownMessage } from '#shared/bridge/models/client.ts';
import { SyncState } from '#client/sync/account-sync.ts';
import { Snapshot, snapshotTypes } from '#client/sync/state/snapshot.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { openSqliteCache } from '#desktop/storage/cache/sqlite-cache.ts';
import { fillCache, scopeFor } from '#test/support/client/cache-world.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import {
  ada,
  ben,
  startTestService,
  TestQueue,
  type TestService,
} from '#test/support/service/api.ts';

let service: TestService;
let dir: string;
beforeAll(async () => {
  service = await startTestService();
  dir = mkdtempSync(join(tmpdir(), 'hearth-batches-'));
});
afterAll(async () => {
  await service.stop();
  rmSync(dir, { recursive: true });
});

/** The sync of ben's account, and the messages as a window that heard everything would show them. */
async function startReplica(file: string, snapshot: Snapshot) {
  const { cache } = openSqliteCache(join(dir, file));
  const shown = new Map<number, ShownMessage>();
  const show = (messages: readonly ShownMessage[]): void => {
    for (const message of messages) shown.set(message.id, { ...message, localId: null });
  };
  const sync = new SyncState({
    ownUserId: snapshot.user_id,
    cache,
    clock: new FakeClock(),
    pendingFlags: () => [],
    failed: (error) => {
      throw error;
    },
    listener: {
      arrived: (arrivals) => show(arrivals.map(({ message }) => message)),
      changed: show,
      removed: (ids) => {
        for (const id of ids) shown.delete(id);
      },
      state: () => undefined,
      outdated: () => undefined,
    },
  });
  sync.register(snapshot, {
    queueId: snapshot.queue_id,
    lastEventId: snapshot.last_event_id,
  });
  await fillCache(service, cache);
  return { cache, sync, shown };
}

/** What may follow a message at once. */
const works = {
  edit: (message_id: number) =>
    service.answer(ada, api.lifecycle.edit, { message_id, content: 'edited' }),
  move: (message_id: number) =>
    service.answer(ada, api.lifecycle.edit, { message_id, topic: 'moved' }),
  delete: (message_id: number) => service.answer(ada, api.lifecycle.delete, { message_id }),
  react: (message_id: number) =>
    service.answer(ada, api.reactions.add, { message_id, emoji_name: 'tada' }),
  read: (id: number) =>
    service.answer(ben, api.readState.changeFlags, { messages: [id], op: 'add', flag: 'read' }),
  unread: (id: number) =>
    service.answer(ben, api.readState.changeFlags, { messages: [id], op: 'remove', flag: 'read' }),
  star: (id: number) =>
    service.answer(ben, api.readState.changeFlags, { messages: [id], op: 'add', flag: 'starred' }),
};

const step = fc.record({
  isOwn: fc.boolean(),
  isPrivate: fc.boolean(),
  /** Each for one of the newest messages: 0 for the newest. */
  follow: fc.array(
    fc.record({
      work: fc.constantFrom(...(Object.keys(works) as (keyof typeof works)[])),
      back: fc.nat(2),
    }),
    { maxLength: 4 },
  ),
});

/** The conversation goes back to a message of the same batch. */
const deletedNewest = [
  { isOwn: false, isPrivate: true, follow: [] },
  { isOwn: false, isPrivate: true, follow: [{ work: 'delete' as const, back: 0 }] },
];

test('property: what comes together leaves the same as what comes one by one', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 5, minLength: 1 }), async (steps) => {
      run += 1;
      const asked = { fetch_event_types: snapshotTypes, apply_markdown: true, with_source: true };
      const snapshot = Snapshot.parse(await service.ask(ben, api.events.register, asked));
      const cursor = { id: snapshot.queue_id, lastEventId: snapshot.last_event_id };
      const queue = new TestQueue(service, ben, cursor);
      const single = await startReplica(`${String(run)}-single.db`, snapshot);
      const together = await startReplica(`${String(run)}-together.db`, snapshot);
      const ids: number[] = [];
      const events: Awaited<ReturnType<TestQueue['now']>>[number][] = [];
      // As a stream tells them: what was told already is not taken back.
      const listen = async (): Promise<void> => void events.push(...(await queue.now()));
      for (const { isOwn, isPrivate, follow } of steps) {
        const [sender, other] = isOwn ? [ben, ada] : [ada, ben];
        ids.push(
          isPrivate
            ? await service.tell(sender, [other], 'in private')
            : await service.say(sender, 'general', 'batches'),
        );
        await listen();
        for (const { work, back } of follow) {
          const id = ids.at(-1 - back);
          if (id !== undefined) await works[work](id);
          await listen();
        }
      }
      const positionAt = (lastEventId: number) => ({ queueId: queue.id, lastEventId });
      for (const event of events) single.sync.deliver([event], positionAt(event.id));
      together.sync.deliver(events, positionAt(events.at(-1)?.id ?? 0));
      const everything = { narrow: [], anchor: 'newest', numBefore: 1000, numAfter: 0 } as const;
      const scope = await scopeFor(service);
      expect(together.sync.state).toEqual(single.sync.state);
      expect(together.sync.position).toEqual(single.sync.position);
      expect(together.cache.page(everything, scope)).toEqual(single.cache.page(everything, scope));
      expect(together.cache.findStale(100)).toEqual(single.cache.findStale(100));
      expect(together.cache.size()).toEqual(single.cache.size());
      expect(together.shown).toEqual(single.shown);
      await service.ask(ben, api.events.deleteQueue, { queue_id: queue.id });
      single.cache.close();
      together.cache.close();
    }),
    { numRuns: 30, examples: [[deletedNewest]] },
  );
});
