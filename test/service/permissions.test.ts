/** Every operation made by every kind of account: what happens is what the rules say. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accessOf, type AnyEndpoint } from '../../src-main/contract/endpoint.ts';
import { INCOMING_WEBHOOK_BOT } from '../../src-main/contract/handlers.ts';
import { mayCall } from '../../src-main/service/domain/rules/permissions.ts';
import { startTestService } from '../support/api.ts';
import { endpoints } from '../support/fuzz/answers.ts';
import { actorOf, type Scenario, scenarioOf } from '../support/matrix/scenarios.ts';
import { type Kind, kinds, MatrixWorld } from '../support/matrix/world.ts';

/** An incoming-webhook bot may do nothing but send (API decisions, section 10.4). */
const mayAuthenticate = ({ auth }: AnyEndpoint, kind: Kind): boolean => {
  if (auth === 'none') return true;
  const actor = actorOf(kind);
  return actor !== null && (auth !== 'user' || actor.botType !== INCOMING_WEBHOOK_BOT);
};

function isAllowed(endpoint: AnyEndpoint, { rule }: Scenario, kind: Kind): boolean {
  const actor = actorOf(kind);
  if (!mayAuthenticate(endpoint, kind) || !mayCall(accessOf(endpoint), actor)) return false;
  return rule?.(actor ?? { role: 'guest', botType: null, userId: 0 }, kind) ?? true;
}

describe('what each kind of account may do', () => {
  let world: MatrixWorld;
  beforeAll(async () => {
    world = new MatrixWorld(await startTestService());
    await world.prepare();
  });
  afterAll(() => world.service.stop());

  test.for(endpoints)('%s', async ([name, endpoint]) => {
    const scenario = scenarioOf(name);
    if (scenario === undefined) throw new Error(`${name} has no scenario`);
    const happened: [Kind, boolean][] = [];
    const answers: string[] = [];
    for (const kind of kinds) {
      const call = await scenario.prepare(world, kind);
      const { isAllowed: isDone, shown } = await world.succeeds(kind, endpoint, call);
      happened.push([kind, isDone]);
      answers.push(`${kind}: ${shown}`);
    }
    expect(Object.fromEntries(happened), answers.join('\n')).toEqual(
      Object.fromEntries(kinds.map((kind) => [kind, isAllowed(endpoint, scenario, kind)])),
    );
  });
});
