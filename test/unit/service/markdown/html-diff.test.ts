import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { markChanges } from '#service/markdown/html-diff.ts';
import { cpuMsOf } from '#test/support/cpu.ts';

const inserted = (text: string): string => `<span class="highlight_text_inserted">${text}</span>`;
const deleted = (text: string): string => `<span class="highlight_text_deleted">${text}</span>`;

const formula = (tex: string): string =>
  `<span class="katex"><math><mi>${tex}</mi><annotation>${tex}</annotation></math></span>`;

describe('the marked difference', () => {
  test.each<[string, string, string, string]>([
    ['of equal texts is the text', '<p>same</p>', '<p>same</p>', '<p>same</p>'],
    [
      'marks a word that took the place of another',
      '<p>doen now</p>',
      '<p>done now</p>',
      `<p>${deleted('doen')}${inserted('done')} now</p>`,
    ],
    ['marks an added word', '<p>a</p>', '<p>a b</p>', `<p>a${inserted(' b')}</p>`],
    ['marks a removed word', '<p>a b</p>', '<p>a</p>', `<p>a${deleted(' b')}</p>`],
    [
      'never puts a tag into a mark',
      '<p>a</p>',
      '<p><strong>a</strong> <em>b</em></p>',
      `<p><strong>a</strong> <em>${inserted('b')}</em></p>`,
    ],
    [
      'shows what a removed tag held, not the tag',
      '<p>x <strong>y</strong></p>',
      '<p>x</p>',
      `<p>x${deleted(' y')}</p>`,
    ],
    [
      'puts removed text where text may stand',
      '<ul>\n<li>a</li>\n<li>b</li>\n</ul>',
      '<ul>\n<li>a</li>\n</ul>',
      `<ul>\n<li>a</li>\n</ul>${deleted('b\n')}`,
    ],
    [
      'takes an entity as one sign',
      '<p>a &lt; b</p>',
      '<p>a &gt; b</p>',
      `<p>a ${deleted('&lt;')}${inserted('&gt;')} b</p>`,
    ],
    [
      'keeps elements without an end',
      '<p>a</p>',
      '<p>a<br>\nb</p>',
      `<p>a<br>${inserted('\nb')}</p>`,
    ],
    [
      'takes a formula as one piece',
      `<p>${formula('x')} is</p>`,
      `<p>${formula('y')} is</p>`,
      `<p>${deleted(formula('x'))}${inserted(formula('y'))} is</p>`,
    ],
  ])('%s', (_, before, after, expected) => {
    expect(markChanges(before, after)).toBe(expected);
  });

  test('the difference of texts with more changes than are compared is all of both', () => {
    expect(markChanges('<p>a b c</p>', '<p>d b e</p>', 2)).toBe(
      `${deleted('a b c')}<p>${inserted('d b e')}</p>`,
    );
  });

  test('the difference of texts without anything in common is all of both, and takes no time', () => {
    const words = (word: string): string =>
      `<p>${Array.from({ length: 3000 }, (_, index) => `${word}${index}`).join(' ')}</p>`;
    let marked = '';
    expect(cpuMsOf(() => (marked = markChanges(words('a'), words('b'))))).toBeLessThan(1000);
    expect(unmarked(marked)).toBe(words('b'));
    expect(marked).toContain('a2999');
  });
});

/** The tags of a text, as far as they nest. */
function depthOf(html: string): number | undefined {
  const open: string[] = [];
  for (const [, slash, name = ''] of html.matchAll(/<(\/?)([a-z0-9]+)(?![a-z0-9])[^<>]*>/g)) {
    if (name === 'br' || name === 'hr' || name === 'img') continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) return undefined;
  }
  return open.length;
}

/** Without deleted spans, inserted ones unwrapped; formulas hold spans of their own, so spans are counted. */
function unmarked(html: string): string {
  const pieces = html.match(/<[^<>]*>|[^<]+/g) ?? [];
  const spans: ('inserted' | 'deleted' | 'other')[] = [];
  let text = '';
  for (const piece of pieces) {
    const mark = /^<span class="highlight_text_(inserted|deleted)">$/.exec(piece)?.[1];
    let isMark = mark !== undefined;
    if (piece.startsWith('<span')) spans.push((mark as 'inserted' | undefined) ?? 'other');
    const isInDeleted = spans.includes('deleted');
    if (piece === '</span>') isMark = spans.pop() !== 'other';
    if (!isMark && !isInDeleted) text += piece;
  }
  return text;
}

const seen = (html: string): string => html.replace(/<[^<>]*>/g, '').replace(/\s+/g, '');
const withoutInserted = (html: string): string =>
  html.replace(/<span class="highlight_text_inserted">[^<]*<\/span>/g, '');

const word = fc.constantFrom('a', 'b', 'deploy', '&lt;', '&#39;', '.', 'é', '🎉', '1');
const line = fc
  .array(word, { minLength: 1, maxLength: 6 })
  .chain((words) => fc.constantFrom(words.join(' '), words.join('')));
const inline: fc.Arbitrary<string> = fc.oneof(
  line,
  line.map((text) => `<strong>${text}</strong>`),
  line.map((text) => `<a href="https://x.example/?a&amp;b" title="t">${text}</a>`),
  line.map((text) => `<code>${text}</code>`),
);
const paragraph = fc
  .array(inline, { minLength: 1, maxLength: 4 })
  .map((parts) => `<p>${parts.join(' ')}</p>`);
const block: fc.Arbitrary<string> = fc.oneof(
  paragraph,
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((items) => `<ul>\n${items.map((item) => `<li>${item}</li>`).join('\n')}\n</ul>`),
  paragraph.map((text) => `<blockquote>\n${text}\n</blockquote>`),
  fc.tuple(line, line).map(([a, b]) => `<p>${a}<br>\n${b}</p>`),
  fc
    .tuple(line, line)
    .map(
      ([a, b]) =>
        `<table>\n<thead>\n<tr>\n<th>${a}</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>${b}</td>\n</tr>\n</tbody>\n</table>`,
    ),
);
const html = fc.array(block, { maxLength: 4 }).map((blocks) => blocks.join('\n'));

describe('for any two texts, the marked difference', () => {
  test('the difference is the newer text, to the letter, once the marks are taken away', () => {
    fc.assert(
      fc.property(html, html, (before, after) => {
        expect(unmarked(markChanges(before, after))).toBe(after);
      }),
    );
  });

  test('the difference shows everything that the older text showed', () => {
    fc.assert(
      fc.property(html, html, (before, after) => {
        expect(seen(withoutInserted(markChanges(before, after)))).toBe(seen(before));
      }),
    );
  });

  test('the difference has paired tags, and no marks but the two', () => {
    fc.assert(
      fc.property(html, html, (before, after) => {
        const marked = markChanges(before, after);
        expect(depthOf(marked)).toBe(0);
        const spans = marked.match(/<span[^>]*>/g) ?? [];
        expect(spans.filter((span) => !/^<span class="highlight_text_(in|de)/.test(span))).toEqual(
          [],
        );
      }),
    );
  });

  test('the difference marks nothing where nothing changed', () => {
    fc.assert(
      fc.property(html, (text) => {
        expect(markChanges(text, text)).toBe(text);
      }),
    );
  });
});
