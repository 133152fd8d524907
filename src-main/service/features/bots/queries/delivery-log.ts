/** Deliveries as they are kept for the owners of bots (API decisions 15.12): the last of each bot, for some days. */
import type { DeliveryOutcome } from '#shared/api/models/delivery.ts';
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

export interface DeliveryLogRow {
  readonly id: number;
  readonly account_id: number;
  /** Who owned the bot when it came. */
  readonly owner_id: number | null;
  readonly direction: 'incoming' | 'outgoing';
  /** UNIX seconds. */
  readonly at: number;
  readonly last_at: number;
  readonly integration: string;
  readonly event: string;
  readonly outcome: DeliveryOutcome;
  readonly status: number;
  readonly reason: string;
  readonly count: number;
  /** JSON: a list of ids. */
  readonly message_ids: string;
  readonly again_of: number | null;
}

export interface DeliveryContentRow {
  /** JSON. */
  readonly content: string;
  readonly body: string;
}

export interface NewDeliveryLogEntry {
  readonly accountId: number;
  readonly ownerId: number | null;
  readonly direction: DeliveryLogRow['direction'];
  readonly at: number;
  readonly lastAt: number;
  readonly integration: string;
  readonly event: string;
  readonly outcome: DeliveryOutcome;
  readonly status: number;
  readonly reason: string;
  readonly count: number;
  readonly messageIds: readonly number[];
  readonly againOf: number | null;
  /** What an outgoing webhook bot is told: an entry that there is already becomes this. */
  readonly botDeliveryId: number | null;
  readonly content: DeliveryContentRow;
}

/** How a bot was set up in the window. */
export interface HookRow {
  readonly account_id: number;
  /** Null where nobody has said for which service it is. */
  readonly integration: string | null;
  readonly stream: string;
  readonly topic: string;
  /** JSON: a list of patterns. */
  readonly only_events: string;
  readonly is_paused: number;
}

/** How many each bot keeps. */
export const MAX_LOGGED = 100;

const COLUMNS = `id, account_id, owner_id, direction, at, last_at, integration, event, outcome, status, reason, count,
  message_ids, again_of`;
const OWNED = 'account_id = :botId AND owner_id = :ownerId';
const LIST = `SELECT ${COLUMNS} FROM kept_delivery WHERE ${OWNED} ORDER BY id DESC LIMIT :limit`;
const FIND = `SELECT ${COLUMNS} FROM kept_delivery WHERE id = :id AND ${OWNED}`;
const FIND_CONTENT = 'SELECT content, body FROM kept_delivery_content WHERE delivery_id = :id';
const FIND_TOLD = 'SELECT id FROM kept_delivery WHERE bot_delivery_id = :botDeliveryId';
const FIND_TOLD_CONTENT = `SELECT c.content FROM kept_delivery d
  JOIN kept_delivery_content c ON c.delivery_id = d.id WHERE d.bot_delivery_id = :botDeliveryId`;
const INSERT = `INSERT INTO kept_delivery (account_id, owner_id, direction, at, last_at, integration, event, outcome, status,
    reason, count, message_ids, again_of, bot_delivery_id)
  VALUES (:accountId, :ownerId, :direction, :at, :lastAt, :integration, :event, :outcome, :status, :reason, :count,
    :messageIds, :againOf, :botDeliveryId)`;
const INSERT_CONTENT = `INSERT INTO kept_delivery_content (delivery_id, content, body, is_redacted)
  VALUES (:id, :content, :body, 1)
  ON CONFLICT (delivery_id) DO UPDATE SET content = excluded.content, body = excluded.body, is_redacted = 1`;
const LIST_UNREDACTED = `SELECT d.id, d.account_id, d.event, d.reason, c.content, c.body
  FROM kept_delivery_content c JOIN kept_delivery d ON d.id = c.delivery_id
  WHERE c.is_redacted = 0 LIMIT :limit`;
const SET_TEXTS = 'UPDATE kept_delivery SET event = :event, reason = :reason WHERE id = :id';
const UPDATE = `UPDATE kept_delivery SET last_at = :lastAt, outcome = :outcome, status = :status, reason = :reason,
    count = :count, message_ids = :messageIds
  WHERE id = :id`;
const OLDEST_KEPT = `SELECT id FROM kept_delivery WHERE account_id = :botId ORDER BY id DESC LIMIT 1 OFFSET :max`;
const DELETE_CONTENT_THROUGH = `DELETE FROM kept_delivery_content WHERE delivery_id IN
  (SELECT id FROM kept_delivery WHERE account_id = :botId AND id <= :through)`;
