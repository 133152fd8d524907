import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { get, put, post } = api.pointer;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const pointers = async (who: string): Promise<readonly unknown[]> => {
  const state = await service.ask(who, api.events.register, { fetch_event_types: ['pointer'] });
  return [
    (await service.ask(who, get)).pointer,
    (await service.ask(who, api.users.me)).pointer,
    (state as unknown as { readonly pointer: number }).pointer,
  ];
};

test('nothing is set at first [pointer.nothing-set-first]', async () => {
  for (const who of [ada, gus, echoBot]) expect(await pointers(who)).toEqual([-1, -1, -1]);
});

test.each([
  ['PUT', put],
  ['POST', post],
])(
  '%s moves it forward, and tells the account alone [pointer.moves-forward-account]',
  async (_, move) => {
    const [first, second] = [
      await service.say(ada, 'general', 'pointer'),
      await service.say(ada, 'general', 'pointer'),
    ];
    for (const who of [ben, gus]) {
      const queues = await Promise.all(
        [ada, ben, cleo, gus, echoBot].map((each) => service.register(each)),
      );
      await service.ask(who, move, { pointer: second });
      // It never goes back, and standing still is no news.
      await service.ask(who, move, { pointer: second });
      await service.ask(who, move, { pointer: first });
      await service.ask(who, move, { pointer: 0 });
      expect(await pointers(who)).toEqual([second, second, second]);
      for (const queue of queues) {
        const expected = [{ id: queue.lastEventId + 1, type: 'pointer', pointer: second }];
        expect(await queue.now()).toMatchObject(
          queue.who === who ? expected.map(({ id: _id, ...rest }) => rest) : [],
        );
      }
    }
    await service.restart();
    expect(await pointers(ben)).toEqual([second, second, second]);
  },
);

test.each<[string, Params, Params]>([
  ['no pointer', {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'pointer' }],
  ['a word', { pointer: 'newest' }, { code: 'REQUEST_VARIABLE_INVALID', var_name: 'pointer' }],
  ['an unknown message', { pointer: 999_999 }, { code: 'BAD_REQUEST' }],
])('%s is refused [pointer.refused]', async (_, params, expected) => {
  for (const move of [put, post]) {
    expect(await service.refuse(ada, move, params)).toMatchObject(expected);
  }
});

test('a message that the account may not see is as unknown as one that is not there', async () => {
  const hidden = await service.say(ada, 'leads', 'secret');
  const absent = await service.refuse(cleo, post, { pointer: 999_999 });
  expect((await service.refuse(cleo, post, { pointer: hidden })).msg).toBe(absent.msg);
});
