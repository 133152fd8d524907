import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeMarkdown,
  mentionCandidates,
  renderDescription,
  renderMessage,
  subjectLinks,
} from '../../../src-main/service/markdown/render.ts';
import { sanitize } from '../../../src-main/service/markdown/sanitize.ts';
import { directory, htmlOf } from './directory.ts';
import { asShown, scanHtml } from './scan-html.ts';

const attributes: Record<string, readonly string[]> = {
  a: ['class', 'data-stream-id', 'href', 'title'],
  span: ['class', 'data-user-id'],
  div: ['class', 'data-code-language'],
  ol: ['start'],
  th: ['align'],
  td: ['align'],
};
const tags = new Set([
  ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'a', 'span', 'div', 'blockquote'],
  ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
]);
const classes = new Set([
  'stream',
  'stream-topic',
  'user-mention',
  'user-mention silent',
  'codehilite',
]);
const href = /^(?:(?:https?|ftp|mailto|file|bitcoin|tel):|\/(?![/\\])|#)/i;

function expectSafe(html: string): void {
  const scan = scanHtml(html);
  expect(scan.faults).toEqual([]);
  for (const tag of scan.tags) {
    expect(tags).toContain(tag.name);
    for (const name of Object.keys(tag.attributes)) expect(attributes[tag.name]).toContain(name);
    if (tag.attributes['class'] !== undefined) expect(classes).toContain(tag.attributes['class']);
    if (tag.attributes['href'] !== undefined) expect(tag.attributes['href']).toMatch(href);
  }
}

const pieces = [
  ...[
    '**',
    '*',
    '~~',
    '`',
    '```',
    '~~~',
    '````quote',
    '```py',
    '> ',
    '>',
    '- ',
    '1. ',
    '  ',
    '    ',
  ],
  ...[
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    ' ',
    '|',
    '|-|',
    ':-:',
    '# ',
    '#',
    '---',
    '\\',
    '_',
    '!',
    '&',
    '<',
  ],
  ...[
    '[',
    ']',
    '(',
    ')',
    '](',
    '[t](',
    ')',
    '"',
    "'",
    '<b>',
    '</p>',
    '<!--',
    '&lt;',
    '&#106;',
    '.',
  ],
  ...[
    'javascript:',
    'JAVASCRIPT:alert(1)',
    'data:text/html,',
    'vbscript:',
    'http://',
    'x.com',
    '/x',
  ],
  ...[
    '@**Ada Admin**',
    '@_**all**',
    '@**',
    '#**ops**',
    '#**ops>',
    '#**',
    'a@x.com',
    '://',
    '//x.com',
  ],
  ...[
    '@**Ö <b>&"x**',
    ' onclick="x"',
    '" onmouseover="x',
    'é',
    '「',
    '😀',
    '\ud800',
    '\u2060',
    '/me ',
  ],
  ...[
    'a',
    'b1',
    '$$',
    ':tada:',
    '<time:',
    '+',
    '1984.',
    '\u00a0',
    '\u2028',
    '\f',
    '/user_uploads/a.png',
  ],
];
const anyText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((p) => p.join('')),
  },
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: fc.nat(0xffff).map((c) => String.fromCharCode(c)), maxLength: 60 }),
  fc.string({ maxLength: 80 }),
);
const runs = { numRuns: 2000 };

describe('any text', () => {
  it('renders to whitelisted, well-formed HTML, and to the same each time', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const rendered = renderMessage(text, directory);
        expectSafe(rendered.html);
        expect(renderMessage(text, directory)).toEqual(rendered);
      }),
      runs,
    );
  });

  it('is left alone by the sanitizer once rendered', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const html = htmlOf(text);
        expect(sanitize(html)).toBe(html);
      }),
      runs,
    );
  });

  it('makes a safe description without mentions, and safe topic links', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const html = renderDescription(text);
        expectSafe(html);
        expect(html).not.toContain('user-mention');
        for (const link of subjectLinks(text)) expect(link).toMatch(/^(?:https?|ftp):\/\//i);
      }),
      runs,
    );
  });

  it('looks up nothing that the candidates do not name', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { names, userIds, streamNames } = mentionCandidates(text);
        const asked = { names: [] as string[], userIds: [] as number[], streams: [] as string[] };
        renderMessage(text, {
          findUsersByName: (name) => (asked.names.push(name), []),
          findUser: (userId) => (asked.userIds.push(userId), undefined),
          findStreamByName: (name) => (asked.streams.push(name), undefined),
        });
        expect(names).toEqual(expect.arrayContaining(asked.names));
        expect(userIds).toEqual(expect.arrayContaining(asked.userIds));
        expect(streamNames).toEqual(expect.arrayContaining(asked.streams));
      }),
      runs,
    );
  });
});

