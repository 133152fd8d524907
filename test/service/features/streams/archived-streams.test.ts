/** Archived streams, as administrators see them, and what is as before when one comes back. */
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
  idOf,
  type Params,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';

const { findId, list, members, subscribe, subscriptions } = api.streams;
const { update, archive } = api.streamAdmin;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const bad = { code: 'BAD_REQUEST' };
const onlyArchived = { include_public: false, include_subscribed: false, include_archived: true };

/** A new stream; answers its id. */
async function create(who: string, name: string, more: Params = {}): Promise<number> {
  await service.join(who, [name], more);
  return (await service.ask(ada, findId, { stream: name })).stream_id;
}

/** One that is archived; answers its id. */
async function archived(who: string, name: string, more: Params = {}): Promise<number> {
  const id = await create(who, name, more);
  await service.ask(ada, archive, { stream_id: id });
  return id;
}

const restore = (id: number, more: Params = {}, who = ada) =>
  service.ask(who, update, { stream_id: id, is_archived: false, ...more });

const listed = async (id: number) =>
  (await service.ask(ada, list, onlyArchived)).streams.find((stream) => stream.stream_id === id);

const addressesIn = async (id: number) =>
  (await service.ask(ada, members, { stream_id: id })).subscribers;

const subscriptionOf = async (who: string, id: number) =>
  (await service.ask(who, subscriptions)).subscriptions.find((each) => each.stream_id === id);

async function unreadOf(who: string, id: number): Promise<readonly number[]> {
  const state = await service.ask(who, api.events.register, {
    event_types: ['message', 'update_message_flags'],
  });
  const { streams } = state['unread_msgs'] as {
    streams: readonly { stream_id: number; unread_message_ids: readonly number[] }[];
  };
  const ids = streams.flatMap((each) => (each.stream_id === id ? each.unread_message_ids : []));
  return ids.toSorted((a, b) => a - b);
}

async function found(who: string, word: string): Promise<readonly number[]> {
  const page = { anchor: 'newest', num_before: 50, num_after: 0, reach: 'readable' };
  const narrow = [['search', word]];
  const { messages } = await service.ask(who, api.messages.page, { ...page, narrow });
  return messages.map(({ id }) => id);
}

async function shown(who: string, id: number): Promise<readonly number[]> {
  const page = { anchor: 'newest', num_before: 50, num_after: 0, narrow: [['stream', id]] };
  const { messages } = await service.ask(who, api.messages.page, page);
  return messages.map((message) => message.id);
}

const deactivate = (who: string) =>
  service.ask(ada, api.userAdmin.deactivate, { user_id: idOf[who] });
const reactivate = (who: string) =>
  service.ask(ada, api.userAdmin.reactivate, { user_id: idOf[who] });

describe('the list of streams', () => {
  test('the list of streams has archived ones, private ones too, where an administrator asks for them [archived-streams.list-ones-private]', async () => {
    const open = await archived(ben, 'l open', { principals: [ben, gus] });
    const closed = await archived(ben, 'l closed', { principals: [ben], invite_only: true });
    const { streams } = await service.ask(ada, list, { include_archived: true });
    const own = streams.filter(({ is_archived: isArchived }) => isArchived === true);
    expect(own.map((stream) => stream.stream_id)).toEqual([closed, open]);
    expect(streams.filter((stream) => stream.is_archived === false).length).toBeGreaterThan(2);
    const now = Math.floor(Date.now() / 1000);
    const stream = await listed(open);
    expect(stream).toMatchObject({ name: 'l open', returning_user_ids: [idOf[ben], idOf[gus]] });
    expect(Math.abs((stream?.archived_at ?? 0) - now)).toBeLessThan(60);
    expect(await listed(closed)).toMatchObject({ invite_only: true });
  });

  test('the list of streams is what it was where nobody asks for archived ones [archived-streams.list-nobody-asks]', async () => {
    await archived(ada, 'l plain');
    for (const params of [{}, { include_all_active: true }, { include_default: true }]) {
      const { streams } = await service.ask(ada, list, params);
      expect(streams.some(({ name }) => name === 'l plain')).toBe(false);
      for (const stream of streams) {
        expect(stream).not.toHaveProperty('is_archived');
        expect(stream).not.toHaveProperty('archived_at');
        expect(stream).not.toHaveProperty('returning_user_ids');
      }
    }
  });

  test.each([ben, gus, echoBot])(
    '%s may not list archived streams [archived-streams.listing-refused]',
    async (who) => {
      expect(await service.refuse(who, list, { include_archived: true })).toMatchObject(bad);
    },
  );
});

