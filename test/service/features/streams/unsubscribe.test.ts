import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  gus,
  heardOf,
  hookBot,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { subscriptions: listed, list } = api.streams;
const { unsubscribe, change } = api.subscriptions;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const bad = { code: 'BAD_REQUEST' };

async function namesOf(who: string): Promise<string[]> {
  const answer = await service.ask(who, listed);
  return answer.subscriptions.map((subscription) => subscription.name);
}

const leave = (who: string, names: readonly string[], more: Params = {}) =>
  service.ask(who, unsubscribe, { subscriptions: names, ...more });

async function streamId(name: string): Promise<number> {
  const { streams } = await service.ask(ada, list, { include_all_active: true });
  return streams.find((stream) => stream.name === name)?.stream_id ?? 0;
}

describe('unsubscribing', () => {
  test('what was subscribed is removed, what was not is listed as such [unsubscribe.subscribed-removed-not]', async () => {
    await service.join(ben, ['u one', 'u two'], { principals: [ben, cleo] });
    await service.join(ada, ['u other']);
    expect(await leave(ben, [' U ONE ', 'u other'])).toEqual({
      removed: ['u one'],
      not_removed: ['u other'],
    });
    expect(await namesOf(ben)).not.toContain('u one');
    expect(await namesOf(cleo)).toContain('u one');
    expect(await leave(ben, ['u one'])).toEqual({ removed: [], not_removed: ['u one'] });
  });

  test('leaving again changes nothing, nor does leaving nothing [unsubscribe.leaving-again-changes]', async () => {
    await service.join(ben, ['u again']);
    await leave(ben, ['u again']);
    const before = service.dump();
    await leave(ben, ['u again', 'U again']);
    await leave(ben, []);
    expect(service.dump()).toEqual(before);
  });

  test('a stream that is named twice is left once', async () => {
    await service.join(ben, ['u twice']);
    expect(await leave(ben, ['u twice', 'U Twice'])).toEqual({
      removed: ['u twice'],
      not_removed: [],
    });
  });

  test.each<[string, string]>([
    ['JSON text', '["u q1","u q2"]'],
    ['text with commas', 'u q1, u q2'],
  ])(
    'the names may stand in the query, as %s [unsubscribe.names-query]',
    async (_, subscriptions) => {
      await service.join(ben, ['u q1', 'u q2']);
      const answer = await service.ask(ben, unsubscribe, { subscriptions }, { body: '' });
      expect(answer).toEqual({ removed: ['u q1', 'u q2'], not_removed: [] });
    },
  );

  test('leaving a stream ends the membership with the newest message, and keeps the settings for another time', async () => {
    await service.join(cleo, ['u range']);
    const { stream: streams = [] } = service.dump();
    const recipientId = streams.find((row) => row['name'] === 'u range')?.['recipient_id'];
    const held = await service.say(ada, 'u range', 't', 'held');
    const newest = await service.say(ada, 'general', 't', 'elsewhere');
    const added = await service.rowsAdded(() => leave(cleo, ['u range']));
    // To the account itself, to the others, and that the stream is empty now.
    expect(added).toEqual({ event: 3 });
    const { membership = [] } = service.dump();
    const ranges = membership.filter((row) => row['recipient_id'] === recipientId);
    expect(ranges).toEqual([expect.objectContaining({ account_id: 3, until_id: newest })]);
    const missed = await service.say(ada, 'u range', 't', 'missed');
    await service.restart();
    expect((await service.read(cleo, held))?.id).toBe(held);
    expect(await service.read(cleo, missed)).toBeUndefined();
  });

  test('what is sent after leaving does not arrive, and coming back brings it from then on', async () => {
    await service.join(ada, ['u gus'], { principals: [gus] });
    await leave(gus, ['u gus']);
    const queue = await service.register(gus, { event_types: ['message'] });
    await service.say(ada, 'u gus', 't');
    expect(await queue.heard()).toEqual([]);
    await service.join(ada, ['u gus'], { principals: [gus] });
    const id = await service.say(ada, 'u gus', 't');
    expect(await queue.heard()).toEqual([`message ${id}`]);
  });

  test.each<[string, string, Params, Params]>([
    ['no names', ben, {}, { code: 'REQUEST_VARIABLE_MISSING', var_name: 'subscriptions' }],
    [
      'names of another type',
      ben,
      { subscriptions: [7] },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'subscriptions' },
    ],
    [
      'principals of another type',
      ada,
      { subscriptions: ['general'], principals: '{}' },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'principals' },
    ],
    [
      'an unknown stream beside a known one',
      ben,
      { subscriptions: ['general', 'u nowhere'] },
      { code: 'STREAM_DOES_NOT_EXIST', stream: 'u nowhere' },
    ],
    [
      'a stream that is hidden',
      cleo,
      { subscriptions: ['leads'] },
      { code: 'STREAM_DOES_NOT_EXIST', stream: 'leads' },
    ],
    [
      'a public stream, for a guest that is not in it',
      gus,
      { subscriptions: ['engineering'] },
      { code: 'STREAM_DOES_NOT_EXIST', stream: 'engineering' },
    ],
    ['somebody else, by a member', ben, { subscriptions: ['general'], principals: [cleo] }, bad],
    [
      'somebody else beside oneself, by a member',
      ben,
      { subscriptions: ['general'], principals: [ben, cleo] },
      bad,
    ],
    [
      "somebody else, by an administrator's bot",
      echoBot,
      { subscriptions: ['general'], principals: [cleo] },
      bad,
    ],
    [
      'an unknown account',
      ada,
      { subscriptions: ['general'], principals: [cleo, 'x@example.com'] },
      { code: 'UNAUTHORIZED_PRINCIPAL', principal: 'x@example.com' },
    ],
  ])(
    'unsubscribing is refused: %s [unsubscribe.unsubscribing-refused]',
    async (_, who, params, expected) => {
      expect(await service.refuse(who, unsubscribe, params)).toMatchObject(expected);
    },
  );

  test('an archived stream does not exist', async () => {
    await service.join(ben, ['u archived']);
    const id = await streamId('u archived');
    await service.ask(ada, api.streamAdmin.archive, { stream_id: id });
    const params = { subscriptions: ['u archived'] };
    expect(await service.refuse(ben, unsubscribe, params)).toMatchObject({
      code: 'STREAM_DOES_NOT_EXIST',
      stream: 'u archived',
    });
  });

  test('naming oneself is no privilege', async () => {
    await service.join(ben, ['u self']);
    expect(await leave(ben, ['u self'], { principals: ['BEN@example.com'] })).toEqual({
      removed: ['u self'],
      not_removed: [],
    });
  });

  test('an administrator unsubscribes others, from private streams too [unsubscribe.administrator-private-streams]', async () => {
    await service.join(ben, ['u many'], { principals: [ben, cleo] });
    await service.join(ben, ['u secret'], { invite_only: true });
    const principals = [idOf[ben], cleo, gus];
    expect(await leave(ada, ['u many', 'u secret'], { principals })).toEqual({
      removed: ['u many', 'u secret'],
      not_removed: ['u many', 'u secret'],
    });
    expect(await namesOf(ben)).not.toContain('u secret');
    expect(await namesOf(cleo)).not.toContain('u many');
  });

  test('accounts may be listed by id, with commas', async () => {
    await service.join(ada, ['u ids'], { principals: [ben, cleo] });
    const params = { subscriptions: ['u ids'], principals: '2,3' };
    const answer = await service.ask(ada, unsubscribe, params, { body: '' });
    expect(answer).toEqual({ removed: ['u ids'], not_removed: [] });
  });

  test('an incoming webhook bot may not call it', async () => {
    const params = { subscriptions: ['general'] };
    expect(await service.refuse(hookBot, unsubscribe, params)).toMatchObject({
      code: 'UNAUTHORIZED',
    });
  });

  test('a stream that is archived at the same moment is left or does not exist', async () => {
    await service.join(ben, ['u race']);
    const id = await streamId('u race');
    const [left] = await Promise.all([
      service.answer(ben, unsubscribe, { subscriptions: ['u race'] }),
      service.ask(ada, api.streamAdmin.archive, { stream_id: id }),
    ]);
    expect([undefined, 'STREAM_DOES_NOT_EXIST']).toContain(left.body['code']);
    expect(await namesOf(ben)).not.toContain('u race');
  });
});

