/** What events do to messages, one at a time (API decisions 8.2 and 8.3). */
import { z } from 'zod';
import { EditedPart, type Message, Reaction } from '#shared/api/models/message.ts';
import { marked, toldMarks } from '#shared/api/models/message-marks.ts';

const Update = z.object({
  type: z.literal('update_message'),
  message_id: z.int(),
  message_ids: z.array(z.int()),
  user_id: z.int().optional(),
  edit_timestamp: z.int().optional(),
  flags: z.array(z.string()),
  stream_id: z.int().optional(),
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  ...marked(toldMarks, () => z.boolean().optional()),
  subject: z.string().optional(),
  subject_links: z.array(z.string()).optional(),
  propagate_mode: z.string().optional(),
  orig_subject: z.string().optional(),
  new_stream_id: z.int().optional(),
  proofs: z.record(z.string(), z.string()).optional(),
});
export type Update = z.infer<typeof Update>;

const Delete = z.object({ type: z.literal('delete_message'), message_id: z.int() });

const Flags = z.object({
  type: z.literal('update_message_flags'),
  op: z.enum(['add', 'remove']),
  flag: z.string(),
  messages: z.array(z.int()),
  all: z.boolean(),
});
export type Flags = z.infer<typeof Flags>;

const Reacted = Reaction.extend({
  type: z.literal('reaction'),
  op: z.enum(['add', 'remove']),
  message_id: z.int(),
});

const Attached = z.object({
  type: z.literal('submessage'),
  msg_type: z.string(),
  message_id: z.int(),
  submessage_id: z.int(),
  sender_id: z.int(),
  content: z.string(),
});

/** What a message tells of its people may change without an event of the message. */
const RenamedTopic = z.object({
  type: z.literal('realm_user'),
  op: z.literal('update'),
  person: z.object({
    user_id: z.int(),
    full_name: z.string().optional(),
    avatar_url: z.string().nullable().optional(),
    new_email: z.string().optional(),
  }),
});
export type RenamedTopic = z.infer<typeof RenamedTopic>['person'];

const StreamChanged = z.object({
  type: z.literal('stream'),
  op: z.literal('update'),
  stream_id: z.int(),
  property: z.string(),
  value: z.unknown(),
  history_public_to_subscribers: z.boolean().optional(),
});

/** Streams that begin to be seen: new ones, and such as became public. */
const StreamsOpened = z.object({
  type: z.literal('stream'),
  op: z.literal('create'),
  streams: z.array(z.object({ stream_id: z.int() })),
});

const Joined = z.object({
  type: z.literal('subscription'),
  op: z.literal('add'),
  subscriptions: z.array(z.object({ stream_id: z.int() })),
});

/** Messages of before that are here again. */
const Recovered = z.object({
  type: z.literal('messages_recovered'),
  message_ids: z.array(z.int()),
});

const schemas = {
  messages_recovered: Recovered,
  update_message: Update,
  delete_message: Delete,
  update_message_flags: Flags,
  reaction: Reacted,
  submessage: Attached,
  realm_user: RenamedTopic,
  stream: z.union([StreamChanged, StreamsOpened]),
  subscription: Joined,
} as const;

export type Change = z.infer<(typeof schemas)[keyof typeof schemas]>;

const Typed = z.looseObject({ type: z.string() });

/** Undefined for events that change nothing here, and for malformed ones. */
export function changeOf(event: unknown): Change | undefined {
  const type = Typed.safeParse(event).data?.type ?? '';
  if (!Object.hasOwn(schemas, type)) return undefined;
  return schemas[type as keyof typeof schemas].safeParse(event).data;
}

/** The name and the recipient of a stream, where they are known. */
export type FindStreamNames = (
  streamId: number,
) => { readonly name: string; readonly recipientId: number } | undefined;

const isSame = (a: Reaction, b: Reaction): boolean =>
  a.user_id === b.user_id && a.reaction_type === b.reaction_type && a.emoji_code === b.emoji_code;

function reacted(message: Message, { op, ...event }: z.infer<typeof Reacted>): Message {
  const { emoji_name, emoji_code, reaction_type, user_id, user } = event;
  const reaction = { emoji_name, emoji_code, reaction_type, user_id, user };
  const has = message.reactions.some((each) => isSame(each, reaction));
  if (op === 'add') {
    return has ? message : { ...message, reactions: [...message.reactions, reaction] };
  }
  if (!has) return message;
  return { ...message, reactions: message.reactions.filter((each) => !isSame(each, reaction)) };
}

function attached(message: Message, event: z.infer<typeof Attached>): Message {
  const { submessage_id: id, message_id, sender_id, msg_type, content } = event;
  if (message.submessages.some((each) => each.id === id)) return message;
  const submessage = { id, message_id, sender_id, msg_type, content };
  return { ...message, submessages: [...message.submessages, submessage] };
}

function moved(message: Message, event: Update, findStream: FindStreamNames): Message {
  const { subject, subject_links: links, new_stream_id: streamId } = event;
  const named = streamId === undefined ? undefined : findStream(streamId);
  return {
    ...message,
    ...(subject === undefined ? {} : { subject }),
    ...(links === undefined ? {} : { subject_links: links }),
    ...(streamId === undefined ? {} : { stream_id: streamId }),
    ...(named === undefined
      ? {}
      : { display_recipient: named.name, recipient_id: named.recipientId }),
  };
}

