/** Fields, defaults and limits of the specification's tables that no other suite pins down by themselves. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
  type TestService,
} from '#test/support/service/api.ts';
import { png, upload } from '#test/support/images.ts';
import { projectDir } from '#test/support/machine.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const gravatar = /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}\?d=identicon&version=\d+$/;

describe('a message', () => {
  test('a message has the recipient id of its stream or conversation, all of them from one number space [fields.recipient-id]', async () => {
    const sent: readonly (readonly [place: string, id: number])[] = [
      ['general', await service.say(ada, 'general', 'one')],
      ['general', await service.say(ben, 'general', 'two')],
      ['engineering', await service.say(ada, 'engineering', 'one')],
      ['ada and ben', await service.tell(ada, [ben])],
      ['ada and ben', await service.tell(ben, [ada])],
      ['three', await service.tell(ada, [ben, cleo])],
      ['note', await service.tell(ada, [ada])],
    ];
    const places = new Map<string, Set<unknown>>();
    for (const [place, id] of sent) {
      const ids = places.get(place) ?? new Set();
      places.set(place, ids.add((await service.read(ada, id))?.recipient_id));
    }
    expect([...places.values()].map((ids) => ids.size)).toEqual([1, 1, 1, 1, 1]);
    expect(new Set([...places.values()].flatMap((ids) => [...ids])).size).toBe(5);
  });

  test('a message has an id above those of all earlier ones, in streams and in private [fields.message-id]', async () => {
    const ids = [
      await service.say(ada, 'general', 'ids'),
      await service.tell(ben, [cleo]),
      await service.say(gus, 'general', 'ids'),
      await service.tell(ada, [ada]),
    ];
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('a message carries the name, address and id of its sender, of a bot as well as of a person [fields.sender]', async () => {
    for (const [who, fullName, shortName] of [
      [cleo, 'Cleo Member', 'cleo'],
      [echoBot, 'Echo Bot', 'echo-bot'],
    ] as const) {
      const id = await service.say(who, 'general', 'sender');
      expect(await service.read(ada, id)).toMatchObject({
        sender_id: idOf[who],
        sender_email: who,
        sender_full_name: fullName,
        sender_short_name: shortName,
        sender_realm_str: '',
      });
    }
  });
});

test('a version of a message says in seconds when it was made, and by whom [fields.version-message-seconds]', async () => {
  const id = await service.say(cleo, 'general', 'versions', 'first');
  service.change('UPDATE message SET sent_at = sent_at - 100 WHERE id = ?', id);
  const before = Math.floor(Date.now() / 1000);
  await service.ask(cleo, api.lifecycle.edit, { message_id: id, content: 'second' });
  await service.ask(ben, api.lifecycle.edit, { message_id: id, topic: 'versions moved' });
  const after = Math.floor(Date.now() / 1000);
  const { message_history: versions } = await service.ask(ada, api.lifecycle.history, {
    message_id: id,
  });
  expect(versions.map((each) => each.user_id)).toEqual([idOf[cleo], idOf[cleo], idOf[ben]]);
  const [sent = 0, ...edited] = versions.map((each) => each.timestamp);
  expect(sent).toBe((await service.read(ada, id))?.timestamp);
  expect(sent).toBeLessThan(before - 90);
  for (const timestamp of edited) {
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(after);
  }
});

describe('a page of history', () => {
  test('a page of history has the thousand messages before and the thousand after its anchor [fields.page-history-thousand]', async () => {
    await service.join(ada, ['long']);
    const ids: number[] = [];
    while (ids.length < 2100) {
      const batch = Array.from({ length: 300 }, () => service.say(ada, 'long', 'many'));
      ids.push(...(await Promise.all(batch)));
    }
    ids.sort((a, b) => a - b);
    const answer = await service.ask(ada, api.messages.page, {
      anchor: ids[1050],
      num_before: 1000,
      num_after: 1000,
      narrow: [['stream', 'long']],
    });
    expect(answer.messages.map(({ id }) => id)).toEqual(ids.slice(50, 2051));
    expect(answer).toMatchObject({ found_oldest: false, found_newest: false });
  });
});

describe('a stream', () => {
  const rest = {
    is_web_public: false,
    is_announcement_only: false,
    first_message_id: null,
  };

  test('a stream is listed with its id, name, description and privacy [fields.stream-listed-id]', async () => {
    const created: readonly (readonly [string, boolean])[] = [
      ['seen by all', false],
      ['by invitation', true],
    ];
    for (const [name, isPrivate] of created) {
      const subscriptions = [{ name, description: `About *${name}*` }];
      await service.ask(ben, api.streams.subscribe, { subscriptions, invite_only: isPrivate });
      const { stream_id: id } = await service.ask(ben, api.streams.findId, { stream: name });
      const { streams } = await service.ask(ben, api.streams.list);
      expect(streams.find((stream) => stream.name === name)).toEqual({
        ...rest,
        stream_id: id,
        name,
        description: `About *${name}*`,
        rendered_description: `<p>About <em>${name}</em></p>`,
        invite_only: isPrivate,
        history_public_to_subscribers: !isPrivate,
      });
    }
    const ids = (await service.ask(ben, api.streams.list)).streams.map((each) => each.stream_id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('a stream that is muted does not count towards what is unread in all [fields.stream-muted-not]', async () => {
    const unread = async (): Promise<number> => {
      const state = await service.ask(gus, api.events.register, {
        fetch_event_types: ['message', 'update_message_flags'],
      });
      return (state['unread_msgs'] as { readonly count: number }).count;
    };
    const mute = async (value: boolean): Promise<void> => {
      const setting = { stream_id: 1, property: 'is_muted', value };
      await service.ask(gus, api.subscriptions.setProperties, { subscription_data: [setting] });
      const { subscriptions } = await service.ask(gus, api.streams.subscriptions);
      expect(subscriptions.find(({ name }) => name === 'general')?.in_home_view).toBe(!value);
    };
    await service.ask(gus, api.readState.markAllAsRead);
    await service.say(ada, 'general', 'counted');
    await service.tell(ada, [gus]);
    expect(await unread()).toBe(2);
    await mute(true);
    expect(await unread()).toBe(1);
    await mute(false);
    expect(await unread()).toBe(2);
  });
});

describe('an account', () => {
  test('an account is listed with the type of bot that it is, and with its owner [fields.account-listed-type]', async () => {
    const bot = { full_name: 'Outgoing', short_name: 'outgoing', bot_type: 3 };
    const params = { ...bot, payload_url: 'https://example.com/hook' };
    const { email } = await service.ask(ben, api.bots.create, params);
    const { members } = await service.ask(cleo, api.users.list);
    const kinds = new Map(members.map((each) => [each.email, [each.is_bot, each.bot_type]]));
    expect(kinds.get(cleo)).toEqual([false, null]);
    expect(kinds.get(echoBot)).toEqual([true, 1]);
    expect(kinds.get(hookBot)).toEqual([true, 2]);
    expect(kinds.get(email)).toEqual([true, 3]);
    const owners = new Map(
      members.map((each) => [each.email, [each.bot_owner, each.bot_owner_id]]),
    );
    expect(owners.get(email)).toEqual([ben, idOf[ben]]);
    expect(owners.get(cleo)).toEqual([undefined, undefined]);
    const embedded = { full_name: 'Embedded', short_name: 'embedded', bot_type: 4 };
    expect(await service.refuse(ben, api.bots.create, embedded)).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('an account says when it was created, in ISO 8601 [fields.account-created-iso]', async () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const email = 'joined@example.com';
    const account = { email, password: 'correct horse', full_name: 'Joined Now' };
    await service.ask(ada, api.users.create, account);
    const { members } = await service.ask(gus, api.users.list);
    const joined = members.find((member) => member.email === email)?.date_joined ?? '';
    expect(joined).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    expect(Date.parse(joined)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(joined)).toBeLessThanOrEqual(Date.now());
  });
});

test('the logo of the organization is a square picture that is built into the interface [fields.logo-organization-square]', async () => {
  const { realm_icon: icon } = await service.ask(null, api.server.settings);
  const image = readFileSync(join(projectDir, 'src-renderer', 'public', icon ?? ''));
  expect(image.subarray(1, 4).toString('latin1')).toBe('PNG');
  expect(image.readUInt32BE(16)).toBe(image.readUInt32BE(20));
});

describe('a queue', () => {
  test('a queue computes gravatars for its client unless the client does so itself [fields.queue-computes-gravatars]', async () => {
    const queue = await service.register(ben, { fetch_event_types: ['realm_user'] });
    const computing = await service.register(ben, { client_gravatar: true });
    await service.say(ada, 'general', 'avatar');
    expect(await queue.now()).toMatchObject([
      { message: { avatar_url: expect.stringMatching(gravatar) } },
    ]);
    expect(await computing.now()).toMatchObject([{ message: { avatar_url: null } }]);
    const avatars = async (more: Params): Promise<unknown[]> => {
      const params = { fetch_event_types: ['realm_user'], ...more };
      const state = await service.ask(ben, api.events.register, params);
      const users = state['realm_users'] as readonly { readonly avatar_url: unknown }[];
      return [...new Set(users.map((user) => typeof user.avatar_url))];
    };
    expect(await avatars({})).toEqual(['string']);
    expect(await avatars({ client_gravatar: true })).toEqual(['object']);
  });

  test.each(['message', 'subscription', 'realm_user', 'realm_emoji'])(
    'a queue of %s events alone hears those, and a queue of all types hears all of them [fields.queue-events-hears]',
    async (type) => {
      const alone = await service.register(cleo, { event_types: [type] });
      const all = await service.register(cleo);
      const full = { full_name: `Cleo ${type.replace('_', ' ')}` };
      await service.ask(ada, api.userAdmin.update, { user_id: idOf[cleo], ...full });
      await service.ask(ben, api.emoji.add, { name: `of-${type}` }, { body: upload(png) });
      await service.join(cleo, [`of ${type}`]);
      await service.say(ada, 'general', 'types');
      expect((await alone.now()).map((event) => event.type)).toEqual([type]);
      expect((await all.now()).map((event) => event.type)).toEqual([
        'realm_user',
        'realm_emoji',
        'stream',
        'stream',
        'subscription',
        'message',
      ]);
    },
  );

  test('a queue is told of a restart with a number for the new life of the server [fields.queue-restart-number]', async () => {
    const queues = await Promise.all([ada, gus, echoBot].map((who) => service.register(who)));
    const generation = async (): Promise<unknown[]> => {
      await service.restart();
      const events = await Promise.all(queues.map((queue) => queue.now()));
      for (const each of events) {
        const told = { type: 'restart', server_generation: expect.any(Number), immediate: true };
        expect(each).toEqual([{ id: expect.any(Number), ...told }]);
      }
      return events.flatMap((each) =>
        each.map((event) => (event.type === 'restart' ? event.server_generation : undefined)),
      );
    };
    const generations = await generation();
    expect(new Set(generations).size).toBe(1);
    for (const each of generations) expect(each).toBeGreaterThan(1_000_000_000);
  });

  test('a queue is told of a file with all that the list of files says of it [fields.queue-file-list]', async () => {
    const queue = await service.register(ben, { event_types: ['attachment'] });
    const { uri } = await service.ask(
      ben,
      api.uploads.upload,
      {},
      { body: upload(png, 'told.png') },
    );
    const listed = async () => {
      const { attachments, upload_space_used: used } = await service.ask(ben, api.uploads.list);
      return { attachment: attachments.at(-1), upload_space_used: used };
    };
    const event = { id: expect.any(Number), type: 'attachment' };
    expect(await queue.now()).toEqual([{ ...event, op: 'add', ...(await listed()) }]);
    await service.say(ben, 'general', 'files', `[told](${uri})`);
    const linked = await listed();
    expect(linked.attachment?.messages).toHaveLength(1);
    expect(await queue.now()).toEqual([{ ...event, op: 'update', ...linked }]);
    const id = linked.attachment?.id;
    await service.ask(ben, api.uploads.remove, { attachment_id: id });
    const { upload_space_used: used } = await listed();
    expect(used).toBe(linked.upload_space_used - png.length);
    expect(await queue.now()).toEqual([
      { ...event, op: 'remove', attachment: { id }, upload_space_used: used },
    ]);
  });
});
