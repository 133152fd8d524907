/** Accounts that follow their event queues with the client's state, and random doings that give them something to follow. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { Message } from '#shared/api/models/message.ts';
import { conversationKey } from '#shared/bridge/models/conversation.ts';
import { conversationOf } from '#client/sync/shown-message.ts';
import { applyEvent, needsSnapshot } from '#client/sync/state/apply.ts';
import type { SessionState } from '#client/sync/state/session-state.ts';
import { slicesOf, stateFromSlices } from '#client/sync/state/slices.ts';
import { Snapshot, snapshotTypes, stateFrom } from '#client/sync/state/snapshot.ts';
import { windowStateOf } from '#client/sync/state/window-state.ts';
import { ada, ben, cleo, gus, type Params, TestQueue, type TestService } from '../service/api.ts';

export const followed = [ada, ben, cleo, gus] as const;

/** Streams as they are compared: traffic and first messages are as of the registration, no event tells of them. */
const withoutHistory = (streams: readonly object[]): object[] =>
  streams.map((stream) => ({ ...stream, weeklyTraffic: null, firstMessageId: null }));

/** What two states that know the same have in common, however they came to know it. */
export function comparable(state: SessionState): object {
  const {
    presences: _presences,
    typing: _typing,
    memberChanges: _changes,
    // Only events tell of them.
    goneStreams: _gone,
    ...shown
  } = windowStateOf(state);
  const seen = new Set(state.otherStreams.map(({ streamId }) => streamId));
  return {
    ...shown,
    streams: withoutHistory(state.streams),
    otherStreams: withoutHistory(state.otherStreams),
    // The spelling of a topic is that of any of its messages.
    unread: Object.fromEntries(
      Object.entries(shown.unread).map(([key, { conversation, ...counts }]) => [
        key,
        { ...counts, key: conversationKey(conversation) },
      ]),
    ),
    mutedTopics: state.mutedTopics.map((topic) => conversationKey({ kind: 'stream', ...topic })),
    starred: [...state.starred].map(([id]) => id).sort((a, b) => a - b),
    formerStreamIds: state.formerStreamIds.filter((id) => seen.has(id)),
  };
}

/** One account's client, without a cache: what that would have is asked of the service. */
export class Follower {
  readonly who: string;
  readonly #service: TestService;
  #queue: TestQueue | undefined;
  #state: SessionState | undefined;
  #slices: Record<string, unknown> = {};

  constructor(service: TestService, who: string) {
    this.#service = service;
    this.who = who;
  }

