/** What a request to change a bot comes to (API decisions 7.4). */
import { INCOMING_WEBHOOK_BOT } from '#shared/api/bot-types.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { Caller } from '#service/core/ports/handlers.ts';
import type { AccountFacts, AccountRow, BotServiceRow, NewEvent } from '#service/db/port.ts';
import type { AccountChange } from '#service/features/people/operations/account-changes.ts';
import {
  botAdded,
  botAudience,
  botLost,
  botUpdated,
  keyOf,
  renamingEvents,
  roleEvents,
  userUpdated,
} from '#service/features/people/operations/account-events.ts';
import { botDefaults, servicesOf, type StreamNames } from '../rules/bots.ts';
import { fold } from '#shared/text/fold.ts';
import { canGiveBotAway } from '#shared/policies/bots.ts';
import { roleOfBot } from '#service/core/rules/roles.ts';

/** What is undefined stays; an empty stream name is none. */
export interface BotChange {
  readonly botId: number;
  readonly fullName: string | undefined;
  readonly botOwnerId: number | undefined;
  /** Whether another owner leaves it its key. */
  readonly keepKey: boolean;
  readonly defaultSendingStream: string | undefined;
  readonly defaultEventsRegisterStream: string | undefined;
  readonly defaultAllPublicStreams: boolean | undefined;
  readonly servicePayloadUrl: string | undefined;
  readonly serviceInterface: number | undefined;
  readonly webhookSecret: string | undefined;
}

export interface ChangedBot {
  readonly full_name?: string;
  readonly bot_owner_id?: number;
  readonly bot_owner?: string;
  readonly default_sending_stream?: string | null;
  readonly default_events_register_stream?: string | null;
  readonly default_all_public_streams?: boolean;
  readonly service_payload_url?: string;
  readonly service_interface?: number;
}

type Changes = Readonly<Record<string, unknown>>;

/** Ids of streams; null for none. */
export interface WantedStreams {
  /** Undefined to leave as it is. */
  readonly sendingId: number | null | undefined;
  readonly registerId: number | null | undefined;
}

/** A new owner sees the bot from now on; the old one no longer, except as an administrator. */
function ownerEvents(
  { user, owner, adminIds, service }: AccountFacts,
  newOwner: AccountRow,
  nameOf: StreamNames,
): readonly NewEvent[] {
  const { key_generation } = user;
  const bot = { ...user, owner_id: newOwner.id };
  const isAdmin = (id: number): boolean => adminIds.includes(id);
  const update = { owner: newOwner.email, owner_id: newOwner.id, api_key: keyOf(key_generation) };
  return [
    userUpdated(user, { bot_owner_id: newOwner.id }),
    ...(owner === undefined || isAdmin(owner.id) ? [] : [botLost(user, owner.id)]),
    ...(isAdmin(newOwner.id)
      ? []
      : [
          botAdded(
            bot,
            { owner: newOwner, service, nameOf },
            {
              kind: 'users',
              userIds: [newOwner.id],
            },
          ),
        ]),
    botUpdated(user, update, botAudience(null, adminIds)),
  ];
}

/** @throws BAD_REQUEST unless the caller may give bots away and the new owner may own them */
function newOwnerOf(
  caller: Caller,
  facts: AccountFacts,
  wantedId: number | undefined,
): AccountRow | undefined {
  if (wantedId === undefined || wantedId === facts.user.owner_id) return undefined;
  if (!canGiveBotAway(caller)) {
    throw refusal('administrator_changes_bot_owner');
  }
  const { other } = facts;
  if (other === undefined) throw refusal('no_such_bot_owner');
  if (other.is_active === 0) throw refusal('bot_owner_deactivated');
  if (other.bot_type !== null || other.role === 'guest') {
    throw refusal('bot_owner_kind_invalid');
  }
  return other;
}

const isOther = <T>(wanted: T | undefined, current: T): wanted is T =>
  wanted !== undefined && wanted !== current;

function changedColumns(
  { user }: AccountFacts,
  change: BotChange,
  { sendingId, registerId }: WantedStreams,
): AccountChange['columns'] {
  const { fullName, defaultAllPublicStreams } = change;
  const all = user.default_all_public_streams === 1;
  return {
    ...(isOther(fullName, user.full_name)
      ? { full_name: fullName, full_name_key: fold(fullName) }
      : {}),
    ...(isOther(sendingId, user.default_sending_stream_id)
      ? { default_sending_stream_id: sendingId }
      : {}),
    ...(isOther(registerId, user.default_events_register_stream_id)
      ? { default_events_register_stream_id: registerId }
      : {}),
    ...(isOther(defaultAllPublicStreams, all)
      ? { default_all_public_streams: defaultAllPublicStreams ? 1 : 0 }
      : {}),
  };
}

