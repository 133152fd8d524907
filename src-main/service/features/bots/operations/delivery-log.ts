/** What was delivered to a bot, or by it, as its owner sees it, and for which service it is (API decisions 15.12). */
import { INCOMING_WEBHOOK_BOT } from '#shared/api/bot-types.ts';
import type {
  DeliveryAttempt,
  DeliveryOutcome,
  LoggedDelivery,
  WholeDelivery,
} from '#shared/api/models/delivery.ts';
import type { HookBot, HookSetup } from '#shared/api/models/integration.ts';
import type { ServiceError } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import {
  type AccountRow,
  type HookRow,
  type DeliveryLogRow,
  MAX_LOGGED,
  type NewDeliveryLogEntry,
  type Operation,
  type Reading,
  type Store,
} from '#service/db/port.ts';
import { callerOf } from '#service/core/callers.ts';
import { change } from '#service/core/change.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';

/** What is kept of a request that came. */
export interface LoggedRequest {
  readonly kind: 'request';
  readonly query: string;
  readonly headers: readonly (readonly [string, string])[];
  /** Whether the body is all of it, byte for byte. */
  readonly isWhole: boolean;
}

/** What is kept of a message that an outgoing webhook bot was told of. */
export interface LoggedNotice {
  readonly kind: 'telling';
  readonly messageId: number;
  readonly trigger: string;
  readonly attempts: readonly DeliveryAttempt[];
}

export type LoggedContent = LoggedRequest | LoggedNotice;

export interface NewDelivery extends Omit<NewDeliveryLogEntry, 'content'> {
  readonly content: LoggedContent;
  readonly body: string;
}

/** What was kept of a delivery before secrets were taken out. */
export interface UnredactedDelivery {
  readonly id: number;
  readonly botId: number;
  readonly event: string;
  readonly reason: string;
  readonly content: LoggedContent;
  readonly body: string;
}

/** A delivery that came, as it is needed to read it once more. */
export interface LoggedIncoming {
  readonly bot: Caller;
  readonly integration: string;
  readonly request: LoggedRequest;
  readonly body: string;
}

/** A message that a bot is told of. */
export interface OutgoingNotice {
  readonly botId: number;
  readonly ownerId: number | null;
  readonly botDeliveryId: number;
  readonly messageId: number;
  readonly trigger: string;
}

/** What came of an attempt to tell a bot. */
export interface AttemptResult {
  readonly attempt: DeliveryAttempt;
  readonly outcome: DeliveryOutcome;
  readonly reason: string;
  /** The messages that the bot answered with. */
  readonly messageIds: readonly number[];
}

export interface DeliveryLogOperations {
  /** Writes deliveries; answers their ids in the same order. */
  readonly add: (deliveries: readonly NewDelivery[]) => Promise<readonly number[]>;
  readonly noteAttempt: (notice: OutgoingNotice, attempted: AttemptResult) => Promise<void>;
  /** What nobody may read in anything that is kept of a bot: its key, the one of before, and what it shares with services. */
  readonly secretsOf: (botId: number) => Promise<readonly string[]>;
  /** Some of what was kept before secrets were taken out; none when all is redacted. */
  readonly listUnredacted: () => Promise<readonly UnredactedDelivery[]>;
  readonly setRedacted: (delivery: UnredactedDelivery) => Promise<void>;
  readonly setCount: (id: number, count: number, lastAt: number) => Promise<void>;
  /** Ends what is older than seven days. */
  readonly trim: () => Promise<void>;
  /** Whether deliveries to a bot are kept without being posted. */
  readonly isPaused: (botId: number) => Promise<boolean>;

