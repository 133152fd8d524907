import { findOne, insert, list, type Operation, record, run } from './operation.ts';
import type { Audience } from '../../contract/log.ts';

type Flag = 0 | 1;

export interface StreamRow {
  readonly id: number;
  readonly recipient_id: number;
  readonly name: string;
  readonly name_key: string;
  readonly description: string;
  readonly rendered_description: string;
  readonly is_private: Flag;
  readonly is_announcement_only: Flag;
  readonly is_history_public: Flag;
  readonly is_default: Flag;
  readonly is_archived: Flag;
  readonly first_message_id: number | null;
  /** UNIX seconds. */
  readonly created_at: number;
}

/** A current subscription: the stream with one account's settings. */
export interface SubscriptionRow extends StreamRow {
  readonly color: string;
  readonly is_muted: Flag;
  readonly is_pinned: Flag;
  /** The four notification settings are null where the account's own setting holds. */
  readonly desktop_notifications: Flag | null;
  readonly audible_notifications: Flag | null;
  readonly push_notifications: Flag | null;
  readonly email_notifications: Flag | null;
  /** The account's own settings, as it stores them. */
  readonly account_settings: string;
}

export interface NewStream {
  readonly name: string;
  readonly nameKey: string;
  readonly description: string;
  readonly renderedDescription: string;
  readonly isPrivate: boolean;
  readonly isAnnouncementOnly: boolean;
  readonly isHistoryPublic: boolean;
  readonly isDefault: boolean;
  readonly creatorId: number | null;
  /** UNIX seconds. */
  readonly createdAt: number;
}

/** One stream of a request to subscribe: an existing one, or one to create. */
export type StreamTarget =
  | { readonly kind: 'existing'; readonly streamId: number }
  /** One that the account is given, not one that it asked for: left out when it was archived since. */
  | { readonly kind: 'default'; readonly streamId: number }
  | { readonly kind: 'new'; readonly stream: NewStream };

export interface SubscribePlan {
  readonly targets: readonly StreamTarget[];
  readonly userIds: readonly number[];
  /** Colours wished for, by position of the target; absent ones are chosen. */
  readonly colors: readonly (string | undefined)[];
  readonly palette: readonly string[];
}

/** How the domain puts what happened into events. */
export interface SubscribeEvents {
  readonly streamAudience: (stream: StreamRow, subscriberIds: readonly number[]) => Audience;
  readonly peerAudience: (
    stream: StreamRow,
    subscriberIds: readonly number[],
    joinedId: number,
  ) => Audience;
  readonly stream: (stream: StreamRow) => Readonly<Record<string, unknown>>;
  readonly subscription: (
    subscription: SubscriptionRow,
    userId: number,
    subscriberIds: readonly number[],
  ) => Readonly<Record<string, unknown>>;
}

export interface SubscribeResult {
  readonly streamId: number;
  readonly name: string;
  readonly isCreated: boolean;
  readonly joinedIds: readonly number[];
  readonly alreadyIds: readonly number[];
}

const STREAM = `s.id, s.recipient_id, s.name, s.name_key, s.description, s.rendered_description, s.is_private,
  s.is_announcement_only, s.is_history_public, s.is_default, s.is_archived, s.first_message_id, s.created_at`;
const SETTING = `t.color, t.is_muted, t.is_pinned, t.desktop_notifications, t.audible_notifications,
  t.push_notifications, t.email_notifications,
  (SELECT a.settings FROM account a WHERE a.id = t.account_id) AS account_settings`;

const FIND = `SELECT ${STREAM} FROM stream s WHERE s.id = :id`;
const FIND_BY_NAME = `SELECT ${STREAM} FROM stream s WHERE s.name_key = :nameKey AND s.is_archived = 0`;
const LIST = `SELECT ${STREAM} FROM stream s WHERE s.is_archived = 0 ORDER BY s.id`;
export const LIST_DEFAULT = `SELECT ${STREAM} FROM stream s
  WHERE s.is_archived = 0 AND s.is_default = 1 ORDER BY s.id`;
const LIST_SUBSCRIPTIONS = `SELECT ${STREAM}, ${SETTING}
  FROM membership m
  JOIN stream s ON s.recipient_id = m.recipient_id
  JOIN stream_setting t ON t.account_id = m.account_id AND t.stream_id = s.id
  WHERE m.account_id = :userId AND m.until_id IS NULL AND s.is_archived = 0 ORDER BY s.id`;
