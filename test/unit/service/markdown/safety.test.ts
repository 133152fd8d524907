import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  escapeMarkdown,
  type MentionDirectory,
  mentionCandidates,
  renderDescription,
  renderMessage,
  subjectLinks,
} from '#service/markdown/render.ts';
import { isClean, sanitize, sanitizeStrictly } from '#service/markdown/sanitize.ts';
import { context, htmlOf, linkifiers } from './directory.ts';
import { asShown, scanHtml } from '#test/support/service/markdown/scan-html.ts';
import { shortOrLong } from '#test/support/long.ts';

const mathTags =
  'annotation math menclose mfrac mi mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics';
const mathAttributes =
  'accent accentunder columnalign columnlines columnspacing depth display displaystyle encoding fence height ' +
  'largeop linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize notation ' +
  'rowlines rowspacing rspace scriptlevel separator stretchy valign voffset width xmlns';
const attributes: Record<string, readonly string[]> = {
  a: ['class', 'data-stream-id', 'href', 'title'],
  span: ['aria-label', 'class', 'data-user-group-id', 'data-user-id', 'role', 'title'],
  div: ['aria-hidden', 'class', 'data-code-language'],
  img: ['alt', 'class', 'src', 'title'],
  time: ['datetime'],
  ol: ['start'],
  th: ['align'],
  td: ['align'],
  ...Object.fromEntries(mathTags.split(' ').map((tag) => [tag, mathAttributes.split(' ')])),
};
const tags = new Set([
  ...['p', 'br', 'hr', 'strong', 'em', 'del', 'code', 'pre', 'a', 'span', 'div', 'blockquote'],
  ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'img', 'time'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
  ...mathTags.split(' '),
]);
const classes =
  /^(?:stream|stream-topic|user-mention(?: silent)?|user-group-mention(?: silent)?|emoji(?: emoji-[0-9a-f-]+)?|katex|katex-display|tex-error|codehilite|message_inline_image|spoiler-(?:block|header|content)|[a-z][a-z0-9]?)$/;
const href = /^(?:(?:https?|ftp|mailto|file|bitcoin|tel):|\/(?![/\\])|#)/i;
const src = /^(?:https?:\/\/|\/user_(?:uploads|avatars)\/)/i;

function expectSafe(html: string): void {
  const scan = scanHtml(html);
  expect(scan.faults).toEqual([]);
  for (const tag of scan.tags) {
    expect(tags).toContain(tag.name);
    for (const name of Object.keys(tag.attributes)) expect(attributes[tag.name]).toContain(name);
    if (tag.attributes['class'] !== undefined) expect(tag.attributes['class']).toMatch(classes);
    if (tag.attributes['href'] !== undefined) expect(tag.attributes['href']).toMatch(href);
    if (tag.attributes['src'] !== undefined) expect(tag.attributes['src']).toMatch(src);
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
  ...[
    '#12',
    'ABC-1',
    ':party:',
    ':',
    '🎉',
    '👍🏽',
    '1\ufe0f\u20e3',
    '@*helpers*',
    '@*',
    '```spoiler ',
    '```math',
  ],
  ...[
    '$$',
    '\\frac',
    '\\href{javascript:x}{y}',
    '\\color{red}',
    '^{',
    '}',
    '\\text{',
    '<time:2030-05-01>',
  ],
  ...[
    'http://x.com/i.png',
    '[i](/user_uploads/1/i.png)',
    '```html',
    '<script>',
    'import x\n',
    '$$x^2$$',
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
const runs = { numRuns: shortOrLong(500, 2000) };

describe('any text', () => {
  it('any text renders to whitelisted, well-formed HTML, and to the same each time [safety.text-renders-whitelisted]', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const rendered = renderMessage(text, context);
        expectSafe(rendered.html);
        expect(renderMessage(text, context)).toEqual(rendered);
      }),
      runs,
    );
  });

  it('any text is left alone by the sanitizer once rendered', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const html = htmlOf(text);
        expect(sanitize(html)).toBe(html);
        expect(sanitizeStrictly(html)).toBe(html);
      }),
      runs,
    );
  });

  it('any text makes a safe description without mentions, and safe topic links', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const html = renderDescription(text);
        expectSafe(html);
        expect(html).not.toContain('user-mention');
        for (const link of subjectLinks(text, linkifiers))
          expect(link).toMatch(/^(?:https?|ftp):\/\//i);
      }),
      runs,
    );
  });

  it('the rendering of a text looks up nothing that the candidates do not name', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { names, userIds, streamNames, groupNames } = mentionCandidates(text);
        const asked = { names: [] as string[], groups: [] as string[], streams: [] as string[] };
        const askedIds: number[] = [];
        const directory: MentionDirectory = {
          findUsersByName: (name) => (asked.names.push(name), []),
          findUser: (userId) => (askedIds.push(userId), undefined),
          findStreamByName: (name) => (asked.streams.push(name), undefined),
          findGroup: (name) => (asked.groups.push(name), undefined),
        };
        renderMessage(text, { ...context, directory });
        expect(names).toEqual(expect.arrayContaining(asked.names));
        expect(userIds).toEqual(expect.arrayContaining(askedIds));
        expect(groupNames).toEqual(expect.arrayContaining(asked.groups));
        expect(streamNames).toEqual(expect.arrayContaining(asked.streams));
      }),
      runs,
    );
  });
});