describe('a stream that is brought back', () => {
  test('a restored stream has those who were in it, their settings, and the id and the text that it had [archived-streams.restored-settings-id]', async () => {
    const id = await create(ben, 'r all', { principals: [ben, cleo, gus] });
    const setting = { stream_id: id, property: 'color', value: '#123456' };
    const pinned = { stream_id: id, property: 'pin_to_top', value: true };
    const quiet = { stream_id: id, property: 'desktop_notifications', value: true };
    await service.ask(ben, api.subscriptions.setProperties, {
      subscription_data: [setting, pinned, quiet],
    });
    await service.ask(ada, update, { stream_id: id, description: '*all* of it' });
    const before = await subscriptionOf(ben, id);
    await service.ask(ada, archive, { stream_id: id });
    expect(await restore(id)).toEqual({});
    await service.restart();
    expect(await addressesIn(id)).toEqual([ben, cleo, gus]);
    expect(await subscriptionOf(ben, id)).toEqual(before);
    expect(before).toMatchObject({ color: '#123456', pin_to_top: true });
    expect(await listed(id)).toBeUndefined();
  });

  test('a restored stream shows what it showed: nothing became read, and the mute of a topic is kept [archived-streams.restored-shows-showed]', async () => {
    const id = await create(ben, 'r read', { principals: [ben, cleo] });
    const [read, unread] = [
      await service.say(ben, 'r read', 'loud', 'one pomegranate'),
      await service.say(ben, 'r read', 'quiet', 'two pomegranates'),
    ];
    const mute = { stream: 'r read', topic: 'quiet', op: 'add' };
    await service.ask(cleo, api.subscriptions.muteTopic, mute);
    const flag = { messages: [read], flag: 'read', op: 'add' };
    await service.ask(cleo, api.readState.changeFlags, flag);
    await service.ask(ada, archive, { stream_id: id });
    await service.say(ben, 'general', 'meanwhile');
    await restore(id);
    expect(await unreadOf(cleo, id)).toEqual([unread]);
    expect(await shown(cleo, id)).toEqual([read, unread]);
    expect(await found(cleo, 'pomegranate')).toEqual([read, unread]);
    // Everybody may read a public stream.
    expect(await found(ada, 'pomegranate')).toEqual([read, unread]);
    const state = await service.ask(cleo, api.events.register, { event_types: ['muted_topics'] });
    expect(state['muted_topics']).toContainEqual(['r read', 'quiet']);
    const next = await service.say(ben, 'r read', 'loud', 'three');
    expect(await unreadOf(cleo, id)).toEqual([unread, next]);
  });

  test('a restored stream does not have those who left before, who still hold what they held', async () => {
    const id = await create(ben, 'r left', { principals: [ben, cleo], invite_only: true });
    const held = await service.say(ben, 'r left', 't');
    await service.ask(cleo, api.subscriptions.unsubscribe, { subscriptions: ['r left'] });
    const later = await service.say(ben, 'r left', 't');
    await service.ask(ada, archive, { stream_id: id });
    await restore(id);
    expect(await addressesIn(id)).toEqual([ben]);
    expect(await service.read(cleo, held)).toBeDefined();
    expect(await service.read(cleo, later)).toBeUndefined();
  });

  test('a restored stream keeps a private history closed to those who were not there [archived-streams.restored-private-history]', async () => {
    const id = await create(ben, 'r private', { principals: [ben], invite_only: true });
    const first = await service.say(ben, 'r private', 't', 'secret kumquat');
    await service.join(ben, ['r private'], { principals: [cleo] });
    const second = await service.say(ben, 'r private', 't', 'another kumquat');
    await service.ask(ada, archive, { stream_id: id });
    await restore(id);
    expect(await found(ben, 'kumquat')).toEqual([first, second]);
    expect(await found(cleo, 'kumquat')).toEqual([second]);
    expect(await found(ada, 'kumquat')).toEqual([]);
    expect(await shown(cleo, id)).toEqual([second]);
    const page = { anchor: 'newest', num_before: 5, num_after: 0, narrow: [['stream', id]] };
    expect(await service.ask(ada, api.messages.page, page)).toMatchObject({ messages: [] });
    const single = await service.answer(ada, api.lifecycle.get, { message_id: second });
    expect(single.status).toBe(400);
  });

  test('a restored stream is no longer a default stream, nor the one for announcements', async () => {
    const id = await create(ada, 'r default');
    await service.ask(ada, api.streamAdmin.addDefault, { stream_id: id });
    await service.ask(ada, archive, { stream_id: id });
    await restore(id);
    const { streams } = await service.ask(ada, list, { include_default: true });
    expect(streams.find((stream) => stream.stream_id === id)).toMatchObject({ is_default: false });
  });

  test('a restored stream takes messages again, and links to it lead there', async () => {
    const id = await archived(ben, 'r links');
    await restore(id);
    const message = await service.say(ben, 'r links', 't', 'see #**r links**');
    const page = await service.read(ben, message);
    expect(page).toMatchObject({ stream_id: id, display_recipient: 'r links' });
    expect(page?.content).toContain(`data-stream-id="${String(id)}"`);
  });

  test('a restored stream can go and come back again', async () => {
    const id = await create(ben, 'r again', { principals: [ben, cleo] });
    const first = await service.say(ben, 'r again', 't');
    for (const who of [cleo, ben]) {
      await service.ask(ada, archive, { stream_id: id });
      await restore(id);
      expect(await addressesIn(id)).toEqual(who === cleo ? [ben, cleo] : [ben]);
      await service.ask(who, api.subscriptions.unsubscribe, { subscriptions: ['r again'] });
    }
    expect((await service.read(cleo, first))?.id).toBe(first);
  });
});