  /** The newest first. @throws BAD_REQUEST where the caller owns no such bot, as all that follow do */
  readonly list: (caller: Caller, botId: number) => Promise<readonly LoggedDelivery[]>;
  readonly get: (caller: Caller, botId: number, id: number) => Promise<WholeDelivery>;
  /** Undefined for one of an outgoing webhook bot. @throws BAD_REQUEST for one that cannot be sent again, too */
  readonly findIncoming: (
    caller: Caller,
    botId: number,
    id: number,
  ) => Promise<LoggedIncoming | undefined>;
  /** Has an outgoing webhook bot told of the message once more; answers the id of the new entry. */
  readonly resend: (caller: Caller, botId: number, id: number) => Promise<number>;

  readonly listHookBots: (caller: Caller) => Promise<readonly HookBot[]>;
  readonly setUp: (caller: Caller, botId: number, setup: HookSetup) => Promise<void>;
  readonly pause: (caller: Caller, botId: number, isPaused: boolean) => Promise<void>;
}

const RETENTION_SECONDS = 7 * 86_400;
/** In one write: others wait for it. */
const TRIM_ENTRIES = 500;
const REDACTED_AT_ONCE = 20;

/** The same answer for a bot of somebody else and for none. @throws BAD_REQUEST */
function* ownBot(tx: Reading, { userId }: Caller, botId: number): Operation<AccountRow> {
  const bot = yield* tx.findUser(botId);
  if (bot === undefined || bot.bot_type === null || bot.owner_id !== userId) {
    throw refusal('no_such_bot');
  }
  return bot;
}

function* ownHook(tx: Reading, caller: Caller, botId: number): Operation<AccountRow> {
  const bot = yield* ownBot(tx, caller, botId);
  if (bot.bot_type !== INCOMING_WEBHOOK_BOT || bot.is_active === 0) throw refusal('no_such_bot');
  return bot;
}

interface DeliveryEntry {
  readonly row: DeliveryLogRow;
  readonly content: LoggedContent;
  readonly body: string;
}

function* ownDelivery(
  tx: Reading,
  caller: Caller,
  botId: number,
  id: number,
): Operation<DeliveryEntry> {
  yield* ownBot(tx, caller, botId);
  const row = yield* tx.findLoggedDelivery({ botId, ownerId: caller.userId }, id);
  const stored = row === undefined ? undefined : yield* tx.findLoggedContent(row.id);
  if (row === undefined || stored === undefined) throw refusal('no_such_delivery');
  return { row, content: JSON.parse(stored.content) as LoggedContent, body: stored.body };
}

const shapeOf = ({
  at,
  last_at,
  message_ids,
  account_id: _,
  owner_id: __,
  ...row
}: DeliveryLogRow): LoggedDelivery => ({
  ...row,
  time: at,
  last_time: last_at,
  message_ids: JSON.parse(message_ids) as number[],
});

/** Why it cannot be sent again; undefined where it can. */
function obstacleOf({ row, content }: DeliveryEntry): ServiceError | undefined {
  if (row.outcome === 'waiting') return refusal('delivery_waiting');
  if (row.outcome === 'limited') return refusal('delivery_not_kept');
  if (content.kind === 'request' && !content.isWhole) return refusal('delivery_not_whole');
  return undefined;
}

function wholeOf(kept: DeliveryEntry): WholeDelivery {
  const { row, content, body } = kept;
  const isRequest = content.kind === 'request';
  return {
    ...shapeOf(row),
    query: isRequest ? content.query : '',
    headers: isRequest ? content.headers.map(([name, value]) => [name, value]) : [],
    body,
    can_send_again: obstacleOf(kept) === undefined,
    told_message_id: isRequest ? null : content.messageId,
    trigger: isRequest ? '' : content.trigger,
    attempts: isRequest ? [] : [...content.attempts],
  };
}

const newLogEntry = ({ content, body, ...entry }: NewDelivery): NewDeliveryLogEntry => ({
  ...entry,
  content: { content: JSON.stringify(content), body },
});

const setupOf = (hook: HookRow | undefined): HookSetup | null =>
  hook === undefined || hook.integration === null
    ? null
    : {
        integration: hook.integration,
        stream: hook.stream,
        topic: hook.topic,
        only_events: JSON.parse(hook.only_events) as string[],
      };

