/** Bots as their owners and administrators manage them (API decisions, section 7.4). */
import { badRequest, variableMissing } from '../../contract/errors.ts';
import type { Caller, UploadedFile } from '../../contract/handlers.ts';
import type { NewBot as NewBotAnswer, OwnBot } from '../../contract/models/bot.ts';
import type { AccountRow, NewBot, Store } from '../store/port.ts';
import {
  botAdded,
  botAudience,
  deactivationEvents,
  keyRenewed,
  userAdded,
} from './account-events.ts';
import {
  type BotChange,
  type ChangedBot,
  decideBotChange,
  type WantedStreams,
} from './bot-changes.ts';
import { withAvatar } from './images.ts';
import type { DomainContext } from './ports.ts';
import {
  botDefaults,
  botDomain,
  checkBotType,
  checkPayloadUrl,
  OUTGOING_WEBHOOK_BOT,
  streamNames,
} from './rules/bots.ts';
import { fold } from '../../contract/fold.ts';
import { checkEmail, checkFullName } from './rules/names.ts';
import { canCreateBot, canManageBot, canSeeStream, factsOf } from './rules/permissions.ts';
import { realmSettings } from './rules/realm-settings.ts';
import { avatarUrl } from './rules/shapes.ts';
import { renewKey } from './user-admin.ts';

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
    caller: Caller,
    request: BotRequest,
    origin: string,
    uploaded: readonly UploadedFile[],
  ) => Promise<NewBotAnswer>;
  readonly listOwnBots: (caller: Caller) => Promise<readonly OwnBot[]>;
  /** Answers what changed. @throws BAD_REQUEST */
  readonly updateBot: (caller: Caller, change: BotChange) => Promise<ChangedBot>;
  /** The new key. @throws BAD_REQUEST */
  readonly regenerateBotKey: (caller: Caller, botId: number) => Promise<string>;
  /** @throws BAD_REQUEST */
  readonly deactivateBot: (caller: Caller, botId: number) => Promise<void>;
}

type BotStore = Pick<
  Store,
  | 'changeAccount'
  | 'createBot'
  | 'deactivateAccount'
  | 'findRealm'
  | 'findStreamByName'
  | 'isMember'
  | 'listStreams'
  | 'listUsers'
>;

/** @throws BAD_REQUEST unless it is an active bot that the caller owns or administers */
function checkManages(caller: Caller, bot: AccountRow): void {
  if (bot.bot_type === null || bot.is_active === 0) throw badRequest('No such bot');
  if (!canManageBot(caller, bot.owner_id)) throw badRequest('Insufficient permission');
}

const botAddress = (shortName: string, origin: string): { short: string; email: string } => {
  const short = `${shortName.trim()}-bot`;
  if (short === '-bot') throw badRequest("Bad name or username: short_name can't be empty");
  return { short, email: checkEmail(`${short}@${botDomain(origin)}`) };
};

const newToken = (): string => crypto.randomUUID().replaceAll('-', '');

function streamFinder(store: BotStore) {
  /** @throws BAD_REQUEST when there is no such stream or the caller cannot see it */
  async function find(caller: Caller, name: string): Promise<number> {
    const stream = await store.findStreamByName(fold(name));
    const isSubscribed =
      stream !== undefined && (await store.isMember(stream.recipient_id, caller.userId));
    if (stream === undefined || !canSeeStream(caller, factsOf(stream), isSubscribed)) {
      throw badRequest(`Invalid stream name '${name}'`);
    }
    return stream.id;
  }
  const optional = async (
    caller: Caller,
    name: string | undefined,
  ): Promise<number | null | undefined> => {
    if (name === undefined) return undefined;
    return name.trim() === '' ? null : find(caller, name);
  };

  return async (
    caller: Caller,
    wanted: Pick<BotChange, 'defaultSendingStream' | 'defaultEventsRegisterStream'>,
  ): Promise<WantedStreams> => ({
    sendingId: await optional(caller, wanted.defaultSendingStream),
    registerId: await optional(caller, wanted.defaultEventsRegisterStream),
  });
}

