import { describe, expect, test } from 'vitest';
import { checkQueueNarrow } from '#service/events/scan.ts';
import {
  callerOf,
  type EventService,
  fetchEvents,
  mixedRealm,
  type ReceivedEvent,
  register,
  startEvents,
} from '#test/support/service/event-service.ts';
import { settle } from '#test/support/fake-clock.ts';
import { emailOf, newMessage, toStream, toUsers } from '#test/support/service/store.ts';
import { bareEvent } from '#test/support/service/bare-events.ts';

const roles = { 1: 'admin', 2: 'member', 3: 'member', 4: 'guest' } as const;
const who = (userId: 1 | 2 | 3 | 4) => callerOf(userId, roles[userId]);

/** Sent in this order, so that the ids of messages count from 1. */
const sent = [
  newMessage({ senderId: 2, target: toStream(1, 'Lunch') }),
  newMessage({ senderId: 1, target: toStream(1, 'other'), has_wildcard_mention: true }),
  newMessage({ senderId: 1, target: toStream(2, 'LUNCH') }),
  newMessage({ senderId: 2, target: toStream(3, 'plans'), mentionedUserIds: [1] }),
  newMessage({ senderId: 2, target: toUsers(1, 2) }),
  newMessage({ senderId: 1, target: toUsers(1) }),
  newMessage({ senderId: 3, target: toUsers(2, 3, 4) }),
];

async function openWith(userId: 1 | 2 | 3 | 4, options: Readonly<Record<string, unknown>>) {
  const service = await startEvents({}, mixedRealm);
  const { queueId } = await register(service, who(userId), options);
  for (const message of sent) await service.store.appendMessage(message);
  return { service, queueId };
}

const fetchNow = (service: EventService, userId: 1 | 2 | 3 | 4, queueId: string) =>
  fetchEvents(service, who(userId), queueId, { dontBlock: true });

const messageIds = (events: readonly ReceivedEvent[]): readonly unknown[] =>
  events.map((event) => (event['message'] as { id: number }).id);

const flagsOf = (events: readonly ReceivedEvent[]): readonly unknown[] =>
  events.map((event) => event['flags']);

describe('messages that enter a queue', () => {
  const table: readonly [1 | 2 | 3 | 4, Readonly<Record<string, unknown>>, readonly number[]][] = [
    [1, {}, [1, 2, 3, 4, 5, 6]],
    [2, {}, [1, 2, 4, 5, 7]],
    [3, {}, [1, 2, 7]],
    [4, {}, [1, 2, 7]],
    [3, { all_public_streams: 'true' }, [1, 2, 3, 7]],
    [2, { all_public_streams: 'true' }, [1, 2, 3, 4, 5, 7]],
    [3, { narrow: '[["stream","OTHER"]]' }, [3]],
    [3, { narrow: '["stream","other"]' }, [3]],
    [4, { narrow: '[["stream","other"]]' }, []],
    [3, { narrow: '[["stream","secret"]]' }, []],
    [2, { narrow: '[["stream","3"]]' }, [4]],
    [3, { narrow: '[["topic","lunch"]]' }, [1, 3]],
    [4, { narrow: '[["topic","lunch"]]' }, [1]],
    [1, { narrow: '[["topic","lunch"],["stream","general"]]' }, [1]],
    [1, { narrow: `[["sender","${emailOf(2).toUpperCase()}"]]` }, [1, 4, 5]],
    [1, { narrow: '[["is","private"]]' }, [5, 6]],
    [1, { narrow: '[["is","mentioned"]]' }, [2, 4]],
    [3, { narrow: '[["is","mentioned"]]' }, [2]],
    [1, { narrow: '[["is","unread"]]' }, [1, 4, 5]],
    [1, { narrow: '[["is","starred"]]' }, []],
    [1, { narrow: '[["is","alerted"]]' }, []],
    [1, { event_types: '["message"]' }, [1, 2, 3, 4, 5, 6]],
    [1, { event_types: '["subscription"]' }, []],
    [1, { event_types: '[]' }, []],
  ];
  test.for(table)(
    'the messages of account %i with %j are %j',
    async ([userId, options, expected]) => {
      const { service, queueId } = await openWith(userId, options);
      expect(messageIds(await fetchNow(service, userId, queueId))).toEqual(expected);
    },
  );

  test('messages carry the flags of the owner of the queue, and none where the owner holds no copy', async () => {
    const first = await openWith(1, {});
    expect(flagsOf(await fetchNow(first.service, 1, first.queueId))).toEqual([
      [],
      ['read', 'wildcard_mentioned'],
      ['read'],
      ['mentioned'],
      [],
      ['read'],
    ]);
    const second = await openWith(3, { all_public_streams: 'true' });
    expect(flagsOf(await fetchNow(second.service, 3, second.queueId))).toEqual([
      [],
      ['wildcard_mentioned'],
      [],
      ['read'],
    ]);
  });

  test('messages are rendered as the owner of the queue asked for', async () => {
    const { service, queueId } = await openWith(2, {
      apply_markdown: 'true',
      client_gravatar: 'true',
    });
    const plain = await register(service, who(2));
    await service.store.appendMessage(newMessage({ content: '**b**', rendered: '<p>b</p>' }));
    const rendered = (await fetchNow(service, 2, queueId)).at(-1);
    expect(rendered?.['message']).toMatchObject({
      content: '<p>b</p>',
      content_type: 'text/html',
      avatar_url: null,
    });
    expect(rendered?.['message']).not.toHaveProperty('flags');
    const raw = (await fetchNow(service, 2, plain.queueId)).at(-1);
    expect(raw?.['message']).toMatchObject({
      content: '**b**',
      content_type: 'text/x-markdown',
      avatar_url: expect.stringContaining('gravatar'),
    });
  });

  test('messages carry a local id in the queue that the sender named, and in no other', async () => {
    const service = await startEvents({}, mixedRealm);
    const own = await register(service, who(1));
    const other = await register(service, who(1));
    const colleague = await register(service, who(2));
    const queues = [
      [1, own],
      [1, other],
      [2, colleague],
    ] as const;
    // From the first one on it is known what they hold, and a message is written once for all.
    await service.store.appendMessage(newMessage());
    const acknowledged = { dontBlock: true, lastEventId: service.store.lastEventId() };
    for (const [userId, { queueId }] of queues) {
      await fetchNow(service, userId, queueId);
      expect(await fetchEvents(service, who(userId), queueId, acknowledged)).toEqual([]);
    }
    const echo = { queueId: own.queueId, localId: '12.34 "quoted"' };
    await service.store.appendMessage(newMessage({ echo }));
    await settle();
    const told: ReceivedEvent[] = [];
    for (const [userId, { queueId }] of queues) {
      told.push(...(await fetchNow(service, userId, queueId)));
    }
    expect(told.map((event) => event['local_message_id'])).toEqual([
      '12.34 "quoted"',
      undefined,
      undefined,
    ]);
    expect(flagsOf(told)).toEqual([['read'], ['read'], []]);
  });
});

