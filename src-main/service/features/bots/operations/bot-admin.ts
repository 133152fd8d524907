/** Bots as their owners and administrators manage them (API decisions 7.4). */
import { OUTGOING_WEBHOOK_BOT } from '#shared/api/bot-types.ts';
import { ServiceError, variableMissing } from '#shared/api/errors.ts';
import { refusal } from '#shared/api/refusal.ts';
import { mentionById } from '#shared/text/mention-syntax.ts';
import type { Caller, CallerActionSource, UploadedFile } from '#service/core/ports/handlers.ts';
import type { NewBot as NewBotAnswer, OwnBot } from '#shared/api/models/bot.ts';
import type {
  AccountFacts,
  AccountRow,
  NewAccount,
  NewBot,
  Operation,
  Reading,
  Store,
  Transaction,
} from '#service/db/port.ts';
import { change } from '#service/core/change.ts';
import { checkQuota } from '#service/core/quotas.ts';
import {
  changeAccount,
  checkBotCount,
  getFacts,
} from '#service/features/people/operations/account-changes.ts';
import {
  botAdded,
  botAudience,
  deactivationEvents,
  keyRenewed,
  userAdded,
} from '#service/features/people/operations/account-events.ts';
import {
  type BotChange,
  type BotRequestFacts,
  type ChangedBot,
  decideBotChange,
  type WantedStreams,
} from './bot-changes.ts';
import { withAvatar } from '#service/features/files/operations/images.ts';
import type { MessageOperations } from '#service/features/messages/operations/messages.ts';
import type { DomainContext } from '#service/core/ports/environment.ts';
import {
  type AuditEntryMaker,
  auditEntryMaker,
} from '#service/features/organization/rules/audit.ts';
import {
  botDefaults,
  botDomain,
  checkBotType,
  checkPayloadUrl,
  checkWebhookSecret,
  streamNames,
} from '../rules/bots.ts';
import { fold } from '#shared/text/fold.ts';
import { checkEmail, checkFullName } from '#service/core/rules/names.ts';
import { canCreateBot, canManageBot } from '#shared/policies/bots.ts';
import { realmSettings } from '#service/core/rules/organization-settings.ts';
import { avatarUrl } from '#service/core/rules/shapes.ts';
import { insertAccount } from '#service/features/people/operations/new-accounts.ts';
import { deactivated, renewKey } from '#service/features/people/operations/user-admin.ts';
import { findVisibleStream } from '#service/core/stream-access.ts';

export interface BotRequest {
  readonly fullName: string;
  readonly shortName: string;
  readonly botType: number;
  readonly payloadUrl: string | undefined;
  readonly interfaceType: number;
  readonly defaultSendingStream: string | undefined;
  readonly defaultEventsRegisterStream: string | undefined;
  readonly defaultAllPublicStreams: boolean;
}

export interface BotAdminOperations {
  /**
   * @param origin    under which the caller reaches the service: the bot's address ends in its host
   * @param uploaded  its picture, where one came along
   * @throws BAD_REQUEST, REQUEST_VARIABLE_MISSING, BAD_IMAGE
   */
  readonly createBot: (
    source: CallerActionSource,
    request: BotRequest,
    origin: string,
    uploaded: readonly UploadedFile[],
  ) => Promise<NewBotAnswer>;
  readonly listOwnBots: (caller: Caller) => Promise<readonly OwnBot[]>;
  /** Answers what changed. @throws BAD_REQUEST */
  readonly updateBot: (source: CallerActionSource, change: BotChange) => Promise<ChangedBot>;
  /** The new key. @throws BAD_REQUEST */
  readonly regenerateBotKey: (source: CallerActionSource, botId: number) => Promise<string>;
  /** @throws BAD_REQUEST */
  readonly deactivateBot: (source: CallerActionSource, botId: number) => Promise<void>;
}

/** @throws BAD_REQUEST unless it is an active bot that the caller owns or administers */
function checkManages(caller: Caller, bot: AccountRow): void {
  if (bot.bot_type === null || bot.is_active === 0) throw refusal('no_such_bot');
  if (!canManageBot(caller, bot.owner_id)) throw refusal('not_bot_manager');
}

const botAddress = (shortName: string, origin: string): { short: string; email: string } => {
  const short = `${shortName.trim()}-bot`;
  if (short === '-bot') throw refusal('short_name_empty');
  return { short, email: checkEmail(`${short}@${botDomain(origin)}`) };
};

const newToken = (): string => crypto.randomUUID().replaceAll('-', '');

/** @throws BAD_REQUEST when there is no such stream or the caller cannot see it */
function* findStream(tx: Reading, caller: Caller, name: string): Operation<number> {
  const found = yield* findVisibleStream(tx, caller, name);
  if (found === undefined) throw refusal('no_such_stream_name', { name });
  return found.stream.id;
}

