/** Rows put into the wire shapes of the API. */
import type { DisplayRecipient, EventMessage } from '#shared/api/models/message.ts';
import {
  marked,
  marksOfAll,
  type MessageMark,
  marksWithSource,
} from '#shared/api/models/message-marks.ts';
import type {
  RegisteredSubscription,
  Stream,
  StreamWithTraffic,
} from '#shared/api/models/stream.ts';
import type { ProfileData } from '#shared/api/models/profile.ts';
import type { Member, RealmUser } from '#shared/api/models/user.ts';
import type {
  AccountRow,
  MessageRow,
  PersonalMessageRow,
  StreamRow,
  SubscriptionRow,
} from '#service/db/port.ts';
import type { ComputeMac } from './message-macs.ts';
import { streamNotificationsOf } from './user-settings.ts';

/** The time over which a stream's traffic is counted. */
export const WEEK_SECONDS = 7 * 86_400;

export interface RenderOptions {
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  /** Also what searches and narrows look at, for clients that search by themselves. */
  readonly withSource?: boolean | undefined;
}

/** Which of the ways of rendering this is: a small number, the same for equal options. */
export const renderVariant = (options: RenderOptions): number =>
  (options.applyMarkdown ? 2 : 0) +
  (options.clientGravatar ? 1 : 0) +
  (options.withSource === true ? 4 : 0);

export const gravatarUrl = (hash: string, version: number): string =>
  `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=${String(version)}`;

/** Null tells a client to compute the gravatar itself (API decisions 5). */
export function avatarUrl(user: AccountRow, clientGravatar: boolean): string | null {
  const version = user.avatar_version;
  if (user.avatar_file !== null) {
    return `/user_avatars/1/${user.avatar_file}?version=${String(version)}`;
  }
  return clientGravatar ? null : gravatarUrl(user.gravatar_hash, version);
}

/** A picture as /register and events have it; uploaded ones are there in one size. */
export function avatarShape(
  user: AccountRow,
  clientGravatar: boolean,
): {
  readonly avatar_url: string | null;
  readonly avatar_url_medium: string | null;
  readonly avatar_source: 'G' | 'U';
} {
  const url = avatarUrl(user, clientGravatar);
  return user.avatar_file === null
    ? {
        avatar_url: url,
        avatar_url_medium: url === null ? null : `${url}&s=500`,
        avatar_source: 'G',
      }
    : { avatar_url: url, avatar_url_medium: url, avatar_source: 'U' };
}

const participantShape = (user: AccountRow): DisplayRecipient => ({
  id: user.id,
  email: user.email,
  full_name: user.full_name,
  short_name: user.short_name,
  is_mirror_dummy: false,
});

/** Who a message names: its sender, and for a private one its participants. */
export interface MessagePeople {
  readonly sender: AccountRow;
  readonly participants: readonly AccountRow[];
  readonly subjectLinks: readonly string[];
}

const placeShape = (
  row: MessageRow,
  people: MessagePeople,
): Pick<EventMessage, 'type' | 'stream_id' | 'display_recipient' | 'subject' | 'subject_links'> =>
  row.stream_id === null
    ? {
        type: 'private',
        display_recipient: people.participants
          .map(participantShape)
          .sort((a, b) => (a.email < b.email ? -1 : 1)),
        subject: '',
        subject_links: [],
      }
    : {
        type: 'stream',
        stream_id: row.stream_id,
        display_recipient: row.stream_name ?? '',
        subject: row.topic ?? '',
        subject_links: [...people.subjectLinks],
      };

/** Columns of marks as keys of the API. */
export const markShape = <K extends MessageMark>(
  row: MessageRow,
  names: readonly K[],
): Record<K, boolean> => marked(names, (name) => row[name] === 1);

/** A message before its marks are told. */
type Unmarked = Omit<EventMessage, MessageMark> & Partial<Record<MessageMark, boolean>>;

/** What our own clients search by, and can give back when only they still have it (API decisions 15.15). */
function addSource(
  shape: Unmarked,
  row: MessageRow & Partial<Pick<PersonalMessageRow, 'is_lost' | 'kept_edit_id'>>,
  { participants }: MessagePeople,
  computeMac: ComputeMac | undefined,
): void {
  for (const name of marksWithSource) shape[name] = row[name] === 1;
  const isPresent = (row.kept_edit_id ?? null) === null && row.is_lost !== 1;
  const ids = participants.map(({ id }) => id);
  if (computeMac !== undefined && isPresent) shape.proof = computeMac(row, ids);
  if (row.recovered_at !== null) shape.recovered_at = row.recovered_at;
}

