/** Services that deliver here, and the bots that were set up for them (API decisions 15.12). */
import { z } from 'zod';
import { integrationSubjects } from '../integration-subjects.ts';
import { deliveryOutcomes } from './delivery.ts';

export const Integration = z.object({
  /** As it stands in the address: `/external/{name}`. */
  name: z.string(),
  /** As its maker writes it. */
  title: z.string(),
  /** What is posted, in one sentence. */
  about: z.string(),
  subject: z.enum(integrationSubjects),
  /** What `only_events` and `exclude_events` select from; with `*` where a service names many alike. */
  events: z.array(z.string()),
  /** Whether deliveries can be verified by a secret. */
  is_signed: z.boolean(),
  /** What to do at the other side, in order, one sentence or two each. */
  steps: z.array(z.string()),
});

/** What its address says beside the key. */
export const HookSetup = z.object({
  integration: z.string(),
  /** Empty: to the owner in private. */
  stream: z.string(),
  /** Empty: the integration's own. */
  topic: z.string(),
  /** Empty: all. */
  only_events: z.array(z.string()),
});

export const HookBot = z.object({
  bot_id: z.int(),
  full_name: z.string(),
  api_key: z.string(),
  /** Null for a bot that was set up without the window. */
  setup: HookSetup.nullable(),
  is_paused: z.boolean(),
  has_secret: z.boolean(),
  /** The newest delivery that is kept; null where there is none. */
  last_delivery: z
    .object({ id: z.int(), time: z.int(), outcome: z.enum(deliveryOutcomes) })
    .nullable(),
});

export type Integration = z.infer<typeof Integration>;
export type HookSetup = z.infer<typeof HookSetup>;
export type HookBot = z.infer<typeof HookBot>;
