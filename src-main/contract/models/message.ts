import { z } from 'zod';

/** A participant of a private conversation (API decisions, section 5, `display_recipient`). */
export const DisplayRecipient = z.object({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  short_name: z.string(),
  is_mirror_dummy: z.boolean(),
});

/** A reaction (API decisions, section 5). */
export const Reaction = z.object({
  emoji_name: z.string(),
  emoji_code: z.string(),
  reaction_type: z.string(),
  user_id: z.int(),
  user: z.object({ id: z.int(), user_id: z.int(), email: z.string(), full_name: z.string() }),
});

/** A message as an event carries it: without the reader's flags (specification, section 2 and 6). */
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
  is_me_message: z.boolean(),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_short_name: z.string(),
  sender_realm_str: z.string(),
  avatar_url: z.string().nullable(),
  submessages: z.array(z.unknown()),
  reactions: z.array(Reaction),
  /** UNIX seconds; present only when the message was edited. */
  last_edit_timestamp: z.int().optional(),
});

/** A message of GET /messages, with the flags of the account that asked. */
export const Message = EventMessage.extend({ flags: z.array(z.string()) });

export type DisplayRecipient = z.infer<typeof DisplayRecipient>;
export type EventMessage = z.infer<typeof EventMessage>;
export type Message = z.infer<typeof Message>;
