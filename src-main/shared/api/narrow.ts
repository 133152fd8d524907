/** Narrows: terms that select messages (API decisions 3). */
import { z } from 'zod';
import { NARROW_TERMS } from './bounds.ts';
import { json } from './codecs.ts';

const Operand = z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()])).max(5000)]);

export const NarrowTerm = z.object({
  operator: z.string(),
  operand: Operand,
  negated: z.boolean().optional(),
});

/** One term of a narrow. Operator names are not yet checked: an unknown one is BAD_NARROW (API decisions 3.1). */
export type NarrowTerm = z.infer<typeof NarrowTerm>;

const LooseTerm = z.union([
  NarrowTerm,
  z.tuple([z.string(), Operand]).transform(([operator, operand]) => ({ operator, operand })),
]);

/** The narrow of GET /messages: objects and pairs in any mix. */
export const NarrowParam = json<readonly NarrowTerm[]>(
  'a list of terms with operator and operand',
  z.array(LooseTerm).max(NARROW_TERMS),
);

/**
 * How far a page of messages reaches. `held`: what the account holds; `subscribed`: also all history of the streams that it
 * is subscribed to, as far as that is open to it; `readable`: also the public streams that it is not subscribed to.
 */
export const historyScopes = ['held', 'subscribed', 'readable'] as const;
export type HistoryScope = (typeof historyScopes)[number];

const QueueTerm = z.union([
  z.tuple([z.string(), z.string()]),
  z
    .object({
      operator: z.string(),
      operand: z.string(),
      // Dropping it would select what the caller wants to be spared.
      negated: z.literal(false).optional(),
    })
    .transform(({ operator, operand }): [string, string] => [operator, operand]),
]);

/** One term of an event queue's narrow: operator and operand. */
export type QueueTerm = readonly [operator: string, operand: string];

/** The narrow of an event queue: pairs, objects, or one flat pair (API decisions 3.5). */
export const QueueNarrowParam = json<readonly QueueTerm[]>(
  'a list of operator and operand pairs',
  z.union([
    z.array(QueueTerm).max(NARROW_TERMS),
    z.tuple([z.string(), z.string()]).transform((pair): [string, string][] => [pair]),
  ]),
);
