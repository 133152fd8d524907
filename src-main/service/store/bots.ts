/** Bots: what they have beside an account. */
import { badRequest } from '../../contract/errors.ts';
import { type AccountFacts, type BotServiceRow, loadFacts } from './accounts.ts';
import { findOne, list, type NewEvent, type Operation, record, run } from './operation.ts';
import { insertUser, type NewAccount } from './users.ts';

export interface NewBot {
  readonly account: NewAccount;
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
const INSERT_DELIVERY = `INSERT INTO bot_delivery (account_id, message_id, trigger_name)
  SELECT a.id, :messageId, :trigger FROM account a
  WHERE a.id = :botId AND a.is_active = 1 AND (:isOpen = 1 OR EXISTS (SELECT 1 FROM membership m
    WHERE m.recipient_id = :recipientId AND m.account_id = a.id AND m.until_id IS NULL))`;
const COUNT_ATTEMPT = 'UPDATE bot_delivery SET attempts = attempts + 1 WHERE id = :id';
const DELETE_DELIVERY = 'DELETE FROM bot_delivery WHERE id = :id';
const LIST_STORAGE = 'SELECT key, value FROM bot_storage WHERE account_id = :userId ORDER BY key';
const FIND_STORED = 'SELECT key, value FROM bot_storage WHERE account_id = :userId AND key = :key';
const STORE = `INSERT INTO bot_storage (account_id, key, value) VALUES (:userId, :key, :value)
  ON CONFLICT (account_id, key) DO UPDATE SET value = excluded.value`;
const STORED_BYTES = `SELECT COALESCE(SUM(OCTET_LENGTH(key) + OCTET_LENGTH(value)), 0) AS bytes
  FROM bot_storage WHERE account_id = :userId`;
const DELETE_STORED = 'DELETE FROM bot_storage WHERE account_id = :userId AND key = :key';
const DELETE_ALL_STORED = 'DELETE FROM bot_storage WHERE account_id = :userId';

interface Stored {
  readonly key: string;
  readonly value: string;
}

export const botReads = {
  *findBotService(id: number): Operation<BotServiceRow | undefined> {
    return yield* findOne<BotServiceRow>(FIND_SERVICE, { id });
  },
  /** Of all outgoing webhook bots, by id. */
  *listBotServices(): Operation<readonly BotServiceRow[]> {
    return yield* list<BotServiceRow>(LIST_SERVICES);
  },
  /** Deliveries that are still to be made, in the order of their messages. */
  *listDeliveries(afterId: number, limit: number): Operation<readonly DeliveryRow[]> {
    return yield* list<DeliveryRow>(LIST_DELIVERIES, { afterId, limit });
  },
  /** Everything that an account has stored, by key. */
  *listStorage(userId: number): Operation<readonly Stored[]> {
    return yield* list<Stored>(LIST_STORAGE, { userId });
  },
};

function* checkKeys(userId: number, keys: Iterable<string>): Operation<void> {
  for (const key of keys) {
    if ((yield* findOne(FIND_STORED, { userId, key })) === undefined) {
      throw badRequest('Key does not exist.');
    }
  }
}

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

export const botWrites = {
  /**
   * Creates a bot; answers its id.
   * @param keyHashOf  the keyed hash of the API key that belongs to an id
   * @param announce   answers the events, from the bot as it is now
   * @throws BAD_REQUEST when its address is taken or its owner was deactivated since
   */
  *createBot(
    bot: NewBot,
    keyHashOf: (id: number) => string,
    announce: (facts: AccountFacts) => readonly NewEvent[],
  ): Operation<number> {
    const id = yield* insertUser(bot.account, keyHashOf);
    yield* run(SET_DEFAULTS, {
      id,
      sendingId: bot.defaultSendingStreamId,
      registerId: bot.defaultEventsRegisterStreamId,
      allPublic: Number(bot.defaultAllPublicStreams),
      avatarFile: bot.avatarFile,
    });
    if (bot.service !== null) yield* run(INSERT_SERVICE, { id, ...bot.service });
    const facts = yield* loadFacts(id, null);
    if (facts?.owner?.is_active !== 1) throw badRequest('The owner of a bot must be active');
    for (const event of announce(facts)) yield* record(event);
    return id;
  },
  *countDeliveryAttempt(id: number): Operation<void> {
    yield* run(COUNT_ATTEMPT, { id });
  },
  *deleteDelivery(id: number): Operation<void> {
    yield* run(DELETE_DELIVERY, { id });
  },
  /**
   * Stores texts under keys.
   * @param maxBytes  UTF-8 bytes that the account's keys and texts may have together
   * @throws BAD_REQUEST when there would be more
   */
  *putStorage(
    userId: number,
    entries: readonly (readonly [key: string, value: string])[],
    maxBytes: number,
  ): Operation<void> {
    for (const [key, value] of entries) yield* run(STORE, { userId, key, value });
    const stored = yield* findOne<{ bytes: number }>(STORED_BYTES, { userId });
    const bytes = stored?.bytes ?? 0;
    if (bytes > maxBytes) {
      throw badRequest(
        `Storage too large: ${String(bytes)} bytes (limit: ${String(maxBytes)} bytes)`,
      );
    }
  },
  /** @param keys  null for all  @throws BAD_REQUEST when one of them is missing; then none is deleted */
  *deleteStorage(userId: number, keys: readonly string[] | null): Operation<void> {
    if (keys === null) {
      yield* run(DELETE_ALL_STORED, { userId });
      return;
    }
    const wanted = new Set(keys);
    yield* checkKeys(userId, wanted);
    for (const key of wanted) yield* run(DELETE_STORED, { userId, key });
  },
};