function* findOptional(
  tx: Reading,
  caller: Caller,
  name: string | undefined,
): Operation<number | null | undefined> {
  if (name === undefined) return undefined;
  return name.trim() === '' ? null : yield* findStream(tx, caller, name);
}

function* findStreams(
  tx: Reading,
  caller: Caller,
  wanted: Pick<BotChange, 'defaultSendingStream' | 'defaultEventsRegisterStream'>,
): Operation<WantedStreams> {
  return {
    sendingId: yield* findOptional(tx, caller, wanted.defaultSendingStream),
    registerId: yield* findOptional(tx, caller, wanted.defaultEventsRegisterStream),
  };
}

/** @throws REQUEST_VARIABLE_MISSING for an outgoing webhook without an address, BAD_REQUEST for a bad one */
function serviceOf({ botType, payloadUrl, interfaceType }: BotRequest): NewBot['service'] {
  if (botType !== OUTGOING_WEBHOOK_BOT) return null;
  if (payloadUrl === undefined) throw variableMissing('payload_url');
  return { payloadUrl: checkPayloadUrl(payloadUrl), interface: interfaceType, token: newToken() };
}

/** Without a key yet: its hash comes with its id. */
function accountOf(
  { userId: ownerId }: Caller,
  request: BotRequest,
  origin: string,
  { credentials, nowSeconds }: DomainContext,
): NewAccount {
  const fullName = checkFullName(request.fullName);
  const { short, email } = botAddress(request.shortName, origin);
  return {
    email,
    emailKey: fold(email),
    fullName,
    fullNameKey: fold(fullName),
    shortName: short,
    role: 'member',
    botType: request.botType,
    ownerId,
    passwordHash: null,
    isPasswordGiven: 0,
    gravatarHash: credentials.gravatarHash(email),
    joinedAt: nowSeconds(),
  };
}

interface BotPlan {
  readonly account: NewAccount;
  readonly bot: Omit<NewBot, 'avatarFile'>;
}

/** @throws BAD_REQUEST, REQUEST_VARIABLE_MISSING */
function* planBot(
  tx: Reading,
  caller: Caller,
  { request, origin }: { readonly request: BotRequest; readonly origin: string },
  context: DomainContext,
): Operation<BotPlan> {
  const botType = checkBotType(request.botType);
  const { bot_creation_policy: policy } = realmSettings(yield* tx.findRealm());
  if (!canCreateBot(caller, botType, policy)) {
    throw refusal('administrator_required');
  }
  const account = accountOf(caller, request, origin, context);
  const service = serviceOf(request);
  const { sendingId = null, registerId = null } = yield* findStreams(tx, caller, request);
  const bot = {
    defaultSendingStreamId: sendingId,
    defaultEventsRegisterStreamId: registerId,
    defaultAllPublicStreams: request.defaultAllPublicStreams,
    service,
  };
  return { account, bot };
}

function* insertBot(
  tx: Transaction,
  context: DomainContext,
  { account, bot }: { readonly account: NewAccount; readonly bot: NewBot },
): Operation<AccountFacts> {
  if (account.ownerId !== null) {
    yield* checkBotCount(tx, account.ownerId);
    const caller = { userId: account.ownerId, ownerId: null };
    yield* checkQuota(tx, context.limits, { kind: 'bots', caller });
  }
  const id = yield* insertAccount(tx, context, account);
  yield* tx.equipBot(id, bot);
  return yield* getFacts(tx, id);
}

function creation(store: Store, context: DomainContext): BotAdminOperations['createBot'] {
  const { apiKeys } = context.credentials;

  return async (source, request, origin, uploaded) => {
    const wanted = { request, origin };
    // Before a picture is looked at.
    await store.read((tx) => planBot(tx, source.caller, wanted, context));
    return withAvatar(context.files, uploaded, (avatarFile) =>
      change(store, source.caller, function* (tx, caller) {
        const { account, bot } = yield* planBot(tx, caller, wanted, context);
        const facts = yield* insertBot(tx, context, { account, bot: { ...bot, avatarFile } });
        const { user, owner, adminIds, service } = facts;
        const nameOf = streamNames(yield* tx.listStreams());
        const audience = botAudience(caller.userId, adminIds);
        yield* tx.recordAll([
          userAdded(user, owner),
          botAdded(user, { owner, service, nameOf }, audience),
          auditEntryMaker(context, source)('bot_created', {
            userId: user.id,
            details: { name: user.full_name, email: user.email },
          }),
        ]);
        return {
          user_id: user.id,
          api_key: apiKeys.derive(user.id, 1),
          email: account.email,
          avatar_url: avatarUrl(user, false),
          ...botDefaults(user, nameOf),
        };
      }),
    );
  };
}

interface TransferredBot {
  readonly bot: AccountRow;
  readonly owner: AccountRow | undefined;
  readonly newOwner: AccountRow;
  readonly isKeyKept: boolean;
}

const mentionOf = ({ id: userId, full_name: fullName }: AccountRow): string =>
  mentionById({ userId, fullName }, true);

