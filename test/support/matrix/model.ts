/**
 * Every operation: who may do it, and who is told of it, without a look at the code that decides so. A new endpoint does
 * not compile until it has a row.
 */
import type { Api } from '#shared/api/endpoints/index.ts';
import { accountRules } from './account-rules.ts';
import { placeRules } from './place-rules.ts';
import type { Row } from './row.ts';

/** An endpoint that does several things has a row for each. */
type Rows<Table> = { readonly [N in keyof Table]: Row | Readonly<Record<string, Row>> };

export const model = { ...placeRules, ...accountRules } satisfies {
  readonly [K in keyof Api]: Rows<Api[K]>;
};
