/** Refusals in the words of a window, whether the service refused or the window itself, which would rather not ask. */
import type { CauseName, CauseValues } from '../api/causes.ts';
import type { FailureCause } from '../api/errors.ts';
import { explanations } from './en/explanations.ts';

type Words<Name extends CauseName> = string | ((values: CauseValues<Name>) => string);

export type ExplainedCause = keyof typeof explanations & CauseName;

/** They take the values that the table of causes promises. */
const words: { readonly [Name in ExplainedCause]: Words<Name> } = explanations;

export function explained<Name extends ExplainedCause>(
  name: Name,
  values: CauseValues<Name>,
): string {
  const own: Words<Name> = words[name];
  return typeof own === 'string' ? own : own(values);
}

/** Undefined for a cause that has no words here: the service's own are shown. */
export function explanationOf({ name, values }: FailureCause): string | undefined {
  const all: Readonly<Record<string, string | ((values: never) => string)>> = words;
  const own = Object.hasOwn(all, name) ? all[name] : undefined;
  return typeof own === 'function' ? own(values as never) : own;
}