function* hookBotOf(
  tx: Reading,
  bot: AccountRow & { readonly owner_id: number },
  { apiKeys }: DomainContext['credentials'],
): Operation<HookBot> {
  const hook = yield* tx.findBotHook(bot.id);
  const [last] = yield* tx.listDeliveryLog({ botId: bot.id, ownerId: bot.owner_id }, 1);
  return {
    bot_id: bot.id,
    full_name: bot.full_name,
    api_key: apiKeys.derive(bot.id, bot.key_generation),
    setup: setupOf(hook),
    is_paused: hook?.is_paused === 1,
    has_secret: (yield* tx.findWebhookSecret(bot.id)) !== undefined,
    last_delivery:
      last === undefined ? null : { id: last.id, time: last.at, outcome: last.outcome },
  };
}

/** What is told again waits anew: nothing is known of it yet. */
const waitingAgain = (
  { row, content }: { readonly row: DeliveryLogRow; readonly content: LoggedNotice },
  botDeliveryId: number,
  now: number,
): NewDelivery => ({
  accountId: row.account_id,
  ownerId: row.owner_id,
  direction: 'outgoing',
  at: now,
  lastAt: now,
  integration: '',
  event: row.event,
  outcome: 'waiting',
  status: 0,
  reason: '',
  count: 0,
  messageIds: [],
  againOf: row.id,
  botDeliveryId,
  content: { ...content, attempts: [] },
  body: '',
});

const attemptOf = (
  { botId, ownerId, botDeliveryId, messageId, trigger }: OutgoingNotice,
  before: readonly DeliveryAttempt[],
  { attempt, outcome, reason, messageIds }: AttemptResult,
): NewDelivery => ({
  accountId: botId,
  ownerId,
  direction: 'outgoing',
  at: before[0]?.time ?? attempt.time,
  lastAt: attempt.time,
  integration: '',
  event: trigger,
  outcome,
  status: attempt.status,
  reason,
  count: before.length + 1,
  messageIds,
  againOf: null,
  botDeliveryId,
  content: { kind: 'telling', messageId, trigger, attempts: [...before, attempt] },
  body: '',
});

/** What deliveries leave behind, and its end by age. */
const logging = (
  store: Store,
  { nowSeconds }: DomainContext,
): Pick<DeliveryLogOperations, 'add' | 'noteAttempt' | 'setCount' | 'trim' | 'isPaused'> => ({
  add: (deliveries) =>
    store.change(function* (tx) {
      const ids: number[] = [];
      for (const delivery of deliveries) ids.push(yield* tx.logDelivery(newLogEntry(delivery)));
      return ids;
    }),
  noteAttempt: (notice, attempted) =>
    store.change(function* (tx) {
      const known = yield* tx.findNoticeContent(notice.botDeliveryId);
      const before = known === undefined ? [] : (JSON.parse(known) as LoggedNotice).attempts;
      yield* tx.logDelivery(newLogEntry(attemptOf(notice, before, attempted)));
    }),
  setCount: (id, count, lastAt) => store.setLoggedCount(id, count, lastAt),
  async trim() {
    const before = nowSeconds() - RETENTION_SECONDS;
    while ((await store.trimDeliveryLog(before, TRIM_ENTRIES)) === TRIM_ENTRIES);
  },
  isPaused: async (botId) => (await store.findBotHook(botId))?.is_paused === 1,
});

