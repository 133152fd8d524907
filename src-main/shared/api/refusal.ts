/** Refusals by their cause. It loads the words of all of them, so no page may import it. */
import { refusals } from '../i18n/en/refusals.ts';
import { type CauseName, causes, type CauseValues } from './causes.ts';
import { type ErrorCode, type ErrorData, ServiceError } from './errors.ts';

/** Every cause has words, which take the values that the table promises. */
const words: { readonly [Name in CauseName]: string | ((values: CauseValues<Name>) => string) } =
  refusals;

const codes: ReadonlyMap<string, ErrorCode> = new Map(
  Object.entries(causes).flatMap(([code, names]) =>
    Object.keys(names).map((name) => [name, code as ErrorCode]),
  ),
);

type Details<Name extends CauseName> = keyof CauseValues<Name> extends never
  ? [values?: CauseValues<Name>, data?: ErrorData]
  : [values: CauseValues<Name>, data?: ErrorData];

/** What `ServiceError` is made of, for the classes below it. */
export function refusalOf<Name extends CauseName>(
  name: Name,
  ...[values, data]: Details<Name>
): ConstructorParameters<typeof ServiceError> {
  const code = codes.get(name);
  if (code === undefined) throw new Error(`there is no cause ${name}`);
  const own: string | ((values: CauseValues<Name>) => string) = words[name];
  const given = values ?? ({} as CauseValues<Name>);
  return [code, typeof own === 'string' ? own : own(given), data, { name, values: given }];
}

/** @param data  further keys of the answer, as the code has them */
export const refusal = <Name extends CauseName>(
  name: Name,
  ...details: Details<Name>
): ServiceError => new ServiceError(...refusalOf(name, ...details));
