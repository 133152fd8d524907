import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { set } = api.statuses;
const bad = { code: 'BAD_REQUEST' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const listed = async (): Promise<unknown> => {
  const state = await service.ask(gus, api.events.register, { fetch_event_types: ['user_status'] });
  return (state as unknown as { readonly user_status: unknown }).user_status;
};

test('everybody is told what changed, and /register has what holds [statuses.change-told]', async () => {
  const who = [ada, ben, cleo, gus, echoBot];
  const queues = await Promise.all(who.map((each) => service.register(each)));
  const expectNews = async (news: object | null): Promise<void> => {
    for (const queue of queues) {
      const events = (await queue.now()).map(({ id: _, ...event }) => event);
      const event = { type: 'user_status', user_id: idOf[ben], ...news };
      expect(events).toEqual(news === null ? [] : [event]);
    }
  };
  const change = (params: Params): Promise<unknown> => service.ask(ben, set, params);

  expect(await listed()).toEqual({});
  expect(await change({ away: true })).toEqual({});
  await expectNews({ away: true });
  await change({ away: true, status_text: ' out\nfor  lunch ' });
  await expectNews({ status_text: 'out for lunch' });
  expect(await listed()).toEqual({
    [String(idOf[ben])]: { away: true, status_text: 'out for lunch' },
  });
  await change({ away: 'true', status_text: 'out for lunch' });
  await expectNews(null);
  await change({ away: false });
  await expectNews({ away: false });
  await service.restart();
  expect(await listed()).toEqual({ [String(idOf[ben])]: { status_text: 'out for lunch' } });
  // The queues outlive the restart, and are told of it.
  for (const queue of queues) await queue.now();
  await change({ away: false, status_text: '' });
  await expectNews({ status_text: '' });
  expect(await listed()).toEqual({});
  expect(service.dump()['user_status']).toEqual([]);
});

test('a guest says so too, and a deactivated account is no longer listed', async () => {
  await service.ask(gus, set, { status_text: '😀'.repeat(60) });
  await service.ask(cleo, set, { away: true });
  service.change('UPDATE account SET is_active = 0 WHERE email = ?', cleo);
  expect(await listed()).toEqual({ [String(idOf[gus])]: { status_text: '😀'.repeat(60) } });
});

test.each<[string, Params, Params]>([
  ['nothing', {}, bad],
  ['61 characters', { status_text: 'a'.repeat(61) }, bad],
  [
    'a flag that is none',
    { away: 'perhaps' },
    { code: 'REQUEST_VARIABLE_INVALID', var_name: 'away' },
  ],
])('%s is refused', async (_, params, expected) => {
  expect(await service.refuse(ada, set, params)).toMatchObject(expected);
});

test('a bot has no status', async () => {
  expect(await service.refuse(echoBot, set, { away: true })).toMatchObject(bad);
});