/** Tells who owns a bot from now on: it acts with their rights. */
function notifyingOwner(
  sendMessage: MessageOperations['sendMessage'],
): (caller: Caller, given: TransferredBot) => Promise<void> {
  return async (caller, { bot, owner, newOwner, isKeyKept }) => {
    if (newOwner.id === caller.userId) return;
    const key = isKeyKept ? '' : ' and gave it a new key';
    const from = owner === undefined ? '' : `, which belonged to ${mentionOf(owner)},`;
    try {
      await sendMessage(caller, {
        client: 'Internal',
        content: `I made you the owner of the bot ${mentionOf(bot)}${from}${key}. It can read and post where you can, and you find it in your settings.`,
        echo: null,
        target: { kind: 'private', recipients: { emails: [], userIds: [newOwner.id] } },
      });
    } catch (reason) {
      // The bot has its new owner by now, also where private messages are switched off.
      if (!(reason instanceof ServiceError)) throw reason;
    }
  };
}

interface BotUpdate {
  readonly answer: ChangedBot;
  readonly given: TransferredBot | undefined;
}

function* updateBot(
  tx: Transaction,
  caller: Caller,
  wanted: BotChange,
  { context, note }: { readonly context: DomainContext; readonly note: AuditEntryMaker },
): Operation<BotUpdate> {
  const fullName = wanted.fullName === undefined ? undefined : checkFullName(wanted.fullName);
  if (wanted.servicePayloadUrl !== undefined) checkPayloadUrl(wanted.servicePayloadUrl);
  const secret =
    wanted.webhookSecret === undefined ? undefined : checkWebhookSecret(wanted.webhookSecret);
  const request: BotRequestFacts = {
    caller,
    streams: yield* findStreams(tx, caller, wanted),
    nameOf: streamNames(yield* tx.listStreams()),
    renewKey: (bot) => renewKey(context, bot).columns,
  };
  const facts = yield* getFacts(tx, wanted.botId, wanted.botOwnerId ?? null);
  const { user: bot, owner } = facts;
  checkManages(caller, bot);
  const decision = decideBotChange(facts, { ...wanted, fullName }, request);
  const { answer, newOwner } = decision;
  yield* changeAccount(tx, bot.id, decision.change);
  if (secret !== undefined) yield* tx.setWebhookSecret(bot.id, secret);
  if (newOwner === undefined) return { answer, given: undefined };
  const details = { old: bot.owner_id, new: newOwner.id };
  yield* tx.record(note('bot_owner_changed', { userId: bot.id, details }));
  return { answer, given: { bot, owner, newOwner, isKeyKept: wanted.keepKey } };
}

function updating(
  store: Store,
  context: DomainContext,
  sendMessage: MessageOperations['sendMessage'],
): BotAdminOperations['updateBot'] {
  const tell = notifyingOwner(sendMessage);

  return async (source, wanted) => {
    const note = auditEntryMaker(context, source);
    const { answer, given } = await change(store, source.caller, (tx, caller) =>
      updateBot(tx, caller, wanted, { context, note }),
    );
    if (given === undefined) return answer;
    context.releasePolls(wanted.botId);
    await tell(source.caller, given);
    return answer;
  };
}

export function botAdminOperations(
  store: Store,
  context: DomainContext,
  sendMessage: MessageOperations['sendMessage'],
): BotAdminOperations {
  const { apiKeys } = context.credentials;
  return {
    createBot: creation(store, context),
    async listOwnBots(caller) {
      const nameOf = streamNames(await store.listStreams());
      const own = (await store.listUsers()).filter(
        (user) => user.owner_id === caller.userId && user.is_active === 1,
      );
      return own.map((bot) => ({
        username: bot.email,
        full_name: bot.full_name,
        api_key: apiKeys.derive(bot.id, bot.key_generation),
        avatar_url: avatarUrl(bot, false),
        ...botDefaults(bot, nameOf),
      }));
    },
    updateBot: updating(store, context, sendMessage),
    async regenerateBotKey(source, botId) {
      const newKey = await change(store, source.caller, function* (tx, caller) {
        const facts = yield* getFacts(tx, botId);
        checkManages(caller, facts.user);
        const { key, columns } = renewKey(context, facts.user);
        const entry = auditEntryMaker(context, source)('key_renewed', { userId: botId });
        yield* changeAccount(tx, botId, { columns, events: [keyRenewed(facts), entry] });
        return key;
      });
      context.releasePolls(botId);
      return newKey;
    },
    deactivateBot: (source, botId) =>
      change(store, source.caller, function* (tx, caller) {
        const facts = yield* getFacts(tx, botId);
        checkManages(caller, facts.user);
        yield* tx.deactivateAccount(botId);
        yield* tx.recordAll(deactivationEvents(facts, []));
        yield* tx.recordAll(deactivated(auditEntryMaker(context, source), [facts.user]));
      }),
  };
}