describe('who hears of it', () => {
  test('a public stream: members, guests only of themselves [unsubscribe.public-stream-members]', async () => {
    await service.join(ada, ['h pub'], { principals: [ada, ben, gus] });
    expect(await heardOf(service, () => leave(ben, ['h pub']))).toEqual({
      [ada]: ['peer gone 2 h pub'],
      [ben]: ['left h pub'],
      [cleo]: ['peer gone 2 h pub'],
      [echoBot]: ['peer gone 2 h pub'],
    });
    expect(await heardOf(service, () => leave(gus, ['h pub']))).toEqual({
      [ada]: ['peer gone 4 h pub'],
      [ben]: ['peer gone 4 h pub'],
      [cleo]: ['peer gone 4 h pub'],
      [gus]: ['left h pub'],
      [echoBot]: ['peer gone 4 h pub'],
    });
    expect(await heardOf(service, () => leave(ada, ['h pub']))).toEqual({
      [ada]: ['left h pub', 'vacate h pub'],
      [ben]: ['peer gone 1 h pub', 'vacate h pub'],
      [cleo]: ['peer gone 1 h pub', 'vacate h pub'],
      [echoBot]: ['peer gone 1 h pub', 'vacate h pub'],
    });
  });

  test('a private stream: those who remain and administrators; an empty one is not announced', async () => {
    await service.join(ben, ['h priv'], { principals: [ben, cleo, gus], invite_only: true });
    expect(await heardOf(service, () => leave(cleo, ['h priv']))).toEqual({
      [ada]: ['peer gone 3 h priv'],
      [ben]: ['peer gone 3 h priv'],
      [cleo]: ['left h priv'],
      [gus]: ['peer gone 3 h priv'],
    });
    const everyone = { principals: [ben, gus] };
    expect(await heardOf(service, () => leave(ada, ['h priv'], everyone))).toEqual({
      [ada]: ['peer gone 2 h priv', 'peer gone 4 h priv'],
      [ben]: ['left h priv'],
      [gus]: ['left h priv'],
    });
  });

  test('several streams are one event to the account', async () => {
    await service.join(ada, ['h a', 'h b'], { principals: [ada, gus] });
    const heard = await heardOf(service, () => leave(gus, ['h a', 'h b']));
    expect(heard[gus]).toEqual(['left h a,h b']);
    expect(heard[ada]).toEqual(['peer gone 4 h a', 'peer gone 4 h b']);
  });

  test('the events have these keys [unsubscribe.events-keys]', async () => {
    await service.join(ada, ['h keys'], { principals: [ada, ben] });
    const id = await streamId('h keys');
    const events = await eventsOf(service, () => leave(ben, ['h keys']));
    expect(events.get(ben)).toEqual([
      {
        id: expect.any(Number),
        type: 'subscription',
        op: 'remove',
        subscriptions: [{ stream_id: id, name: 'h keys' }],
      },
    ]);
    expect(events.get(cleo)).toEqual([
      {
        id: expect.any(Number),
        type: 'subscription',
        op: 'peer_remove',
        stream_id: id,
        user_id: 2,
        stream_ids: [id],
        user_ids: [2],
        subscriptions: ['h keys'],
      },
    ]);
    const last = await eventsOf(service, () => leave(ada, ['h keys']));
    expect(last.get(cleo)?.[1]).toMatchObject({
      type: 'stream',
      op: 'vacate',
      streams: [{ stream_id: id, name: 'h keys', invite_only: false, is_old_stream: false }],
    });
  });
});