describe('escaped text', () => {
  const plainTags = new Set(['p', 'br']);
  // What the organization links wherever it stands is linked here too.
  const unlinked = { ...context, markup: { ...context.markup, linkifiers: [] } };
  const withLiteralEmoji = (html: string): string =>
    html.replace(
      /<span aria-label="[^"]*" class="emoji emoji-([0-9a-f-]+)"[^>]*>[^<]*<\/span>/g,
      (_, code: string) =>
        String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16))),
    );
  // An emoji is the same with a variation selector as without.
  const shown = (text: string): string => asShown(text.replaceAll('\ufe0f', ''));

  it('escaped text is shown as it is, with no mention, link or markup', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const rendered = renderMessage(escapeMarkdown(text), unlinked);
        const scan = scanHtml(withLiteralEmoji(rendered.html));
        expect(scan.tags.filter((tag) => !plainTags.has(tag.name))).toEqual([]);
        expect(shown(scan.text)).toBe(shown(text.replaceAll('\0', '\ufffd')));
        expect(rendered).toMatchObject({
          mentionedUserIds: [],
          has_link: false,
          is_me_message: false,
        });
        expect(rendered.has_wildcard_mention).toBe(false);
      }),
      { numRuns: shortOrLong(1500, 5000) },
    );
  });

  it('escaped text does not break the markup that an integration puts around it', () => {
    const oneLine = anyText
      .map((text) => text.replace(/\s+/g, ' ').replaceAll('\0', '').trim())
      .filter((text) => asShown(text) === text && text !== '');
    fc.assert(
      fc.property(oneLine, (text) => {
        const value = escapeMarkdown(text);
        const source = `Opened [${value}](http://h.test/1) by **${value}**.`;
        const linked = scanHtml(withLiteralEmoji(renderMessage(source, unlinked).html));
        expect(linked.tags.map((tag) => tag.name).join(' ')).toBe('p a a strong strong p');
        expect(shown(linked.text)).toBe(shown(`Opened ${text} by ${text}.`));
      }),
      runs,
    );
  });

  it('escaped text stays readable as source', () => {
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
    ['<img src="x" onerror="y"><iframe src="z"></iframe>', '<img>'],
    ['<span class="user-mention evil">a</span>', '<span>a</span>'],
    ['<td align="evil">a</td>', '<td>a</td>'],
    ['<a href="/\t/x.com">a</a>', '<a>a</a>'],
    ['<img src="//x.com/a.png" class="emoji">', '<img class="emoji">'],
    ['<img src="data:image/png,x" alt="">', '<img>'],
    ['<time datetime="x" onclick="y">a</time>', '<time>a</time>'],
    [
      '<svg><style>x</style></svg><math><mglyph src="x"></mglyph><maction>a</maction></math>',
      '<math>a</math>',
    ],
    [
      '<math><mi href="javascript:x" style="y" mathcolor="expression(x)">a</mi></math>',
      '<math><mi>a</mi></math>',
    ],
    ['<annotation encoding="text/html"><b>a</b></annotation>', '<annotation>a</annotation>'],
    ['<annotation-xml encoding="text/html">a</annotation-xml>', 'a'],
    ['<span style="x" data-user-id="x" role="alert">a</span>', '<span>a</span>'],
    ['<p>a<br>&lt;br /&gt;</p>', '<p>a<br>&lt;br /&gt;</p>'],
  ])('%j becomes %j', (html, clean) => {
    expect(sanitize(html)).toBe(clean);
  });

  const names = [
    ...[
      'p',
      'br',
      'hr',
      'div',
      'span',
      'a',
      'li',
      'ul',
      'td',
      'tr',
      'table',
      'tbody',
      'math',
      'mi',
      'mtext',
    ],
    ...[
      'semantics',
      'annotation',
      'img',
      'pre',
      'h1',
      'blockquote',
      'mspace',
      'title',
      'svg',
      'script',
    ],
  ];
  const written = [
    ...[
      ' class="emoji"',
      ' class="user-mention"',
      ' href="http://x"',
      ' href="//x"',
      ' href="/\t/x"',
    ],
    ...[
      ' title="&quot;"',
      ' title=""',
      ' align="left"',
      ' encoding="application/x-tex"',
      ' src="/x"',
    ],
    ...[
      ' onclick="x"',
      ' datetime="x"',
      " title='x'",
      ' start="3"',
      ' title="&#106;"',
      ' title="&amp;lt;"',
    ],
    ...[
      ' title="a>b"',
      ' href="java&amp;script:x"',
      ' href="HTTP:x"',
      ' href="http:/\\x"',
      ' href="#"',
    ],
    ...[
      ' src="http://a b"',
      ' src="https://x/?a&amp;b"',
      ' href="mailto:\0x"',
      ' href="http&amp;colon;x"',
    ],
  ];
  const tag = fc
    .tuple(fc.constantFrom(...names), fc.subarray(written, { maxLength: 3 }))
    .map(([name, list]) => `<${name}${list.join('')}`);
  const soup = fc
    .array(
      fc.oneof(
        tag.chain((start) => fc.constantFrom(`${start}>`, `${start} />`, start)),
        fc.constantFrom(...names).map((name) => `</${name}>`),
        fc.constantFrom(
          ...['&amp;', '&lt;', '&quot;', '&', '<', '>', '"', "'", '<!--', '-->', '\0', '\r', ']]>'],
        ),
        fc.string({ maxLength: 4 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));
  const { nested } = fc.letrec<{ nested: string }>((tie) => ({
    nested: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(
        ...['a', '&amp;', '"', "'", '<br>', '<hr>', '\n', '\u0001', '\f', '&lt;', '<img src="/x">'],
      ),
      fc
        .tuple(tag, fc.array(tie('nested'), { maxLength: 3 }))
        .map(([start, inner]) => `${start}>${inner.join('')}</${/\w+/.exec(start)?.[0] ?? ''}>`),
    ),
  }));

  it('the sanitizer takes no shortcut with HTML that it would change', () => {
    let clean = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          soup,
          fc.array(nested, { maxLength: 4 }).map((list) => list.join('')),
        ),
        (html) => {
          if (!isClean(html)) return;
          clean++;
          expect(sanitizeStrictly(html)).toBe(html);
        },
      ),
      { numRuns: shortOrLong(3000, 10_000) },
    );
    expect(clean).toBeGreaterThan(500);
  });

  it('of what opens more elements than the parser has time for, nothing but text is left', () => {
    const nested = (times: number): string => '<em onclick="x">'.repeat(times);
    expect(sanitizeStrictly(nested(1000))).toBe('<em>'.repeat(1000) + '</em>'.repeat(1000));
    expect(sanitizeStrictly(nested(1001))).not.toContain('<');
    expect(sanitizeStrictly('<br>'.repeat(2000))).toBe('<br>'.repeat(2000));
  });

  it('the sanitizer takes the shortcut with all that is rendered', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isClean(htmlOf(text))).toBe(true);
      }),
      runs,
    );
  });
});
