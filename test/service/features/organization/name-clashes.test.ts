import { expect, test } from 'vitest';
import { loadConfusables } from '#node/confusables.ts';
import { startClashSearch } from '#service/features/organization/operations/name-clashes.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { openForTest, plainStream, seedRealm } from '#test/support/service/store.ts';

test('names that look alike are in the log soon after a start, though nobody asks, and once', async () => {
  const store = await openForTest();
  const streams = ['general', 'generаl'].map((name) => ({
    stream: plainStream(name),
    memberIds: [1],
  }));
  await seedRealm(store, { roles: ['admin'], streams });
  const clock = new FakeClock();
  const named: unknown[] = [];
  const all = Promise.withResolvers<undefined>();
  const search = startClashSearch({
    ...{ store, clock, loadConfusables },
    log: {
      info: () => undefined,
      error: (_message, cause) => all.reject(cause),
      warn(_message, details) {
        named.push(details);
        if (named.length === 2) all.resolve(undefined);
      },
    },
  });
  expect(named).toEqual([]);
  await clock.advance(1000);
  await all.promise;
  await search.finish();
  await search.stop();
  expect(named).toEqual([
    { kind: 'stream', id: 1, name: 'general', looks_like: [2] },
    { kind: 'stream', id: 2, name: 'generаl', looks_like: [1] },
  ]);
});