/** What is taken out of it, and from what. */
const redacting = (
  store: Store,
  { credentials: { apiKeys } }: DomainContext,
): Pick<DeliveryLogOperations, 'secretsOf' | 'listUnredacted' | 'setRedacted'> => ({
  secretsOf: (botId) =>
    store.read(function* (tx) {
      const bot = yield* tx.findUser(botId);
      const generation = bot?.key_generation ?? 0;
      const keys = [generation, generation - 1].filter((each) => each > 0);
      const shared = [yield* tx.findWebhookSecret(botId), (yield* tx.findBotService(botId))?.token];
      return [
        ...keys.map((each) => apiKeys.derive(botId, each)),
        ...shared.filter((secret) => secret !== undefined),
      ];
    }),
  listUnredacted: () =>
    store.read(function* (tx) {
      return (yield* tx.listUnredacted(REDACTED_AT_ONCE)).map(
        ({ account_id: botId, content, ...row }) => ({
          ...row,
          botId,
          content: JSON.parse(content) as LoggedContent,
        }),
      );
    }),
  setRedacted: ({ botId: _, content, ...row }) =>
    store.setRedacted({ ...row, content: JSON.stringify(content) }),
});

/** What the owner of a bot sees and has sent again. */
const reading = (
  store: Store,
  { nowSeconds }: DomainContext,
): Pick<DeliveryLogOperations, 'list' | 'get' | 'findIncoming' | 'resend'> => ({
  list: (caller, botId) =>
    store.read(function* (tx) {
      yield* ownBot(tx, caller, botId);
      const bot = { botId, ownerId: caller.userId };
      return (yield* tx.listDeliveryLog(bot, MAX_LOGGED)).map(shapeOf);
    }),
  get: (caller, botId, id) =>
    store.read(function* (tx) {
      return wholeOf(yield* ownDelivery(tx, caller, botId, id));
    }),
  findIncoming: (caller, botId, id) =>
    store.read(function* (tx) {
      const kept = yield* ownDelivery(tx, caller, botId, id);
      const obstacle = obstacleOf(kept);
      if (obstacle !== undefined) throw obstacle;
      const { row, content, body } = kept;
      if (content.kind !== 'request') return undefined;
      const bot = yield* callerOf(tx, yield* ownBot(tx, caller, botId));
      if (!bot.isActive) throw refusal('bot_deactivated');
      const { isActive: _, isRealmActive: __, keyGeneration: ___, ...asCaller } = bot;
      return { bot: asCaller, integration: row.integration, request: content, body };
    }),
  resend: (caller, botId, id) =>
    change(store, caller, function* (tx, now) {
      const { row, content } = yield* ownDelivery(tx, now, botId, id);
      if (content.kind !== 'telling') throw refusal('no_such_delivery');
      const notice = yield* tx.repeatDelivery(botId, content.messageId, content.trigger);
      if (notice === undefined) {
        throw refusal('delivery_message_gone');
      }
      return yield* tx.logDelivery(
        newLogEntry(waitingAgain({ row, content }, notice, nowSeconds())),
      );
    }),
});

export const deliveryLogOperations = (
  store: Store,
  context: DomainContext,
): DeliveryLogOperations => ({
  ...logging(store, context),
  ...redacting(store, context),
  ...reading(store, context),
  listHookBots: (caller) =>
    store.read(function* (tx) {
      const bots: HookBot[] = [];
      for (const bot of yield* tx.listUsers()) {
        const isHook = bot.bot_type === INCOMING_WEBHOOK_BOT && bot.is_active === 1;
        if (!isHook || bot.owner_id !== caller.userId) continue;
        const own = { ...bot, owner_id: caller.userId };
        bots.push(yield* hookBotOf(tx, own, context.credentials));
      }
      return bots;
    }),
  setUp: (caller, botId, { integration, stream, topic, only_events: onlyEvents }) =>
    change(store, caller, function* (tx, now) {
      yield* ownHook(tx, now, botId);
      yield* tx.setBotHook(botId, { integration, stream, topic, onlyEvents });
    }),
  pause: (caller, botId, isPaused) =>
    change(store, caller, function* (tx, now) {
      yield* ownHook(tx, now, botId);
      yield* tx.pauseBotHook(botId, isPaused);
    }),
});
