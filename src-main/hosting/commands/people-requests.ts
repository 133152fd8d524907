/** What commands about people ask of a service, and what it answers. */
import { z } from 'zod';

const Role = z.enum(['admin', 'member', 'guest']);
const Person = z.object({
  id: z.int(),
  email: z.string(),
  fullName: z.string(),
  role: Role,
  isActive: z.boolean(),
  isBot: z.boolean(),
});

export const PeopleRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('list') }),
  z.object({
    kind: z.literal('add'),
    skipsKnown: z.boolean(),
    /** Nobody comes, and those who could not are told. */
    isOnlyChecked: z.boolean(),
    people: z.array(
      z.object({
        email: z.string(),
        fullName: z.string(),
        role: Role,
        streams: z.array(z.string()).nullable(),
      }),
    ),
  }),
  z.object({ kind: z.literal('role'), emails: z.array(z.string()), role: Role }),
  z.object({ kind: z.enum(['deactivate', 'reactivate']), emails: z.array(z.string()) }),
]);

export const PeopleAnswer = z.object({
  people: z.array(z.object({ ...Person.shape, link: z.string().optional() })),
  /** Of those to be added, by their place; nobody was where there are any. */
  unusable: z.array(
    z.object({
      index: z.int(),
      field: z.enum(['email', 'fullName', 'streams']),
      reason: z.string(),
      /** Who has the same address before them. */
      sameAs: z.int().optional(),
    }),
  ),
  /** Had an account before. */
  known: z.array(z.string()),
});

export type PeopleRequest = z.output<typeof PeopleRequest>;
export type PeopleAnswer = z.output<typeof PeopleAnswer>;
export type PersonRole = z.output<typeof Role>;
