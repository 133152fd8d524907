/** What a scenario is: how a call is prepared that succeeds for whoever may make it. */
import type { Api } from '../../../src-main/contract/api/index.ts';
import type { Actor } from '../../../src-main/service/domain/rules/permissions.ts';
import type { Params } from '../api.ts';
import type { Kind, MatrixWorld } from './world.ts';

export interface PreparedCall {
  readonly params: Params;
  readonly body?: BodyInit;
}

export interface Scenario {
  readonly prepare: (world: MatrixWorld, kind: Kind) => PreparedCall | Promise<PreparedCall>;
  /** Beyond what the endpoint's `access` says of the kind. */
  readonly rule?: (actor: Actor & { readonly userId: number }, kind: Kind) => boolean;
}

export type Scenarios = {
  readonly [K in keyof Api]: { readonly [N in keyof Api[K]]: Scenario };
};

export const plain = (params: Params = {}): Scenario => ({ prepare: () => ({ params }) });
export const made = (
  make: (world: MatrixWorld, kind: Kind) => Promise<Params>,
  rule?: Scenario['rule'],
): Scenario => ({
  prepare: async (world, kind) => ({ params: await make(world, kind) }),
  ...(rule === undefined ? {} : { rule }),
});