const FIND_SUBSCRIPTION = `SELECT ${STREAM}, ${SETTING}
  FROM stream s JOIN stream_setting t ON t.stream_id = s.id
  WHERE s.id = :streamId AND t.account_id = :userId`;
const FIND_CURRENT = `${FIND_SUBSCRIPTION} AND s.is_archived = 0 AND EXISTS (SELECT 1 FROM membership m
  WHERE m.recipient_id = s.recipient_id AND m.account_id = t.account_id AND m.until_id IS NULL)`;
const LIST_FORMER = `SELECT DISTINCT s.id
  FROM membership m JOIN stream s ON s.recipient_id = m.recipient_id
  WHERE m.account_id = :userId AND m.until_id IS NOT NULL`;
const LIST_MEMBERS = `SELECT m.account_id AS id
  FROM membership m JOIN account a ON a.id = m.account_id
  WHERE m.recipient_id = :recipientId AND m.until_id IS NULL AND a.is_active = 1 ORDER BY m.account_id`;
/** One row for each stream: a row for each member takes several times as long to hand over. */
const LIST_ALL_MEMBERS = `SELECT s.recipient_id, (SELECT group_concat(m.account_id) FROM membership m
    WHERE m.recipient_id = s.recipient_id AND m.until_id IS NULL) AS ids
  FROM stream s WHERE s.is_archived = 0 ORDER BY s.recipient_id`;
const LIST_INACTIVE = 'SELECT id FROM account WHERE is_active = 0';
const FIND_MEMBERSHIP = `SELECT id FROM membership
  WHERE recipient_id = :recipientId AND account_id = :userId AND until_id IS NULL`;
const INSERT_RECIPIENT = 'INSERT INTO recipient (kind) VALUES (:kind)';
const INSERT = `INSERT INTO stream (recipient_id, name, name_key, description, rendered_description, is_private,
    is_announcement_only, is_history_public, is_default, creator_id, created_at)
  VALUES (:recipientId, :name, :nameKey, :description, :renderedDescription, :isPrivate,
    :isAnnouncementOnly, :isHistoryPublic, :isDefault, :creatorId, :createdAt)`;
const INSERT_MEMBERSHIP = `INSERT INTO membership (recipient_id, account_id, from_id)
  SELECT :recipientId, :userId, COALESCE(MAX(id), 0) FROM message`;
const USED_COLORS = `SELECT t.color FROM stream_setting t
  JOIN stream s ON s.id = t.stream_id
  JOIN membership m ON m.recipient_id = s.recipient_id AND m.account_id = t.account_id
  WHERE t.account_id = :userId AND m.until_id IS NULL`;
const INSERT_SETTING = `INSERT INTO stream_setting (account_id, stream_id, color)
  VALUES (:userId, :streamId, :color)`;

export const streamReads = {
  *findStream(id: number): Operation<StreamRow | undefined> {
    return yield* findOne<StreamRow>(FIND, { id });
  },
  /** Archived streams have freed their names and are not found. */
  *findStreamByName(nameKey: string): Operation<StreamRow | undefined> {
    return yield* findOne<StreamRow>(FIND_BY_NAME, { nameKey });
  },
  /** All streams that are not archived, by id. */
  *listStreams(): Operation<readonly StreamRow[]> {
    return yield* list<StreamRow>(LIST);
  },
  *listSubscriptions(userId: number): Operation<readonly SubscriptionRow[]> {
    return yield* list<SubscriptionRow>(LIST_SUBSCRIPTIONS, { userId });
  },
  /** Streams that the account was once subscribed to, whether or not it is now. */
  *listFormerStreamIds(userId: number): Operation<readonly number[]> {
    return (yield* list<{ id: number }>(LIST_FORMER, { userId })).map((row) => row.id);
  },
  /** Active accounts that belong to a stream or conversation now, ascending. */
  *listMemberIds(recipientId: number): Operation<readonly number[]> {
    return yield* memberIds(recipientId);
  },
  /** Active members of every stream that is not archived, ascending, by recipient. */
  *listAllStreamMembers(): Operation<ReadonlyMap<number, readonly number[]>> {
    const inactive = new Set((yield* list<{ id: number }>(LIST_INACTIVE)).map((row) => row.id));
    const rows = yield* list<{ recipient_id: number; ids: string | null }>(LIST_ALL_MEMBERS);
    return new Map(
      rows.map(({ recipient_id: recipientId, ids }) => [
        recipientId,
        (ids?.split(',') ?? [])
          .map(Number)
          .filter((id) => !inactive.has(id))
          .sort((a, b) => a - b),
      ]),
    );
  },
  *isMember(recipientId: number, userId: number): Operation<boolean> {
    return (yield* findOne(FIND_MEMBERSHIP, { recipientId, userId })) !== undefined;
  },
};

