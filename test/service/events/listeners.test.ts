import { describe, expect, test } from 'vitest';
import type { Audience } from '#service/db/event-log.ts';
import type { Role } from '#shared/policies/actor.ts';
import { createViewers, visibilityTo } from '#service/events/listeners.ts';
import type { Store } from '#service/db/port.ts';
import { mixedRealm } from '#test/support/service/event-service.ts';
import {
  connectForTest,
  newMessage,
  openForTest,
  seedRealm,
  subscribeForTest,
  temporaryFile,
} from '#test/support/service/store.ts';

const listener = (role: Role, userId = 7, held: readonly string[] = []) => ({
  userId,
  role,
  isBot: false,
  isHolder: (recipientId: number, messageId: number) =>
    held.includes(`${recipientId} ${messageId}`),
  isHolderOfAll: () => false,
});

describe('who is told of an event', () => {
  const holders: Audience = { kind: 'holders', recipientId: 1, messageId: 5, publicStreamId: null };
  const inPublic: Audience = { ...holders, publicStreamId: 3 };
  const table: readonly [Audience, Role, readonly string[], string][] = [
    [{ kind: 'realm' }, 'guest', [], 'full'],
    [{ kind: 'members' }, 'guest', [], 'none'],
    [{ kind: 'members' }, 'member', [], 'full'],
    [{ kind: 'members', exceptUserId: 7 }, 'admin', [], 'none'],
    [{ kind: 'members', exceptUserId: 8 }, 'admin', [], 'full'],
    [{ kind: 'members', alsoUserIds: [7] }, 'guest', [], 'full'],
    [{ kind: 'members', alsoUserIds: [8] }, 'guest', [], 'none'],
    [{ kind: 'members', exceptUserId: 7, alsoUserIds: [7] }, 'guest', [], 'none'],
    [{ kind: 'users', userIds: [7] }, 'guest', [], 'full'],
    [{ kind: 'users', userIds: [6, 8] }, 'admin', [], 'none'],
    [{ kind: 'users', userIds: [] }, 'admin', [], 'none'],
    [holders, 'guest', ['1 5'], 'full'],
    [holders, 'admin', ['1 4', '2 5'], 'none'],
    [inPublic, 'member', ['1 5'], 'full'],
    [inPublic, 'member', [], 'public'],
    [inPublic, 'guest', [], 'none'],
    [inPublic, 'guest', ['1 5'], 'full'],
  ];
  test.for(table)('%j, told to a %s who holds %j: %s', ([audience, role, held, reach]) => {
    expect(visibilityTo(listener(role, 7, held), audience)).toBe(reach);
  });
});

async function openListeners(file = temporaryFile()) {
  const store = await openForTest(file);
  await seedRealm(store, mixedRealm);
  const listeners = createViewers(store);
  let reads = 0;
  const counted = createViewers({
    findUser: (id) => {
      reads += 1;
      return store.findUser(id);
    },
    listMembershipRanges: (id) => store.listMembershipRanges(id),
  });
  return { store, listeners, counted, reads: () => reads, db: connectForTest(file) };
}

const subscribe = (store: Store, userId: number, streamId: number): Promise<unknown> =>
  subscribeForTest(store, streamId, userId);

describe('what is known of a listener', () => {
  test('the facts about a listener are read once, until something changes them', async () => {
    const { counted, reads } = await openListeners();
    const first = await counted.load(2);
    expect(await counted.load(2)).toBe(first);
    expect(reads()).toBe(1);
    expect(first).toMatchObject({ userId: 2, role: 'member' });
  });

  test('the facts about a listener are read anew after a subscription, for the one who was subscribed', async () => {
    const { store, counted, reads } = await openListeners();
    store.onCommit((events) => events.forEach((event) => counted.forget(event)));
    const recipientId = (await store.findStream(2))!.recipient_id;
    const before = await store.appendMessage(newMessage());
    expect((await counted.load(3)).isHolder(recipientId, before + 1)).toBe(false);
    await counted.load(4);
    await subscribe(store, 3, 2);
    const after = await counted.load(3);
    expect(after.isHolder(recipientId, before)).toBe(false);
    expect(after.isHolder(recipientId, before + 1)).toBe(true);
    await counted.load(4);
    expect(reads()).toBe(3);
  });

  test('the facts about a listener are read anew after their account changed, and nobody else’s are', async () => {
    const { counted, reads } = await openListeners();
    const [, other] = await Promise.all([counted.load(1), counted.load(2)]);
    const payload = { op: 'update', person: { user_id: 1, is_guest: true } };
    counted.forget({ id: 1, type: 'realm_user', audience: { kind: 'realm' }, payload });
    expect(counted.loaded(1)).toBeUndefined();
    expect(counted.loaded(2)).toBe(other);
    await counted.load(1);
    expect(reads()).toBe(3);
  });

  test('the facts about a listener tell which messages each period of a membership covers', async () => {
    const { listeners, db } = await openListeners();
    db.exec(`DELETE FROM membership WHERE account_id = 3;
      INSERT INTO membership (recipient_id, account_id, from_id, until_id)
        VALUES (1, 3, 5, 10), (1, 3, 20, NULL)`);
    const { isHolder, isHolderOfAll } = await listeners.load(3);
    const held = Array.from({ length: 30 }, (_, id) => id).filter((id) => isHolder(1, id));
    expect(held).toEqual([6, 7, 8, 9, 10, 21, 22, 23, 24, 25, 26, 27, 28, 29]);
    expect(isHolder(2, 7)).toBe(false);
    const all = [
      [6, 10],
      [7, 7],
      [21, 29],
      [5, 10],
      [10, 21],
      [9, 11],
    ] as const;
    expect(all.filter(([first, last]) => isHolderOfAll(1, first, last))).toEqual(all.slice(0, 3));
    expect(isHolderOfAll(2, 7, 7)).toBe(false);
  });

  test('the facts about a listener are asked for again after a read that failed', async () => {
    let isBroken = true;
    const listeners = createViewers({
      findUser: () =>
        isBroken ? Promise.reject(new Error('no disk')) : Promise.resolve(undefined),
      listMembershipRanges: () => Promise.resolve([]),
    });
    await expect(listeners.load(1)).rejects.toThrow('no disk');
    isBroken = false;
    // An account that is gone is told nothing that a guest would not be told.
    expect(await listeners.load(1)).toMatchObject({ role: 'guest' });
  });
});