/** @throws REQUEST_VARIABLE_MISSING for an outgoing webhook without an address, BAD_REQUEST for a bad one */
function serviceOf({ botType, payloadUrl, interfaceType }: BotRequest): NewBot['service'] {
  if (botType !== OUTGOING_WEBHOOK_BOT) return null;
  if (payloadUrl === undefined) throw variableMissing('payload_url');
  return { payloadUrl: checkPayloadUrl(payloadUrl), interface: interfaceType, token: newToken() };
}

function accountOf(
  caller: Caller,
  request: BotRequest,
  origin: string,
): Omit<NewBot['account'], 'gravatarHash' | 'joinedAt'> {
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
    ownerId: caller.userId,
    passwordHash: null,
  };
}

function creation(store: BotStore, context: DomainContext): BotAdminOperations['createBot'] {
  const { apiKeys, gravatarHash } = context.credentials;
  const findStreams = streamFinder(store);

  return async (caller, request, origin, uploaded) => {
    const botType = checkBotType(request.botType);
    const { bot_creation_policy: policy } = realmSettings(await store.findRealm());
    if (!canCreateBot(caller, botType, policy)) {
      throw badRequest('Must be an organization administrator');
    }
    const account = accountOf(caller, request, origin);
    const service = serviceOf(request);
    const { sendingId = null, registerId = null } = await findStreams(caller, request);
    const nameOf = streamNames(await store.listStreams());
    let bot: AccountRow | undefined;
    const id = await withAvatar(context.files, uploaded, (avatarFile) =>
      store.createBot(
        {
          account: {
            ...account,
            gravatarHash: gravatarHash(account.email),
            joinedAt: context.nowSeconds(),
          },
          defaultSendingStreamId: sendingId,
          defaultEventsRegisterStreamId: registerId,
          defaultAllPublicStreams: request.defaultAllPublicStreams,
          avatarFile,
          service,
        },
        (newId) => apiKeys.hash(apiKeys.derive(newId, 1)),
        (facts) => {
          bot = facts.user;
          const { owner, adminIds } = facts;
          const audience = botAudience(caller.userId, adminIds);
          return [
            userAdded(bot, owner),
            botAdded(bot, { owner, service: facts.service, nameOf }, audience),
          ];
        },
      ),
    );
    if (bot === undefined) throw new Error('a bot was created unseen');
    return {
      user_id: id,
      api_key: apiKeys.derive(id, 1),
      email: account.email,
      avatar_url: avatarUrl(bot, false),
      ...botDefaults(bot, nameOf),
    };
  };
}

export function botAdminOperations(store: BotStore, context: DomainContext): BotAdminOperations {
  const { apiKeys } = context.credentials;
  const findStreams = streamFinder(store);
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
    async updateBot(caller, wanted) {
      const fullName = wanted.fullName === undefined ? undefined : checkFullName(wanted.fullName);
      if (wanted.servicePayloadUrl !== undefined) checkPayloadUrl(wanted.servicePayloadUrl);
      const streams = await findStreams(caller, wanted);
      const nameOf = streamNames(await store.listStreams());
      let answer: ChangedBot = {};
      await store.changeAccount(wanted.botId, wanted.botOwnerId ?? null, (facts) => {
        checkManages(caller, facts.user);
        const decision = decideBotChange(facts, { ...wanted, fullName }, streams, nameOf);
        answer = decision.answer;
        return decision.change;
      });
      return answer;
    },
    async regenerateBotKey(caller, botId) {
      let key = '';
      await store.changeAccount(botId, null, (facts) => {
        checkManages(caller, facts.user);
        const renewed = renewKey(context, facts.user);
        key = renewed.key;
        return { columns: renewed.columns, events: [keyRenewed(facts)] };
      });
      return key;
    },
    async deactivateBot(caller, botId) {
      await store.deactivateAccount(botId, (facts) => {
        checkManages(caller, facts.user);
        return deactivationEvents(facts, []);
      });
    },
  };
}
