import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Slotted, SlotSet } from '#service/events/slot-set.ts';

test('a gathering has in it whoever came and did not go, whatever the order', () => {
  const Step = fc.tuple(fc.boolean(), fc.nat(9));
  fc.assert(
    fc.property(fc.array(Step, { maxLength: 80 }), (steps) => {
      const people = Array.from({ length: 10 }, (): Slotted => ({ slot: -1 }));
      const gathering = new SlotSet<Slotted>();
      const model = new Set<Slotted>();
      for (const [comes, index] of steps) {
        const person = people[index]!;
        if (comes && !model.has(person)) {
          model.add(person);
          gathering.add(person);
        } else if (!comes) {
          expect(gathering.remove(person)).toBe(model.delete(person));
        }
        expect(gathering.size).toBe(model.size);
        expect(new Set(gathering.members())).toEqual(model);
        expect(gathering.members()).toHaveLength(model.size);
      }
    }),
  );
});
