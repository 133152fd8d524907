import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enginesFor } from '#service/markdown/engines.ts';
import { compileLinkifier } from '#service/markdown/syntax/linkifiers.ts';
import {
  escapeMarkdown,
  mentionCandidates,
  renderMessage,
  subjectLinks,
} from '#service/markdown/render.ts';
import { cpuMsOf } from '#test/support/cpu.ts';
import { expectLinear } from '#test/support/growth.ts';
import { context, htmlOf, linkifiers, markup } from './directory.ts';
import { scanHtml } from '#test/support/service/markdown/scan-html.ts';

const MAX_BYTES = 10_000;
/** A pattern that backtracks takes minutes. */
const MAX_CPU_MS = 1000;
// The most that a byte may become: an emoji is a span of 130 characters and takes three bytes.
const MAX_SWELL = 60;

function expectBounded(content: string): void {
  let html = '';
  expect(cpuMsOf(() => ({ html } = renderMessage(content, context)))).toBeLessThan(MAX_CPU_MS);
  expect(html.length).toBeLessThanOrEqual(MAX_SWELL * Buffer.byteLength(content));
  expect(scanHtml(html).faults).toEqual([]);
}

describe('hostile messages of full length', () => {
  const full = (unit: string): string =>
    unit.repeat(Math.floor(MAX_BYTES / Buffer.byteLength(unit)));
  const growing = (line: (i: number) => string): string =>
    Array.from({ length: 200 }, (_, i) => line(i + 1))
      .join('')
      .slice(0, 10_000);
  const units = [
    ...[
      '[',
      ']',
      '*',
      '**',
      '_',
      '~~',
      '`',
      '>',
      '<',
      '|',
      '#',
      '!',
      '(',
      ')',
      '&',
      '\\',
      '"',
      ':',
      '@',
    ],
    ...[
      '![',
      '[[](',
      '](',
      '[a](',
      '[a](<',
      '[](a "',
      '[a](b) ',
      '[a][b]',
      '[a]: b\n',
      '[`',
      '`[',
      '*[',
    ],
    ...[
      '*a ',
      '**a ',
      '*a **b ',
      'a**b',
      '***',
      '~~a ',
      '_a',
      '`a',
      '``a`',
      '\\*',
      '- - ',
      '* *\n',
    ],
    ...[
      '- ',
      '- a\n',
      '1. ',
      '1. a\n',
      '  - a\n',
      '-\n',
      '> ',
      '>\n',
      '>- ',
      '> - a\n',
      '>-> ',
      '\n',
      '    a\n',
    ],
    ...[
      '```\n',
      '~~~\n',
      '```quote\n',
      '````quote\n',
      'a|b\n-|-\n',
      '|\n',
      '||\n|-|\n',
      '# ',
      '#\n',
      'a\n---\n',
    ],
    ...[
      '@**',
      '@**a**',
      '@**all**',
      '@**Ada Admin**',
      '@**[',
      '#**',
      '#**ops>a**',
      '@_**a|1** ',
      '\t',
      ' ',
    ],
    ...[
      'http://',
      'http://a',
      'http://a.b ',
      'http://a/(',
      'http://a/[((',
      'http://a/"',
      '://',
      'mailto:',
      'www.',
    ],
    ...[
      'a.',
      'a.com ',
      'a.b.',
      'a-',
      'a@',
      'a@b.com ',
      '@a.b',
      'xn--',
      'a/',
      '..a',
      '1.',
      '😀',
      'é',
      '。',
      'a:',
    ],
    ...[
      ':tada:',
      ':party:',
      ':a',
      ':',
      '⌚',
      '👍🏽',
      '👨‍👩‍👧',
      '1\ufe0f\u20e3',
      '🇩🇪',
      '\u200d',
      '\ufe0f',
    ],
    ...[
      '#1 ',
      '#1',
      'ABC-1,',
      '"#1"',
      'A',
      '@*helpers*',
      '@*',
      '<time:1>',
      '<time:',
      '<time:2030-05-01> ',
    ],
    ...[
      '$$',
      '$$x$$ ',
      '$$é$$ ',
      '$$\\frac ab$$',
      '$$a',
      '$$\\def\\a{xxxxxx}\\a\\a$$ ',
      '$ $',
      '$$\\$',
    ],
    ...['```math\n', '```math\nx\n```\n', '```spoiler a\n', '````spoiler\n', '```spoiler\n```\n'],
    ...[
      '```py\nimport x\n```\n',
      '```js\n',
      '```c\n/*\n```\n',
      'http://x.com/i.png ',
      '[a](/user_uploads/a.png)\n\n',
    ],
  ];
  const hostile: (readonly [string, string])[] = [
    ...units.map((unit) => [`${JSON.stringify(unit)} repeated`, full(unit)] as const),
    ['runs of backticks that grow', growing((i) => `${'`'.repeat(i)}a`)],
    ['a list that nests on every line', growing((i) => `${'  '.repeat(i)}- a\n`)],
    ['a quote that nests on every line', growing((i) => `${'> '.repeat(i)}a\n`)],
    ['quote fences inside each other', growing((i) => `${'`'.repeat(Math.max(3, 99 - i))}quote\n`)],
    ['brackets that close at the end', full('[').slice(0, 5000) + full(']').slice(0, 5000)],
    ['links inside each other', '[a'.repeat(2000) + '](b)'.repeat(1000)],
    [
      'a wide table with empty rows',
      `${'a|'.repeat(1000)}\n${'-|'.repeat(1000)}\n${'a\n'.repeat(2500)}`,
    ],
    ['a domain of many parts', `${full('a.').slice(0, 9990)}com`],
    ['a formula of full length', `$$${'x^2+'.repeat(2490)}$$`],
    [
      'a formula of a large matrix',
      `$$\\begin{matrix}${'&'.repeat(1500)}\\end{matrix}$$ `.repeat(6),
    ],
    [
      'formulas that repeat their macros',
      `$$\\def\\a{${'x'.repeat(1400)}}${'\\a'.repeat(700)}$$ `.repeat(3),
    ],
    ['formulas that double', `$$\\def\\a{xx}${'\\edef\\a{\\a\\a}'.repeat(30)}\\a$$ `.repeat(20)],
    ['a formula that nests', `$$${'\\frac{'.repeat(999)}x${'}{b}'.repeat(500)}$$`],
    ['formulas that overflow the stack', `$$${'\\left('.repeat(499)}$$ `.repeat(3)],
    ['spoilers inside each other', growing((i) => `${'`'.repeat(Math.max(3, 99 - i))}spoiler x\n`)],
    ...[
      'csharp\n' + 'def a'.repeat(70),
      'markdown\n' + '[a]('.repeat(90),
      'java\n' + '$'.repeat(390),
    ].map((start): readonly [string, string] => [
      `code that is hard to read: ${start.slice(0, 12)}`,
      `\`\`\`${start}\n${`${start.slice(start.indexOf('\n') + 1)}\n`.repeat(14)}`,
    ]),
    ['a long e-mail address', `${'a'.repeat(9000)}@${'b.'.repeat(300)}com`],
  ];

  it.each(hostile)('%s renders, and does not swell', (_name, content) => {
    expectBounded(content);
    expectBounded(escapeMarkdown(content).slice(0, MAX_BYTES));
    mentionCandidates(content);
    subjectLinks(content, linkifiers);
  });

  it('a message keeps the text of what is nested too deep', () => {
    expect(scanHtml(htmlOf(`${'> '.repeat(500)}deep`)).text).toContain('deep');
    expect(scanHtml(htmlOf(`${'- '.repeat(500)}deep`)).text).toContain('deep');
    expect(scanHtml(htmlOf(`${'['.repeat(500)}deep`)).text).toContain('deep');
  });

  it('any mixture of hostile messages renders in time [hostile.mixture-messages-renders]', () => {
    const mixture = fc
      .array(fc.tuple(fc.constantFrom(...units), fc.integer({ min: 1, max: 60 })), {
        minLength: 5,
        maxLength: 60,
      })
      .map((parts) =>
        full(
          parts
            .map(([unit, count]) => unit.repeat(count))
            .join('')
            .slice(0, 4000),
        ),
      );
    fc.assert(fc.property(mixture, expectBounded), { numRuns: 100 });
  });
});

describe('linkifiers of an organization that knows no measure', () => {
  const patterns = [
    'a(?:.*b)?',
    '[a-z ]{1,300}',
    '(?:[a-z]+ ?){1,90}',
    '[^ ]+',
    '(?:a|b|ab)+',
    '.+',
    '\\pL*.',
  ];
  const greedy = patterns.flatMap((pattern) =>
    Array.from({ length: 10 }, () => compileLinkifier(pattern, 'https://t.test/')),
  );

  it.each(['a ', 'a', 'ab ', 'a b c, ', 'é ', 'a\n', '"a" ', '# a\n', '* a\n'])(
    '%j takes bounded time [hostile.bounded-time]',
    (unit) => {
      const content = unit.repeat(Math.floor(MAX_BYTES / Buffer.byteLength(unit)));
      const ms = cpuMsOf(() => {
        renderMessage(content, { ...context, markup: { ...markup, linkifiers: greedy } });
        subjectLinks(content.slice(0, 60), greedy);
      });
      expect(ms).toBeLessThan(MAX_CPU_MS);
    },
  );
});

describe('the longest message takes four times the CPU time of a quarter of it', () => {
  const run = (content: string): unknown => renderMessage(content, context);

  it.each([
    ['full stops behind an address', (size: number) => `http://a/${'.'.repeat(size)}x`],
    ['signs of an e-mail address', (size: number) => `[a](a${'@'.repeat(size)}:b)`],
    ['backquotes', (size: number) => `${'`'.repeat(size)}x`],
    ['images in one line', (size: number) => 'http://a.bc/d.png '.repeat(size / 18)],
    ['beginnings of addresses', (size: number) => '://'.repeat(size / 3)],
    ['hosts without blanks', (size: number) => 'http://a.com吧'.repeat(size / 15)],
    ['letters that may end a host', (size: number) => `http://a${'.a吧'.repeat(size / 5)}`],
    ['colons of emoji', (size: number) => ':x:::'.repeat(size / 5)],
    ['quotes', (size: number) => '> '.repeat(size / 2)],
    ['brackets', (size: number) => '['.repeat(size)],
  ])('%s', async (_, make) => {
    await expectLinear({ make, run, size: 2400 });
  });

  it('fences that may be of math', async () => {
    const make = (size: number): string => '```'.repeat(size / 3);
    await expectLinear({ make, run: (content) => enginesFor(content, null), size: 2400 });
  });
});