describe('ending and beginning subscriptions at once', () => {
  test('a call that ends and begins subscriptions answers both', async () => {
    await service.join(ben, ['c old', 'c kept']);
    expect(
      await service.ask(ben, change, {
        add: [{ name: 'c new', color: '#123' }, { name: 'C KEPT' }],
        delete: ['c old', 'engineering', 'h pub'],
      }),
    ).toEqual({
      subscribed: { [ben]: ['c new'] },
      already_subscribed: { [ben]: ['c kept'] },
      removed: ['c old', 'engineering'],
      not_removed: ['h pub'],
    });
    expect(await namesOf(ben)).toEqual(expect.arrayContaining(['c new', 'c kept']));
    expect(await namesOf(ben)).not.toContain('c old');
  });

  test('either half of a change of subscriptions may be missing', async () => {
    const none = { subscribed: {}, already_subscribed: {}, removed: [], not_removed: [] };
    expect(await service.ask(ben, change, { add: [{ name: 'c half' }] })).toEqual({
      ...none,
      subscribed: { [ben]: ['c half'] },
    });
    expect(await service.ask(ben, change, { delete: ['c half'] })).toEqual({
      ...none,
      removed: ['c half'],
    });
  });

  test('the events are those of leaving, then those of joining', async () => {
    await service.join(ada, ['c left', 'c joined'], { principals: [ada, ben] });
    await service.ask(ben, unsubscribe, { subscriptions: ['c joined'] });
    const params = { add: [{ name: 'c joined' }], delete: ['c left'] };
    const heard = await heardOf(service, () => service.ask(ben, change, params));
    expect(heard).toEqual({
      [ada]: ['peer gone 2 c left', 'peer 2 c joined'],
      [ben]: ['left c left', 'joined c joined'],
      [cleo]: ['peer gone 2 c left', 'peer 2 c joined'],
      [echoBot]: ['peer gone 2 c left', 'peer 2 c joined'],
    });
  });

  test.each<[string, string, Params, Params]>([
    ['nothing to do', ben, {}, bad],
    [
      'an unknown stream to leave',
      ben,
      { add: [{ name: 'c never' }], delete: ['u nowhere'] },
      { code: 'STREAM_DOES_NOT_EXIST', stream: 'u nowhere' },
    ],
    [
      'a private stream to join',
      cleo,
      { add: [{ name: 'leads' }], delete: ['general'] },
      { code: 'NONE' },
    ],
    ['a bad name to create', ben, { add: [{ name: ' ' }], delete: ['general'] }, bad],
    ['a stream to create, for a guest', gus, { add: [{ name: 'c guest' }] }, bad],
    [
      'names instead of objects',
      ben,
      { add: ['x'] },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'add' },
    ],
    [
      'objects instead of names',
      ben,
      { delete: [{ name: 'general' }] },
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'delete' },
    ],
  ])(
    'a call that ends and begins subscriptions is refused as a whole: %s',
    async (_, who, params, expected) => {
      expect(await service.refuse(who, change, params)).toMatchObject(expected);
    },
  );
});
