import fc from 'fast-check';
import { expect, test } from 'vitest';
import { listBytes } from '../../../src-main/service/events/list-bytes.ts';
import { share, variationOf, vary } from '../../../src-main/service/events/variations.ts';

const texts = fc.array(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  { minLength: 1, maxLength: 12 },
);
const shown = (list: readonly string[]): string => Buffer.concat(listBytes(list)).toString();

test('a list that differs from a shared one in some places has the bytes of its own texts', () => {
  fc.assert(
    fc.property(texts, fc.infiniteStream(fc.boolean()), fc.string(), (list, choices, text) => {
      const at = [...list.keys()].filter(() => choices.next().value);
      const varied = vary(share(list), at, (index) => JSON.stringify(`${text}${String(index)}`));
      expect(shown(list)).toBe(`[${list.join(',')}]}`);
      expect(shown(varied)).toBe(`[${varied.join(',')}]}`);
      expect(varied.filter((each, index) => each !== list[index]).length).toBeLessThanOrEqual(
        at.length,
      );
    }),
  );
});

test('a list is put into bytes once for all who share it, and only where a variation differs', () => {
  const list = share(['"one"', '"two"', '"three"']);
  const [whole] = listBytes(list);
  expect(listBytes(list)[0]).toBe(whole);
  const pieces = listBytes(vary(list, [1], () => '"zwei"'));
  expect(pieces.map((piece) => piece.buffer === whole!.buffer)).toEqual([true, false, true]);
  expect(variationOf(['"alone"'])).toBeUndefined();
  expect(shown(['"alone"'])).toBe('["alone"]}');
  expect(shown([])).toBe('[]}');
});
