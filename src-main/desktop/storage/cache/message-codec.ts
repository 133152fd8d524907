/** Messages as rows, and back. What is usual is left out. */
import type { MessageFeatures } from '#client/cache/match-narrow.ts';
import { Message, type Reaction } from '#shared/api/models/message.ts';
import { marked, toldMarks } from '#shared/api/models/message-marks.ts';

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

/** Keys of a message that columns and people hold, and such as are not kept. */
const heldElsewhere = [
  'id',
  'type',
  'stream_id',
  'display_recipient',
  'recipient_id',
  'subject',
  'sender_id',
  'sender_email',
  'sender_full_name',
  'sender_short_name',
  'avatar_url',
  'timestamp',
  'content',
  'source',
  'has_link',
  'has_image',
  'has_attachment',
  'flags',
  'reactions',
  'is_held',
  'edit_history',
  'match_content',
  'match_subject',
] as const satisfies readonly (keyof Message)[];
type RestKey = Exclude<keyof Message, (typeof heldElsewhere)[number]>;

interface RestField {
  readonly key: RestKey;
  /** The name that it has in `rest`. */
  readonly name: string;
  /** Is left out. */
  readonly usual?: unknown;
  /** The only other value, which is written as 1. */
  readonly other?: unknown;
}

const particular: Readonly<Partial<Record<RestKey, Partial<Omit<RestField, 'key'>>>>> = {
  ...marked(toldMarks, () => ({ usual: false, other: true })),
  is_me_message: { name: 'isMe', usual: false, other: true },
  content_type: { name: 'isMarkdown', usual: 'text/html', other: 'text/x-markdown' },
  subject_links: { name: 'links', usual: [] },
  submessages: { usual: [] },
  sender_realm_str: { name: 'realm', usual: '' },
  last_edit_timestamp: { name: 'editedAt' },
  edited_parts: { name: 'editedParts' },
  recovered_at: { name: 'recoveredAt' },
};

const isElsewhere: ReadonlySet<string> = new Set(heldElsewhere);
const restFields: readonly RestField[] = (Object.keys(Message.shape) as RestKey[])
  .filter((key) => !isElsewhere.has(key))
  .map((key) => ({ key, name: key, ...particular[key] }));

/** What has no column; what is usual is absent. */
interface Rest extends Readonly<Record<string, unknown>> {
  /** Name, code, type, user. */
  readonly reactions?: readonly (readonly [string, string, string, number])[];
  /** That have no bit. */
  readonly flags?: readonly string[];
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export function restOf(message: Message): string {
  const rest: Record<string, unknown> = {};
  for (const { key, name, usual, other } of restFields) {
    const value = message[key];
    if (value === undefined || value === usual || isEmpty(value)) continue;
    rest[name] = value === other ? 1 : value;
  }
  const flags = message.flags.filter((flag) => !isKnownFlag(flag));
  if (flags.length > 0) rest['flags'] = flags;
  if (message.reactions.length > 0) {
    rest['reactions'] = message.reactions.map((each) => [
      each.emoji_name,
      each.emoji_code,
      each.reaction_type,
      each.user_id,
    ]);
  }
  return JSON.stringify(rest);
}

const fieldsByName = new Map(restFields.map((field) => [field.name, field]));
/** A message of which nothing is written. */
const usualRest = {
  ...Object.fromEntries(
    restFields.flatMap(({ key, usual }) => (usual === undefined ? [] : [[key, usual]])),
  ),
  client: '',
} as unknown as Pick<Message, RestKey>;

function putRest(message: Message, rest: Rest): void {
  for (const name of Object.keys(rest)) {
    const field = fieldsByName.get(name);
    if (field === undefined) continue;
    const value = rest[name];
    (message as Record<string, unknown>)[field.key] = value === 1 ? (field.other ?? value) : value;
  }
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
  const message: Message = {
    ...usualRest,
    id: row.id,
    ...placeOf(row, findPerson),
    subject: row.subject,
    content: row.content,
    timestamp: row.sent_at,
    sender_id: row.sender_id,
    sender_email: sender.email,
    sender_full_name: sender.full_name,
    sender_short_name: sender.short_name,
    avatar_url: sender.avatar_url,
    reactions: reactionsOf(rest, findPerson),
    ...(row.source === null ? {} : { source: row.source }),
    has_link: (row.has & LINK) !== 0,
    has_image: (row.has & IMAGE) !== 0,
    has_attachment: (row.has & ATTACHMENT) !== 0,
    flags: flagsOf(row.flags, rest.flags ?? []),
  };
  putRest(message, rest);
  return message;
}
