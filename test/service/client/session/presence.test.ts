import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { reportPresence } from '#client/session/presence.ts';
import { api } from '#shared/api/endpoints/index.ts';
import type { Presences } from '#shared/api/models/presence.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';
import { FaultyNetwork, fastClock } from '#test/support/client/faulty-http.ts';
import { startSession } from '#test/support/client/session.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('whoever reports hears of those who are still there, of which no event tells', async () => {
  await service.ask(ben, api.presence.report, { status: 'active' });
  const queue = await service.register(ada);
  const stopping = new AbortController();
  onTestFinished(() => stopping.abort());
  const network = new FaultyNetwork(() => service.origin);
  const credentials = { email: ada, key: await service.keyOf(ada) };
  const heard = Promise.withResolvers<{ presences: Presences; at: number | undefined }>();
  void reportPresence({
    api: network.api(credentials),
    clock: fastClock,
    isActive: () => true,
    isLive: () => true,
    reported: (presences, at) => heard.resolve({ presences, at }),
    signal: stopping.signal,
  });
  await service.ask(ben, api.presence.report, { status: 'active' });
  const { presences, at } = await heard.promise;
  expect(presences[ben]?.['aggregated']).toMatchObject({ status: 'active' });
  expect(presences[ada]?.['aggregated']).toMatchObject({ status: 'active' });
  // The clock of the service, by which all of this is dated.
  expect(Math.floor(at ?? 0)).toBeGreaterThanOrEqual(
    presences[ada]?.['aggregated']?.timestamp ?? 0,
  );
  const events = await queue.now();
  expect(events.filter((event) => 'email' in event && event.email === ben)).toEqual([]);
});

test.each([
  ['whoever has the window in front', true, 0, 'active'],
  ['a window in front of which nobody is', true, null, 'idle'],
  ['whoever is in another window', false, 0, 'idle'],
] as const)('%s is reported as it is', async (_, isFocused, hereSinceMs, status) => {
  const { service: model, session, clock, window } = await startSession();
  Object.assign(window, { isFocused, hereSinceMs });
  await clock.advance(3_000);
  expect(model.to('/users/me/presence').map(({ params }) => params['status'])).toEqual([status]);
  await session.stop();
});