describe('accounts that change meanwhile', () => {
  test('whoever is deactivated comes back with their account, from the next message on [archived-streams.deactivated-comes-back]', async () => {
    const id = await create(ben, 'd later', { principals: [ben, cleo], invite_only: true });
    const held = await service.say(ben, 'd later', 't');
    await service.ask(ada, archive, { stream_id: id });
    await deactivate(cleo);
    expect(await listed(id)).toMatchObject({ returning_user_ids: [idOf[ben]] });
    await restore(id);
    expect(await addressesIn(id)).toEqual([ben]);
    const missed = await service.say(ben, 'd later', 't');
    await reactivate(cleo);
    expect(await addressesIn(id)).toEqual([ben, cleo]);
    const next = await service.say(ben, 'd later', 't');
    expect(await shown(cleo, id)).toEqual([held, next]);
    expect(await service.read(cleo, missed)).toBeUndefined();
  });

  test('whoever was deactivated before comes back when both are', async () => {
    const id = await create(ben, 'd before', { principals: [ben, cleo] });
    await deactivate(cleo);
    await service.ask(ada, archive, { stream_id: id });
    expect(await listed(id)).toMatchObject({ returning_user_ids: [idOf[ben]] });
    await reactivate(cleo);
    expect(await listed(id)).toMatchObject({ returning_user_ids: [idOf[ben], idOf[cleo]] });
    await deactivate(cleo);
    await reactivate(cleo);
    await restore(id);
    expect(await addressesIn(id)).toEqual([ben, cleo]);
  });

  test('a member who is a guest by now is in it, and others who are lose what they could read', async () => {
    const id = await create(ben, 'd guests', { principals: [ben, cleo] });
    const message = await service.say(ben, 'd guests', 't');
    await service.ask(cleo, api.subscriptions.unsubscribe, { subscriptions: ['d guests'] });
    await service.ask(ada, archive, { stream_id: id });
    for (const who of [ben, cleo]) {
      await service.ask(ada, api.userAdmin.update, { user_id: idOf[who], role: 600 });
    }
    await restore(id);
    expect(await addressesIn(id)).toEqual([ben]);
    const edit = { message_id: message, content: 'other' };
    await service.ask(ben, api.lifecycle.edit, edit);
    expect((await service.read(cleo, message))?.content).not.toContain('other');
    for (const who of [ben, cleo]) {
      await service.ask(ada, api.userAdmin.update, { user_id: idOf[who], role: 400 });
    }
    expect((await service.read(cleo, message))?.content).toContain('other');
  });
});

