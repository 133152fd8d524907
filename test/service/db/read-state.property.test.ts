import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoggedEvent } from '#service/db/event-log.ts';
import { flagsOf } from '#service/core/rules/shapes.ts';
import {
  type PageSelection,
  reads,
  type SettableFlag,
  type StreamRow,
  writes,
} from '#service/db/port.ts';
import { type MemoryStore, openMemoryStore } from '#test/support/service/memory-store.ts';
import {
  CONVERSATIONS,
  PRIVATE_STREAM,
  ReadModel,
  STREAMS,
  type Target,
  type FlagNotice,
  TOPICS,
  USERS,
} from '#test/support/service/read-model.ts';
import { shortOrLong } from '#test/support/long.ts';
import { newMessage } from '#test/support/service/store.ts';

const RUNS = shortOrLong(1500, 10_000);
const MUTED_TOPIC = 'b';
const MUTED_STREAM = 2;

// Most of it happens in one place, where the parts of read state meet.
const user = fc.constantFrom(1, ...USERS);
const stream = fc.constantFrom(1, 1, ...STREAMS);
const topic = fc.constantFrom(TOPICS[0], TOPICS[0], ...TOPICS);
const streamTarget = fc.record({ kind: fc.constant('stream' as const), streamId: stream, topic });
const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 4, arbitrary: streamTarget },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('private' as const),
      userIds: fc.constantFrom(...CONVERSATIONS),
    }),
  },
);
/** Which of the messages there are. */
const pick = fc.nat(9);

const send = fc.record({
  kind: fc.constant('send' as const),
  senderId: user,
  target,
  isWildcard: fc.boolean(),
  mentioned: fc.subarray([...USERS]),
  has_alert_word: fc.subarray([...USERS]),
});
const flagChange = fc.record({
  kind: fc.constant('flag' as const),
  userId: user,
  op: fc.constantFrom('add' as const, 'remove' as const),
  flag: fc.constantFrom<SettableFlag[]>('read', 'read', 'read', 'starred', 'collapsed'),
  picks: fc.array(pick, { minLength: 1, maxLength: 5 }),
});
const change = fc.oneof(
  flagChange,
  flagChange,
  fc.record({ kind: fc.constantFrom('subscribe', 'unsubscribe'), userId: user, streamId: stream }),
  fc.record({ kind: fc.constant('mark-all' as const), userId: user }),
  fc.record({
    kind: fc.constant('mark' as const),
    userId: user,
    streamId: stream,
    topic: fc.option(topic),
  }),
  fc.record({
    kind: fc.constant('move' as const),
    pick,
    target: streamTarget,
    isAll: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('delete' as const), pick }),
);
type Send = typeof send extends fc.Arbitrary<infer T> ? T : never;
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;
type Step = Send | Change;

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof({ weight: 1, arbitrary: send }, { weight: 1, arbitrary: change }),
  { minLength: 6, maxLength: 20 },
);
const subscriptions = fc.subarray(STREAMS.flatMap((s) => USERS.map((u) => [s, u] as const)));

function prepare({ db }: MemoryStore): void {
  const account = db.prepare(`INSERT INTO account
    (id, email, email_key, full_name, full_name_key, short_name, role, gravatar_hash, joined_at)
    VALUES (?, ?, ?, 'Name', 'name', 'name', 'member', '0', 1)`);
  for (const id of USERS) account.run(id, `${id}@example.com`, `${id}@example.com`);
  for (const id of STREAMS) {
    db.prepare("INSERT INTO recipient (id, kind) VALUES (?, 'stream')").run(id);
    db.prepare(
      `INSERT INTO stream (id, recipient_id, name, name_key, is_private, is_history_public, created_at)
       VALUES (?, ?, ?, ?, ?, ?, 1)`,
    ).run(id, id, `s${id}`, `s${id}`, Number(id === PRIVATE_STREAM), Number(id !== PRIVATE_STREAM));
    // A topic must be there to be muted.
    db.prepare('INSERT INTO topic (recipient_id, name, name_key) VALUES (?, ?, ?)').run(
      id,
      MUTED_TOPIC,
      MUTED_TOPIC,
    );
    for (const userId of USERS) {
      db.prepare(
        "INSERT INTO stream_setting (account_id, stream_id, color, is_muted) VALUES (?, ?, '#111111', ?)",
      ).run(userId, id, Number(id === MUTED_STREAM));
    }
  }
  mute(db);
}

