/** Messages as rows, and back. What is usual is left out. */
import type { MessageFeatures } from '#client/cache/match-narrow.ts';
import type { EditedPart, Message, Reaction, Submessage } from '#shared/api/models/message.ts';

/** Flags as bits of a column, which narrows and marking as read go by. */
export const FLAG = {
  read: 1,
  starred: 2,
  collapsed: 4,
  mentioned: 8,
  wildcard_mentioned: 16,
  has_alert_word: 32,
  historical: 64,
} as const;

const isKnownFlag = (flag: string): flag is keyof typeof FLAG => Object.hasOwn(FLAG, flag);

export const bitsOf = (flags: readonly string[]): number =>
  flags.reduce((bits, flag) => (isKnownFlag(flag) ? bits | FLAG[flag] : bits), 0);

const flagNames = Object.keys(FLAG).filter(isKnownFlag);

export const flagsOf = (bits: number, others: readonly string[]): string[] => [
  ...flagNames.filter((flag) => (bits & FLAG[flag]) !== 0),
  ...others,
];

const LINK = 1;
const IMAGE = 2;
const ATTACHMENT = 4;

export const FEATURE = { link: LINK, image: IMAGE, attachment: ATTACHMENT } as const;

export const featureBits = ({ link, image, attachment }: MessageFeatures): number =>
  (link ? LINK : 0) | (image ? IMAGE : 0) | (attachment ? ATTACHMENT : 0);

export const featuresOfBits = (bits: number): MessageFeatures => ({
  link: (bits & LINK) !== 0,
  image: (bits & IMAGE) !== 0,
  attachment: (bits & ATTACHMENT) !== 0,
});

/** What a message has beside the columns of its row; what is usual is absent. */
interface Rest {
  readonly client: string;
  readonly isMe?: 1;
  readonly links?: string[];
  /** Name, code, type, user. */
  readonly reactions?: readonly (readonly [string, string, string, number])[];
  readonly submessages?: Submessage[];
  readonly editedAt?: number;
  readonly editedParts?: EditedPart[];
  /** That have no bit. */
  readonly flags?: readonly string[];
  readonly isMarkdown?: 1;
  readonly realm?: string;
  readonly proof?: string;
  readonly recoveredAt?: number;
}

const listed = <K extends string, T>(key: K, list: readonly T[]): Partial<Record<K, T[]>> =>
  list.length === 0 ? {} : ({ [key]: [...list] } as Record<K, T[]>);

export function restOf(message: Message): string {
  const { last_edit_timestamp: editedAt, sender_realm_str: realm, proof } = message;
  const { recovered_at: recoveredAt } = message;
  const rest: Rest = {
    client: message.client,
    ...(message.is_me_message ? { isMe: 1 as const } : {}),
    ...listed('links', message.subject_links),
    ...listed(
      'reactions',
      message.reactions.map((each): [string, string, string, number] => [
        each.emoji_name,
        each.emoji_code,
        each.reaction_type,
        each.user_id,
      ]),
    ),
    ...listed('submessages', message.submessages),
    ...(editedAt === undefined ? {} : { editedAt }),
    ...listed('editedParts', message.edited_parts ?? []),
    ...listed(
      'flags',
      message.flags.filter((flag) => !isKnownFlag(flag)),
    ),
    ...(message.content_type === 'text/html' ? {} : { isMarkdown: 1 as const }),
    ...(realm === '' ? {} : { realm }),
    ...(proof === undefined ? {} : { proof }),
    ...(recoveredAt === undefined ? {} : { recoveredAt }),
  };
  return JSON.stringify(rest);
}

export interface PersonRow {
  readonly id: number;
  readonly email: string;
  readonly full_name: string;
  readonly short_name: string;
  readonly avatar_url: string | null;
}

/** A message with everything that it is made of but its people. */
export interface WholeRow {
  readonly id: number;
  readonly stream_id: number | null;
  readonly conversation_id: number | null;
  readonly sender_id: number;
  readonly flags: number;
  readonly has: number;
  readonly sent_at: number;
  readonly subject: string;
  readonly content: string;
  readonly source: string | null;
  readonly rest: string;
  readonly stream_name: string | null;
  readonly recipient_id: number | null;
  readonly user_key: string | null;
}

export type FindPerson = (id: number) => PersonRow;

function placeOf(
  row: WholeRow,
  findPerson: FindPerson,
): Pick<Message, 'type' | 'stream_id' | 'display_recipient' | 'recipient_id'> {
  if (row.stream_id !== null) {
    return {
      type: 'stream',
      stream_id: row.stream_id,
      display_recipient: row.stream_name ?? '',
      recipient_id: row.recipient_id ?? 0,
    };
  }
  const participants = (row.user_key ?? '').split(',').map((id) => findPerson(Number(id)));
  return {
    type: 'private',
    display_recipient: participants
      .map(({ id, email, full_name, short_name }) => ({
        id,
        email,
        full_name,
        short_name,
        is_mirror_dummy: false,
      }))
      .sort((a, b) => (a.email < b.email ? -1 : 1)),
    recipient_id: row.conversation_id ?? 0,
  };
}

const reactionsOf = (rest: Rest, findPerson: FindPerson): Reaction[] =>
  (rest.reactions ?? []).map(([emoji_name, emoji_code, reaction_type, user_id]) => {
    const { email, full_name } = findPerson(user_id);
    const user = { id: user_id, user_id, email, full_name };
    return { emoji_name, emoji_code, reaction_type, user_id, user };
  });

/** @param row  as it was written here: what is in it was checked when it came */
export function messageOf(row: WholeRow, findPerson: FindPerson): Message {
  const rest = JSON.parse(row.rest) as Rest;
  const sender = findPerson(row.sender_id);
  return {
    id: row.id,
    ...placeOf(row, findPerson),
    subject: row.subject,
    subject_links: rest.links ?? [],
    content: row.content,
    content_type: rest.isMarkdown === 1 ? 'text/x-markdown' : 'text/html',
    timestamp: row.sent_at,
    client: rest.client,
    is_me_message: rest.isMe === 1,
    sender_id: row.sender_id,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_short_name: sender.short_name,
    sender_realm_str: rest.realm ?? '',
    avatar_url: sender.avatar_url,
    submessages: rest.submessages ?? [],
    reactions: reactionsOf(rest, findPerson),
    ...(row.source === null ? {} : { source: row.source }),
    has_link: (row.has & LINK) !== 0,
    has_image: (row.has & IMAGE) !== 0,
    has_attachment: (row.has & ATTACHMENT) !== 0,
    flags: flagsOf(row.flags, rest.flags ?? []),
    ...(rest.editedAt === undefined ? {} : { last_edit_timestamp: rest.editedAt }),
    ...(rest.editedParts === undefined ? {} : { edited_parts: rest.editedParts }),
    ...(rest.proof === undefined ? {} : { proof: rest.proof }),
    ...(rest.recoveredAt === undefined ? {} : { recovered_at: rest.recoveredAt }),
  };
}
