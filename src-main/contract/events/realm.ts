/** Events about the organization and the server (API decisions, section 8.2). */
import { z } from 'zod';

const id = z.int();

const HeartbeatEvent = z.object({ id, type: z.literal('heartbeat') });

const RestartEvent = z.object({
  id,
  type: z.literal('restart'),
  server_generation: z.int(),
  immediate: z.boolean(),
});

export const realmEvents = [HeartbeatEvent, RestartEvent] as const;