function changedDefaults(
  user: AccountRow,
  columns: AccountChange['columns'],
  nameOf: StreamNames,
): Changes {
  const after: Changes = botDefaults({ ...user, ...columns }, nameOf);
  const keys = {
    default_sending_stream_id: 'default_sending_stream',
    default_events_register_stream_id: 'default_events_register_stream',
    default_all_public_streams: 'default_all_public_streams',
  } as const;
  return Object.fromEntries(
    Object.entries(keys)
      .filter(([column]) => column in columns)
      .map(([, key]) => [key, after[key]]),
  );
}

/** @throws BAD_REQUEST for a bot that is delivered nowhere */
function changedService(
  { service }: AccountFacts,
  { servicePayloadUrl, serviceInterface }: BotChange,
): BotServiceRow | undefined {
  if (servicePayloadUrl === undefined && serviceInterface === undefined) return undefined;
  if (service === undefined) throw refusal('outgoing_webhook_bot_required');
  const wanted: BotServiceRow = {
    ...service,
    payload_url: servicePayloadUrl ?? service.payload_url,
    interface: serviceInterface ?? service.interface,
  };
  const isSame =
    wanted.payload_url === service.payload_url && wanted.interface === service.interface;
  return isSame ? undefined : wanted;
}

interface Decision {
  readonly change: AccountChange;
  readonly answer: ChangedBot;
  /** Undefined where it stays. */
  readonly newOwner: AccountRow | undefined;
}

/** What a request to change a bot depends on beside the bot. */
export interface BotRequestFacts {
  readonly caller: Caller;
  readonly streams: WantedStreams;
  readonly nameOf: StreamNames;
  /** The columns of a new key. */
  readonly renewKey: (bot: AccountRow) => AccountChange['columns'];
}

interface ChangedParts {
  readonly columns: AccountChange['columns'];
  readonly defaults: Changes;
  /** The whole row as it will be; undefined where it stays. */
  readonly service: BotServiceRow | undefined;
  readonly owner: AccountRow | undefined;
}

function eventsOf(
  facts: AccountFacts,
  changed: ChangedParts,
  nameOf: StreamNames,
): readonly NewEvent[] {
  const { user, adminIds } = facts;
  const { columns, defaults, service, owner } = changed;
  const audience = botAudience(user.owner_id, adminIds);
  const events: NewEvent[] = [];
  if (columns.full_name !== undefined) events.push(...renamingEvents(facts, columns.full_name));
  if (Object.keys(defaults).length > 0) events.push(botUpdated(user, defaults, audience));
  if (service !== undefined) {
    events.push(botUpdated(user, { services: servicesOf(service) }, audience));
  }
  if (owner !== undefined) {
    const after = { ...facts, user: { ...user, ...columns }, service: service ?? facts.service };
    events.push(...roleEvents(user, roleOfBot(owner.role)));
    events.push(...ownerEvents(after, owner, nameOf));
  }
  return events;
}

function answerOf(before: BotServiceRow | undefined, changed: ChangedParts): ChangedBot {
  const { columns, defaults, service, owner } = changed;
  const answer: Record<string, unknown> = { ...defaults };
  if (columns.full_name !== undefined) answer['full_name'] = columns.full_name;
  if (owner !== undefined) {
    answer['bot_owner_id'] = owner.id;
    answer['bot_owner'] = owner.email;
  }
  if (isOther(service?.payload_url, before?.payload_url)) {
    answer['service_payload_url'] = service?.payload_url;
  }
  if (isOther(service?.interface, before?.interface)) {
    answer['service_interface'] = service?.interface;
  }
  return answer;
}

/**
 * What a request changes of a bot as it is now, and what is answered.
 * @throws BAD_REQUEST
 */
export function decideBotChange(
  facts: AccountFacts,
  wanted: BotChange,
  { caller, streams, nameOf, renewKey }: BotRequestFacts,
): Decision {
  const owner = newOwnerOf(caller, facts, wanted.botOwnerId);
  if (wanted.keepKey && facts.user.bot_type !== INCOMING_WEBHOOK_BOT) {
    throw refusal('incoming_webhook_bot_required');
  }
  const columns = changedColumns(facts, wanted, streams);
  const service = changedService(facts, wanted);
  const defaults = changedDefaults(facts.user, columns, nameOf);
  // Whoever had the key would go on as the new owner's bot.
  const key = owner === undefined || wanted.keepKey ? {} : renewKey(facts.user);
  const changed: ChangedParts = { columns: { ...columns, ...key }, defaults, service, owner };
  return {
    change: {
      columns: {
        ...columns,
        ...key,
        ...(owner === undefined ? {} : { owner_id: owner.id, role: roleOfBot(owner.role) }),
      },
      ...(service === undefined ? {} : { service }),
      events: eventsOf(facts, changed, nameOf),
    },
    answer: answerOf(facts.service, changed),
    newOwner: owner,
  };
}
