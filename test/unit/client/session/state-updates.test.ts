import { expect, test } from 'vitest';
import type { ClientState } from '#shared/bridge/models/client-state.ts';
import { StateChangeBatch } from '#client/session/state-updates.ts';

function createNews() {
  let nowMs = 1_700_000_000_000;
  const told: Partial<ClientState>[] = [];
  const notify = new StateChangeBatch({ now: () => nowMs }, (changes) => void told.push(changes));
  const after = (ms: number, changes: Partial<ClientState>): void => {
    nowMs += ms;
    notify.take(changes);
  };
  return { notify, told, after };
}

test('a change is told at once', () => {
  const { told, after } = createNews();
  after(0, { starredCount: 1 });
  after(0, { starredCount: 2 });
  expect(told).toEqual([{ starredCount: 1 }, { starredCount: 2 }]);
});

test('while many events come, changes are told together ten times a second, and the last ones at the end', () => {
  const { notify, told, after } = createNews();
  notify.collect(true);
  after(0, { starredCount: 1 });
  after(60, { starredCount: 2, alertWords: ['lunch'] });
  after(30, { starredCount: 3 });
  after(10, { starredCount: 4 });
  expect(told).toEqual([{ starredCount: 1 }, { starredCount: 4, alertWords: ['lunch'] }]);
  after(1, { starredCount: 5 });
  notify.collect(false);
  notify.collect(false);
  expect(told.slice(2)).toEqual([{ starredCount: 5 }]);
});

test('a clock that is set back holds nothing up', () => {
  const { notify, told, after } = createNews();
  notify.collect(true);
  after(0, { starredCount: 1 });
  after(-3_600_000, { starredCount: 2 });
  expect(told).toEqual([{ starredCount: 1 }, { starredCount: 2 }]);
});
