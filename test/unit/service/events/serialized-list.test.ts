import fc from 'fast-check';
import { expect, test } from 'vitest';
import { serializedList } from '#service/events/serialized-list.ts';
import { markShared, variationOf, withReplaced } from '#service/events/shared-variants.ts';

const texts = fc.array(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  { minLength: 1, maxLength: 12 },
);
/** Above this size it is pieces. */
const LONG = 5000;

const shown = (list: readonly string[]): string => {
  const { json, tail } = serializedList('{"events":', list);
  return json + Buffer.concat(tail).toString();
};
const whole = (list: readonly string[]): string => `{"events":[${list.join(',')}]}`;

test('a list of events is what its texts are, however it came about and however long it is', () => {
  const cases = fc.tuple(texts, fc.infiniteStream(fc.boolean()), fc.string(), fc.boolean());
  fc.assert(
    fc.property(cases, ([short, choices, text, isLong]) => {
      const list = isLong ? [JSON.stringify('é'.repeat(LONG)), ...short] : short;
      const at = [...list.keys()].filter(() => choices.next().value);
      const varied = withReplaced(markShared(list), at, (index) =>
        JSON.stringify(`${text}${String(index)}`),
      );
      for (const each of [list, varied, [...varied]]) expect(shown(each)).toBe(whole(each));
    }),
  );
});

test('a list is put into bytes once for all who share it, and only where a variation differs', () => {
  const list = markShared(['"one"', `"${'x'.repeat(LONG)}"`, '"three"']);
  const [bytes] = serializedList('', list).tail;
  expect(serializedList('', list).tail[0]).toBe(bytes);
  const { tail } = serializedList(
    '',
    withReplaced(list, [0], () => '"eins"'),
  );
  expect(tail.map((piece) => piece.buffer === bytes!.buffer)).toEqual([true, false, true]);
  expect(variationOf(['"alone"'])).toBeUndefined();
  expect(shown([])).toBe('{"events":[]}');
});