/** Whatever moves take along, the topics of this name stay muted, and no others. */
function mute(db: MemoryStore['db']): void {
  db.exec(`DELETE FROM muted_topic;
    INSERT INTO muted_topic SELECT a.id, t.id FROM account a, topic t WHERE t.name = '${MUTED_TOPIC}'`);
}

/** The store and the model side by side. */
class World {
  readonly #store: MemoryStore;
  readonly #model: ReadModel;

  constructor(store: MemoryStore, model: ReadModel) {
    this.#store = store;
    this.#model = model;
  }

  #streamOf(id: number): StreamRow {
    const stream = this.#store.perform(reads.findStream(id));
    if (stream === undefined) throw new Error(`no stream ${id}`);
    return stream;
  }

  subscribe(userId: number, streamId: number): void {
    this.#store.perform(
      writes.joinStream(this.#streamOf(streamId), userId, {
        wished: undefined,
        palette: ['#111111'],
      }),
    );
    this.#model.subscribers.get(streamId)?.add(userId);
  }

  unsubscribe(userId: number, streamId: number): void {
    this.#store.perform(writes.leaveStream(this.#streamOf(streamId), userId));
    this.#model.subscribers.get(streamId)?.delete(userId);
  }

  send({ senderId, target: to, isWildcard, ...named }: Send): void {
    const id = this.#store.perform(
      writes.appendMessage(
        newMessage({
          senderId,
          has_wildcard_mention: isWildcard,
          mentionedUserIds: named.mentioned,
          alertedUserIds: named.has_alert_word,
          target: to.kind === 'private' ? to : { ...to, topicKey: to.topic },
        }),
      ),
    );
    this.#model.send({ id, target: to, senderId, isWildcard }, named);
  }

  #idOf(index: number): number | undefined {
    const ids = [...this.#model.messages.keys()];
    return ids[index % Math.max(1, ids.length)];
  }

  #expectTold(userId: number, told: FlagNotice, op = 'add'): void {
    const events = this.#store.takeEvents();
    expect(events.map(describe)).toEqual(told === null ? [] : [{ userIds: [userId], op, ...told }]);
  }

  markAll(userId: number): void {
    this.#store.takeEvents();
    this.#store.perform(writes.markAllAsRead(userId));
    const marked = this.#model.mark(userId, () => true);
    this.#expectTold(userId, marked.length === 0 ? null : { flag: 'read', ids: 'all' });
  }

  mark(userId: number, streamId: number, name: string | null): void {
    this.#store.takeEvents();
    const rows = this.#model.rowsOf(userId);
    const isMeant = ({ target: at }: { readonly target: Target }): boolean =>
      at.kind === 'stream' && at.streamId === streamId && (name === null || at.topic === name);
    const isAnyHeld = [...this.#model.messages.values()].some((m) => rows.has(m.id) && isMeant(m));
    const operation = writes.markPlaceAsRead({ userId, streamId, topicKey: name }, () => true);
    if (name !== null && !isAnyHeld) {
      expect(() => this.#store.perform(operation)).toThrow('No such topic');
      return;
    }
    this.#store.perform(operation);
    const ids = this.#model.mark(userId, isMeant);
    this.#expectTold(userId, ids.length === 0 ? null : { flag: 'read', ids });
  }

  flag({ userId, op, flag, picks }: Extract<Change, { kind: 'flag' }>): void {
    this.#store.takeEvents();
    const messageIds = picks.map((index) => this.#idOf(index) ?? 1);
    this.#store.perform(
      writes.changeFlags({ userId, op, flag, messageIds }, ({ id }) =>
        this.#model.canRead(userId, id),
      ),
    );
    const ids = this.#model.flag(userId, op, flag, messageIds);
    this.#expectTold(userId, ids.length === 0 ? null : { flag, ids }, op);
  }

  move(index: number, to: Extract<Target, { kind: 'stream' }>, isAll: boolean): void {
    const id = this.#idOf(index) ?? 0;
    const at = this.#model.messages.get(id)?.target;
    if (at?.kind !== 'stream' || (at.streamId === to.streamId && at.topic === to.topic)) return;
    const propagate = isAll ? 'change_all' : 'change_one';
    this.#store.perform(
      writes.editMessage({
        messageId: id,
        editorId: 1,
        editedAt: 1,
        content: null,
        move: { propagate, streamId: to.streamId, topic: to.topic, topicKey: to.topic },
      }),
    );
    mute(this.#store.db);
    const isAlong = (each: Target): boolean =>
      isAll && each.kind === 'stream' && each.streamId === at.streamId && each.topic === at.topic;
    for (const message of [...this.#model.messages.values()]) {
      if (message.id === id || isAlong(message.target)) this.#model.move(message.id, to);
    }
  }

  delete(index: number): void {
    const id = this.#idOf(index);
    if (id === undefined) return;
    this.#store.perform(writes.deleteMessages([id]));
    this.#model.remove(id);
  }

  take(step: Step): void {
    if ('senderId' in step) this.send(step);
    else if ('picks' in step) this.flag(step);
    else if ('isAll' in step) this.move(step.pick, step.target, step.isAll);
    else if ('pick' in step) this.delete(step.pick);
    else if ('topic' in step) this.mark(step.userId, step.streamId, step.topic);
    else if (!('streamId' in step)) this.markAll(step.userId);
    else if (step.kind === 'subscribe') this.subscribe(step.userId, step.streamId);
    else this.unsubscribe(step.userId, step.streamId);
  }

  compare(userId: number): void {
    const { perform } = this.#store;
    const rows = [...this.#model.rowsOf(userId)].sort(([a], [b]) => a - b);
    const having = (isWanted: (flags: ReadonlySet<string>) => boolean): readonly number[] =>
      rows.filter(([, flags]) => isWanted(flags)).map(([id]) => id);
    const page = (...conditions: Conditions): readonly number[] =>
      perform(reads.pageMessages(held(userId, conditions), 0, ALL)).rows.map((row) => row.id);

    const all = perform(reads.pageMessages(held(userId, []), 0, ALL)).rows;
    expect(all.map((row) => [row.id, flagsOf(row).sort()])).toEqual(
      rows.map(([id, flags]) => [id, [...flags].sort()]),
    );
    const unread = having((flags) => !flags.has('read'));
    expect(page({ kind: 'unread' })).toEqual(unread);
    expect(page({ kind: 'flag', flags: ['starred'] })).toEqual(having((f) => f.has('starred')));
    expect(page({ kind: 'flag', flags: ['has_alert_word'] })).toEqual(
      having((f) => f.has('has_alert_word')),
    );
    expect(page({ kind: 'mentioned' })).toEqual(
      having((f) => f.has('mentioned') || f.has('wildcard_mentioned')),
    );
    expect(perform(reads.listStarredIds(userId))).toEqual(having((f) => f.has('starred')));
    expect(perform(reads.findNewestHeldId(userId))).toBe(rows.at(-1)?.[0]);
    this.#compareUnread(userId, unread);
  }

  #compareUnread(userId: number, unread: readonly number[]): void {
    const { perform } = this.#store;
    const at = (id: number): Target => this.#model.messages.get(id)!.target;
    const isCurrent = (id: number): boolean => {
      const place = at(id);
      return place.kind === 'private' || this.#model.isSubscribed(userId, place.streamId);
    };
    const isMention = (id: number): boolean => {
      const flags = this.#model.rowsOf(userId).get(id);
      return flags?.has('mentioned') === true || flags?.has('wildcard_mentioned') === true;
    };
    const { groups, mentionIds } = perform(reads.listUnread(userId));
    const current = unread.filter(isCurrent);
    expect(mentionIds).toEqual(current.filter(isMention));
    expect(groups.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b)).toEqual(current);
    for (const { stream_id: streamId, topic, messageIds, senderIds } of groups) {
      const messages = messageIds.map((id) => this.#model.messages.get(id)!);
      const senders = [...new Set(messages.map(({ senderId }) => senderId))];
      expect(senderIds).toEqual(senders.sort((a, b) => a - b));
      if (streamId === null) expect(senders).toHaveLength(1);
      for (const { target: place } of messages) {
        const isThere = place.kind === 'private' ? streamId === null : place.streamId === streamId;
        expect([isThere, topic]).toEqual([true, place.kind === 'private' ? null : place.topic]);
      }
    }
    const isMuted = (place: Target): boolean =>
      place.kind === 'stream' && place.topic === MUTED_TOPIC;
    const first = (...conditions: Conditions): number | undefined =>
      perform(reads.findFirstId(held(userId, [{ kind: 'unread' }, ...conditions])));
    const home = unread.filter((id) => {
      const place = at(id);
      return !isMuted(place) && (place.kind === 'private' || place.streamId !== MUTED_STREAM);
    });
    expect(first({ kind: 'home' })).toBe(home[0]);
    const isHere = (id: number): boolean => {
      const place = at(id);
      return place.kind === 'stream' && place.streamId === 1 && !isMuted(place);
    };
    const isInTopic = (id: number): boolean => {
      const place = at(id);
      return isHere(id) && place.kind === 'stream' && place.topic === TOPICS[0];
    };
    const here = { kind: 'recipient', recipientId: 1 } as const;
    const loud = { kind: 'unmuted-topics' } as const;
    const topicKey = TOPICS[0];
    expect(first(here, loud)).toBe(unread.find(isHere));
    expect(first(here, { kind: 'topic', topicKey })).toBe(unread.find(isInTopic));
  }
}

type Conditions = readonly PageSelection['predicates'][number]['condition'][];

const ALL = { before: 0, after: 1000 };
const held = (userId: number, conditions: Conditions): PageSelection => ({
  userId,
  base: 'held',
  predicates: conditions.map((condition) => ({ condition, isNegated: false })),
});

function describe({ audience, payload }: LoggedEvent): object {
  const { op, operation, flag, messages, all } = payload;
  expect(operation).toBe(op);
  return { ...audience, kind: undefined, op, flag, ids: all === true ? 'all' : messages };
}

/** Who left the private stream before is not shown what comes into it; when it goes back it is old news to them. */
const hiddenOnTheWay: readonly Step[] = [
  {
    ...{ kind: 'send' as const, senderId: 1, isWildcard: false, mentioned: [], has_alert_word: [] },
    target: { kind: 'stream', streamId: 1, topic: 'a' },
  },
  { kind: 'unsubscribe', userId: 2, streamId: PRIVATE_STREAM },
  ...([PRIVATE_STREAM, 1] as const).map((streamId): Step => {
    const target = { kind: 'stream' as const, streamId, topic: 'a' as const };
    return { kind: 'move', pick: 0, target, isAll: false };
  }),
];

const store = openMemoryStore();
prepare(store);

test('flags, unread counts and first unread agree with a row for each account and message', () => {
  fc.assert(
    fc.property(subscriptions, steps, (initial, sequence) => {
      store.undone(() => {
        const w = new World(store, new ReadModel([]));
        for (const [streamId, userId] of initial) w.subscribe(userId, streamId);
        for (const step of sequence) w.take(step);
        for (const userId of [1, 2]) w.compare(userId);
      });
    }),
    {
      numRuns: RUNS,
      examples: [
        [
          [
            [1, 2],
            [3, 2],
          ],
          hiddenOnTheWay,
        ],
      ],
    },
  );
});
