/** Events about messages (API decisions 8.2 and 8.3). */
import { z } from 'zod';
import { EventMessage } from '../models/message.ts';
import { marked, marksOfAll, marksWithSource } from '../models/message-marks.ts';

const id = z.int();

export const MessageEvent = z.object({
  id,
  type: z.literal('message'),
  message: EventMessage,
  flags: z.array(z.string()),
  /** Present only in the queue that the sender named when sending. */
  local_message_id: z.string().optional(),
});

/** The keys that are optional depend on what was changed, and on whether the message stands in a stream. */
const UpdateMessageEvent = z.object({
  id,
  type: z.literal('update_message'),
  message_id: z.int(),
  /** What is moved, ascending; the edited message alone when nothing is. */
  message_ids: z.array(z.int()),
  /** The editor; these two are absent when only the rendering was brought up to date. */
  user_id: z.int().optional(),
  edit_timestamp: z.int().optional(),
  /** The editor's address. */
  sender: z.string(),
  /** The receiver's flags of `message_id`. */
  flags: z.array(z.string()),
  /** Where it stood before. */
  stream_id: z.int().optional(),
  /** Absent for whoever was not there, when messages come from another stream. */
  stream_name: z.string().optional(),
  orig_content: z.string().optional(),
  orig_rendered_content: z.string().optional(),
  prev_rendered_content_version: z.literal(1).optional(),
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  ...marked(marksOfAll, () => z.boolean().optional()),
  /** As the message has them now; present beside `content` in queues that were registered with `with_source`. */
  ...marked(marksWithSource, () => z.boolean().optional()),
  orig_subject: z.string().optional(),
  subject: z.string().optional(),
  subject_links: z.array(z.string()).optional(),
  propagate_mode: z.enum(['change_one', 'change_later', 'change_all']).optional(),
  new_stream_id: z.int().optional(),
  /** By id, for the messages as they are now; present in queues that were registered with `with_source`. */
  proofs: z.record(z.string(), z.string()).optional(),
});

const DeletedMessage = z.object({
  id,
  type: z.literal('delete_message'),
  message_id: z.int(),
  /** The author's address. */
  sender: z.string(),
  sender_id: z.int(),
});

const DeleteStreamMessageEvent = DeletedMessage.extend({
  message_type: z.literal('stream'),
  stream_id: z.int(),
  topic: z.string(),
});

const DeletePrivateMessageEvent = DeletedMessage.extend({
  message_type: z.literal('private'),
  recipient_id: z.int(),
});

/** What is told to those who held the message and may no longer read where it stood. */
const LostMessageEvent = z.strictObject({
  id,
  type: z.literal('delete_message'),
  message_id: z.int(),
});

export type MessageEvent = z.infer<typeof MessageEvent>;

/** Flags that changed for the account itself; `all` stands for every message that it holds. */
const UpdateMessageFlagsEvent = z.object({
  id,
  type: z.literal('update_message_flags'),
  op: z.enum(['add', 'remove']),
  operation: z.enum(['add', 'remove']),
  flag: z.string(),
  messages: z.array(z.int()),
  all: z.boolean(),
});

const SubmessageEvent = z.strictObject({
  id,
  type: z.literal('submessage'),
  msg_type: z.string(),
  message_id: z.int(),
  submessage_id: z.int(),
  sender_id: z.int(),
  content: z.string(),
});

/** Messages of before are here again; told only in queues that were registered with `with_source`. */
const MessagesRecoveredEvent = z.strictObject({
  id,
  type: z.literal('messages_recovered'),
  /** Ascending. */
  message_ids: z.array(z.int()),
});

export const messageEvents = [
  MessagesRecoveredEvent,
  SubmessageEvent,
  UpdateMessageFlagsEvent,
  MessageEvent,
  UpdateMessageEvent,
  DeleteStreamMessageEvent,
  DeletePrivateMessageEvent,
  LostMessageEvent,
] as const;
