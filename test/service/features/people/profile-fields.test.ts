import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  echoBot,
  eventsOf,
  everybody,
  gus,
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { add, answer, list, order, remove, update, withdraw } = api.profileFields;
const bad = { code: 'BAD_REQUEST' };
const editors = { vi: { text: 'Vim', order: '1' }, em: { text: 'Emacs', order: 2 } };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

let count = 0;

/** A field with a name of its own. */
async function make(field_type: number, more: Params = {}): Promise<number> {
  const name = `Field ${String(++count)}`;
  return (await service.ask(ada, add, { name, field_type, ...more })).id;
}

const find = async (id: number) =>
  (await service.ask(gus, list)).custom_fields.find((field) => field.id === id);

/** Everybody hears the same of it. */
async function told(work: () => Promise<unknown>): Promise<readonly object[]> {
  const heard = [...(await eventsOf(service, work)).values()];
  const [first = []] = heard;
  expect(heard).toEqual(everybody.map(() => first));
  return first.map(({ id: _, ...event }) => event);
}

async function fieldsTold() {
  const { custom_fields: fields } = await service.ask(gus, list);
  return [{ type: 'custom_profile_fields', op: 'add', fields }];
}

const profileOf = async (who: string) => (await service.ask(who, api.users.me)).profile_data;

const changed = (who: string, id: number, value: string | null, rendered?: string) => ({
  type: 'realm_user',
  op: 'update',
  person: {
    user_id: idOf[who],
    email: who,
    custom_profile_field: {
      id,
      value,
      ...(rendered === undefined ? {} : { rendered_value: rendered }),
    },
  },
});

describe('adding a field', () => {
  test('it comes after the others, in /register too, also after a restart [profile-fields.comes-register-too]', async () => {
    const first = await make(1, { name: ' Phone ', hint: ' With area code ' });
    let second = 0;
    const events = await told(async () => {
      second = await make(3, { name: 'Editor', field_data: editors });
    });
    const fields = [
      { id: first, name: 'Phone', type: 1, hint: 'With area code', field_data: '', order: 1 },
      {
        id: second,
        name: 'Editor',
        type: 3,
        hint: '',
        field_data: '{"vi":{"text":"Vim","order":"1"},"em":{"text":"Emacs","order":"2"}}',
        order: 2,
      },
    ];
    expect(events).toEqual([{ type: 'custom_profile_fields', op: 'add', fields }]);
    await service.restart();
    expect(await service.ask(gus, list)).toEqual({ custom_fields: fields });
    const state = await service.ask(gus, api.events.register, {
      fetch_event_types: ['custom_profile_fields'],
    });
    expect(state).toMatchObject({
      custom_profile_fields: fields,
      custom_profile_field_types: { SHORT_TEXT: { id: 1, name: 'Short text' } },
    });
  });

  test.each([
    ['a blank name', { name: ' ' }],
    ['a long name', { name: 'x'.repeat(41) }],
    ['a taken name, whatever its letter case', { name: 'PHONE' }],
    ['a long hint', { hint: 'x'.repeat(81) }],
    ['no choices', { field_type: 3 }],
    ['none of the choices', { field_type: 3, field_data: {} }],
    ['a choice without a name', { field_type: 3, field_data: { a: { text: ' ', order: 1 } } }],
    ['a strange key', { field_type: 3, field_data: { '__proto__ ': { text: 'a', order: 1 } } }],
    ['a strange order', { field_type: 3, field_data: { a: { text: 'a', order: 'x' } } }],
  ])('%s: refused', async (_, params) => {
    const call = { name: 'New', field_type: 1, ...params };
    expect(await service.refuse(ada, add, call)).toMatchObject(bad);
  });

  test('arguments are checked', async () => {
    for (const [params, code, var_name] of [
      [{ field_type: 1 }, 'REQUEST_VARIABLE_MISSING', 'name'],
      [{ name: 'New' }, 'REQUEST_VARIABLE_MISSING', 'field_type'],
      [{ name: 'New', field_type: 7 }, 'REQUEST_VARIABLE_INVALID', 'field_type'],
      [{ name: 'New', field_type: 3, field_data: [] }, 'REQUEST_VARIABLE_INVALID', 'field_data'],
    ] as const) {
      expect(await service.refuse(ada, add, params)).toMatchObject({ code, var_name });
    }
  });

  test('only administrators manage fields', async () => {
    const id = await make(1);
    for (const who of [ben, gus, echoBot]) {
      for (const [endpoint, params] of [
        [add, { name: 'New', field_type: 1 }],
        [update, { field_id: id, name: 'Other' }],
        [order, { order: [id] }],
        [remove, { field_id: id }],
      ] as const) {
        expect(await service.refuse(who, endpoint, params)).toMatchObject(bad);
      }
    }
  });
});

