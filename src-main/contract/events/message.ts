/** Events about messages (API decisions, sections 8.2 and 8.3). */
import { z } from 'zod';
import { EventMessage } from '../models/message.ts';

const id = z.int();

export const MessageEvent = z.object({
  id,
  type: z.literal('message'),
  message: EventMessage,
  flags: z.array(z.string()),
  /** Present only in the queue that the sender named when sending. */
  local_message_id: z.string().optional(),
});

export type MessageEvent = z.infer<typeof MessageEvent>;

export const messageEvents = [MessageEvent] as const;
