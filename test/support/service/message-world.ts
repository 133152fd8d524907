/**
 * Messages with everything that bears on who sees them how, as plain data: put into the tables of a store by
 * `fillTables`, and looked at naively by the functions below it. Account 1 is the one that looks.
 */
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Condition, PageSelection, Store } from '#service/db/port.ts';
import { openStore } from '#service/db/sqlite/open.ts';

export const VIEWER = 1;
const ACCOUNTS = [1, 2, 3, 4] as const;
/** Recipients 1 to 3 are streams, of which the third is archived and the second private. */
const STREAMS = [1, 2, 3] as const;
/** Recipients 4 on. */
const CONVERSATIONS = [[1], [1, 2], [1, 2, 3], [2, 3], [2, 3, 4], [1, 3, 4]] as const;
export const RECIPIENTS = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
/** When the first message is sent, in the middle of an hour. */
export const START = 1_000_000 * 3600 + 1800;
const TOPIC_KEYS = ['a', 'b', 'c'] as const;
export const FLAGS = ['starred', 'mentioned', 'has_alert_word', 'historical'] as const;

export interface WorldMessage {
  readonly id: number;
  readonly recipientId: number;
  /** Null for a private message. */
  readonly topicKey: string | null;
  readonly senderId: number;
  readonly isWildcard: boolean;
  readonly isLink: boolean;
  /** UNIX seconds; now and then a clock is set back. */
  readonly sentAt: number;
}

export interface Range {
  readonly recipientId: number;
  readonly from: number;
  readonly until: number | null;
}

export interface Mark {
  readonly recipientId: number;
  /** Null for all topics. */
  readonly topicKey: string | null;
  readonly through: number;
}

export interface World {
  readonly messages: readonly WorldMessage[];
  /** The viewer's memberships in streams. */
  readonly ranges: readonly Range[];
  readonly flags: readonly { readonly id: number; readonly flag: string }[];
  readonly marks: readonly Mark[];
  readonly exceptions: ReadonlyMap<number, boolean>;
  /** Messages that came to where the viewer had been when that was no longer open to the viewer. */
  readonly hidden: readonly number[];
  readonly mutedStreams: readonly number[];
  readonly mutedTopics: readonly { readonly recipientId: number; readonly topicKey: string }[];
}

const isStream = (recipientId: number): boolean => recipientId <= STREAMS.length;
const topicId = (recipientId: number, topicKey: string): number =>
  recipientId * 10 + TOPIC_KEYS.findIndex((key) => key === topicKey) + 1;
const participantsOf = (recipientId: number): readonly number[] =>
  CONVERSATIONS[recipientId - STREAMS.length - 1] ?? [];

const recipient = fc.constantFrom(...RECIPIENTS);
const stream = fc.constantFrom(...STREAMS);
const topicKey = fc.constantFrom(...TOPIC_KEYS);

const messages = fc
  .array(
    fc.record({
      gap: fc.integer({ min: 1, max: 3 }),
      recipientId: recipient,
      topicKey,
      senderId: fc.constantFrom(...ACCOUNTS),
      isWildcard: fc.boolean(),
      isLink: fc.boolean(),
      seconds: fc.integer({ min: -4000, max: 6000 }),
    }),
    { maxLength: 25 },
  )
  .map((drafts) => {
    let id = 0;
    let sentAt = START;
    return drafts.map(({ gap, seconds, ...draft }): WorldMessage => {
      id += gap;
      sentAt += seconds;
      const isPrivate = !isStream(draft.recipientId);
      return { ...draft, id, sentAt, topicKey: isPrivate ? null : draft.topicKey };
    });
  });

/** Ranges of one stream follow each other; only the last one can be open. */
const rangesOf = (recipientId: number): fc.Arbitrary<readonly Range[]> =>
  fc
    .record({
      bounds: fc.uniqueArray(fc.nat(60), { maxLength: 6 }),
      isOpen: fc.boolean(),
    })
    .map(({ bounds, isOpen }) => {
      const sorted = bounds.sort((a, b) => a - b);
      const ranges: Range[] = [];
      for (let index = 0; index + 1 < sorted.length; index += 2) {
        ranges.push({ recipientId, from: sorted[index] ?? 0, until: sorted[index + 1] ?? 0 });
      }
      if (isOpen) ranges.push({ recipientId, from: (sorted.at(-1) ?? -1) + 1, until: null });
      return ranges;
    });

const mark: fc.Arbitrary<Mark> = fc
  .record({
    recipientId: fc.constantFrom(0, ...RECIPIENTS),
    topicKey: fc.option(topicKey),
    through: fc.nat(70),
  })
  .map((each) => ({
    ...each,
    topicKey: each.recipientId !== 0 && isStream(each.recipientId) ? each.topicKey : null,
  }));

