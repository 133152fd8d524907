/** What people say about themselves (specification 2; API decisions 7.3 and 9). */
import { z } from 'zod';
import { int } from '../codecs.ts';

/** The kinds of fields, as /register lists them. */
export const profileFieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Short text' },
  LONG_TEXT: { id: 2, name: 'Long text' },
  CHOICE: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date picker' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Person picker' },
} as const;

export const profileTypeIds = [1, 2, 3, 4, 5, 6] as const;

export const ProfileField = z.object({
  id: z.int(),
  name: z.string(),
  type: z.int(),
  hint: z.string(),
  /** JSON of the choices, by the value that stands for each; empty for other types. */
  field_data: z.string(),
  order: z.int(),
});

/** By field id. `rendered_value` is the HTML of a long text. */
export const ProfileData = z.record(
  z.string(),
  z.object({ value: z.string(), rendered_value: z.string().optional() }),
);

/** Answers as they are sent: a string, or for a field of accounts a list of their ids; blank takes one away. */
export const ProfileAnswers = z.array(z.object({ id: int, value: z.unknown() }));

/** Choices by the value that stands for each. */
export const ProfileChoices = z.record(
  z.string(),
  z.object({ text: z.string(), order: z.union([z.string(), z.int()]) }),
);

export type ProfileField = z.infer<typeof ProfileField>;
export type ProfileData = z.infer<typeof ProfileData>;
export type ProfileAnswers = readonly { readonly id: number; readonly value?: unknown }[];
export type ProfileChoices = z.infer<typeof ProfileChoices>;