const DELETE_THROUGH = 'DELETE FROM kept_delivery WHERE account_id = :botId AND id <= :through';
const COUNT_UP = 'UPDATE kept_delivery SET count = :count, last_at = :lastAt WHERE id = :id';
const OLD = 'SELECT id FROM kept_delivery WHERE at < :before ORDER BY at LIMIT :count';
const DELETE_OLD_CONTENT = `DELETE FROM kept_delivery_content WHERE delivery_id IN (${OLD})`;
const DELETE_OLD = `DELETE FROM kept_delivery WHERE id IN (${OLD})`;
const FIND_HOOK = 'SELECT * FROM bot_hook WHERE account_id = :id';
const SET_HOOK = `INSERT INTO bot_hook (account_id, integration, stream, topic, only_events, is_paused)
  VALUES (:id, :integration, :stream, :topic, :onlyEvents, 0)
  ON CONFLICT (account_id) DO UPDATE SET integration = excluded.integration, stream = excluded.stream,
    topic = excluded.topic, only_events = excluded.only_events`;
const PAUSE = `INSERT INTO bot_hook (account_id, integration, stream, topic, only_events, is_paused)
  VALUES (:id, NULL, '', '', '[]', :isPaused)
  ON CONFLICT (account_id) DO UPDATE SET is_paused = excluded.is_paused`;

/** A bot and one of its owners: what came to it in their time. */
export interface OwnedBot {
  readonly botId: number;
  readonly ownerId: number;
}

/** What was kept before secrets were taken out. */
export interface UnredactedRow extends DeliveryContentRow {
  readonly id: number;
  readonly account_id: number;
  readonly event: string;
  readonly reason: string;
}

export const deliveryLogReads = {
  /** The newest first. */
  *listDeliveryLog(bot: OwnedBot, limit: number): Operation<readonly DeliveryLogRow[]> {
    return yield* list<DeliveryLogRow>(LIST, { ...bot, limit });
  },
  *findLoggedDelivery(bot: OwnedBot, id: number): Operation<DeliveryLogRow | undefined> {
    return yield* findOne<DeliveryLogRow>(FIND, { ...bot, id });
  },
  *listUnredacted(limit: number): Operation<readonly UnredactedRow[]> {
    return yield* list<UnredactedRow>(LIST_UNREDACTED, { limit });
  },
  *findLoggedContent(id: number): Operation<DeliveryContentRow | undefined> {
    return yield* findOne<DeliveryContentRow>(FIND_CONTENT, { id });
  },
  /** JSON; of what an outgoing webhook bot is told. */
  *findNoticeContent(botDeliveryId: number): Operation<string | undefined> {
    return (yield* findOne<{ content: string }>(FIND_TOLD_CONTENT, { botDeliveryId }))?.content;
  },
  *findBotHook(id: number): Operation<HookRow | undefined> {
    return yield* findOne<HookRow>(FIND_HOOK, { id });
  },
};

function* findNotice(botDeliveryId: number | null): Operation<number | undefined> {
  if (botDeliveryId === null) return undefined;
  return (yield* findOne<{ id: number }>(FIND_TOLD, { botDeliveryId }))?.id;
}

function* trimTo(botId: number, max: number): Operation<void> {
  const through = (yield* findOne<{ id: number }>(OLDEST_KEPT, { botId, max }))?.id;
  if (through === undefined) return;
  yield* run(DELETE_CONTENT_THROUGH, { botId, through });
  yield* run(DELETE_THROUGH, { botId, through });
}

export const deliveryLogWrites = {
  /** Keeps a delivery, and of its bot no more than the last ones; answers its id. */
  *logDelivery({ content, messageIds, ...entry }: NewDeliveryLogEntry): Operation<number> {
    const { lastAt, outcome, status, reason, count, botDeliveryId } = entry;
    const ids = JSON.stringify(messageIds);
    let id = yield* findNotice(botDeliveryId);
    if (id === undefined) {
      id = yield* insert(INSERT, { ...entry, messageIds: ids });
      yield* trimTo(entry.accountId, MAX_LOGGED);
    } else {
      yield* run(UPDATE, { id, lastAt, outcome, status, reason, count, messageIds: ids });
    }
    yield* run(INSERT_CONTENT, { id, ...content });
    return id;
  },
  /** Replaces what was kept before secrets were taken out. */
  *setRedacted({
    id,
    event,
    reason,
    content,
    body,
  }: Omit<UnredactedRow, 'account_id'>): Operation<void> {
    yield* run(SET_TEXTS, { id, event, reason });
    yield* run(INSERT_CONTENT, { id, content, body });
  },
  /** Changes one entry that counts. */
  *setLoggedCount(id: number, count: number, lastAt: number): Operation<void> {
    yield* run(COUNT_UP, { id, count, lastAt });
  },
  /** Ends entries that are older, the oldest first; answers how many. @param before  UNIX seconds */
  *trimDeliveryLog(before: number, count: number): Operation<number> {
    yield* run(DELETE_OLD_CONTENT, { before, count });
    return yield* run(DELETE_OLD, { before, count });
  },
  *setBotHook(
    id: number,
    hook: {
      readonly integration: string;
      readonly stream: string;
      readonly topic: string;
      readonly onlyEvents: readonly string[];
    },
  ): Operation<void> {
    yield* run(SET_HOOK, { id, ...hook, onlyEvents: JSON.stringify(hook.onlyEvents) });
  },
  *pauseBotHook(id: number, isPaused: boolean): Operation<void> {
    yield* run(PAUSE, { id, isPaused: Number(isPaused) });
  },
};