/** A world without read state, which a test of that builds step by step. */
export const unreadWorld: fc.Arbitrary<World> = fc
  .record({
    messages,
    ranges: fc.tuple(...STREAMS.map(rangesOf)).map((lists) => lists.flat()),
    mutedStreams: fc.subarray([...STREAMS]),
    mutedTopics: fc.uniqueArray(fc.record({ recipientId: stream, topicKey }), {
      selector: ({ recipientId, topicKey: key }) => `${recipientId} ${key}`,
      maxLength: 4,
    }),
  })
  .map((parts) => ({
    ...parts,
    flags: [],
    marks: [],
    exceptions: new Map<number, boolean>(),
    hidden: [],
  }));

const isInEnded = ({ messages, ranges }: World, id: number): boolean =>
  ranges.some(
    ({ recipientId, from, until }) =>
      messages.some((m) => m.id === id && m.recipientId === recipientId) &&
      from < id &&
      until !== null &&
      id <= until,
  );

export const world: fc.Arbitrary<World> = unreadWorld.chain((base) => {
  const ids = base.messages.map((message) => message.id);
  const id = ids.length === 0 ? fc.constant(0) : fc.constantFrom(...ids);
  return fc
    .record({
      flags: fc.uniqueArray(fc.record({ id, flag: fc.constantFrom(...FLAGS) }), {
        selector: ({ id: messageId, flag }) => `${messageId} ${flag}`,
        maxLength: ids.length === 0 ? 0 : 12,
      }),
      marks: fc.uniqueArray(mark, {
        selector: ({ recipientId, topicKey: key }) => `${recipientId} ${key}`,
        maxLength: 4,
      }),
      exceptions: fc.array(fc.tuple(id, fc.boolean()), { maxLength: ids.length === 0 ? 0 : 8 }),
      hidden: fc.subarray(ids, { maxLength: Math.min(3, ids.length) }),
    })
    .map((state) => ({
      ...base,
      ...state,
      // Nobody gets a copy of a private message.
      flags: state.flags.filter(
        ({ id: of, flag }) =>
          flag !== 'historical' || base.messages.some((m) => m.id === of && m.topicKey !== null),
      ),
      exceptions: new Map(state.exceptions),
      hidden: state.hidden.filter((each) => isInEnded(base, each)),
    }));
});

export interface WorldStore {
  readonly store: Store;
  /** A connection of the test's own to the same file. */
  readonly db: Database.Database;
  readonly close: () => Promise<void>;
}

/** A store for one world after the other. */
export async function openWorldStore(): Promise<WorldStore> {
  const dir = mkdtempSync(join(tmpdir(), 'hearth-test-'));
  const file = join(dir, 'hearth.db');
  const store = await openStore({ file, foreignWritesMs: 0 });
  const db = new Database(file);
  db.pragma('synchronous = OFF');
  prepareTables(db);
  return {
    store,
    db,
    async close() {
      db.close();
      await store.close();
      rmSync(dir, { recursive: true });
    },
  };
}

/** Accounts, streams and conversations, which all worlds share. */
function prepareTables(db: Database.Database): void {
  db.exec(`INSERT INTO client (id, name) VALUES (1, 'test')`);
  const account = db.prepare(`INSERT INTO account
    (id, email, email_key, full_name, full_name_key, short_name, role, gravatar_hash, joined_at)
    VALUES (?, ?, ?, 'Name', 'name', 'name', 'member', '0', 1)`);
  for (const id of ACCOUNTS) account.run(id, `${id}@example.com`, `${id}@example.com`);
  for (const id of RECIPIENTS) {
    db.prepare('INSERT INTO recipient (id, kind) VALUES (?, ?)').run(
      id,
      isStream(id) ? 'stream' : 'private',
    );
  }
  for (const id of STREAMS) {
    db.prepare(
      `INSERT INTO stream (id, recipient_id, name, name_key, is_private, is_history_public, is_archived, created_at)
       VALUES (?, ?, ?, ?, ?, 1, ?, 1)`,
    ).run(id, id, `stream ${id}`, `stream ${id}`, Number(id === 2), Number(id === 3));
    for (const key of TOPIC_KEYS) {
      db.prepare('INSERT INTO topic (id, recipient_id, name, name_key) VALUES (?, ?, ?, ?)').run(
        topicId(id, key),
        id,
        key.toUpperCase(),
        key,
      );
    }
  }
  for (const id of RECIPIENTS.filter((each) => !isStream(each))) {
    db.prepare('INSERT INTO conversation (recipient_id, participants_key) VALUES (?, ?)').run(
      id,
      participantsOf(id).join(','),
    );
    for (const userId of participantsOf(id)) {
      db.prepare('INSERT INTO membership (recipient_id, account_id, from_id) VALUES (?, ?, 0)').run(
        id,
        userId,
      );
    }
  }
}

