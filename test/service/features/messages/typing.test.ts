import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestQueue,
  type TestService,
} from '#test/support/service/api.ts';

const { notify } = api.typing;
const bad = { code: 'BAD_REQUEST' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const typist = (who: string) => ({ user_id: idOf[who], email: who });

async function listen(more: Params = {}): Promise<readonly TestQueue[]> {
  const everybody = [ada, ben, cleo, gus, echoBot];
  return Promise.all(everybody.map((who) => service.register(who, more)));
}

async function heardBy(queues: readonly TestQueue[]): Promise<Record<string, unknown[]>> {
  const heard: Record<string, unknown[]> = {};
  for (const queue of queues) {
    const events = await queue.now();
    if (events.length > 0) heard[queue.who] = events.map(({ id: _, ...event }) => event);
  }
  return heard;
}

const event = (op: string, sender: string, recipients: readonly string[]) => ({
  type: 'typing',
  op,
  sender: typist(sender),
  recipients: recipients.map(typist),
});

describe('a typing notice', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['a list of ids', [2], [ada, ben]],
    ['a list of ids with the own one', [1, 2, 3], [ada, ben, cleo]],
    ['an id', 2, [ada, ben]],
    ['a list of addresses', [ben, cleo], [ada, ben, cleo]],
    ['an address in quotes', `"${ben}"`, [ada, ben]],
    ['a bare address', ben.toUpperCase(), [ada, ben]],
    ['addresses and ids with commas', `${ben}, 3`, [ada, ben, cleo]],
    ['a guest and a bot', [gus, echoBot], [ada, gus, echoBot]],
    ['oneself', [1], [ada]],
  ])(
    'a typing notice to %s reaches the participants and nobody else [typing.notice-reaches-participants]',
    async (_, to, participants) => {
      const queues = await listen();
      expect(await service.ask(ada, notify, { op: 'start', to })).toEqual({});
      const expected = event('start', ada, participants);
      expect(await heardBy(queues)).toEqual(
        Object.fromEntries(participants.map((who) => [who, [expected]])),
      );
    },
  );

  test('a typing notice says when typing stops [typing.notice-stops]', async () => {
    const queues = await listen({ event_types: ['typing'] });
    await service.ask(gus, notify, { op: 'stop', to: [ada] });
    const expected = event('stop', gus, [ada, gus]);
    expect(await heardBy(queues)).toEqual({ [ada]: [expected], [gus]: [expected] });
  });

  test('a typing notice leaves no trace where nobody listens [typing.notice-leaves-no]', async () => {
    const quiet = await startTestService();
    try {
      const told = () => quiet.ask(ada, notify, { op: 'start', to: [ben] });
      await quiet.keyOf(ada);
      expect(await quiet.rowsAdded(told)).toEqual({});
      const queues = await Promise.all([
        quiet.register(cleo),
        quiet.register(ben, { event_types: ['message'] }),
      ]);
      expect(await quiet.rowsAdded(told)).toEqual({});
      expect(await Promise.all(queues.map((queue) => queue.now()))).toEqual([[], []]);
      await quiet.register(ben, { event_types: ['typing'] });
      expect(await quiet.rowsAdded(told)).toEqual({ event: 1 });
    } finally {
      await quiet.stop();
    }
  });

  test.each<[string, Params, Params]>([
    ['no op', { to: [2] }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'op' }],
    ['another op', { op: 'pause', to: [2] }, bad],
    ['nobody named', { op: 'start' }, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'to' }],
    [
      'a mixed list',
      { op: 'start', to: [2, ben] },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'to' },
    ],
    ['an empty list', { op: 'start', to: [] }, bad],
    ['an unknown id', { op: 'start', to: [99] }, bad],
    ['an unknown address', { op: 'start', to: 'nobody@example.com' }, bad],
  ])('a typing notice with %s is refused [typing.notice-refused]', async (_, params, expected) => {
    expect(await service.refuse(ada, notify, params)).toMatchObject(expected);
  });

  test('a typing notice to a deactivated account is refused', async () => {
    service.change('UPDATE account SET is_active = 0 WHERE email = ?', hookBot);
    expect(await service.refuse(ada, notify, { op: 'start', to: [hookBot] })).toMatchObject(bad);
  });
});