describe('escaped text', () => {
  const plainTags = new Set(['p', 'br']);

  it('is shown as it is, with no mention, link or markup', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const rendered = renderMessage(escapeMarkdown(text), directory);
        const scan = scanHtml(rendered.html);
        expect(scan.tags.filter((tag) => !plainTags.has(tag.name))).toEqual([]);
        expect(asShown(scan.text)).toBe(asShown(text.replaceAll('\0', '\ufffd')));
        expect(rendered).toMatchObject({
          mentionedUserIds: [],
          hasLink: false,
          isMeMessage: false,
        });
        expect(rendered.hasWildcardMention).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it('does not break the markup that an integration puts around it', () => {
    const oneLine = anyText
      .map((text) => text.replace(/\s+/g, ' ').replaceAll('\0', '').trim())
      .filter((text) => asShown(text) === text && text !== '');
    fc.assert(
      fc.property(oneLine, (text) => {
        const value = escapeMarkdown(text);
        const linked = scanHtml(htmlOf(`Opened [${value}](http://h.test/1) by **${value}**.`));
        expect(linked.tags.map((tag) => tag.name).join(' ')).toBe('p a a strong strong p');
        expect(asShown(linked.text)).toBe(`Opened ${text} by ${text}.`);
      }),
      runs,
    );
  });

  it('stays readable as source', () => {
    expect(escapeMarkdown('Fix #12: snake_case in v1.2 (see -x, a/b)')).toBe(
      'Fix #12: snake_case in v1.2 (see -x, a/b)',
    );
    expect(escapeMarkdown('@**all** *x* a.com\n# H\n- i\n1. n')).toBe(
      '\\@\\*\\*all\\*\\* \\*x\\* a\\.com\n\\# H\n\\- i\n1\\. n',
    );
  });
});

describe('the sanitizer', () => {
  it.each<readonly [string, string]>([
    ['<script>x</script><p>a</p>', '<p>a</p>'],
    ['<p onclick="x" style="y" class="z" id="i">a</p>', '<p>a</p>'],
    ['<a href="javascript:x">a</a>', '<a>a</a>'],
    ['<a href="//x.com">a</a>', '<a>a</a>'],
    ['<img src="x" onerror="y"><iframe src="z"></iframe>', ''],
    ['<span class="user-mention evil">a</span>', '<span class="user-mention">a</span>'],
    ['<td align="evil">a</td>', '<td align>a</td>'],
    ['<p>a<br>&lt;br /&gt;</p>', '<p>a<br>&lt;br /&gt;</p>'],
  ])('%j becomes %j', (html, clean) => {
    expect(sanitize(html)).toBe(clean);
  });
});

describe('hostile messages of full length', () => {
  const full = (unit: string): string =>
    unit.repeat(Math.ceil(10_000 / unit.length)).slice(0, 10_000);
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
    ['a long e-mail address', `${'a'.repeat(9000)}@${'b.'.repeat(300)}com`],
  ];

  it.each(hostile)('%s renders, and does not swell', (_name, content) => {
    const { html } = renderMessage(content, directory);
    expect(html.length).toBeLessThan(40 * content.length);
    expect(scanHtml(html).faults).toEqual([]);
    expect(htmlOf(escapeMarkdown(content)).length).toBeLessThan(40 * content.length);
    mentionCandidates(content);
    subjectLinks(content);
  });

  it('keeps the text of what is nested too deep', () => {
    expect(scanHtml(htmlOf(`${'> '.repeat(500)}deep`)).text).toContain('deep');
    expect(scanHtml(htmlOf(`${'- '.repeat(500)}deep`)).text).toContain('deep');
    expect(scanHtml(htmlOf(`${'['.repeat(500)}deep`)).text).toContain('deep');
  });
});
