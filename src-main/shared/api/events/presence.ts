/** Events about what people are doing right now (API decisions 8.2). */
import { z } from 'zod';
import { ClientPresence } from '../models/presence.ts';

const id = z.int();
const Typist = z.strictObject({ user_id: z.int(), email: z.string() });

const PresenceEvent = z.strictObject({
  id,
  type: z.literal('presence'),
  email: z.string(),
  user_id: z.int(),
  /** UNIX seconds with their fraction. */
  server_timestamp: z.number(),
  /** By client: the one that reported. */
  presence: z.record(z.string(), ClientPresence),
});

const TypingEvent = z.strictObject({
  id,
  type: z.literal('typing'),
  op: z.enum(['start', 'stop']),
  sender: Typist,
  /** All participants, the sender included. */
  recipients: z.array(Typist),
});

const PointerEvent = z.strictObject({ id, type: z.literal('pointer'), pointer: z.int() });

/** Names what changed. */
const UserStatusEvent = z.strictObject({
  id,
  type: z.literal('user_status'),
  user_id: z.int(),
  away: z.boolean().optional(),
  status_text: z.string().optional(),
});

export const presenceEvents = [PresenceEvent, TypingEvent, PointerEvent, UserStatusEvent] as const;
