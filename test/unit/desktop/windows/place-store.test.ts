import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openPlaces } from '#desktop/windows/place-store.ts';
import { stderrLog } from '#node/log.ts';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'hearth-places-'));
});
afterAll(() => rm(dir, { recursive: true }));
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const stored = async (): Promise<string | undefined> =>
  (await openPlaces(dir, stderrLog)).place()?.place;

test('a place is on the disk when it was flushed, also where its writing had begun', async () => {
  const places = await openPlaces(dir, stderrLog);
  places.savePlace({ accountId: 'one', place: 'the kitchen' });
  await places.flush();
  expect(await stored()).toBe('the kitchen');

  places.savePlace({ accountId: 'one', place: 'the garden' });
  vi.advanceTimersByTime(60_000);
  await places.flush();
  expect(await stored()).toBe('the garden');

  places.savePlace({ accountId: 'one', place: 'the attic' });
  vi.advanceTimersByTime(60_000);
  places.savePlace({ accountId: 'one', place: 'the cellar' });
  await places.flush();
  expect(await stored()).toBe('the cellar');
});