/** Step: active accounts that belong to a stream or conversation now, ascending. */
export function* memberIds(recipientId: number): Operation<readonly number[]> {
  return (yield* list<{ id: number }>(LIST_MEMBERS, { recipientId })).map((row) => row.id);
}

/** Step: a new stream without subscribers. */
export function* insertStream(stream: NewStream): Operation<StreamRow> {
  const recipientId = yield* insert(INSERT_RECIPIENT, { kind: 'stream' });
  const id = yield* insert(INSERT, {
    ...stream,
    recipientId,
    isPrivate: Number(stream.isPrivate),
    isAnnouncementOnly: Number(stream.isAnnouncementOnly),
    isHistoryPublic: Number(stream.isHistoryPublic),
    isDefault: Number(stream.isDefault),
  });
  return yield* getLiveStream(id);
}

/** Step: undefined when there is none, or when it is archived. */
export function* findLiveStream(id: number): Operation<StreamRow | undefined> {
  const stream = yield* findOne<StreamRow>(FIND, { id });
  return stream?.is_archived === 0 ? stream : undefined;
}

/** Step: the stream that a caller has found a moment ago. @throws StreamsChanged when it was archived since */
export function* getLiveStream(id: number): Operation<StreamRow> {
  const stream = yield* findLiveStream(id);
  if (stream === undefined) throw new StreamsChanged(`stream ${String(id)} was archived`);
  return stream;
}

/** Step: the stream of that name; archived ones have freed theirs. */
export function* findNamedStream(nameKey: string): Operation<StreamRow | undefined> {
  return yield* findOne<StreamRow>(FIND_BY_NAME, { nameKey });
}

/** Step: one account's subscription; undefined while it has none. */
export function* findSubscription(
  streamId: number,
  userId: number,
): Operation<SubscriptionRow | undefined> {
  return yield* findOne<SubscriptionRow>(FIND_CURRENT, { streamId, userId });
}

function* chooseColor(userId: number, palette: readonly string[]): Operation<string> {
  const rows = yield* list<{ color: string }>(USED_COLORS, { userId });
  const used = new Set(rows.map((row) => row.color));
  return (
    palette.find((color) => !used.has(color)) ?? palette[rows.length % palette.length] ?? '#c2c2c2'
  );
}

/** Step: subscribes one account from the next message on. Settings of an earlier subscription hold again. */
export function* join(
  stream: StreamRow,
  userId: number,
  color: { readonly wished: string | undefined; readonly palette: readonly string[] },
): Operation<boolean> {
  const recipientId = stream.recipient_id;
  if ((yield* findOne(FIND_MEMBERSHIP, { recipientId, userId })) !== undefined) return false;
  yield* run(INSERT_MEMBERSHIP, { recipientId, userId });
  if ((yield* findOne(FIND_SUBSCRIPTION, { streamId: stream.id, userId })) === undefined) {
    const chosen = color.wished ?? (yield* chooseColor(userId, color.palette));
    yield* run(INSERT_SETTING, { userId, streamId: stream.id, color: chosen });
  }
  return true;
}

interface Opened {
  readonly stream: StreamRow;
  readonly isCreated: boolean;
}

function* openTarget(target: StreamTarget): Operation<Opened | undefined> {
  if (target.kind === 'default') {
    const stream = yield* findLiveStream(target.streamId);
    return stream === undefined ? undefined : { stream, isCreated: false };
  }
  if (target.kind === 'existing') {
    return { stream: yield* getLiveStream(target.streamId), isCreated: false };
  }
  const { nameKey } = target.stream;
  // Somebody else created it since the caller looked: the caller has to look again.
  if ((yield* findNamedStream(nameKey)) !== undefined) {
    throw new StreamsChanged(`stream ${target.stream.name} was created`);
  }
  return { stream: yield* insertStream(target.stream), isCreated: true };
}

