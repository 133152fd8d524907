import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SessionState } from '#client/sync/state/session-state.ts';
import { isComplete, slicesOf, stateFromSlices } from '#client/sync/state/slices.ts';
import { Snapshot, snapshotTypes, stateFrom } from '#client/sync/state/snapshot.ts';
import { changesBetween, windowStateOf } from '#client/sync/state/window-state.ts';
import { ada, startTestService } from '#test/support/service/api.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { applyEvent } from '#client/sync/state/apply.ts';
import { streamMessage, ben } from '#test/support/service/wire-builders.ts';

const bare = { queue_id: '1:1', last_event_id: 3, user_id: 7 };
const read = (snapshot: object): SessionState => stateFrom(Snapshot.parse(snapshot));

async function registered(): Promise<Record<string, unknown>> {
  const service = await startTestService();
  try {
    await service.ask(ada, api.bots.create, { full_name: 'Robot', short_name: 'robot' });
    await service.say('ben@example.com', 'general', 'lunch', '@**Ada Admin** look');
    await service.tell('ben@example.com', [ada]);
    return await service.ask(ada, api.events.register, { fetch_event_types: snapshotTypes });
  } finally {
    await service.stop();
  }
}

const snapshot = await registered();
const state = read(snapshot);

describe('a snapshot', () => {
  test('a snapshot has every slice of a real service', () => {
    const shown = windowStateOf(state);
    expect(shown.people.map(({ email }) => email)).toContain('gus@example.com');
    expect(shown.bots.map(({ fullName }) => fullName)).toContain('Robot');
    expect(shown.streams.map(({ name }) => name)).toContain('general');
    expect(shown.organization.notificationSounds).toEqual(['zulip', 'ding']);
    expect(shown.organization.settings.name).not.toBe('');
    expect(Object.values(shown.unread).map(({ count, mentions }) => [count, mentions])).toEqual(
      expect.arrayContaining([
        [1, 1],
        [1, 0],
      ]),
    );
    expect(shown.privateConversations).toHaveLength(1);
  });

  test('a snapshot brings no API key into the state', () => {
    const text = JSON.stringify(slicesOf(state));
    const keys = (snapshot['realm_bots'] as readonly { readonly api_key: string }[]).map(
      (bot) => bot.api_key,
    );
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(text).not.toContain(key);
  });

  test('a snapshot of only the queue and the account has the values of a new account', () => {
    const { organization, notifications, display, ...rest } = windowStateOf(read(bare));
    expect(organization.canCreateStreams).toBe(true);
    expect(notifications.enable_sounds).toBe(true);
    expect(display.night_mode).toBe(false);
    expect(rest.people).toEqual([]);
    expect(rest.unread).toEqual({});
    expect(() => Snapshot.parse({ ...bare, user_id: undefined })).toThrow();
  });

  test('a snapshot is read whatever stands under any one key', () => {
    const keys = Object.keys(snapshot).filter((key) => !(key in bare));
    fc.assert(
      fc.property(fc.constantFrom(...keys), fc.anything(), (key, value) => {
        expect(read({ ...snapshot, [key]: value }).ownUserId).toBe(state.ownUserId);
      }),
      { numRuns: 300 },
    );
  });

  test('a snapshot of a newer service has its settings in one object, and null for no limit', () => {
    const known = read({
      ...bare,
      user_settings: { enable_sounds: false, night_mode: true, notification_sound: 7 },
      realm_message_content_edit_limit_seconds: null,
    });
    expect(known.notifications.enable_sounds).toBe(false);
    expect(known.notifications.notification_sound).toBe('zulip');
    expect(known.display.night_mode).toBe(true);
    expect(known.organization.settings.message_content_edit_limit_seconds).toBe(0);
  });
});

const message = {
  type: 'message',
  message: streamMessage(900, ben, { streamId: 1, topic: 'x' }),
  flags: [],
};
const next = applyEvent(state, message, { nowSeconds: 0, find: () => undefined });

describe('what a window is told', () => {
  test('a window is told what changed, and nothing where nothing did', () => {
    expect(changesBetween(state, state)).toEqual({});
    expect(Object.keys(changesBetween(state, next))).toEqual(['unread']);
    expect(changesBetween(null, state)).toEqual(windowStateOf(state));
    expect(windowStateOf(next).unread).toBe(windowStateOf(next).unread);
  });

  test('a window is told nothing of unread messages when a stream only looks different', () => {
    const update = { type: 'subscription', op: 'update', stream_id: 1, property: 'pin_to_top' };
    const context = { nowSeconds: 0, find: () => undefined };
    const pinned = applyEvent(next, { ...update, value: true }, context);
    expect(Object.keys(changesBetween(next, pinned))).toEqual(['streams']);
  });
});

describe('what is kept', () => {
  const saved = (known: SessionState, before?: SessionState): Record<string, unknown> =>
    JSON.parse(JSON.stringify(slicesOf(known, before))) as Record<string, unknown>;

  test('what is kept comes back as it was, but for who is there', () => {
    const kept = stateFromSlices(saved(state));
    if (kept === null) throw new Error('nothing came back');
    expect({ ...windowStateOf(kept), presences: {} }).toEqual({
      ...windowStateOf(state),
      presences: {},
    });
    expect(kept.maxMessageId).toBe(state.maxMessageId);
  });

  test('the slices that changed are the only ones kept', () => {
    const names = Object.keys(saved(next, state));
    expect(names).toEqual(['maxMessageId', 'unread.3']);
    expect(saved(state, state)).toEqual({});
    const together = stateFromSlices({ ...saved(state), ...saved(next, state) });
    expect(together === null ? null : windowStateOf(together).unread).toEqual(
      windowStateOf(next).unread,
    );
  });

  test('what is kept counts for nothing where it is of another form, damaged or not whole', () => {
    const whole = saved(state);
    expect(stateFromSlices({})).toBeNull();
    expect(stateFromSlices({ ...whole, form: 999 })).toBeNull();
    // What an earlier version kept knows nothing of them.
    expect(stateFromSlices({ ...whole, goneStreams: undefined })).toEqual(state);
    for (const name of Object.keys(whole)) {
      if (name !== 'goneStreams') {
        expect(stateFromSlices({ ...whole, [name]: undefined }), name).toBeNull();
      }
      expect(stateFromSlices({ ...whole, [name]: 'text' }), name).toBeNull();
    }
  });

  test('what an earlier version kept shows its organization, and needs a snapshot for the rest', () => {
    const { settings, ...rest } = state.organization;
    const { name, mandatory_topics: _, ...others } = settings;
    const whole = saved(state);
    expect(isComplete(whole)).toBe(true);
    const before = { ...whole, form: 2, organization: { ...rest, name, allowsEditing: false } };
    expect(isComplete(before)).toBe(false);
    expect(stateFromSlices(before)?.organization).toMatchObject({ ...rest, settings: { name } });
    const lesser = { ...whole, organization: { ...rest, settings: { name, ...others } } };
    expect(isComplete(lesser)).toBe(false);
    expect(stateFromSlices(lesser)?.organization.settings.mandatory_topics).toBe(false);
    const silent = { ...state.notifications, enable_sounds: undefined };
    expect(isComplete({ ...whole, notifications: JSON.parse(JSON.stringify(silent)) })).toBe(false);
  });
});
