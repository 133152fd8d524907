/** What was delivered to a bot, or by it, as its owner sees it (API decisions 15.12). */
import { z } from 'zod';

/**
 * What came was `posted`; `silent`, read and nothing to be said; `paused`, kept for later; `refused`; or `limited`, too
 * many at once, counted in one entry. What an outgoing webhook bot was told is `waiting` for the next attempt,
 * `answered` or `failed`.
 */
export const deliveryOutcomes = [
  'posted',
  'silent',
  'paused',
  'refused',
  'limited',
  'waiting',
  'answered',
  'failed',
] as const;

export const LoggedDelivery = z.object({
  id: z.int(),
  direction: z.enum(['incoming', 'outgoing']),
  /** UNIX seconds. */
  time: z.int(),
  /** When the newest one came that is counted here, or when the last attempt was made. */
  last_time: z.int(),
  /** The name in the address; empty for an outgoing one. */
  integration: z.string(),
  /** Empty where nothing tells it. */
  event: z.string(),
  outcome: z.enum(deliveryOutcomes),
  /** The HTTP status of the answer; 0 where there was none. */
  status: z.int(),
  /** The words of the answer where it was a refusal, else empty. */
  reason: z.string(),
  /** How many are counted here; of an outgoing one, how many attempts were made. */
  count: z.int(),
  /** The messages that came of it. */
  message_ids: z.array(z.int()),
  /** The entry that was sent again. */
  again_of: z.int().nullable(),
});

const Attempt = z.object({
  time: z.int(),
  status: z.int(),
  /** What the other side answered, cut, or why there was no answer. */
  answer: z.string(),
});

/** Headers and query without keys, signatures and cookies. */
export const WholeDelivery = LoggedDelivery.extend({
  query: z.string(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  /** Its beginning, at most 64 KiB. */
  body: z.string(),
  can_send_again: z.boolean(),
  /** The message that an outgoing one tells, and why it is told. */
  told_message_id: z.int().nullable(),
  trigger: z.string(),
  attempts: z.array(Attempt),
});

export type LoggedDelivery = z.infer<typeof LoggedDelivery>;
export type WholeDelivery = z.infer<typeof WholeDelivery>;
export type DeliveryOutcome = LoggedDelivery['outcome'];
export type DeliveryAttempt = z.infer<typeof Attempt>;
