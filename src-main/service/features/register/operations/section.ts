/** What a part of the initial state is made of (API decisions 9). */
import type { Caller } from '#service/core/ports/handlers.ts';
import type { FactName, Facts } from '#service/db/port.ts';
import type { Traffic } from '#service/core/rules/shapes.ts';

export interface StateRequest {
  readonly caller: Caller;
  /** Null for everything. */
  readonly types: readonly string[] | null;
  readonly clientGravatar: boolean;
  readonly includeSubscribers: boolean;
  readonly nowSeconds: number;
  /** Scheme, host and port under which the caller reaches the service. */
  readonly origin: string;
  /** How large an uploaded file may be where the organization has not said. */
  readonly uploadBytes: number;
  /** The key that belongs to a generation of an account's key. */
  readonly apiKeyOf: (userId: number, generation: number) => string;
}

export interface Part {
  /** Facts that are read for it. */
  readonly needs: readonly FactName[];
  readonly write: (request: StateRequest, facts: Facts) => Readonly<Record<string, unknown>>;
}

/** A part that sees only the facts that it names, and so cannot forget one. */
export const part = <K extends FactName>(
  needs: readonly K[],
  write: (request: StateRequest, facts: Pick<Facts, K>) => Readonly<Record<string, unknown>>,
): Part => ({ needs, write });

export const trafficOf = (
  { nowSeconds }: StateRequest,
  { weeklyMessages }: Pick<Facts, 'weeklyMessages'>,
): Traffic => ({ nowSeconds, weeklyMessages });
