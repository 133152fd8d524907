import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type QueuedEvent, QueueBuffer } from '#service/events/queue-buffer.ts';

const pendingOf = (id: number): QueuedEvent => ({
  event: { id, type: 'test', audience: { kind: 'realm' }, payload: {} },
  flags: [],
});

/** How far each id lies above the one before, and what happens to an id that was given; ids are counted from the newest. */
const doings = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ add: fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 }) }),
    },
    { weight: 2, arbitrary: fc.record({ acknowledge: fc.nat({ max: 12 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ remove: fc.array(fc.nat({ max: 12 }), { maxLength: 4 }) }),
    },
    { weight: 1, arbitrary: fc.constant({ clear: true }) },
    // More than the table keeps its places for.
    { weight: 1, arbitrary: fc.record({ flood: fc.integer({ min: 1025, max: 1030 }) }) },
  ),
  { maxLength: 30 },
);

test('what waits is what was added, less what was acknowledged or removed', () => {
  fc.assert(
    fc.property(doings, fc.nat({ max: 12 }), fc.integer({ min: 1, max: 5 }), (all, back, limit) => {
      const pending = new QueueBuffer();
      let model: readonly QueuedEvent[] = [];
      let newestId = 0;
      const add = (steps: readonly number[]): void => {
        const found = steps.map((step) => pendingOf((newestId += step)));
        pending.add(found);
        model = [...model, ...found];
      };
      for (const doing of all) {
        if ('add' in doing) add(doing.add);
        if ('flood' in doing) for (let left = doing.flood; left > 0; left--) add([1]);
        if ('acknowledge' in doing) {
          const id = newestId - doing.acknowledge;
          pending.acknowledge(id);
          model = model.filter(({ event }) => event.id > id);
        }
        if ('remove' in doing) {
          const ids = new Set(doing.remove.map((each) => newestId - each));
          const gone = new Set(model.filter(({ event }) => ids.has(event.id)));
          pending.remove(gone);
          model = model.filter((each) => !gone.has(each));
        }
        if ('clear' in doing) {
          pending.clear();
          model = [];
        }
        expect(pending.after(0)).toEqual(model);
        expect(pending.length).toBe(model.length);
        expect(pending.firstId).toBe(model[0]?.event.id);
        expect(pending.lastId).toBe(model.at(-1)?.event.id ?? 0);
        const rest = model.filter(({ event }) => event.id > newestId - back);
        expect(pending.after(newestId - back, limit)).toEqual(rest.slice(0, limit));
      }
    }),
  );
});

test('a piece that is all there is to be told is told as it is, and is never changed', () => {
  const pending = new QueueBuffer();
  const [first, second] = [[pendingOf(1), pendingOf(2)], [pendingOf(3)]].map(Object.freeze) as [
    readonly QueuedEvent[],
    readonly QueuedEvent[],
  ];
  pending.add(first);
  expect(pending.after(0)).toBe(first);
  pending.add(second);
  expect(pending.after(2)).toBe(second);
  pending.acknowledge(1);
  pending.remove(new Set(second));
  expect(pending.after(0)).toEqual([first[1]]);
  expect([first, second].map(({ length }) => length)).toEqual([2, 1]);
});