  get state(): SessionState {
    if (this.#state === undefined) throw new Error('not registered');
    return this.#state;
  }

  async register(): Promise<void> {
    const snapshot = await this.snapshot();
    const cursor = { id: snapshot.queue_id, lastEventId: snapshot.last_event_id };
    this.#queue = new TestQueue(this.#service, this.who, cursor);
    this.#state = stateFrom(snapshot);
    this.#keep(slicesOf(this.#state));
  }

  async snapshot(): Promise<Snapshot> {
    const params = { fetch_event_types: snapshotTypes, apply_markdown: true };
    return Snapshot.parse(await this.#service.ask(this.who, api.events.register, params));
  }

  async follow(): Promise<void> {
    const events = (await this.#queue?.now()) ?? [];
    if (events.length === 0) return;
    const messages = await this.#messages();
    const before = this.state;
    for (const event of events) {
      const context = {
        nowSeconds: 0,
        find: (id: number) => messages.find((message) => message.id === id),
        newestBefore: (userIds: readonly number[], id: number) =>
          messages.findLast((each) => each.id < id && this.#isBetween(each, userIds))?.id ?? null,
      };
      const after = applyEvent(this.state, event, context);
      expect(applyEvent(after, event, context), JSON.stringify(event)).toBe(after);
      this.#state = after;
    }
    this.#keep(slicesOf(this.state, before));
    if (needsSnapshot(before, this.state, events)) await this.register();
  }

  /** The state as a later run would take it up. */
  kept(): SessionState | null {
    return stateFromSlices(this.#slices);
  }

  async #messages(): Promise<readonly Message[]> {
    const params = { anchor: 'newest', num_before: 500, num_after: 0 };
    return (await this.#service.ask(this.who, api.messages.page, params)).messages;
  }

  #isBetween(message: Message, userIds: readonly number[]): boolean {
    const { ownUserId } = this.state;
    const key = conversationKey({ kind: 'private', userIds });
    return conversationKey(conversationOf(message, ownUserId)) === key;
  }

  #keep(slices: Readonly<Record<string, unknown>>): void {
    Object.assign(this.#slices, JSON.parse(JSON.stringify(slices)));
  }
}

export interface Step {
  /** Null for whoever may. */
  readonly who: string | null;
  readonly request: string;
  readonly params: Params;
}

const one = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const someone = one(...followed, ada, ada);
const messageId = fc.integer({ min: 1, max: 20 });
const streamId = fc.integer({ min: 1, max: 6 });
const userId = fc.integer({ min: 2, max: 9 });
const topic = one('t', 'T', 'u');
const content = one('x', 'y', '@**all** look', '@**Ben Member** see', '@*team* hello', 'kiwi');
const streamName = one('general', 'engineering', 'leads', 'a', 'b', 'c');
const streamNames = fc.uniqueArray(streamName, { minLength: 1, maxLength: 3 });
const people = fc.uniqueArray(one(...followed), { maxLength: 3 });
const some = (numbers: fc.Arbitrary<number>) =>
  fc.uniqueArray(numbers, { minLength: 1, maxLength: 5 });
const asObjects = streamNames.map((names) => names.map((name) => ({ name })));

interface Kind {
  readonly who?: fc.Arbitrary<string | null>;
  readonly request: fc.Arbitrary<string>;
  readonly params?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
  /** What may be left out of the parameters. */
  readonly isPartial?: boolean;
  /** Stands for `*` in the request. */
  readonly id?: fc.Arbitrary<number>;
}

/** Whether it is refused does not matter here, as long as it is not a fault of the service. */
export async function take(service: TestService, { who, request, params }: Step): Promise<void> {
  for (const caller of who === null ? followed : [who]) {
    const { status, body } = await service.send(caller, request, params);
    expect(status, JSON.stringify(body)).toBeLessThan(500);
    if (status === 200) return;
  }
}

const kind = ({ who = someone, request, params = {}, isPartial = false, id = one(0) }: Kind) =>
  fc
    .record({
      who,
      request,
      params: fc.record(params, isPartial ? { requiredKeys: [] } : {}),
      on: id,
    })
    .map(({ on, ...step }): Step => ({ ...step, request: step.request.replace('*', String(on)) }));

const say = kind({
  request: one('POST /messages'),
  params: { type: one('stream'), to: streamName, topic, content },
});
const tell = kind({
  request: one('POST /messages'),
  params: { type: one('private'), to: some(one(1, 2, 3, 4)), content },
});

const messageKinds = [
  kind({
    who: one(null),
    request: one('PATCH /messages/*'),
    params: { content },
    id: messageId,
  }),
  kind({
    who: one(null),
    request: one('PATCH /messages/*'),
    params: { topic, propagate_mode: one('change_one', 'change_later', 'change_all') },
    id: messageId,
  }),
  kind({
    who: one(ada),
    request: one('PATCH /messages/*'),
    params: { stream_id: streamId, topic, propagate_mode: one('change_one', 'change_all') },
    id: messageId,
  }),
  kind({ who: one(ada), request: one('DELETE /messages/*'), id: messageId }),
  kind({
    request: one('POST /messages/flags'),
    params: { messages: some(messageId), op: one('add', 'remove'), flag: one('read', 'starred') },
  }),
  kind({ who: one(gus), request: one('POST /mark_all_as_read') }),
  kind({ request: one('POST /mark_stream_as_read'), params: { stream_id: streamId } }),
  kind({
    request: one('POST /mark_topic_as_read'),
    params: { stream_id: streamId, topic_name: topic },
  }),
  kind({
    request: one('POST /messages/*/reactions', 'DELETE /messages/*/reactions'),
    params: { emoji_name: one('tada') },
    id: messageId,
  }),
];

const streamKinds = [
  kind({
    request: one('POST /users/me/subscriptions'),
    params: { subscriptions: asObjects, principals: people, invite_only: fc.boolean() },
  }),
  kind({
    request: one('DELETE /users/me/subscriptions'),
    params: { subscriptions: streamNames, principals: people },
  }),
  kind({
    request: one('POST /users/me/subscriptions/properties'),
    params: {
      subscription_data: fc
        .record({
          stream_id: streamId,
          property: one('is_muted', 'pin_to_top', 'desktop_notifications', 'push_notifications'),
          value: fc.boolean(),
        })
        .map((each) => [each]),
    },
  }),
  kind({
    request: one('POST /users/me/subscriptions/properties'),
    params: {
      subscription_data: streamId.map((id) => [
        { stream_id: id, property: 'color', value: '#abc' },
      ]),
    },
  }),
  kind({
    request: one('PATCH /users/me/subscriptions/muted_topics'),
    params: { stream_id: streamId, topic, op: one('add', 'add', 'remove') },
  }),
  kind({
    who: one(ada),
    request: one('PATCH /streams/*'),
    params: {
      new_name: streamName,
      description: one('', 'x', '*y*'),
      is_private: fc.boolean(),
      is_announcement_only: fc.boolean(),
      history_public_to_subscribers: fc.boolean(),
    },
    isPartial: true,
    id: streamId,
  }),
  kind({ who: one(ada), request: one('DELETE /streams/*'), id: fc.integer({ min: 4, max: 9 }) }),
];

const fullName = one('One Name', 'Other Name');
const peopleKinds = [
  kind({ request: one('PATCH /settings'), params: { full_name: fullName } }),
  kind({
    who: one(ada),
    request: one('POST /users'),
    params: {
      email: one('d@example.com', 'e@example.com'),
      password: one('a long password'),
      full_name: fullName,
    },
  }),
  kind({
    who: one(ada),
    request: one('PATCH /users/*'),
    params: { full_name: fullName, role: one(200, 400, 600) },
    isPartial: true,
    id: userId,
  }),
  // Whoever is followed here stays active.
  kind({
    who: one(ada),
    request: one('DELETE /users/*', 'POST /users/*/reactivate'),
    id: fc.integer({ min: 7, max: 10 }),
  }),
  kind({
    request: one('POST /bots'),
    params: { full_name: fullName, short_name: one('f', 'g'), bot_type: one(1, 2) },
  }),
  kind({
    request: one('PATCH /bots/*'),
    params: { full_name: fullName, bot_owner_id: one(1, 2, 3) },
    isPartial: true,
    id: userId,
  }),
  kind({ request: one('DELETE /bots/*'), id: fc.integer({ min: 5, max: 10 }) }),
  kind({
    request: one('POST /users/me/status'),
    params: { away: fc.boolean(), status_text: one('', 'out') },
    isPartial: true,
  }),
  kind({
    request: one('POST /user_groups/create'),
    params: { name: one('team', 'crew'), description: one('', 'x'), members: some(one(1, 2, 3)) },
  }),
  kind({
    request: one('PATCH /user_groups/*'),
    params: { name: one('team', 'crew', 'band'), description: one('', 'z') },
    isPartial: true,
    id: one(1, 1, 1, 2),
  }),
  kind({
    who: one(null),
    request: one('POST /user_groups/*/members'),
    params: { add: one([1], [2, 4], [3]), delete: one([1], [2], [3, 4]) },
    isPartial: true,
    id: one(1, 1, 1, 2),
  }),
  kind({ request: one('DELETE /user_groups/*'), id: one(1, 2, 3) }),
];

const settingKinds = [
  kind({
    request: one('POST /users/me/alert_words', 'DELETE /users/me/alert_words'),
    params: { alert_words: one(['kiwi'], ['kiwi', 'x'], ['y']) },
  }),
  kind({
    request: one('PATCH /settings/notifications'),
    params: {
      enable_sounds: fc.boolean(),
      enable_stream_desktop_notifications: fc.boolean(),
      notification_sound: one('zulip', 'ding'),
      desktop_icon_count_display: one(1, 2, 3),
    },
    isPartial: true,
  }),
  kind({
    request: one('PATCH /settings/display'),
    params: {
      night_mode: fc.boolean(),
      timezone: one('', 'UTC'),
      twenty_four_hour_time: fc.boolean(),
    },
    isPartial: true,
  }),
  kind({
    who: one(ada),
    request: one('PATCH /realm'),
    params: {
      name: fullName,
      description: one('', 'x'),
      allow_message_editing: fc.boolean(),
      message_content_edit_limit_seconds: one(0, 60, 600),
      allow_message_deleting: fc.boolean(),
      create_stream_policy: one(1, 2),
      invite_to_stream_policy: one(1, 2),
      name_changes_disabled: fc.boolean(),
      email_changes_disabled: fc.boolean(),
    },
    isPartial: true,
  }),
];

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: say },
  { weight: 5, arbitrary: tell },
  { weight: 11, arbitrary: fc.oneof(...messageKinds) },
  { weight: 9, arbitrary: fc.oneof(...streamKinds) },
  { weight: 6, arbitrary: fc.oneof(...peopleKinds) },
  { weight: 3, arbitrary: fc.oneof(...settingKinds) },
);