test('a queue that is far behind is filled in parts, with no gap between them', async () => {
  const service = await startEvents({}, mixedRealm);
  const { queueId, lastEventId } = await register(service, who(1));
  const count = 12_345;
  const audience = { kind: 'users', userIds: [1] } as const;
  const ids = await Promise.all(
    Array.from({ length: count }, () => service.store.appendEvent(bareEvent('notice', audience))),
  );
  const received: number[] = [];
  for (let fetches = 1; received.length < count; fetches += 1) {
    expect(fetches).toBeLessThan(5);
    const events = await fetchEvents(service, who(1), queueId, {
      dontBlock: true,
      lastEventId: received.at(-1) ?? lastEventId,
    });
    received.push(...events.map((event) => event.id));
  }
  expect(received).toEqual(ids);
});

describe('the narrow of a queue', () => {
  test.for([
    [['stream', 'x']],
    [['topic', 'x']],
    [['sender', 'x']],
    [['is', 'private']],
    [['IS', 'Mentioned']],
    [
      ['is', 'alerted'],
      ['is', 'starred'],
      ['is', 'unread'],
    ],
    [],
  ] as [string, string][][])('%j is accepted', (narrow) => {
    expect(() => checkQueueNarrow(narrow)).not.toThrow();
  });

  test.for([
    [['has', 'link']],
    [['search', 'x']],
    [['pm-with', 'x']],
    [['is', 'nice']],
    [['', '']],
    [['constructor', 'x']],
    [
      ['stream', 'x'],
      ['near', '1'],
    ],
  ] as [string, string][][])('%j is refused', (narrow) => {
    expect(() => checkQueueNarrow(narrow)).toThrow(
      expect.objectContaining({ name: 'ServiceError', code: 'BAD_REQUEST' }),
    );
  });
});

test('a guest may not listen to all public streams', async () => {
  const service = await startEvents({}, mixedRealm);
  const asking = register(service, who(4), { all_public_streams: 'true' });
  await expect(asking).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await service.store.listQueues()).toEqual([]);
});

test('whoever reads many events from the file lets others have their turn', async () => {
  const { service, queueId } = await openWith(1, {});
  await service.store.change((tx) =>
    tx.recordAll(Array.from({ length: 300 }, () => bareEvent('test', { kind: 'realm' }))),
  );
  const again = await service.restart('stop');
  const order: string[] = [];
  setImmediate(() => order.push('another'));
  const events = await fetchNow(again, 1, queueId);
  order.push('told');
  expect(events.filter(({ type }) => type === 'test')).toHaveLength(300);
  expect(order).toEqual(['another', 'told']);
});
