/** Bots: what may be asked of them, and how they are shown (API decisions 7.4 and 9.7). */
import { EMBEDDED_BOT, OUTGOING_WEBHOOK_BOT } from '#shared/api/bot-types.ts';
import { refusal } from '#shared/api/refusal.ts';
import type { RealmBot } from '#shared/api/models/bot.ts';
import type { AccountRow, BotServiceRow, StreamRow } from '#service/db/port.ts';
import { avatarUrl } from '#service/core/rules/shapes.ts';

const MAX_URL_CHARACTERS = 2048;

/** UTF-8 bytes of all keys and texts that one account may store. */
export const MAX_STORAGE_BYTES = 1024 * 1024;

/** The part of an origin that bots' addresses end in. @param origin  scheme, host and port */
export function botDomain(origin: string): string {
  const host = origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  // An address in brackets cannot stand in an e-mail address as this service takes it.
  return host.startsWith('[') ? 'localhost' : host;
}

const MAX_SECRET = 200;

/** @throws BAD_REQUEST */
export function checkWebhookSecret(secret: string): string {
  if (secret.length <= MAX_SECRET) return secret;
  throw refusal('webhook_secret_too_long', { limit: MAX_SECRET });
}

/** @throws BAD_REQUEST unless it is generic, an incoming or an outgoing webhook */
export function checkBotType(type: number): number {
  if (type === EMBEDDED_BOT) throw refusal('embedded_bots_unsupported');
  if (type >= 1 && type <= OUTGOING_WEBHOOK_BOT) return type;
  throw refusal('bot_type_invalid', { bot_type: type });
}

/** @throws BAD_REQUEST unless it is an absolute http or https address */
export function checkPayloadUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isWeb || text.length > MAX_URL_CHARACTERS) {
    throw refusal('payload_url_invalid');
  }
  return text;
}

export type StreamNames = (streamId: number | null) => string | null;

/** Archived streams have no name here. @param streams  those that are not archived */
export function streamNames(streams: readonly StreamRow[]): StreamNames {
  const byId = new Map(streams.map((stream) => [stream.id, stream.name]));
  return (streamId) => (streamId === null ? null : (byId.get(streamId) ?? null));
}

type Defaults = Pick<
  RealmBot,
  'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'
>;

export const botDefaults = (bot: AccountRow, nameOf: StreamNames): Defaults => ({
  default_sending_stream: nameOf(bot.default_sending_stream_id),
  default_events_register_stream: nameOf(bot.default_events_register_stream_id),
  default_all_public_streams: bot.default_all_public_streams === 1,
});

export const servicesOf = (service: BotServiceRow | undefined): RealmBot['services'] =>
  service === undefined
    ? []
    : [{ base_url: service.payload_url, interface: service.interface, token: service.token }];

export interface BotSurroundings {
  readonly owner: AccountRow | undefined;
  readonly service: BotServiceRow | undefined;
  readonly nameOf: StreamNames;
}

/** A bot of `realm_bots`, but for its key: no key is ever stored, an event's neither. */
export function botShape(
  bot: AccountRow,
  { owner, service, nameOf }: BotSurroundings,
): Omit<RealmBot, 'api_key'> {
  return {
    user_id: bot.id,
    email: bot.email,
    full_name: bot.full_name,
    bot_type: bot.bot_type ?? 1,
    is_active: bot.is_active === 1,
    avatar_url: avatarUrl(bot, false),
    owner: owner?.email ?? null,
    owner_id: bot.owner_id,
    ...botDefaults(bot, nameOf),
    services: servicesOf(service),
  };
}