/** Replaces what an earlier world left. */
export function fillTables(db: Database.Database, w: World): void {
  db.transaction(() => {
    db.exec(`DELETE FROM read_exception; DELETE FROM read_mark; DELETE FROM message_flag;
      DELETE FROM kept_version; DELETE FROM message;
      DELETE FROM message_hour;
      DELETE FROM muted_topic; DELETE FROM stream_setting;
      DELETE FROM membership WHERE recipient_id <= ${STREAMS.length}`);
    const insert =
      db.prepare(`INSERT INTO message (id, recipient_id, topic_id, sender_id, client_id, content,
        rendered, is_me_message, has_wildcard_mention, has_link, has_image, has_attachment, sent_at)
      VALUES (?, ?, ?, ?, 1, 'text', '', 0, ?, ?, 0, 0, ?)`);
    const begin = db.prepare('INSERT INTO message_hour VALUES (?, ?)');
    let hourBefore = 0;
    for (const m of w.messages) {
      const topic = m.topicKey === null ? null : topicId(m.recipientId, m.topicKey);
      const flags = [Number(m.isWildcard), Number(m.isLink)];
      insert.run(m.id, m.recipientId, topic, m.senderId, ...flags, m.sentAt);
      const hour = Math.floor(m.sentAt / 3600);
      if (hour !== hourBefore) begin.run(m.id, hour);
      hourBefore = hour;
    }
    const join = db.prepare(
      'INSERT INTO membership (recipient_id, account_id, from_id, until_id) VALUES (?, ?, ?, ?)',
    );
    for (const r of w.ranges) join.run(r.recipientId, VIEWER, r.from, r.until);
    const flag = db.prepare('INSERT INTO message_flag VALUES (?, ?, ?)');
    for (const f of w.flags) flag.run(VIEWER, f.id, f.flag);
    const hide = db.prepare('INSERT INTO kept_version VALUES (?, ?, NULL)');
    for (const id of w.hidden) hide.run(VIEWER, id);
    for (const m of w.marks) putMark(db, m);
    for (const [id, isRead] of w.exceptions) putException(db, id, isRead);
    const setting = db.prepare(
      "INSERT INTO stream_setting (account_id, stream_id, color, is_muted) VALUES (?, ?, '#111111', ?)",
    );
    for (const id of STREAMS) setting.run(VIEWER, id, Number(w.mutedStreams.includes(id)));
    const mute = db.prepare('INSERT INTO muted_topic VALUES (?, ?)');
    for (const m of w.mutedTopics) mute.run(VIEWER, topicId(m.recipientId, m.topicKey));
  })();
}

export function putMark(db: Database.Database, each: Mark): void {
  const topic = each.topicKey === null ? 0 : topicId(each.recipientId, each.topicKey);
  db.prepare(
    `INSERT INTO read_mark VALUES (:viewer, :recipient, :topic, :through)
     ON CONFLICT (account_id, recipient_id, topic_id) DO UPDATE SET through_id = max(through_id, :through)`,
  ).run({ viewer: VIEWER, recipient: each.recipientId, topic, through: each.through });
}

export function putException(db: Database.Database, id: number, isRead: boolean): void {
  db.prepare('INSERT OR REPLACE INTO read_exception VALUES (?, ?, ?)').run(
    VIEWER,
    id,
    Number(isRead),
  );
}

export const isDelivered = (w: World, m: WorldMessage): boolean =>
  isStream(m.recipientId)
    ? w.ranges.some(
        (r) =>
          r.recipientId === m.recipientId &&
          r.from < m.id &&
          (r.until === null || (m.id <= r.until && !w.hidden.includes(m.id))),
      )
    : participantsOf(m.recipientId).includes(VIEWER);

export const flagsIn = (w: World, m: WorldMessage): readonly string[] =>
  w.flags.filter((each) => each.id === m.id).map((each) => each.flag);

export const isHeld = (w: World, m: WorldMessage): boolean =>
  isDelivered(w, m) || flagsIn(w, m).includes('historical');

/** Whether a mark reaches a message. */
export const isMarked = (m: WorldMessage, each: Mark): boolean =>
  m.id <= each.through &&
  (each.recipientId === 0 ||
    (each.recipientId === m.recipientId &&
      (each.topicKey === null || each.topicKey === m.topicKey)));

/** What was never delivered is history, and read. */
export const isRead = (w: World, m: WorldMessage): boolean =>
  !isDelivered(w, m) ||
  (w.exceptions.get(m.id) ?? (m.senderId === VIEWER || w.marks.some((each) => isMarked(m, each))));

const isTopicMuted = (w: World, m: WorldMessage): boolean =>
  w.mutedTopics.some((t) => t.recipientId === m.recipientId && t.topicKey === m.topicKey);

const isStreamMuted = (w: World, m: WorldMessage): boolean =>
  w.mutedStreams.includes(m.recipientId);

