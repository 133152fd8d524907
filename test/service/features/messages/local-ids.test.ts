import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { send, page } = api.messages;
const { edit, delete: remove } = api.lifecycle;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const toStream: Params = { type: 'stream', to: 'general', topic: 'local ids', content: 'once' };
const toPeople: Params = { type: 'private', to: [ben, cleo], content: 'once' };

const idOf = async (who: string, params: Params): Promise<number> =>
  (await service.ask(who, send, params)).id;

describe('a message whose local id is a UUID', () => {
  test.each([
    ['to a stream', toStream],
    ['to people', toPeople],
  ])(
    '%s is posted and announced once, however often it is sent [local-ids.posted-announced-once]',
    async (_, message) => {
      const queues = await Promise.all([ada, ada, ben].map((who) => service.register(who)));
      const [own, next] = queues;
      const params = { ...message, local_id: randomUUID() };
      const id = await idOf(ada, { ...params, queue_id: own?.id });
      const added = await service.rowsAdded(async () => {
        expect(await idOf(ada, { ...params, queue_id: own?.id })).toBe(id);
        expect(await idOf(ada, { ...params, queue_id: next?.id })).toBe(id);
        expect(await idOf(ada, params)).toBe(id);
        expect(await idOf(ada, { ...params, client: 'another program' })).toBe(id);
      });
      expect(added).toEqual({});
      for (const queue of queues) expect(await queue.heard()).toEqual([`message ${id}`]);
    },
  );

  test('a message whose local id is a UUID echoes it in the queue that the first send named', async () => {
    const queue = await service.register(ada);
    const localId = randomUUID();
    await idOf(ada, { ...toStream, local_id: localId, queue_id: queue.id });
    expect(await queue.now()).toMatchObject([{ local_message_id: localId }]);
  });

  test.each([
    ['4', '9b2f7c1e-5d3a-4e8b-a1c4-0f6d2e7b9a35', '9B2F7C1E-5D3A-4E8B-A1C4-0F6D2E7B9A35'],
    ['7', '01890a5d-ac96-774b-bcce-b302099a8057', '01890A5D-AC96-774B-BCCE-B302099A8057'],
  ])('a UUID of version %s is the same local id in either case', async (_, lower, upper) => {
    const id = await idOf(ada, { ...toStream, local_id: lower });
    expect(await idOf(ada, { ...toStream, local_id: upper })).toBe(id);
  });

  test('a message with a UUID is the same however the same people and the same white space are written', async () => {
    const localId = randomUUID();
    const id = await idOf(ada, { ...toPeople, local_id: localId });
    const again = { ...toPeople, type: 'direct', to: [cleo, ben], content: 'once \n' };
    expect(await idOf(ada, { ...again, local_id: localId })).toBe(id);
  });

  test.each([
    ['content', toStream, { content: 'another' }],
    ['topic', toStream, { topic: 'another' }],
    ['stream', toStream, { to: 'engineering' }],
    ['people', toPeople, { to: [ben] }],
    ['kind of conversation', toStream, { type: 'private', to: [ben] }],
  ])(
    'the UUID of a message cannot be sent with another %s [local-ids.uuid-message-cannot]',
    async (_, message, change) => {
      const localId = randomUUID();
      await idOf(ada, { ...message, local_id: localId });
      const refusal = await service.refuse(ada, send, { ...message, ...change, local_id: localId });
      expect(refusal).toEqual({
        code: 'BAD_REQUEST',
        msg: `The local_id '${localId}' was already used for another message`,
      });
    },
  );

  test('a UUID says nothing about what others send under the same id', async () => {
    const params = { ...toStream, local_id: randomUUID() };
    const ids = [await idOf(ada, params), await idOf(ben, params), await idOf(gus, params)];
    expect(new Set(ids).size).toBe(3);
  });

  test('a message with a UUID may be sent again after it was refused', async () => {
    const params = { ...toStream, to: 'appears later', local_id: randomUUID() };
    expect(await service.refuse(ben, send, params)).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
    });
    await service.join(ben, ['appears later']);
    const id = await idOf(ben, params);
    expect(await idOf(ben, params)).toBe(id);
  });

  test('a repeated UUID is answered with the id of its message after that was edited and moved', async () => {
    const params = { ...toStream, local_id: randomUUID() };
    const id = await idOf(ada, params);
    await service.ask(ada, edit, { message_id: id, content: 'edited', topic: 'moved' });
    expect(await idOf(ada, params)).toBe(id);
    expect(await service.read(ada, id, { apply_markdown: false })).toMatchObject({
      content: 'edited',
      subject: 'moved',
    });
  });

  test('a repeated UUID is answered with the id of its message after that was deleted, and it stays deleted [local-ids.repeated-uuid-answered]', async () => {
    const params = { ...toStream, local_id: randomUUID() };
    const id = await idOf(ada, params);
    await service.ask(ada, remove, { message_id: id });
    const added = await service.rowsAdded(async () => {
      expect(await idOf(ada, params)).toBe(id);
    });
    expect(added).toEqual({});
    expect(await service.read(ada, id)).toBeUndefined();
  });

  test('a repeated UUID is answered with the id of its message when that could no longer be sent', async () => {
    await service.join(ada, ['ends soon'], { principals: [ada, ben], invite_only: true });
    const params = { ...toStream, to: 'ends soon', local_id: randomUUID() };
    const id = await idOf(ben, params);
    await service.ask(ada, api.subscriptions.unsubscribe, {
      subscriptions: ['ends soon'],
      principals: [ben],
    });
    await service.refuse(ben, send, { ...params, local_id: randomUUID() });
    expect(await idOf(ben, params)).toBe(id);
  });

  test('a UUID is remembered after a restart [local-ids.uuid-remembered-restart]', async () => {
    const params = { ...toPeople, local_id: randomUUID() };
    const id = await idOf(ada, params);
    await service.restart();
    expect(await idOf(ada, params)).toBe(id);
  });
});

