/** Parts of the wire as the state takes them: what is missing or malformed has a value that does no harm. */
import { z } from 'zod';
import type {
  CustomEmoji,
  ListedStream,
  OwnedBot,
  Person,
  ProfileField,
  SubscribedStream,
  UserGroup,
} from '#shared/bridge/models/client-state.ts';

/** Those elements of a list that are what they should be. */
export const listOf = <T extends z.ZodType>(item: T): z.ZodType<z.output<T>[], z.input<T>[]> =>
  z.array(z.custom<z.input<T>>(() => true)).transform((list) =>
    list.flatMap((each): z.output<T>[] => {
      const read = item.safeParse(each);
      return read.success ? [read.data] : [];
    }),
  );

/** The same, and none where there is no list. */
export const listOrNone = <T extends z.ZodType>(item: T) => listOf(item).catch([]);

const flag = (fallback: boolean) => z.boolean().catch(fallback);
const line = z.string().catch('');
const countOrNull = z.int().nullable().default(null).catch(null);

/** Empty and absent alike mean that there is no picture. */
export const picture = z
  .string()
  .nullable()
  .catch(null)
  .transform((url) => (url === '' ? null : url));

const noAnswers: Person['profile'] = {};

/** By the id of the field. */
const Answers = z
  .record(z.string(), z.object({ value: z.string() }))
  .default({})
  .catch({})
  .transform((answers): Person['profile'] => {
    const given = Object.entries(answers);
    // Most people give none: they share one object.
    return given.length === 0
      ? noAnswers
      : Object.fromEntries(given.map(([id, { value }]) => [id, value]));
  });

/** Active: deactivated people are told apart by where they are listed. */
export const WirePerson = z
  .object({
    user_id: z.int(),
    email: z.string(),
    full_name: z.string(),
    is_admin: flag(false),
    is_guest: flag(false),
    is_bot: flag(false),
    avatar_url: picture,
    timezone: line,
    date_joined: line,
    bot_owner_id: countOrNull,
    profile_data: Answers,
  })
  .transform((user): Person => ({
    userId: user.user_id,
    email: user.email,
    fullName: user.full_name,
    isAdmin: user.is_admin,
    isGuest: user.is_guest,
    isBot: user.is_bot,
    isActive: true,
    botOwnerId: user.bot_owner_id,
    avatarUrl: user.avatar_url,
    timezone: user.timezone,
    joinedAt: user.date_joined,
    profile: user.profile_data,
  }));

const streamShape = {
  stream_id: z.int(),
  name: z.string(),
  description: line,
  invite_only: flag(false),
  is_announcement_only: flag(false),
  history_public_to_subscribers: flag(true),
  first_message_id: countOrNull,
  stream_weekly_traffic: countOrNull,
};

const listedStream = (stream: z.output<z.ZodObject<typeof streamShape>>): ListedStream => ({
  streamId: stream.stream_id,
  name: stream.name,
  description: stream.description,
  isPrivate: stream.invite_only,
  isAnnouncementOnly: stream.is_announcement_only,
  hasSharedHistory: stream.history_public_to_subscribers,
  firstMessageId: stream.first_message_id,
  weeklyTraffic: stream.stream_weekly_traffic,
});

export const WireStream = z.object(streamShape).transform(listedStream);

export const WireSubscription = z
  .object({
    ...streamShape,
    is_muted: flag(false),
    pin_to_top: flag(false),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i)
      .catch('#c2c2c2'),
    desktop_notifications: flag(false),
    audible_notifications: flag(false),
    push_notifications: flag(false),
    email_notifications: flag(false),
  })
  .transform((stream): SubscribedStream => ({
    ...listedStream(stream),
    isMuted: stream.is_muted,
    isPinned: stream.pin_to_top,
    color: stream.color,
    desktopNotifications: stream.desktop_notifications,
    audibleNotifications: stream.audible_notifications,
    pushNotifications: stream.push_notifications,
    emailNotifications: stream.email_notifications,
  }));

const Choices = z.record(
  z.string(),
  z.object({ text: z.string(), order: z.coerce.number().catch(0) }),
);

function choicesOf(fieldData: string): ProfileField['choices'] {
  try {
    const { data } = Choices.safeParse(JSON.parse(fieldData));
    return Object.entries(data ?? {})
      .sort(([, a], [, b]) => a.order - b.order)
      .map(([value, { text }]) => ({ value, text }));
  } catch {
    // Fields of other types have none.
    return [];
  }
}

/** In their order. */
export const WireProfileFields = listOf(
  z
    .object({ id: z.int(), name: z.string(), type: z.int(), hint: line, field_data: line })
    .transform(({ field_data: fieldData, ...field }): ProfileField => ({
      ...field,
      choices: choicesOf(fieldData),
    })),
);

export const WireUserGroup = z
  .object({
    id: z.int(),
    name: z.string(),
    description: line,
    members: listOrNone(z.int()),
  })
  .transform(({ members, ...group }): UserGroup => ({
    ...group,
    userIds: members.sort((a, b) => a - b),
  }));

/** Without what it may do: keys do not get into the state. */
export const WireBot = z
  .object({
    user_id: z.int(),
    email: z.string(),
    full_name: z.string(),
    bot_type: z.int().catch(1),
    is_active: flag(true),
    owner_id: countOrNull,
  })
  .transform((bot): OwnedBot => ({
    userId: bot.user_id,
    fullName: bot.full_name,
    email: bot.email,
    type: bot.bot_type,
    isActive: bot.is_active,
    ownerId: bot.owner_id,
  }));

const WireEmoji = z
  .object({
    id: z.string(),
    name: z.string(),
    source_url: z.string(),
    deactivated: flag(false),
  })
  .transform((emoji): CustomEmoji => ({
    id: emoji.id,
    name: emoji.name,
    url: emoji.source_url,
    isActive: !emoji.deactivated,
  }));

/** `realm_emoji`: by id. */
export const WireEmojiList = z
  .record(z.string(), z.unknown())
  .transform((emoji) => listOf(WireEmoji).parse(Object.values(emoji)))
  .transform((list) => list.sort((a, b) => Number(a.id) - Number(b.id)));

export const WireStatus = z
  .object({ away: z.boolean().optional(), status_text: z.string().optional() })
  .catch({});

export const WireReport = z.object({ status: z.enum(['active', 'idle']), timestamp: z.number() });

/** As the service pairs them: the stream's name, the topic. */
export const WireMutedTopics = listOf(z.tuple([z.string(), z.string()], z.unknown()));
