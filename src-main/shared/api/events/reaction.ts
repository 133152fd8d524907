/** Events about reactions to messages (API decisions 8.2). */
import { z } from 'zod';
import { Reaction } from '../models/message.ts';

const ReactionEvent = z.strictObject({
  id: z.int(),
  type: z.literal('reaction'),
  op: z.enum(['add', 'remove']),
  message_id: z.int(),
  ...Reaction.shape,
});

export const reactionEvents = [ReactionEvent] as const;