/** Streams were created or archived since the caller looked: it has to look again. */
export class StreamsChanged extends Error {
  override readonly name = 'StreamsChanged';
}

function* subscribeTo(
  target: StreamTarget,
  plan: SubscribePlan,
  color: string | undefined,
): Operation<(SubscribeResult & { readonly stream: StreamRow }) | undefined> {
  const opened = yield* openTarget(target);
  if (opened === undefined) return undefined;
  const { stream, isCreated } = opened;
  const joinedIds: number[] = [];
  const alreadyIds: number[] = [];
  for (const userId of plan.userIds) {
    const isJoined = yield* join(stream, userId, { wished: color, palette: plan.palette });
    (isJoined ? joinedIds : alreadyIds).push(userId);
  }
  return { streamId: stream.id, name: stream.name, isCreated, joinedIds, alreadyIds, stream };
}

function* announceStream(
  result: SubscribeResult & { readonly stream: StreamRow },
  memberIdsNow: readonly number[],
  events: SubscribeEvents,
): Operation<void> {
  const { stream } = result;
  const audience = events.streamAudience(stream, memberIdsNow);
  const streams = [events.stream(stream)];
  if (result.isCreated) {
    yield* record({ type: 'stream', audience, payload: { op: 'create', streams } });
  }
  const isFirst = result.joinedIds.length > 0 && memberIdsNow.length === result.joinedIds.length;
  if (isFirst && stream.is_private === 0) {
    yield* record({ type: 'stream', audience, payload: { op: 'occupy', streams } });
  }
}

function* announcePeers(
  result: SubscribeResult & { readonly stream: StreamRow },
  memberIdsNow: readonly number[],
  events: SubscribeEvents,
): Operation<void> {
  const { stream } = result;
  for (const userId of result.joinedIds) {
    yield* record({
      type: 'subscription',
      audience: events.peerAudience(stream, memberIdsNow, userId),
      payload: {
        op: 'peer_add',
        stream_id: stream.id,
        user_id: userId,
        stream_ids: [stream.id],
        user_ids: [userId],
        subscriptions: [stream.name],
      },
    });
  }
}

function* announceSubscriptions(
  results: readonly (SubscribeResult & { readonly stream: StreamRow })[],
  members: ReadonlyMap<number, readonly number[]>,
  events: SubscribeEvents,
): Operation<void> {
  const userIds = new Set(results.flatMap((result) => result.joinedIds));
  for (const userId of userIds) {
    const subscriptions: Readonly<Record<string, unknown>>[] = [];
    for (const { stream, joinedIds } of results) {
      if (!joinedIds.includes(userId)) continue;
      const row = yield* findOne<SubscriptionRow>(FIND_SUBSCRIPTION, {
        streamId: stream.id,
        userId,
      });
      if (row === undefined) throw new Error('a subscription without settings');
      subscriptions.push(events.subscription(row, userId, members.get(stream.id) ?? []));
    }
    yield* record({
      type: 'subscription',
      audience: { kind: 'users', userIds: [userId] },
      payload: { op: 'add', subscriptions },
    });
  }
}

/** Step: subscribes accounts to streams, creates what is missing and records every event of it. */
export function* subscribe(
  plan: SubscribePlan,
  events: SubscribeEvents,
): Operation<readonly SubscribeResult[]> {
  const results: (SubscribeResult & { readonly stream: StreamRow })[] = [];
  for (const [index, target] of plan.targets.entries()) {
    const result = yield* subscribeTo(target, plan, plan.colors[index]);
    if (result !== undefined) results.push(result);
  }
  const members = new Map<number, readonly number[]>();
  for (const { stream } of results) members.set(stream.id, yield* memberIds(stream.recipient_id));
  for (const result of results) {
    yield* announceStream(result, members.get(result.streamId) ?? [], events);
  }
  yield* announceSubscriptions(results, members, events);
  for (const result of results) {
    yield* announcePeers(result, members.get(result.streamId) ?? [], events);
  }
  return results;
}

export const streamWrites = {
  /**
   * Subscribes accounts to streams and creates the missing ones, all or nothing.
   * @throws StreamsChanged when a stream to create exists by now, or one to join was archived
   */
  *subscribeUsers(
    plan: SubscribePlan,
    events: SubscribeEvents,
  ): Operation<readonly SubscribeResult[]> {
    return yield* subscribe(plan, events);
  },
};
