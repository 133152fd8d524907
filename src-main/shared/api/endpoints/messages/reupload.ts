import { z } from 'zod';
import { COMPARED_MESSAGES, OFFERED_MESSAGES } from '#shared/api/bounds.ts';
import { json } from '#shared/api/codecs.ts';
import { endpoint } from '#shared/api/endpoint.ts';
import { required, wire } from '#shared/api/wire.ts';

const id = z.int().min(1);
const version = z.tuple([id, z.int().min(0)]);

/** A message as a member kept it, with the MAC that came with it. */
export const OfferedMessage = z.object({
  id,
  sender_id: id,
  /** UNIX seconds. */
  timestamp: z.int().min(0),
  /** These two of a message to a stream. */
  stream_id: id.optional(),
  topic: z.string().max(200).optional(),
  /** All participants of a private one. */
  user_ids: z.array(id).max(200).optional(),
  /** The Markdown. */
  content: z.string().max(20_000),
  proof: z.string().max(100),
});
export type OfferedMessage = z.infer<typeof OfferedMessage>;

/** What became of an offered message. */
export const offerResults = ['recovered', 'present', 'deleted', 'unproven', 'refused'] as const;
export type OfferResult = (typeof offerResults)[number];

/** Messages that only members still have after a restore. */
export const recovery = {
  lacking: endpoint({
    method: 'POST',
    path: '/office/recovered/lacking',
    auth: 'user',
    access: 'person',
    params: wire({
      known: required(
        json(
          `a list of at most ${String(COMPARED_MESSAGES)} pairs of integers`,
          z.array(version).max(COMPARED_MESSAGES),
        ),
      ),
    }),
    result: z.object({ lacking: z.array(z.int()) }),
    errors: ['BAD_REQUEST'],
    summary: 'Which of these messages, in these versions, the organization no longer has.',
    spec: 'API decisions 15.15',
  }),
  offer: endpoint({
    method: 'POST',
    path: '/office/recovered',
    auth: 'user',
    access: 'person',
    params: wire({
      messages: required(
        json(
          `a list of at most ${String(OFFERED_MESSAGES)} messages`,
          z.array(OfferedMessage).max(OFFERED_MESSAGES),
        ),
      ),
    }),
    result: z.object({
      /** In the order of what was offered. */
      results: z.array(z.object({ id: z.int(), result: z.enum(offerResults) })),
    }),
    errors: ['BAD_REQUEST'],
    summary: 'Give back messages that the organization has lost.',
    spec: 'API decisions 15.15',
  }),
};
