/** Bots: what they have beside an account. */
import type { BotServiceRow } from '#service/features/people/queries/accounts.ts';
import { findOne, insert, list, type Operation, run } from '#service/db/operation.ts';

export interface NewBot {
  readonly defaultSendingStreamId: number | null;
  readonly defaultEventsRegisterStreamId: number | null;
  readonly defaultAllPublicStreams: boolean;
  /** Null for a gravatar. */
  readonly avatarFile: string | null;
  /** Null unless it is an outgoing webhook bot. */
  readonly service: {
    readonly payloadUrl: string;
    readonly interface: number;
    readonly token: string;
  } | null;
}

/** A message that an outgoing webhook bot is still to be told of. */
export interface DeliveryRow {
  readonly id: number;
  readonly account_id: number;
  /** Who owned the bot when the message came. */
  readonly owner_id: number | null;
  readonly message_id: number;
  readonly trigger_name: string;
  /** How many were made and failed. */
  readonly attempts: number;
}

const SET_DEFAULTS = `UPDATE account SET default_sending_stream_id = :sendingId,
    default_events_register_stream_id = :registerId, default_all_public_streams = :allPublic,
    avatar_file = :avatarFile
  WHERE id = :id`;
const INSERT_SERVICE = `INSERT INTO bot_service (account_id, payload_url, interface, token)
  VALUES (:id, :payloadUrl, :interface, :token)`;
const FIND_SERVICE = 'SELECT * FROM bot_service WHERE account_id = :id';
const LIST_SERVICES = 'SELECT * FROM bot_service ORDER BY account_id';
const LIST_DELIVERIES = 'SELECT * FROM bot_delivery WHERE id > :afterId ORDER BY id LIMIT :limit';
const INSERT_DELIVERY = `INSERT INTO bot_delivery (account_id, owner_id, message_id, trigger_name)
  SELECT a.id, a.owner_id, :messageId, :trigger FROM account a
  WHERE a.id = :botId AND a.is_active = 1 AND (:isOpen = 1 OR EXISTS (SELECT 1 FROM membership m
    WHERE m.recipient_id = :recipientId AND m.account_id = a.id AND m.until_id IS NULL))`;
const COUNT_ATTEMPT = 'UPDATE bot_delivery SET attempts = attempts + 1 WHERE id = :id';
const DELETE_DELIVERY = 'DELETE FROM bot_delivery WHERE id = :id';
const FIND_SECRET = 'SELECT secret FROM bot_secret WHERE account_id = :id';
const SET_SECRET = `INSERT INTO bot_secret (account_id, secret) VALUES (:id, :secret)
  ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret`;
const DELETE_SECRET = 'DELETE FROM bot_secret WHERE account_id = :id';
const LIST_STORAGE = 'SELECT key, value FROM bot_storage WHERE account_id = :userId ORDER BY key';
const STORE = `INSERT INTO bot_storage (account_id, key, value) VALUES (:userId, :key, :value)
  ON CONFLICT (account_id, key) DO UPDATE SET value = excluded.value`;
const STORED_BYTES = `SELECT COALESCE(SUM(OCTET_LENGTH(key) + OCTET_LENGTH(value)), 0) AS bytes
  FROM bot_storage WHERE account_id = :userId`;
const DELETE_STORED = 'DELETE FROM bot_storage WHERE account_id = :userId AND key = :key';
const DELETE_ALL_STORED = 'DELETE FROM bot_storage WHERE account_id = :userId';

interface StoredText {
  readonly key: string;
  readonly value: string;
}

