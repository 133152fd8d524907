/** Finding people in the state: lists are built once, indexes of them too. */
import type { Person } from '#shared/bridge/models/client-state.ts';

const indexes = new WeakMap<readonly Person[], ReadonlyMap<number, Person>>();

export function findPerson(people: readonly Person[], userId: number): Person | undefined {
  const known = indexes.get(people);
  const index = known ?? new Map(people.map((person) => [person.userId, person]));
  if (known === undefined) indexes.set(people, index);
  return index.get(userId);
}