describe('where nobody is left', () => {
  test('whoever brings a stream back is in it', async () => {
    const id = await create(ben, 'n open', { principals: [cleo] });
    await deactivate(cleo);
    await service.ask(ada, archive, { stream_id: id });
    await restore(id);
    expect(await addressesIn(id)).toEqual([ada]);
    await reactivate(cleo);
    expect(await addressesIn(id)).toEqual([ada, cleo]);
  });

  test('whoever brings a stream back is in it even where nobody wrote down who was [archived-streams.brings-back-even]', async () => {
    const id = await archived(ben, 'n old', { principals: [ben, cleo] });
    service.change('UPDATE membership SET is_archived = 0');
    service.change('UPDATE stream SET archived_at = NULL WHERE id = ?', id);
    expect(await listed(id)).toMatchObject({ archived_at: null, returning_user_ids: [] });
    await restore(id);
    expect(await addressesIn(id)).toEqual([ada]);
  });

  test('a private stream tells its new member nothing of before, nor lets them open it [archived-streams.private-new-member]', async () => {
    const shared = { principals: [cleo], invite_only: true, history_public_to_subscribers: true };
    const id = await create(cleo, 'n private', shared);
    const secret = await service.say(cleo, 'n private', 't', 'secret quince');
    await deactivate(cleo);
    await service.ask(ada, archive, { stream_id: id });
    await restore(id);
    expect(await addressesIn(id)).toEqual([ada]);
    for (const change of [{ history_public_to_subscribers: true }, { is_private: false }]) {
      const refused = await service.refuse(ada, update, { stream_id: id, ...change });
      expect(refused).toMatchObject(bad);
      expect(refused.msg).toMatch(/earlier messages stay closed/);
    }
    const now = await service.say(ada, 'n private', 't', 'my own quince');
    expect(await shown(ada, id)).toEqual([now]);
    expect(await found(ada, 'quince')).toEqual([now]);
    await service.ask(ada, archive, { stream_id: id });
    await restore(id);
    const opened = { stream_id: id, history_public_to_subscribers: true };
    expect(await service.refuse(ada, update, opened)).toMatchObject(bad);
    await reactivate(cleo);
    expect((await shown(cleo, id))[0]).toBe(secret);
    const { entries } = await service.ask(ada, api.auditLog.list, {
      types: ['stream_history_changed'],
    });
    expect(entries[0]).toMatchObject({
      stream_id: id,
      details: { old: 'open', new: 'since joining' },
    });
  });

  test('bots alone are nobody', async () => {
    const id = await create(ada, 'n bots', { principals: [echoBot] });
    await service.ask(ada, archive, { stream_id: id });
    await restore(id);
    expect(await addressesIn(id)).toEqual([ada, echoBot]);
  });
});

describe('the name', () => {
  test('a restored stream may have another name, by which its messages go', async () => {
    const id = await create(ben, 'x old', { principals: [ben, cleo] });
    const message = await service.say(ben, 'x old', 't');
    await service.ask(ada, archive, { stream_id: id });
    await create(cleo, 'X Old');
    const refused = await service.refuse(ada, update, { stream_id: id, is_archived: false });
    expect(refused).toMatchObject({
      ...bad,
      msg: "Stream name 'X Old' is already taken: give it another one with new_name",
    });
    await restore(id, { new_name: 'x new' });
    expect((await service.read(ben, message))?.display_recipient).toBe('x new');
    expect((await service.ask(ben, findId, { stream: 'x new' })).stream_id).toBe(id);
  });

  test('a restored stream may be given the same name again', async () => {
    const id = await archived(ben, 'x same');
    await restore(id, { new_name: 'x same' });
    expect((await service.ask(ben, findId, { stream: 'x same' })).stream_id).toBe(id);
  });

  test('the new name of a restored stream is not told to those who lost access before', async () => {
    const id = await create(ben, 'x hidden', { principals: [ben, cleo], invite_only: true });
    const message = await service.say(ben, 'x hidden', 't');
    await service.ask(cleo, api.subscriptions.unsubscribe, { subscriptions: ['x hidden'] });
    await service.ask(ada, archive, { stream_id: id });
    await restore(id, { new_name: 'x secret' });
    expect((await service.read(cleo, message))?.display_recipient).toBe('x hidden');
  });

  test.each<[string, Params]>([
    ['a name that is taken', { new_name: 'GENERAL' }],
    ['a blank name', { new_name: '""' }],
    ['a name of 61 characters', { new_name: 'x'.repeat(61) }],
    ['a description beside', { description: 'x' }],
    ['privacy beside', { is_private: true }],
    ['who may write beside', { is_announcement_only: false }],
    ['history beside', { new_name: 'fine', history_public_to_subscribers: true }],
  ])(
    'the restoration of a stream is refused: %s [archived-streams.restoration-refused]',
    async (what, params) => {
      const id = await archived(ben, `y ${what}`);
      const request = { stream_id: id, is_archived: false, ...params };
      expect(await service.refuse(ada, update, request)).toMatchObject(bad);
    },
  );
});

