import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { HistoryScope } from '#shared/api/narrow.ts';
import {
  ada,
  ben,
  cleo,
  gus,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { page } = api.messages;
const nora = 'nora@example.com';

let service: TestService;
let ids: Readonly<Record<string, number>>;

/** Yesterday's organization; Nora is added today, and put into some of its streams. */
beforeAll(async () => {
  service = await startTestService();
  const shared = { invite_only: true, history_public_to_subscribers: true, principals: [ada, ben] };
  await service.join(ada, ['shared'], shared);
  await service.join(ada, ['closed'], { ...shared, history_public_to_subscribers: false });
  await service.join(ada, ['left'], { principals: [ada, gus, cleo] });
  const sent = {
    general: await service.say(ada, 'general', 'welcome', 'the parachute of the company'),
    engineering: await service.say(ben, 'engineering', 'plan', 'a parachute for everybody'),
    leads: await service.say(ada, 'leads', 'plan', 'no parachute for anybody'),
    shared: await service.say(ada, 'shared', 'plan', 'our parachute'),
    closedBefore: await service.say(ada, 'closed', 'plan', 'a hidden parachute'),
    private: await service.tell(ada, [ben], 'parachute'),
    leftBefore: await service.say(ada, 'left', 'plan', 'one parachute'),
  };
  await service.ask(ada, api.users.create, {
    email: nora,
    password: 'a good password',
    full_name: 'Nora New',
  });
  await service.join(ada, ['general', 'shared', 'closed'], { principals: [nora] });
  const left = { subscriptions: ['left'], principals: [gus, cleo] };
  await service.ask(ada, api.subscriptions.unsubscribe, left);
  ids = {
    ...sent,
    closedAfter: await service.say(ada, 'closed', 'plan', 'another parachute'),
    leftAfter: await service.say(ada, 'left', 'plan', 'two parachutes'),
  };
});
afterAll(() => service.stop());

const nameOf = (id: number): string =>
  Object.entries(ids).find(([, each]) => each === id)?.[0] ?? String(id);

const whole: Params = { anchor: 'newest', num_before: 1000, num_after: 0 };

async function find(who: string, more: Params): Promise<readonly string[]> {
  const { messages } = await service.ask(who, page, {
    ...whole,
    narrow: [['search', 'parachute']],
    ...more,
  });
  return messages.map(({ id }) => nameOf(id));
}

describe('a search', () => {
  test.each<[string, HistoryScope, readonly string[]]>([
    [nora, 'held', ['closedAfter']],
    [nora, 'subscribed', ['general', 'shared', 'closedAfter']],
    [
      nora,
      'readable',
      ['general', 'engineering', 'shared', 'leftBefore', 'closedAfter', 'leftAfter'],
    ],
    [cleo, 'held', ['general', 'leftBefore']],
    [cleo, 'subscribed', ['general', 'leftBefore']],
    [cleo, 'readable', ['general', 'engineering', 'leftBefore', 'leftAfter']],
    [gus, 'held', ['general', 'leftBefore']],
    [gus, 'subscribed', ['general', 'leftBefore']],
    [gus, 'readable', ['general', 'leftBefore']],
  ])('a search by %s reaches what is %s [reach.search-reaches]', async (who, reach, names) => {
    expect(await find(who, { reach })).toEqual(names);
    const ranked = await find(who, { reach, order: 'relevance' });
    expect(ranked.toSorted()).toEqual(names.toSorted());
  });

  test.each<[unknown, readonly string[]]>([
    [['stream', 'closed'], ['closedAfter']],
    [['stream', 'engineering'], ['engineering']],
    [['is', 'unread'], ['closedAfter']],
    [['is', 'starred'], []],
    [
      { operator: 'is', operand: 'unread', negated: true },
      ['general', 'engineering', 'shared', 'leftBefore', 'leftAfter'],
    ],
    [['sender', ben], ['engineering']],
  ])('a search reaches as far with %j [reach.search-reaches-far]', async (term, names) => {
    const narrow = [['search', 'parachute'], term];
    expect(await find(nora, { reach: 'readable', narrow })).toEqual(names);
  });
});

describe('what a reach shows', () => {
  test('a message in reach is read and historical where it was not received, and nobody holds it afterwards [reach.message-read-historical]', async () => {
    const before = service.dump();
    const params = { ...whole, with_source: true, reach: 'readable' };
    const { messages } = await service.ask(nora, page, params);
    const flags = Object.fromEntries(messages.map((each) => [nameOf(each.id), each]));
    expect(flags['general']).toMatchObject({ flags: ['read', 'historical'], is_held: false });
    expect(flags['closedAfter']).toMatchObject({ flags: [], is_held: true });
    expect(service.dump()).toEqual(before);
    expect(await find(nora, {})).toEqual(['closedAfter']);
    const { unread_msgs: unread } = await service.ask(nora, api.events.register, {
      fetch_event_types: ['message', 'update_message_flags'],
    });
    expect(unread).toMatchObject({ count: 1 });
  });

  test('a page of a reach begins at what is unread where that is asked for [reach.page-begins-unread]', async () => {
    const around = { use_first_unread_anchor: true, num_before: 1, num_after: 1 };
    const { anchor, messages } = await service.ask(nora, page, { ...around, reach: 'subscribed' });
    expect(nameOf(anchor)).toBe('closedAfter');
    expect(messages.map(({ id }) => nameOf(id))).toEqual(['shared', 'closedAfter']);
  });

  test('a message in reach is starred like anything that may be read, which makes a copy of that alone [reach.message-starred-like]', async () => {
    const flag = { messages: [ids['engineering']], flag: 'starred', op: 'add' };
    const added = await service.rowsAdded(() => service.ask(nora, api.readState.changeFlags, flag));
    expect(added).toMatchObject({ message_flag: 2 });
    expect(await find(nora, {})).toEqual(['engineering', 'closedAfter']);
    await service.ask(nora, api.readState.changeFlags, { ...flag, op: 'remove' });
  });

  test('the history of a stream that was archived is no longer in reach [reach.history-stream-archived]', async () => {
    const id = await service.say(ada, 'left', 'plan', 'the last parachute');
    expect(await service.read(nora, id, { reach: 'readable' })).toBeDefined();
    const { stream_id } = await service.ask(ada, api.streams.findId, { stream: 'left' });
    await service.ask(ada, api.streamAdmin.archive, { stream_id });
    expect(await service.read(nora, id, { reach: 'readable' })).toBeUndefined();
    expect(await find(cleo, { reach: 'readable' })).toContain('leftBefore');
  });
});

describe('clients that do not ask for a reach', () => {
  test('a client that asks for no reach is answered the same bytes as one that asks for what it holds [reach.client-asks-no]', async () => {
    const authorization = await service.authorization(nora);
    const bodyOf = async (more: string): Promise<string> => {
      const query = `anchor=newest&num_before=100&num_after=0${more}`;
      const url = `${service.origin}/api/v1/messages?${query}`;
      return (await fetch(url, { headers: { authorization } })).text();
    };
    const plain = await bodyOf('');
    expect(plain).toContain('another parachute');
    expect(plain).not.toContain('company');
    expect(await bodyOf('&reach=held')).toBe(plain);
  });

  test('another reach is refused [reach.another-refused]', async () => {
    expect(await service.refuse(ben, page, { ...whole, reach: 'everything' })).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'reach',
      bad_value: 'everything',
    });
  });
});
