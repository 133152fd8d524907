import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applied,
  coded,
  difference,
  linked,
  prefixed,
  shifted,
  wrapped,
  type Selection,
  type TextEdit,
} from '#renderer/lib/writing/text-edit.ts';

/** `[` and `]` are the ends of the selection. */
function selected(marked: string): { readonly text: string; readonly at: Selection } {
  const start = marked.indexOf('‹');
  const text = marked.replace('‹', '');
  return { text: text.replace('›', ''), at: { start, end: text.indexOf('›') } };
}
const shown = (text: string, edit: TextEdit): string => {
  const after = applied(text, edit);
  return `${after.slice(0, edit.start)}‹${after.slice(edit.start, edit.end)}›${after.slice(edit.end)}`;
};

test.each([
  ['a ‹word› b', 'a **‹word›** b'],
  ['a **‹word›** b', 'a ‹word› b'],
  ['a ‹word › b', 'a **‹word›**  b'],
  ['a ‹›b', 'a **‹›**b'],
])('bold: %s becomes %s', (before, after) => {
  const { text, at } = selected(before);
  expect(shown(text, wrapped(text, at, '**'))).toBe(after);
});

test('italic around bold does not take half of the bold away', () => {
  const { text, at } = selected('**‹word›**');
  expect(shown(text, wrapped(text, at, '*'))).toBe('***‹word›***');
});

test.each([
  ['‹site›', '[site](‹https://›)'],
  ['a ‹›', 'a [‹›](https://)'],
])('link: %s becomes %s', (before, after) => {
  const { text, at } = selected(before);
  expect(shown(text, linked(text, at))).toBe(after);
});

test.each([
  ['‹one\ntwo›', '‹> one\n> two›'],
  ['‹> one\n> two›', '‹one\ntwo›'],
  ['x\non‹›e', 'x\n> one‹›'],
])('quote: %s becomes %s', (before, after) => {
  const { text, at } = selected(before);
  expect(shown(text, prefixed(text, at, '> '))).toBe(after);
});

test('code within a line has marks, over lines a fence', () => {
  const line = selected('a ‹b› c');
  expect(shown(line.text, coded(line.text, line.at))).toBe('a `‹b›` c');
  const lines = selected('a ‹b\nc› d');
  expect(applied(lines.text, coded(lines.text, lines.at))).toBe('a \n```\nb\nc\n```\n d');
  const fenced = selected('‹```\na\n```›');
  expect(applied(fenced.text, coded(fenced.text, fenced.at))).toBe('````\n```\na\n```\n````');
});

test('a place outside of what changed keeps what stands on both its sides', () => {
  const text = fc.string({ maxLength: 12 });
  fc.assert(
    fc.property(text, text, text, fc.nat(12), (lead, old, fresh, offset) => {
      const tail = 'T'.repeat(4);
      const before = `L${lead}<${old}>${tail}`;
      const after = `L${lead}<${fresh}>${tail}`;
      const inLead = Math.min(offset, lead.length);
      expect(shifted(inLead, before, after)).toBe(inLead);
      const inTail = before.length - Math.min(offset, 3);
      expect(after.length - shifted(inTail, before, after, 'behind')).toBe(before.length - inTail);
      const anywhere = shifted(Math.min(offset, before.length), before, after);
      expect(anywhere).toBeGreaterThanOrEqual(0);
      expect(anywhere).toBeLessThanOrEqual(after.length);
    }),
  );
});

test('what is put in exactly at a place goes behind an anchor and before a caret', () => {
  expect(shifted(1, 'ab', 'axb')).toBe(1);
  expect(shifted(1, 'ab', 'axb', 'behind')).toBe(2);
  expect(shifted(2, 'ab', 'abx')).toBe(2);
  expect(shifted(2, 'ab', 'abx', 'behind')).toBe(3);
});

test('the difference of two texts makes one of the other', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const edit = difference(before, after, { start: 0, end: before.length });
      expect(applied(before, edit)).toBe(after);
    }),
  );
});
