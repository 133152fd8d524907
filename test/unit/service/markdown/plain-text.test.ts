import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderPlainText } from '#service/markdown/plain-text.ts';
import { renderMessage, renderPlain } from '#service/markdown/render.ts';
import { context, markup } from './directory.ts';

const markupWithout = { ...markup, linkifiers: [] };

test.each([
  ['See you at 5, then!', '<p>See you at 5, then!</p>'],
  [
    'It is **not now** but **later**',
    '<p>It is <strong>not now</strong> but <strong>later</strong></p>',
  ],
  ['Ünïcode “no”', undefined],
  ['Wait... what?', '<p>Wait... what?</p>'],
  ['look at example.com', undefined],
  ['1. a list', undefined],
  ['/me waves', undefined],
  ['two\nlines', undefined],
  ['a **bold * star**', undefined],
])('a text without markup needs no parser: %s', (text, html) => {
  expect(renderPlainText(text)).toBe(html);
});

const word = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.stringMatching(/^[a-zA-Zäöüßñøåçéλ你か][a-z0-9'"(),!?;-]{0,6}\.{0,3}$/),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        '**',
        '*',
        '_a_',
        'ℹ',
        'e.g.',
        ':tada:',
        '1.',
        '-',
        '--',
        '@',
        '#',
        'www.a.de',
        '()',
        '\n',
      ],
    ),
  },
);
const strong = word.map((each) => `**${each}**`);
const text = fc
  .array(
    fc.tuple(fc.oneof({ weight: 4, arbitrary: word }, strong), fc.constantFrom('', ' ', '  ')),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) =>
    parts
      .map(([each, more]) => `${each}${more} `)
      .join('')
      .trimEnd(),
  );

test('a text without markup is what the parser makes of it', () => {
  let plain = 0;
  fc.assert(
    fc.property(text, (content) => {
      const rendered = renderPlain(content, markupWithout);
      if (rendered === undefined) return;
      plain += 1;
      expect(rendered).toEqual(renderMessage(content, { ...context, markup: markupWithout }));
    }),
    { numRuns: 3000 },
  );
  // Else it would say nothing of what goes past the parser.
  expect(plain).toBeGreaterThan(300);
});

test('a text is for the parser where an organization has patterns of its own', () => {
  expect(renderPlain('See you', markupWithout)).toBeDefined();
  expect(renderPlain('See you', markup)).toBeUndefined();
});