describe('changing fields', () => {
  test('everybody is told the whole list, and nothing of what stayed [profile-fields.everybody-whole-list]', async () => {
    const id = await make(1);
    const params = { field_id: id, name: 'Renamed', hint: 'new' };
    expect(await told(() => service.ask(ada, update, params))).toEqual(await fieldsTold());
    expect(await find(id)).toMatchObject({ name: 'Renamed', hint: 'new' });
    expect(await told(() => service.ask(ada, update, params))).toEqual([]);
    await service.ask(ada, update, { field_id: id, hint: '' });
    expect(await find(id)).toMatchObject({ name: 'Renamed', hint: '' });
    expect(await service.refuse(ada, update, { field_id: id, name: 'PHONE' })).toMatchObject(bad);
    expect(await service.refuse(ada, update, { field_id: 999, name: 'x' })).toMatchObject(bad);
  });

  test('who answered with a choice that goes has no answer any more', async () => {
    const id = await make(3, { field_data: editors });
    await service.ask(ben, answer, { data: [{ id, value: 'vi' }] });
    await service.ask(cleo, answer, { data: [{ id, value: 'em' }] });
    const { em } = editors;
    const events = await told(() => service.ask(ada, update, { field_id: id, field_data: { em } }));
    expect(events).toEqual([...(await fieldsTold()), changed(ben, id, null)]);
    expect(await profileOf(ben)).toEqual({});
    expect(await profileOf(cleo)).toEqual({ [id]: { value: 'em' } });
    await service.ask(cleo, withdraw, { data: [id] });
  });

  test('the order names every field once', async () => {
    await make(1);
    const { custom_fields: fields } = await service.ask(ada, list);
    const ids = fields.map((field) => field.id);
    const reversed = ids.toReversed();
    const events = await told(() => service.ask(ada, order, { order: reversed }));
    expect(events).toEqual(await fieldsTold());
    const after = (await service.ask(ada, list)).custom_fields;
    expect(after.map((field) => [field.id, field.order])).toEqual(
      reversed.map((id, index) => [id, index + 1]),
    );
    expect(await told(() => service.ask(ada, order, { order: reversed }))).toEqual([]);
    for (const wrong of [[], ids.slice(1), [...ids, 999], [ids[0], ...ids.slice(0, -1)]]) {
      expect(await service.refuse(ada, order, { order: wrong })).toMatchObject(bad);
    }
  });

  test('a removed field goes with its answers', async () => {
    const id = await make(1);
    await service.ask(ben, answer, { data: [{ id, value: 'gone' }] });
    const events = await told(() => service.ask(ada, remove, { field_id: id }));
    expect(events).toEqual(await fieldsTold());
    expect(await find(id)).toBeUndefined();
    expect(await profileOf(ben)).toEqual({});
    expect(await service.refuse(ada, remove, { field_id: id })).toMatchObject(bad);
  });
});

