import type { Person } from '#shared/bridge/models/client-state.ts';
import { byFullName } from './by-name.ts';

export const peopleKinds = ['all', 'admins', 'members', 'guests', 'deactivated'] as const;
export type PeopleKind = (typeof peopleKinds)[number];
export type PeopleOrder = 'name' | 'seen';

type PersonFacts = Pick<Person, 'isActive' | 'isAdmin' | 'isGuest'>;

/** Whoever is deactivated has no role that counts. */
function kindOf({ isActive, isAdmin, isGuest }: PersonFacts): PeopleKind {
  if (!isActive) return 'deactivated';
  if (isAdmin) return 'admins';
  return isGuest ? 'guests' : 'members';
}

export const isOfKind = (person: PersonFacts, kind: PeopleKind): boolean =>
  kind === 'all' || kindOf(person) === kind;

/** How many there are of each kind. */
export function countKinds(people: readonly PersonFacts[]): Readonly<Record<PeopleKind, number>> {
  const counts = { all: people.length, admins: 0, members: 0, guests: 0, deactivated: 0 };
  for (const person of people) counts[kindOf(person)]++;
  return counts;
}

/** When somebody was last here: to the second, or to the day, of which `seconds` is the beginning, UTC. */
export interface LastSeen {
  readonly seconds: number;
  readonly isDay: boolean;
}

/** What a client reported is finer than the day of a last use, and counts unless that is a later day. */
export function lastSeen(
  reportedSeconds: number | undefined,
  usedOn: number | undefined,
): LastSeen | null {
  if (reportedSeconds !== undefined && reportedSeconds >= (usedOn ?? 0)) {
    return { seconds: reportedSeconds, isDay: false };
  }
  return usedOn === undefined ? null : { seconds: usedOn, isDay: true };
}

/** By name, or who was here last first; those that are deactivated after the others, by either. */
export function sortPeople(
  people: readonly Person[],
  order: PeopleOrder,
  seenOf: (userId: number) => LastSeen | null,
): readonly Person[] {
  const standing = (a: Person, b: Person): number => Number(b.isActive) - Number(a.isActive);
  if (order === 'name') return people.toSorted((a, b) => standing(a, b) || byFullName(a, b));
  const seconds = new Map(people.map(({ userId }) => [userId, seenOf(userId)?.seconds ?? 0]));
  const at = ({ userId }: Person): number => seconds.get(userId) ?? 0;
  return people.toSorted((a, b) => standing(a, b) || at(b) - at(a) || byFullName(a, b));
}