/** A message as an event carries it (API decisions 5). */
export function messageShape(
  row: MessageRow,
  people: MessagePeople,
  options: RenderOptions,
  computeMac?: ComputeMac,
): EventMessage {
  const { sender } = people;
  const place = placeShape(row, people);
  const shape: Unmarked = {
    id: row.id,
    type: place.type,
    stream_id: place.stream_id,
    display_recipient: place.display_recipient,
    subject: place.subject,
    subject_links: place.subject_links,
    recipient_id: row.recipient_id,
    content: options.applyMarkdown ? row.rendered : row.content,
    content_type: options.applyMarkdown ? 'text/html' : 'text/x-markdown',
    timestamp: row.sent_at,
    client: row.client,
    sender_id: sender.id,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_short_name: sender.short_name,
    sender_realm_str: '',
    avatar_url: avatarUrl(sender, options.clientGravatar),
    submessages: [],
    reactions: [],
  };
  // Spreading them into the object would take longer than all else of it.
  for (const name of marksOfAll) shape[name] = row[name] === 1;
  if (options.withSource === true) {
    if (options.applyMarkdown) shape.source = row.content;
    addSource(shape, row, people, computeMac);
  }
  return shape as EventMessage;
}

/** The flags of a message for the account that reads it (API decisions 3.3 and 5). */
export function flagsOf(row: PersonalMessageRow): string[] {
  if (row.is_held === 0) return ['read', 'historical'];
  const flags = row.flags === null ? [] : row.flags.split(' ');
  // A copy was made later: everybody was mentioned before its holder was there.
  const isCopy = flags.includes('historical');
  if (row.has_wildcard_mention === 1 && !isCopy) flags.push('wildcard_mentioned');
  return row.is_read === 1 ? ['read', ...flags] : flags;
}

const isoTime = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().replace(/\.\d+Z$/, '+00:00');

/** A user as realm_users lists it; bots have an owner and no profile (API decisions 9.1). */
export function userShape(
  user: AccountRow,
  owner: AccountRow | undefined,
  clientGravatar: boolean,
  profile: ProfileData = {},
): RealmUser {
  const isBot = user.bot_type !== null;
  return {
    user_id: user.id,
    email: user.email,
    full_name: user.full_name,
    is_admin: user.role === 'admin',
    is_guest: user.role === 'guest',
    is_bot: isBot,
    avatar_url: avatarUrl(user, clientGravatar),
    timezone: user.timezone,
    date_joined: isoTime(user.joined_at),
    ...(isBot
      ? {
          bot_type: user.bot_type,
          bot_owner_id: user.owner_id,
          bot_owner: owner?.email ?? null,
        }
      : { profile_data: profile }),
  };
}

/** A member of GET /users. */
export function memberShape(
  user: AccountRow,
  owner: AccountRow | undefined,
  options: {
    readonly clientGravatar: boolean;
    readonly includeProfile: boolean;
    readonly profile?: ProfileData | undefined;
  },
): Member {
  const { clientGravatar, profile } = options;
  const { profile_data: profileData, ...shape } = userShape(user, owner, clientGravatar, profile);
  return {
    ...shape,
    ...(options.includeProfile && profileData !== undefined ? { profile_data: profileData } : {}),
    is_active: user.is_active === 1,
    bot_type: user.bot_type,
  };
}

/** A stream of GET /streams (API decisions 9.2). */
export const streamShape = (stream: StreamRow): Omit<Stream, 'is_default'> => ({
  stream_id: stream.id,
  name: stream.name,
  description: stream.description,
  rendered_description: stream.rendered_description,
  invite_only: stream.is_private === 1,
  is_web_public: false,
  is_announcement_only: stream.is_announcement_only === 1,
  history_public_to_subscribers: stream.is_history_public === 1,
  first_message_id: stream.first_message_id,
});

/** How busy streams are; built once for many of them. */
export interface Traffic {
  readonly nowSeconds: number;
  /** Messages of the last seven days by recipient id. */
  readonly weeklyMessages: ReadonlyMap<number, number>;
}

export function streamWithTrafficShape(stream: StreamRow, traffic: Traffic): StreamWithTraffic {
  const isOld = traffic.nowSeconds - stream.created_at >= WEEK_SECONDS;
  return {
    ...streamShape(stream),
    stream_weekly_traffic: isOld ? (traffic.weeklyMessages.get(stream.recipient_id) ?? 0) : null,
    is_old_stream: isOld,
  };
}

/** A subscription without its subscribers; notification settings that are null follow the account's. */
export function subscriptionShape(
  row: SubscriptionRow,
  traffic: Traffic,
): Omit<RegisteredSubscription, 'subscribers'> {
  const general = streamNotificationsOf(row.account_settings);
  const isOn = (own: 0 | 1 | null, fallback: boolean): boolean =>
    own === null ? fallback : own === 1;
  return {
    ...streamWithTrafficShape(row, traffic),
    email_address: '',
    color: row.color,
    pin_to_top: row.is_pinned === 1,
    is_muted: row.is_muted === 1,
    in_home_view: row.is_muted === 0,
    desktop_notifications: isOn(row.desktop_notifications, general.desktop),
    audible_notifications: isOn(row.audible_notifications, general.audible),
    push_notifications: isOn(row.push_notifications, general.push),
    email_notifications: isOn(row.email_notifications, general.email),
  };
}