describe('answering', () => {
  test.each<[string, number, unknown, string, string?]>([
    ['a short text', 1, ' plain ', 'plain'],
    ['a long text', 2, 'some *mark*\nup', 'some *mark*\nup', '<p>some <em>mark</em><br>\nup</p>'],
    ['a choice', 3, 'em', 'em'],
    ['a date', 4, '2020-02-29', '2020-02-29'],
    ['a web address', 5, 'https://example.com/~ben', 'https://example.com/~ben'],
    ['people', 6, [3, 1, 3], '[3,1]'],
    ['people as text', 6, '[4]', '[4]'],
  ])(
    '%s is told to everybody once and shown in every profile [profile-fields.everybody-once-shown]',
    async (...row) => {
      const [, type, given, value, rendered] = row;
      const id = await make(type, type === 3 ? { field_data: editors } : {});
      const data = [{ id, value: given }];
      expect(await told(() => service.ask(gus, answer, { data }))).toEqual([
        changed(gus, id, value, rendered),
      ]);
      expect(await told(() => service.ask(gus, answer, { data }))).toEqual([]);
      const profile = {
        [id]: { value, ...(rendered === undefined ? {} : { rendered_value: rendered }) },
      };
      expect(await profileOf(gus)).toEqual(profile);
      const withProfile = { include_custom_profile_fields: true };
      const { user } = await service.ask(ada, api.userAdmin.get, { user_id: 4, ...withProfile });
      expect(user.profile_data).toEqual(profile);
      const { members } = await service.ask(ada, api.users.list, withProfile);
      expect(members.map((member) => member.profile_data)).toEqual([
        {},
        {},
        {},
        profile,
        undefined,
        undefined,
      ]);
      const state = await service.ask(ben, api.events.register, {
        fetch_event_types: ['realm_user'],
      });
      const listed = state['realm_users'] as readonly { user_id: number; profile_data?: object }[];
      expect(listed.find((user) => user.user_id === 4)?.profile_data).toEqual(profile);
      expect(await told(() => service.ask(gus, withdraw, { data: [id] }))).toEqual([
        changed(gus, id, null),
      ]);
      expect(await profileOf(gus)).toEqual({});
    },
  );

  test.each<[string, number, unknown]>([
    ['a long short text', 1, 'x'.repeat(51)],
    ['a long long text', 2, 'x'.repeat(501)],
    ['an unknown choice', 3, 'ed'],
    ['a choice that every object has', 3, 'constructor'],
    ['no date', 4, '2021-02-29'],
    ['a date in other words', 4, '1.1.2020'],
    ['no address', 5, 'example'],
    ['a script', 5, 'javascript:alert(1)'],
    ['no list', 6, '7'],
    ['unknown people', 6, [99]],
    ['a bot', 6, [6]],
    ['an object', 1, { a: 1 }],
    ['a list', 1, ['a']],
    ['true', 1, true],
  ])('%s is refused', async (_, type, value) => {
    const id = await make(type, type === 3 ? { field_data: editors } : {});
    expect(await service.refuse(ben, answer, { data: [{ id, value }] })).toMatchObject(bad);
  });

  test('all or nothing, of several answers to one field the last', async () => {
    const [first, second] = [await make(1), await make(1)];
    const unknown = [
      { id: first, value: 'a' },
      { id: 999, value: 'b' },
    ];
    expect(await service.refuse(ben, answer, { data: unknown })).toMatchObject(bad);
    const data = [
      { id: first, value: 'a' },
      { id: second, value: 'b' },
      { id: first, value: 'c' },
    ];
    expect(await told(() => service.ask(ben, answer, { data }))).toEqual([
      changed(ben, first, 'c'),
      changed(ben, second, 'b'),
    ]);
    const blank = [
      { id: first, value: ' ' },
      { id: second, value: null },
    ];
    await service.ask(ben, answer, { data: blank });
    expect(await profileOf(ben)).toEqual({});
    expect(await told(() => service.ask(ben, withdraw, { data: [first] }))).toEqual([]);
    expect(await service.refuse(ben, withdraw, { data: [999] })).toMatchObject(bad);
  });

  test('arguments are checked, and bots have no profile', async () => {
    for (const [endpoint, data] of [
      [answer, 'x'],
      [answer, [{ value: 'x' }]],
      [withdraw, ['x']],
    ] as const) {
      expect(await service.refuse(ben, endpoint, { data })).toMatchObject({
        code: 'REQUEST_VARIABLE_INVALID',
        var_name: 'data',
      });
      expect(await service.refuse(ben, endpoint)).toMatchObject({
        code: 'REQUEST_VARIABLE_MISSING',
      });
    }
    const id = await make(1);
    expect(await service.refuse(echoBot, answer, { data: [{ id, value: 'x' }] })).toMatchObject(
      bad,
    );
    expect(await service.refuse(echoBot, withdraw, { data: [id] })).toMatchObject(bad);
  });

  test('administrators answer for others, but not for bots [profile-fields.administrators-answer-not]', async () => {
    const id = await make(1);
    const data = [{ id, value: 'set' }];
    const change = { user_id: 3, profile_data: data, full_name: 'Cleo Renamed' };
    expect(await told(() => service.ask(ada, api.userAdmin.update, change))).toEqual([
      {
        type: 'realm_user',
        op: 'update',
        person: { user_id: 3, email: cleo, full_name: 'Cleo Renamed' },
      },
      changed(cleo, id, 'set'),
    ]);
    expect(await profileOf(cleo)).toEqual({ [id]: { value: 'set' } });
    for (const params of [
      { user_id: 6, profile_data: data },
      { user_id: 3, profile_data: [{ id: 999, value: 'x' }] },
    ]) {
      expect(await service.refuse(ada, api.userAdmin.update, params)).toMatchObject(bad);
    }
    const own = { user_id: 2, profile_data: data };
    expect(await service.refuse(ben, api.userAdmin.update, own)).toMatchObject(bad);
  });

  test('whoever comes back is announced with the profile', async () => {
    const id = await make(1);
    await service.ask(gus, answer, { data: [{ id, value: 'kept' }] });
    await service.ask(ada, api.userAdmin.deactivate, { user_id: 4 });
    const queue = await service.register(ben);
    await service.ask(ada, api.userAdmin.reactivate, { user_id: 4 });
    expect(await queue.now()).toMatchObject([
      { type: 'realm_user', op: 'add', person: { profile_data: { [id]: { value: 'kept' } } } },
    ]);
  });
});