export const botReads = {
  *findBotService(id: number): Operation<BotServiceRow | undefined> {
    return yield* findOne<BotServiceRow>(FIND_SERVICE, { id });
  },
  /** Every outgoing webhook bot's, by id. */
  *listBotServices(): Operation<readonly BotServiceRow[]> {
    return yield* list<BotServiceRow>(LIST_SERVICES);
  },
  /** Deliveries that are still to be made, in the order of their messages. */
  *listDeliveries(afterId: number, limit: number): Operation<readonly DeliveryRow[]> {
    return yield* list<DeliveryRow>(LIST_DELIVERIES, { afterId, limit });
  },
  /** By which deliveries to an account are verified; undefined where they are not. */
  *findWebhookSecret(id: number): Operation<string | undefined> {
    return (yield* findOne<{ secret: string }>(FIND_SECRET, { id }))?.secret;
  },
  /** UTF-8 bytes of the keys and texts that an account has stored. */
  *countStoredBytes(userId: number): Operation<number> {
    return (yield* findOne<{ bytes: number }>(STORED_BYTES, { userId }))?.bytes ?? 0;
  },
  /** Everything that an account has stored, by key. */
  *listStorage(userId: number): Operation<readonly StoredText[]> {
    return yield* list<StoredText>(LIST_STORAGE, { userId });
  },
};

export interface DeliveryPlace {
  readonly messageId: number;
  readonly recipientId: number;
  /** Whether accounts that do not hold the message may be told of it. */
  readonly isOpen: boolean;
}

/** A bot to tell of a new message, and why: `mention` or `private_message`. */
export interface NewDelivery {
  readonly botId: number;
  readonly trigger: string;
}

/** Step: notes, with the message itself, that a bot is to be told of it. */
export function* insertDelivery(delivery: NewDelivery, place: DeliveryPlace): Operation<number> {
  const { messageId, recipientId, isOpen } = place;
  return yield* run(INSERT_DELIVERY, {
    ...delivery,
    messageId,
    recipientId,
    isOpen: Number(isOpen),
  });
}

/** A bot may be told of what it holds, and of what everybody reads. */
const FIND_TELLABLE = `SELECT m.id FROM message m JOIN account a ON a.id = :botId AND a.is_active = 1
  WHERE m.id = :messageId AND (
    EXISTS (SELECT 1 FROM stream s WHERE s.recipient_id = m.recipient_id AND s.is_private = 0)
    OR EXISTS (SELECT 1 FROM membership h WHERE h.recipient_id = m.recipient_id AND h.account_id = a.id
      AND h.until_id IS NULL))`;
const INSERT_AGAIN = `INSERT INTO bot_delivery (account_id, owner_id, message_id, trigger_name)
  SELECT id, owner_id, :messageId, :trigger FROM account WHERE id = :botId`;

export const botWrites = {
  /** Notes that a bot is to be told of a message once more; undefined where it may not, or the message is gone. */
  *repeatDelivery(
    botId: number,
    messageId: number,
    trigger: string,
  ): Operation<number | undefined> {
    const found = yield* findOne<{ id: number }>(FIND_TELLABLE, { botId, messageId });
    if (found === undefined) return undefined;
    return yield* insert(INSERT_AGAIN, { botId, messageId, trigger });
  },
  /** What makes an account that was just inserted a bot. */
  *equipBot(id: number, bot: NewBot): Operation<void> {
    yield* run(SET_DEFAULTS, {
      id,
      sendingId: bot.defaultSendingStreamId,
      registerId: bot.defaultEventsRegisterStreamId,
      allPublic: Number(bot.defaultAllPublicStreams),
      avatarFile: bot.avatarFile,
    });
    if (bot.service !== null) yield* run(INSERT_SERVICE, { id, ...bot.service });
  },
  /** @param secret  empty for none */
  *setWebhookSecret(id: number, secret: string): Operation<void> {
    yield* secret === '' ? run(DELETE_SECRET, { id }) : run(SET_SECRET, { id, secret });
  },
  *countDeliveryAttempt(id: number): Operation<void> {
    yield* run(COUNT_ATTEMPT, { id });
  },
  *deleteDelivery(id: number): Operation<void> {
    yield* run(DELETE_DELIVERY, { id });
  },
  /** Instead of what was stored under the key. */
  *putStored(userId: number, key: string, value: string): Operation<void> {
    yield* run(STORE, { userId, key, value });
  },
  /** @param key  null for all */
  *forgetStored(userId: number, key: string | null): Operation<void> {
    yield* key === null ? run(DELETE_ALL_STORED, { userId }) : run(DELETE_STORED, { userId, key });
  },
};
