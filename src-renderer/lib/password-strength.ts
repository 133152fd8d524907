/** How hard a password is to guess for whoever has the database and patience: a large part of the code, loaded on first use. */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as everywhere } from '@zxcvbn-ts/language-common';
import { dictionary as english } from '@zxcvbn-ts/language-en';

/** From "among the first that are tried" to "not in this life". */
export type Strength = 0 | 1 | 2 | 3 | 4;

/** More is not looked at: it takes longer than somebody types, and is strong by then. */
const MAX_LOOKED_AT = 64;

const estimator = new ZxcvbnFactory({
  dictionary: { ...everywhere, ...english },
  graphs: adjacencyGraphs,
});

/** @param known  what others know of the person, such as their name: it adds nothing */
export function strengthOf(password: string, known: readonly string[]): Strength {
  const parts = known.flatMap((each) => [each, ...each.split(/[\s@.]+/)]);
  const words = parts.filter((each) => each.length > 2);
  return estimator.check(password.slice(0, MAX_LOOKED_AT), words).score;
}
