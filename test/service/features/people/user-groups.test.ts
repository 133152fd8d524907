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
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { changeMembers, create, list, post, remove, update } = api.userGroups;
const bad = { code: 'BAD_REQUEST' };

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

async function find(name: string) {
  const { user_groups: groups } = await service.ask(gus, list);
  return groups.find((group) => group.name === name);
}

async function make(name: string, members: readonly number[] = [2]): Promise<number> {
  await service.ask(ada, create, { name, description: 'about', members });
  return (await find(name))?.id ?? 0;
}

/** Everybody hears the same of it. */
async function told(work: () => Promise<unknown>): Promise<readonly object[]> {
  const heard = [...(await eventsOf(service, work)).values()];
  const [first = []] = heard;
  expect(heard).toEqual(everybody.map(() => first));
  return first.map(({ id: _, ...event }) => event);
}

async function withPolicy(policy: 1 | 2, work: () => Promise<unknown>): Promise<void> {
  await service.ask(ada, api.realm.update, { user_group_edit_policy: policy });
  try {
    await work();
  } finally {
    await service.ask(ada, api.realm.update, { user_group_edit_policy: 1 });
  }
}

describe('creating a group', () => {
  test('it is listed with its members, in /register too, also after a restart [user-groups.listed-members-register]', async () => {
    const events = await told(() =>
      service.ask(ben, create, { name: ' Leads ', description: 'Who\nleads', members: [3, 1, 3] }),
    );
    const group = await find('Leads');
    expect(group).toEqual({
      id: expect.any(Number),
      name: 'Leads',
      description: 'Who leads',
      members: [1, 3],
    });
    expect(events).toEqual([{ type: 'user_group', op: 'add', group }]);
    await service.restart();
    expect(await find('Leads')).toEqual(group);
    const state = await service.ask(gus, api.events.register, {
      fetch_event_types: ['realm_user_groups'],
    });
    expect(state).toMatchObject({ realm_user_groups: [group] });
  });

  test('a new group needs neither members nor a description, and the shorter path does the same', async () => {
    await service.ask(cleo, post, { name: 'Empty' });
    expect(await find('Empty')).toMatchObject({ description: '', members: [] });
  });

  test.each([
    ['a blank name', { name: ' ' }],
    ['a name with a star', { name: 'a*b' }],
    ['a name of two lines', { name: 'a\nb' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['a taken name, whatever its letter case', { name: 'LEADS' }],
    ['a long description', { name: 'new', description: 'x'.repeat(1025) }],
    ['somebody unknown', { name: 'new', members: [99] }],
  ])('%s is refused', async (_, params) => {
    for (const endpoint of [create, post]) {
      expect(await service.refuse(ada, endpoint, params)).toMatchObject(bad);
    }
  });

  test('arguments are checked', async () => {
    expect(await service.refuse(ada, create)).toMatchObject({
      code: 'REQUEST_VARIABLE_MISSING',
      var_name: 'name',
    });
    expect(await service.refuse(ada, create, { name: 'new', members: ['x'] })).toMatchObject({
      code: 'REQUEST_VARIABLE_INVALID',
      var_name: 'members',
    });
  });

  test('members may, guests and bots never, and only administrators where it is their policy', async () => {
    for (const who of [gus, echoBot]) {
      expect(await service.refuse(who, create, { name: 'new' })).toMatchObject(bad);
    }
    await withPolicy(2, async () => {
      expect(await service.refuse(ben, create, { name: 'new' })).toMatchObject(bad);
      await service.ask(ada, create, { name: 'By an administrator' });
    });
  });
});

describe('changing a group', () => {
  test('everybody is told what changed, and nobody of what did not [user-groups.change-told]', async () => {
    const id = await make('Old name');
    const both = { user_group_id: id, name: 'New name', description: 'other' };
    expect(await told(() => service.ask(ben, update, both))).toEqual([
      {
        type: 'user_group',
        op: 'update',
        group_id: id,
        data: { name: 'New name', description: 'other' },
      },
    ]);
    expect(await told(() => service.ask(ben, update, both))).toEqual([]);
    const described = { ...both, name: 'NEW NAME' };
    expect(await told(() => service.ask(ada, update, described))).toEqual([
      { type: 'user_group', op: 'update', group_id: id, data: { name: 'NEW NAME' } },
    ]);
    expect(await find('NEW NAME')).toMatchObject({ id, description: 'other', members: [2] });
  });

  test('its old name is free again', async () => {
    const id = await make('First');
    await service.ask(ada, update, { user_group_id: id, name: 'Second' });
    await make('First');
    expect(await service.refuse(ada, update, { user_group_id: id, name: 'FIRST' })).toMatchObject(
      bad,
    );
  });

  test('nothing to change, a bad name and an unknown group are refused', async () => {
    const id = await make('Checked');
    for (const params of [
      { user_group_id: id },
      { user_group_id: id, name: '' },
      { user_group_id: id, description: 'x'.repeat(1025) },
      { user_group_id: 999, name: 'new' },
    ]) {
      expect(await service.refuse(ada, update, params)).toMatchObject(bad);
    }
  });

  test('its members and administrators may, others not', async () => {
    const id = await make('Closed', [2]);
    for (const who of [cleo, gus, echoBot]) {
      for (const [endpoint, params] of [
        [update, { name: 'Open' }],
        [changeMembers, { add: [3] }],
        [remove, {}],
      ] as const) {
        const call = { user_group_id: id, ...params };
        expect(await service.refuse(who, endpoint, call)).toMatchObject(bad);
      }
    }
    await withPolicy(2, async () => {
      const call = { user_group_id: id, name: 'Open' };
      expect(await service.refuse(ben, update, call)).toMatchObject(bad);
      await service.ask(ada, update, call);
    });
  });
});

describe('changing who is in a group', () => {
  test('people are put in and taken out, and everybody is told of both [user-groups.people-put-taken]', async () => {
    const id = await make('Changing', [2, 3]);
    const params = { user_group_id: id, add: [4, 6, 4], delete: [3] };
    expect(await told(() => service.ask(ben, changeMembers, params))).toEqual([
      { type: 'user_group', op: 'add_members', group_id: id, user_ids: [4, 6] },
      { type: 'user_group', op: 'remove_members', group_id: id, user_ids: [3] },
    ]);
    expect(await find('Changing')).toMatchObject({ members: [2, 4, 6] });
  });

  test('all or nothing: what is so already, nobody, and unknown people are refused', async () => {
    const id = await make('Stable', [2]);
    for (const params of [
      {},
      { add: [2] },
      { delete: [3] },
      { add: [3, 2] },
      { add: [3], delete: [4] },
      { add: [3], delete: [3] },
      { add: [99] },
    ]) {
      const call = { user_group_id: id, ...params };
      expect(await service.refuse(ada, changeMembers, call)).toMatchObject(bad);
    }
    expect(
      await service.refuse(ada, changeMembers, { user_group_id: 999, add: [3] }),
    ).toMatchObject(bad);
  });
});

test('a removed group is gone, and everybody is told [user-groups.removed-gone-everybody]', async () => {
  const id = await make('Short-lived');
  const events = await told(() => service.ask(ben, remove, { user_group_id: id }));
  expect(events).toEqual([{ type: 'user_group', op: 'remove', group_id: id }]);
  expect(await find('Short-lived')).toBeUndefined();
  expect(await service.refuse(ada, remove, { user_group_id: id })).toMatchObject(bad);
});

describe('mentioning a group', () => {
  const flagsOf = async (who: string, id: number) => (await service.read(who, id))?.flags;

  test('its members who hold the message are mentioned, others not', async () => {
    const id = await make('Cooks & Co', [1, 3, 4]);
    await service.join(ada, ['kitchen'], { principals: [ben, cleo] });
    const queue = await service.register(cleo);
    const message = await service.say(ben, 'kitchen', 'lunch', 'soup, @*COOKS & co*?');
    expect((await service.read(ben, message))?.content).toBe(
      `<p>soup, <span class="user-group-mention" data-user-group-id="${String(id)}">@Cooks &amp; Co</span>?</p>`,
    );
    expect(await flagsOf(cleo, message)).toEqual(['mentioned']);
    expect(await flagsOf(ben, message)).toEqual(['read']);
    expect(await queue.now()).toMatchObject([{ type: 'message', flags: ['mentioned'] }]);
    const direct = await service.tell(ben, [ada], '@*Cooks & Co*');
    expect(await flagsOf(ada, direct)).toEqual(['mentioned']);
  });

  test('an edit mentions and no longer mentions', async () => {
    await make('Late', [3]);
    const message = await service.say(ben, 'kitchen', 'lunch', 'nobody');
    const edit = (content: string) =>
      service.ask(ben, api.lifecycle.edit, { message_id: message, content });
    await edit('@*late*');
    expect(await flagsOf(cleo, message)).toEqual(['mentioned']);
    await edit('*late*');
    expect(await flagsOf(cleo, message)).toEqual([]);
  });

  test('a quoted mention of a group is silent, and what names no group is markup', async () => {
    await make('Quiet', [3]);
    const quoted = await service.say(ben, 'kitchen', 'lunch', '> @*Quiet*');
    expect(await flagsOf(cleo, quoted)).toEqual([]);
    const unknown = await service.say(ben, 'kitchen', 'lunch', '@*nobody here*');
    expect((await service.read(ben, unknown))?.content).toBe('<p>@<em>nobody here</em></p>');
  });
});