type Meanings = {
  readonly [K in Condition['kind']]: (
    w: World,
    m: WorldMessage,
    condition: Extract<Condition, { kind: K }>,
  ) => boolean;
};

/** What each condition means, one message at a time. */
const meanings: Meanings = {
  recipient: (_, m, { recipientId }) => m.recipientId === recipientId,
  topic: (_, m, { topicKey: key }) => m.topicKey === key,
  sender: (_, m, { userIds }) => userIds.includes(m.senderId),
  'group-with': (_, { recipientId }, { userId }) =>
    participantsOf(recipientId).length >= 3 && participantsOf(recipientId).includes(userId),
  message: (_, m, { id }) => m.id === id,
  sent: (_, m, { range: { from, before } }) =>
    m.sentAt >= (from ?? 0) && m.sentAt < (before ?? Infinity),
  flag: (w, m, { flags }) => flags.some((flag) => flagsIn(w, m).includes(flag)),
  private: (_, m) => m.topicKey === null,
  unread: (w, m) => !isRead(w, m),
  mentioned: (w, m) => (m.isWildcard && isDelivered(w, m)) || flagsIn(w, m).includes('mentioned'),
  'unmuted-topics': (w, m) => !isTopicMuted(w, m),
  home: (w, m) => !isTopicMuted(w, m) && !isStreamMuted(w, m),
  'public-streams': (_, m) => m.recipientId === 1,
  'own-public-streams': (w, m) =>
    m.recipientId === 1 &&
    (isHeld(w, m) || w.ranges.some((r) => r.recipientId === 1 && r.until === null)),
  nothing: () => false,
  link: (_, m) => m.isLink,
  image: () => false,
  attachment: () => false,
};

export const meets = (w: World, m: WorldMessage, condition: Condition): boolean =>
  (meanings[condition.kind] as (w: World, m: WorldMessage, condition: Condition) => boolean)(
    w,
    m,
    condition,
  );

const moment = fc
  .integer({ min: -20_000, max: 40_000 })
  .map((seconds) => START + Math.round(seconds / 600) * 600);
const sentRange = fc
  .tuple(moment, moment, fc.constantFrom('from', 'before', 'within'))
  .map(([a, b, side]) => {
    const [from, before] = [Math.min(a, b), Math.max(a, b)];
    return { from: side === 'before' ? null : from, before: side === 'from' ? null : before };
  });

/** All conditions that a narrow can become; a new kind does not compile until it is here. */
const conditions: { readonly [K in Condition['kind']]: fc.Arbitrary<Condition & { kind: K }> } = {
  recipient: fc.record({ kind: fc.constant('recipient'), recipientId: recipient }),
  topic: fc.record({
    kind: fc.constant('topic'),
    topicKey: fc.constantFrom(...TOPIC_KEYS, 'none'),
  }),
  sender: fc.record({
    kind: fc.constant('sender'),
    userIds: fc.subarray([...ACCOUNTS], { minLength: 1 }),
  }),
  'group-with': fc.record({
    kind: fc.constant('group-with'),
    userId: fc.constantFrom(...ACCOUNTS),
  }),
  message: fc.record({ kind: fc.constant('message'), id: fc.nat(40) }),
  sent: fc.record({ kind: fc.constant('sent'), range: sentRange }),
  flag: fc.record({ kind: fc.constant('flag'), flags: fc.subarray([...FLAGS], { minLength: 1 }) }),
  private: fc.constant({ kind: 'private' }),
  unread: fc.constant({ kind: 'unread' }),
  mentioned: fc.constant({ kind: 'mentioned' }),
  home: fc.constant({ kind: 'home' }),
  'unmuted-topics': fc.constant({ kind: 'unmuted-topics' }),
  'public-streams': fc.constant({ kind: 'public-streams' }),
  'own-public-streams': fc.constant({ kind: 'own-public-streams' }),
  nothing: fc.constant({ kind: 'nothing' }),
  link: fc.constant({ kind: 'link' }),
  image: fc.constant({ kind: 'image' }),
  attachment: fc.constant({ kind: 'attachment' }),
};

export const selection: fc.Arbitrary<PageSelection> = fc.record({
  userId: fc.constant(VIEWER),
  base: fc.constantFrom('held', 'open'),
  predicates: fc.array(
    fc.record({
      condition: fc.oneof(...(Object.values(conditions) as fc.Arbitrary<Condition>[])),
      isNegated: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
});

/** The messages that a selection means, ascending. */
export const select = (w: World, chosen: PageSelection): readonly WorldMessage[] =>
  w.messages.filter(
    (m) =>
      (chosen.base === 'open' || isHeld(w, m)) &&
      chosen.predicates.every(({ condition, isNegated }) => meets(w, m, condition) !== isNegated),
  );