describe('what is no archived stream', () => {
  test('bringing back an active stream or an unknown id is refused', async () => {
    const id = await create(ben, 'z active');
    const active = await service.refuse(ada, update, { stream_id: id, is_archived: false });
    expect(active).toMatchObject({ ...bad, msg: 'This stream is not archived' });
    const unknown = { stream_id: 999, is_archived: false };
    expect(await service.refuse(ada, update, unknown)).toMatchObject({
      ...bad,
      msg: 'Invalid stream id',
    });
  });

  test.each([ben, gus, echoBot])('%s brings none back', async (who) => {
    const id = await archived(ben, `z ${who.split('@')[0]}`);
    const request = { stream_id: id, is_archived: false };
    expect(await service.refuse(who, update, request)).toMatchObject(bad);
  });

  test('an active stream is archived by the same argument, given alone [archived-streams.active-argument-given]', async () => {
    const id = await create(ben, 'z argument');
    const beside = { stream_id: id, is_archived: true, new_name: 'z other' };
    expect(await service.refuse(ada, update, beside)).toMatchObject(bad);
    await service.ask(ada, update, { stream_id: id, is_archived: true });
    expect(await listed(id)).toMatchObject({ name: 'z argument', is_archived: true });
    const again = { stream_id: id, is_archived: true };
    expect(await service.refuse(ada, update, again)).toMatchObject(bad);
  });

  test('only one of two that bring a stream back at once succeeds', async () => {
    const id = await archived(ben, 'z twice');
    const request = { stream_id: id, is_archived: false };
    const answers = await Promise.all([1, 2].map(() => service.answer(ada, update, request)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await addressesIn(id)).toEqual([ben]);
  });
});

describe('who hears of a stream that is back', () => {
  test('a public one: as of a new one, and who muted a topic of it [archived-streams.public-new-muted]', async () => {
    const id = await create(ada, 'h open', { principals: [ben, gus] });
    const mute = { stream: 'h open', topic: 't', op: 'add' };
    await service.ask(ben, api.subscriptions.muteTopic, mute);
    await service.ask(ada, archive, { stream_id: id });
    const back = await heardOf(service, () => restore(id));
    await service.ask(ada, archive, { stream_id: id });
    const fresh = await heardOf(service, () =>
      service.ask(ada, subscribe, {
        subscriptions: [{ name: 'h open' }],
        principals: [ben, gus],
      }),
    );
    expect(Object.keys(back)).toEqual(Object.keys(fresh));
    for (const [who, heard] of Object.entries(fresh)) {
      const more = who === ben ? [expect.stringContaining('muted_topics')] : [];
      expect(back[who], who).toEqual([...heard, ...more]);
    }
  });

  test('a private one: who is in it and administrators', async () => {
    const id = await archived(ben, 'h closed', { principals: [ben, gus], invite_only: true });
    const back = await heardOf(service, () => restore(id));
    expect(Object.keys(back)).toEqual([ada, ben, gus]);
    expect(back[ada]?.[0]).toBe('create h closed');
  });

  test('a subscription has its settings and who else is in it', async () => {
    const id = await create(ben, 'h whole', { principals: [ben, cleo] });
    const setting = { stream_id: id, property: 'is_muted', value: true };
    await service.ask(ben, api.subscriptions.setProperties, { subscription_data: [setting] });
    await service.ask(ada, archive, { stream_id: id });
    const events = await eventsOf(service, () => restore(id, { new_name: 'h named' }));
    expect(events.get(ben)).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ stream_id: id, name: 'h named' }] },
      { type: 'stream', op: 'occupy' },
      {
        type: 'subscription',
        op: 'add',
        subscriptions: [{ stream_id: id, is_muted: true, name: 'h named' }],
      },
      { type: 'subscription', op: 'peer_add', user_id: idOf[cleo] },
    ]);
  });
});
