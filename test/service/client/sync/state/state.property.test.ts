/**
 * Random doings of several people on a real service: the state that a client has from its registration and the events
 * since is the state that it would get if it registered now.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateFrom } from '#client/sync/state/snapshot.ts';
import { startTestService } from '#test/support/service/api.ts';
import { shortOrLong } from '#test/support/long.ts';
import {
  anyStep,
  comparable,
  followed,
  Follower,
  type Step,
  take,
} from '#test/support/client/state-world.ts';

const RUNS = shortOrLong(10, 60);

async function check(steps: readonly Step[]): Promise<void> {
  const service = await startTestService();
  try {
    const followers = followed.map((who) => new Follower(service, who));
    for (const follower of followers) await follower.register();
    for (const step of steps) {
      await take(service, step);
      await Promise.all(followers.map((follower) => follower.follow()));
    }
    for (const follower of followers) {
      const fresh = stateFrom(await follower.snapshot());
      const known = comparable(follower.state);
      expect(known, follower.who).toEqual(comparable(fresh));
      const kept = follower.kept();
      expect(kept === null ? null : comparable(kept), `${follower.who}, kept`).toEqual(known);
    }
  } finally {
    await service.stop();
  }
}

test('events lead every client to the state that it would be told if it registered now', async () => {
  const steps = fc.array(anyStep, { minLength: 40, maxLength: 90 });
  const options = { numRuns: RUNS, interruptAfterTimeLimit: shortOrLong(60_000, 600_000) };
  await fc.assert(fc.asyncProperty(steps, check), options);
}, 700_000);
