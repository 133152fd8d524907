import { z } from 'zod';
import { marked, marksOfAll, marksWithSource } from './message-marks.ts';

/** A participant of a private conversation (API decisions 5, `display_recipient`). */
export const DisplayRecipient = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  short_name: z.string(),
  is_mirror_dummy: z.boolean(),
});

/** A reaction (API decisions 5). */
export const Reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.string(),
  user_id: z.int(),
  user: z.object({ id: z.int(), user_id: z.int(), email: z.string(), full_name: z.string() }),
});

/** Data of an experimental integration (API decisions 5). */
export const Submessage = z.object({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  /** JSON. */
  content: z.string(),
});

/** A message as an event carries it: without the reader's flags (specification 2 and 6). */
export const EventMessage = z.object({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  /** Absent for private messages. */
  stream_id: z.int().optional(),
  display_recipient: z.union([z.string(), z.array(DisplayRecipient)]),
  recipient_id: z.int(),
  /** The topic; empty for private messages. */
  subject: z.string(),
  subject_links: z.array(z.string()),
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  /** UNIX seconds. */
  timestamp: z.int(),
  client: z.string(),
  ...marked(marksOfAll, () => z.boolean()),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_short_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.string().nullable(),
  /** In the order of adding; none in events. */
  submessages: z.array(Submessage),
  reactions: z.array(Reaction),
  /** The Markdown as it was written; present only with `with_source`, and where `content` is HTML. */
  source: z.string().optional(),
  /** What the narrow `has:` finds; these are present only with `with_source`. */
  ...marked(marksWithSource, () => z.boolean().optional()),
  /** By which the office knows it again (API decisions 15.15); present only with `with_source`. */
  proof: z.string().optional(),
  /** UNIX seconds: only members still had it, and one gave it back; present only with `with_source`. */
  recovered_at: z.int().optional(),
});

/** One change of a message; what did not change is absent (API decisions 5). */
export const MessageEdit = z.object({
  user_id: z.int(),
  /** UNIX seconds. */
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_rendered_content_version: z.literal(1).optional(),
  prev_subject: z.string().optional(),
});

/** What of a message was changed: what it says, or its stream and topic. */
export const EditedPart = z.enum(['content', 'place']);
export type EditedPart = z.infer<typeof EditedPart>;

/** A message of GET /messages, with the flags of the account that asked. */
export const Message = EventMessage.extend({
  flags: z.array(z.string()),
  /** Whether the account holds it: its flags alone do not tell; present only with `with_source`. */
  is_held: z.boolean().optional(),
  /** UNIX seconds; present only when the message was edited. */
  last_edit_timestamp: z.int().optional(),
  /** In this order, whether what was there before is shown or not; present only with `with_source`, of what was edited. */
  edited_parts: z.array(EditedPart).optional(),
  /** Newest first; present only when the message was edited and the organization shows what was there before. */
  edit_history: z.array(MessageEdit).optional(),
  /** HTML with what a search has found in spans; present only when the narrow has a `search` term, and so is the topic. */
  match_content: z.string().optional(),
  match_subject: z.string().optional(),
});

/** One version of a message, as its history lists it (specification 2). */
export const MessageSnapshot = z.object({
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  user_id: z.int(),
  /** UNIX seconds. */
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_topic: z.string().optional(),
  content_html_diff: z.string().optional(),
});

export type DisplayRecipient = z.infer<typeof DisplayRecipient>;
export type Reaction = z.infer<typeof Reaction>;
export type Submessage = z.infer<typeof Submessage>;
export type EventMessage = z.infer<typeof EventMessage>;
export type Message = z.infer<typeof Message>;
export type MessageEdit = z.infer<typeof MessageEdit>;
export type MessageSnapshot = z.infer<typeof MessageSnapshot>;
