import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type VisibleRange,
  hasPassed,
  type MessageRange,
  rangeTo,
  withRange,
} from '#renderer/lib/passed-messages.ts';

const MESSAGES = 60;
const glance: fc.Arbitrary<VisibleRange> = fc
  .tuple(fc.nat(MESSAGES - 1), fc.nat(12))
  .map(([firstId, more]) => ({ firstId, lastId: Math.min(firstId + more, MESSAGES - 1) }));
const idsOf = ({ fromId, toId }: MessageRange): readonly number[] =>
  Array.from({ length: toId - fromId + 1 }, (_, index) => fromId + index);

/** A step of one message at a time instead of a jump: what comes into sight on the way. */
function walked(from: VisibleRange, to: VisibleRange): readonly number[] {
  if (to.firstId < from.firstId) return idsOf({ fromId: to.firstId, toId: to.lastId });
  return idsOf({ fromId: from.firstId, toId: Math.max(from.lastId, to.lastId) }).filter(
    (id) => id <= from.lastId || id <= to.lastId,
  );
}

test('who goes down in jumps passes what they would pass in single steps, and up only what they see', () => {
  fc.assert(
    fc.property(fc.array(glance, { minLength: 1, maxLength: 12 }), (glances) => {
      const seen = new Set<number>();
      let passages: readonly MessageRange[] = [];
      let stood: VisibleRange | null = null;
      for (const next of glances) {
        for (const id of walked(stood ?? next, next)) seen.add(id);
        const passage = rangeTo(stood?.firstId ?? null, next);
        passages = withRange(passages, passage);
        expect(hasPassed(passages, passage)).toBe(true);
        stood = next;
      }
      expect(passages.flatMap(idsOf)).toEqual([...seen].sort((a, b) => a - b));
    }),
  );
});

test('passages are in order and apart from each other, whatever is added', () => {
  const passage = glance.map(({ firstId, lastId }) => ({ fromId: firstId, toId: lastId }));
  fc.assert(
    fc.property(fc.array(passage, { maxLength: 12 }), (added) => {
      const passages = added.reduce(withRange, []);
      passages.forEach(({ fromId }, index) => {
        const before = passages[index - 1];
        if (before !== undefined) expect(fromId).toBeGreaterThan(before.toId + 1);
      });
      const ids = new Set(added.flatMap(idsOf));
      expect(passages.flatMap(idsOf)).toEqual([...ids].sort((a, b) => a - b));
    }),
  );
});
