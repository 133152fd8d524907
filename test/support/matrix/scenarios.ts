/** For every operation a call that succeeds for whoever may make it, beside what the rules say of it. */
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { communityScenarios } from './community.ts';
import { conversationScenarios } from './conversation.ts';
import { model } from './model.ts';
import { peopleScenarios } from './people.ts';
import { placeScenarios } from './places.ts';
import type { Row } from './row.ts';
import type { Scenario, ScenariosOf } from './scenario.ts';

/** A new row does not compile until it has a scenario. */
const scenarios: ScenariosOf<typeof model> = {
  ...conversationScenarios,
  ...placeScenarios,
  ...peopleScenarios,
  ...communityScenarios,
};

export interface Operation {
  readonly name: string;
  readonly endpoint: AnyEndpoint;
  readonly row: Row;
  readonly scenario: Scenario;
}

type Tables<T> = Readonly<Record<string, Readonly<Record<string, T>>>>;

const isRow = (value: Row | Readonly<Record<string, Row>>): value is Row => 'may' in value;

/** Endpoints that several rows tell apart by what is asked of them come once for each. */
export const operations: readonly Operation[] = Object.entries(
  model as Tables<Row | Readonly<Record<string, Row>>>,
).flatMap(([table, rows]) =>
  Object.entries(rows).flatMap(([call, described]) => {
    const name = `${table}.${call}`;
    const endpoint = (api as Tables<AnyEndpoint>)[table]?.[call];
    const told = (scenarios as unknown as Tables<unknown>)[table]?.[call];
    if (endpoint === undefined) throw new Error(`${name} is no endpoint`);
    if (isRow(described)) return [{ name, endpoint, row: described, scenario: told as Scenario }];
    const byVariant = told as Readonly<Record<string, Scenario>>;
    return Object.entries(described).flatMap(([variant, row]) => {
      const scenario = byVariant[variant];
      return scenario === undefined
        ? []
        : [{ name: `${name}, ${variant}`, endpoint, row, scenario }];
    });
  }),
);
