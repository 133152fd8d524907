/** What the service is not asked for, because it would refuse. */
import type { causes, CauseValues } from '#shared/api/causes.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { explained, type ExplainedCause } from '#shared/i18n/explain.ts';

type Cause = ExplainedCause & keyof (typeof causes)['BAD_REQUEST'];

export const refusedHere = <Name extends Cause>(
  argument: string,
  name: Name,
  values: CauseValues<Name>,
): Outcome<never> => ({
  ok: false,
  failure: {
    code: 'BAD_REQUEST',
    message: explained(name, values),
    cause: { name, values },
    argument,
  },
});