/** Keys that are undefined stay as they were. */
function withDefined(message: Message, keys: Partial<Record<keyof Message, unknown>>): Message {
  const defined = Object.entries(keys).filter(([, value]) => value !== undefined);
  return Object.assign({ ...message }, Object.fromEntries(defined));
}

/** With what this event changed too. Rendering anew is no edit. */
function partsAfter(message: Message, event: Update): Partial<Message> {
  const { edited_parts: before = [], last_edit_timestamp: editedAt } = message;
  const isUnknown = message.edited_parts === undefined && editedAt !== undefined;
  if (event.edit_timestamp === undefined || isUnknown) return {};
  const isMoved = event.subject !== undefined || event.new_stream_id !== undefined;
  const now = { content: event.content !== undefined, place: isMoved };
  const isEdited = (part: EditedPart): boolean => now[part] || before.includes(part);
  return { edited_parts: EditedPart.options.filter(isEdited) };
}

function edited(message: Message, event: Update): Message {
  const { content, rendered_content: rendered } = event;
  return withDefined(message, {
    content: rendered,
    source: content,
    ...marked(toldMarks, (name) => event[name]),
    last_edit_timestamp: event.edit_timestamp,
    ...partsAfter(message, event),
    flags: event.flags,
  });
}

function updated(message: Message, event: Update, findStream: FindStreamNames): Message {
  const placed = message.type === 'stream' ? moved(message, event, findStream) : message;
  const next = message.id === event.message_id ? edited(placed, event) : placed;
  return proven(next, event);
}

/** A MAC is of one text in one place. */
function proven(message: Message, event: Update): Message {
  const proof = event.proofs?.[String(message.id)];
  if (proof !== undefined) return { ...message, proof };
  if (event.content === undefined && event.orig_subject === undefined) return message;
  const { proof: _, ...unproven } = message;
  return unproven;
}

export function withFlag(message: Message, flag: string, isSet: boolean): Message {
  if (message.flags.includes(flag) === isSet) return message;
  const others = message.flags.filter((each) => each !== flag);
  return { ...message, flags: isSet ? [...others, flag] : others };
}

export type MessageChange = Extract<
  Change,
  { readonly type: 'update_message' | 'reaction' | 'submessage' }
>;

/** A message after what happened to it; the same object where nothing did. */
export function changed(
  message: Message,
  change: MessageChange,
  findStream: FindStreamNames,
): Message {
  switch (change.type) {
    case 'update_message':
      return updated(message, change, findStream);
    case 'reaction':
      return reacted(message, change);
    default:
      return attached(message, change);
  }
}

export const idsOf = (change: MessageChange): readonly number[] =>
  change.type === 'update_message' ? change.message_ids : [change.message_id];

/** Whether messages stand somewhere else afterwards. */
export const isMove = (change: MessageChange): boolean =>
  change.type === 'update_message' && change.orig_subject !== undefined;

/**
 * Messages of which the event tells less than what became of them. A move to another stream changes flags and who
 * holds a message; and where many are moved it is not told which of them is the edited one.
 */
export function incompleteIds(change: MessageChange): readonly number[] {
  if (change.type !== 'update_message') return [];
  if (change.new_stream_id !== undefined) return change.message_ids;
  const isMoveOnly = change.subject !== undefined && change.content === undefined;
  return isMoveOnly && change.propagate_mode !== 'change_one' ? [change.message_id] : [];
}

const isShown = ({ display_recipient: recipient, reactions }: Message, userId: number): boolean =>
  reactions.some((each) => each.user_id === userId) ||
  (typeof recipient !== 'string' && recipient.some((each) => each.id === userId));

/** The message with the names that a person has now; the same object where it does not show them. */
export function renamed(message: Message, person: RenamedTopic): Message {
  const { user_id: id, full_name: name, new_email: email } = person;
  const avatar = person.avatar_url;
  const isSender = message.sender_id === id;
  if (!isSender && !isShown(message, id)) return message;
  const own = withDefined(message, {
    sender_full_name: isSender ? name : undefined,
    sender_email: isSender ? email : undefined,
    avatar_url: isSender ? avatar : undefined,
  });
  const rename = <T extends { readonly id: number; full_name: string; email: string }>(
    user: T,
  ): T =>
    user.id === id
      ? { ...user, full_name: name ?? user.full_name, email: email ?? user.email }
      : user;
  const { display_recipient: recipient } = own;
  return {
    ...own,
    display_recipient:
      typeof recipient === 'string'
        ? recipient
        : recipient.map(rename).sort((a, b) => (a.email < b.email ? -1 : 1)),
    reactions: own.reactions.map((each) => ({ ...each, user: rename(each.user) })),
  };
}

/** Whether messages came back that the organization had lost. */
export const isRecovery = (event: unknown): boolean =>
  typeof event === 'object' &&
  event !== null &&
  'type' in event &&
  event.type === 'messages_recovered';
