import type { Person } from '#shared/bridge/models/client-state.ts';
import { plain } from '#shared/text/fuzzy.ts';
import { namesFor, spellingsOf } from '#shared/text/transliterations.ts';

/**
 * People in the order in which they are given, but those who are probably meant come first where a word of their name or
 * their address begins with what was typed. While nothing is typed, bots come last.
 * @param familiar  ids of users, who is meant most first
 */
export function familiarFirst(
  people: readonly Person[],
  familiar: readonly number[],
  typed: string,
): readonly Person[] {
  const wanted = plain(typed.trim());
  const order = new Map(familiar.map((userId, index) => [userId, index]));
  const placeOf = (person: Person): number => {
    const place = order.get(person.userId);
    if (place === undefined) return Infinity;
    const spellings = spellingsOf(namesFor(wanted, person));
    const begins = spellings.some((spelling) => ` ${spelling}`.includes(` ${wanted}`));
    return begins ? place : Infinity;
  };
  const places = new Map(people.map((person) => [person, placeOf(person)]));
  const at = (person: Person): number => places.get(person) ?? Infinity;
  const botsLast = (a: Person, b: Person): number =>
    wanted === '' ? Number(a.isBot) - Number(b.isBot) : 0;
  return people.toSorted((a, b) => (at(a) === at(b) ? botsLast(a, b) : at(a) - at(b)));
}