describe('a local id that may come again', () => {
  test.each([
    '12.01',
    '1',
    '9b2f7c1e5d3a4e8ba1c40f6d2e7b9a35',
    '{9b2f7c1e-5d3a-4e8b-a1c4-0f6d2e7b9a36}',
    'x9b2f7c1e-5d3a-4e8b-a1c4-0f6d2e7b9a36',
    '00000000-0000-0000-0000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '9b2f7c1e-5d3a-1e8b-a1c4-0f6d2e7b9a36',
    '9b2f7c1e-5d3a-5e8b-a1c4-0f6d2e7b9a36',
    '9b2f7c1e-5d3a-4e8b-c1c4-0f6d2e7b9a36',
    '9b2f7c1e-5d3a-4e8b-a1c4-0f6d2e7b9a36\n',
  ])(
    '%j: every send is a message, in one queue and in another [local-ids.send-message-queue]',
    async (localId) => {
      const queues = await Promise.all([service.register(ada), service.register(ada)]);
      const params = { ...toStream, local_id: localId };
      const ids = [
        await idOf(ada, { ...params, queue_id: queues[0].id }),
        await idOf(ada, { ...params, queue_id: queues[0].id }),
        await idOf(ada, { ...params, queue_id: queues[1].id }),
        await idOf(ada, { ...params, content: 'another' }),
      ];
      expect(new Set(ids).size).toBe(4);
    },
  );
});

describe('sends at once', () => {
  const senders = [ada, ben];
  const texts = ['tea', 'coffee', 'water'];

  interface Sending {
    readonly who: string;
    readonly localId: string;
    readonly content: string;
  }

  const slot = fc.record({
    who: fc.constantFrom(...senders),
    place: fc.integer({ min: 0, max: 3 }),
    content: fc.constantFrom(...texts),
  });

  test('sends of one unique local id at once post one message, those of other ids one each [local-ids.sends-unique-once]', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(slot, { minLength: 2, maxLength: 24 }), async (slots) => {
        const topic = `at once ${String((runs += 1))}`;
        const localIds = [randomUUID(), randomUUID(), randomUUID(), '12.01'];
        const sendings = slots.map(({ place, ...rest }): Sending => ({
          ...rest,
          localId: localIds[place] ?? '',
        }));
        const answers = await Promise.all(
          sendings.map(({ who, localId, content }) =>
            service.answer(who, send, { ...toStream, topic, content, local_id: localId }),
          ),
        );
        const { messages } = await service.ask(ada, page, {
          anchor: 'newest',
          num_before: 100,
          num_after: 0,
          apply_markdown: false,
          narrow: [
            ['stream', 'general'],
            ['topic', topic],
          ],
        });
        const posted = new Map(messages.map(({ id, content }) => [id, content]));
        const idsOf = new Map<string, Set<number>>();
        for (const [index, { who, localId, content }] of sendings.entries()) {
          const answer = answers[index];
          if (answer === undefined) throw new Error('not answered');
          const { status, body } = answer;
          const isUnique = localId !== '12.01';
          const name = isUnique ? `${who} ${localId}` : `${who} ${String(index)}`;
          const ids = idsOf.get(name) ?? new Set();
          idsOf.set(name, ids);
          if (status === 200) {
            expect(posted.get(Number(body['id']))).toBe(content);
            ids.add(Number(body['id']));
          } else {
            expect(isUnique).toBe(true);
            expect(body).toMatchObject({ code: 'BAD_REQUEST' });
            expect(String(body['msg'])).toContain(`local_id '${localId}'`);
          }
        }
        // Whoever was refused was refused because of another message, which is there.
        for (const ids of idsOf.values()) expect(ids.size).toBe(1);
        const all = [...idsOf.values()].flatMap((ids) => [...ids]);
        expect(all.sort((a, b) => a - b)).toEqual([...posted.keys()].sort((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });
});
