import { describe, expect, it } from 'vitest';
import { renderMessage } from '#service/markdown/render.ts';
import { context, htmlOf } from './directory.ts';

const link = (href: string, text = href): string => `<a href="${href}">${text}</a>`;
const mention = (id: number | '*', name: string): string =>
  `<span class="user-mention" data-user-id="${id}">@${name}</span>`;
const silent = (id: number | '*', name: string): string =>
  `<span class="user-mention silent" data-user-id="${id}">${name}</span>`;

/** Source, and what stands between <p> and </p>. */
type Rows = readonly (readonly [string, string])[];

function showsInline(rows: Rows): void {
  it.each(rows)('%j', (source, inner) => {
    expect(htmlOf(source)).toBe(`<p>${inner}</p>`);
  });
}

describe('marks', () => {
  showsInline([
    ['**b**', '<strong>b</strong>'],
    ['*i*', '<em>i</em>'],
    ['~~s~~', '<del>s</del>'],
    ['***x***', '<strong><em>x</em></strong>'],
    ['***a** b*', '<em><strong>a</strong> b</em>'],
    ['***a* b**', '<strong><em>a</em> b</strong>'],
    ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
    ['***a** b **c***', '<em><strong>a</strong> b <strong>c</strong></em>'],
    ['_i_ __b__ snake_case_name', '_i_ __b__ snake_case_name'],
    ['** b** ** b ** * i*', '** b** ** b ** * i*'],
    ['2 * 3 * 4', '2 * 3 * 4'],
    ['~s~', '~s~'],
    ['**「x」**です **"q"**s', '<strong>「x」</strong>です <strong>"q"</strong>s'],
    ['**open', '**open'],
  ]);
});

describe('text', () => {
  showsInline([
    ['done', 'done'],
    ['a\nb', 'a<br>\nb'],
    ['a\r\nb\rc', 'a<br>\nb<br>\nc'],
    ['a  \nb', 'a<br>\nb'],
    ['done \t\n\n', 'done'],
    ['<b>x</b> & "q" \'a\'', '&lt;b&gt;x&lt;/b&gt; &amp; "q" \'a\''],
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['&lt; &copy; &#42;x&#42;', '&amp;lt; &amp;copy; &amp;#42;x&amp;#42;'],
    ['\\*x\\* \\@**Ada Admin**', '*x* @<strong>Ada Admin</strong>'],
    ['¯\\_(ツ)_/¯ C:\\dir \\\\srv\\d', '¯\\_(ツ)_/¯ C:\\dir \\\\srv\\d'],
  ]);

  it('a text has no HTML when there is nothing to show', () => {
    expect(htmlOf('')).toBe('');
    expect(htmlOf(' \n\t\n')).toBe('');
  });

  it('what is no Unicode in a text is replaced', () => {
    expect(htmlOf('a\ud800b')).toBe('<p>a\ufffdb</p>');
  });
});

describe('code', () => {
  showsInline([
    ['`code`', '<code>code</code>'],
    ['` a  b `', '<code> a  b </code>'],
    [
      '`**b** <i> @**Ada Admin** http://x.com`',
      '<code>**b** &lt;i&gt; @**Ada Admin** http://x.com</code>',
    ],
    ['`` a`b ``', '<code> a`b </code>'],
    ['`a\\`b`', '<code>a\\</code>b`'],
    ['`open', '`open'],
    ['``a`', '``a`'],
    ['**`a**`', '**<code>a**</code>'],
    ['`a` ``b`` `` ` c', '<code>a</code> <code>b</code> `` ` c'],
  ]);
});

describe('links', () => {
  showsInline([
    ['[t](http://x.com)', link('http://x.com', 't')],
    [
      '[t](http://x.com "the \\"title\\"")',
      '<a href="http://x.com" title="the &quot;title&quot;">t</a>',
    ],
    ['[**b** `c`](/x)', link('/x', '<strong>b</strong> <code>c</code>')],
    ['![t](http://x.com/i)', `!${link('http://x.com/i', 't')}`],
    ['[t](example.com/a)', link('http://example.com/a', 't')],
    ['[t](example.com:8080/a)', link('http://example.com:8080/a', 't')],
    ['[t](ada@example.com)', link('mailto:ada@example.com', 't')],
    ['[t](/#narrow/stream/4-ops/topic/a.20b)', link('/#narrow/stream/4-ops/topic/a.20b', 't')],
    ['[t](#narrow/stream/4)', link('#narrow/stream/4', 't')],
    ['[t](</a b>)', link('/a%20b', 't')],
    ['[a [b] c](/x)', link('/x', 'a [b] c')],
    ['[http://a.com](/x)', link('/x', 'http://a.com')],
    ['[a](/x)[b](/y)', link('/x', 'a') + link('/y', 'b')],
    ['[](/x) [t]() [t](<>) [t] [t][r] [t](/x', '[](/x) [t]() [t](&lt;&gt;) [t] [t][r] [t](/x'],
    ['[r]: /x', '[r]: /x'],
    ['[a [b](/x)](/y)', `[a ${link('/x', 'b')}](/y)`],
  ]);

  it.each(['http', 'https', 'ftp', 'mailto', 'file', 'bitcoin', 'tel', 'HTTPS'])(
    'the scheme %s is a link',
    (scheme) => {
      expect(htmlOf(`[t](${scheme}:x)`)).toMatch(/^<p><a href="[^"]+">t<\/a><\/p>$/);
    },
  );

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript&colon;alert(1)',
    'javascript\\:alert(1)',
    '&#106;avascript:alert(1)',
    '< javascript:alert(1)>',
    'data:text/html,x',
    'vbscript:x',
    'zulip:x',
    '//evil.com',
    '/\\evil.com',
    '\\\\evil.com',
    '?q',
  ])('%j as a destination stays text', (destination) => {
    expect(htmlOf(`[t](${destination})`)).toMatch(/^<p>\[t\]\(/);
  });

  it.each(['java&Tab;script:alert(1)', '&#1;javascript:alert(1)'])(
    '%j as a destination is an ordinary address at worst',
    (destination) => {
      expect(htmlOf(`[t](${destination})`)).toMatch(/^<p><a href="http:\/\//);
    },
  );
});

describe('bare links', () => {
  showsInline([
    ['http://x.com', link('http://x.com')],
    ['see https://x.com/a?b=1&c=2#d now', `see ${link('https://x.com/a?b=1&amp;c=2#d')} now`],
    ['ftp://x.com/f', link('ftp://x.com/f')],
    ['http://localhost:9981/x', link('http://localhost:9981/x')],
    [
      'example.com and example.co.uk/a',
      `${link('http://example.com', 'example.com')} and ${link('http://example.co.uk/a', 'example.co.uk/a')}`,
    ],
    ['docs.example.dev', link('http://docs.example.dev', 'docs.example.dev')],
    ['ada@example.com', link('mailto:ada@example.com', 'ada@example.com')],
    ['mailto:ada@example.com', link('mailto:ada@example.com')],
    ['a.nosuchroot v1.2 e.g. i.e x', 'a.nosuchroot v1.2 e.g. i.e x'],
    ['README.md setup.py run.sh main.rs', 'README.md setup.py run.sh main.rs'],
    ['//example.com', '//example.com'],
    [
      '**http://x.com/a** ~~http://x.com/a~~',
      `<strong>${link('http://x.com/a')}</strong> <del>${link('http://x.com/a')}</del>`,
    ],
    ['http://x.com/a*b*c_d_~~e', link('http://x.com/a*b*c_d_~~e')],
    ['(http://x.com/a)', `(${link('http://x.com/a')})`],
    ['http://x.com/a_(b)', link('http://x.com/a_(b)')],
    ['<http://x.com>', `&lt;${link('http://x.com')}&gt;`],
    ['"http://x.com"', `"${link('http://x.com')}"`],
    ['http://x.com/ü', link('http://x.com/%C3%BC', 'http://x.com/ü')],
    ['javascript://x.com/%0aalert(1)', 'javascript://x.com/%0aalert(1)'],
    ['http:// http://', 'http:// http://'],
    ['example\\.com http\\://x\\.com', 'example.com http://x.com'],
    [
      'http://10.0.0.5:80吧 http://build:8080吧 http://[::1]:80吧 http://build吧 http://10.0.0.5吧',
      ['10.0.0.5:80', 'build:8080', '[::1]:80', 'build', '10.0.0.5']
        .map((host) => `${link(`http://${host}`)}吧`)
        .join(' '),
    ],
    [
      'https://example.com和www.x.com看。看y.org',
      `${link('https://example.com')}和${link('http://www.x.com', 'www.x.com')}看。看${link('http://y.org', 'y.org')}`,
    ],
    [
      'https://x.com™ https://x.comпривет',
      `${link('https://x.com')}™ ${link('https://x.com')}привет`,
    ],
    // In a path, and in a host of their own, letters of every script belong to the address.
    [
      'http://x.com/wiki/東京',
      link('http://x.com/wiki/%E6%9D%B1%E4%BA%AC', 'http://x.com/wiki/東京'),
    ],
    ['http://例え.jp/', link('http://xn--r8jz45g.jp/', 'http://例え.jp/')],
    ['http://例えabc.jp', link('http://xn--abc-763b408n.jp', 'http://例えabc.jp')],
    ['见README.md吧', '见README.md吧'],
  ]);

  it.each(['.', ',', ';', ':', '!', '?', ')', '?!', '...', '):', ').'])(
    '%j behind a link is not part of it',
    (tail) => {
      for (const url of ['http://x.com/a', 'http://x.com']) {
        expect(htmlOf(`(${url}${tail} z`)).toBe(`<p>(${link(url)}${tail} z</p>`);
      }
      expect(htmlOf(`x.com${tail}`)).toBe(`<p>${link('http://x.com', 'x.com')}${tail}</p>`);
      expect(htmlOf(`a@x.com${tail}`)).toBe(`<p>${link('mailto:a@x.com', 'a@x.com')}${tail}</p>`);
    },
  );
});

describe('mentions', () => {
  showsInline([
    ['@**Ada Admin**', mention(12, 'Ada Admin')],
    ['hi @**ada ADMIN**!', `hi ${mention(12, 'Ada Admin')}!`],
    ['@**Sam Twin|41**', mention(41, 'sam twin')],
    ['@**Old Name|12**', mention(12, 'Ada Admin')],
    ['@_**Ben Member**', silent(3, 'Ben Member')],
    ['@_**Ben Member|3** [said](/x):', `${silent(3, 'Ben Member')} ${link('/x', 'said')}:`],
    [
      '@**all** @**everyone** @**stream**',
      `${mention('*', 'all')} ${mention('*', 'everyone')} ${mention('*', 'stream')}`,
    ],
    ['@_**all**', silent('*', 'all')],
    ['**@**Ada Admin****', `<strong>${mention(12, 'Ada Admin')}</strong>`],
    ['[@**Ada Admin**](/x)', link('/x', mention(12, 'Ada Admin'))],
    ['@**Ö <b>&"x**', mention(7, 'Ö &lt;b&gt;&amp;"x')],
    ['@**Sam Twin**', '@**Sam Twin**'],
    ['@**Nobody** @**x.com** @**Nobody|999**', '@**Nobody** @**x.com** @**Nobody|999**'],
    ['@** Ada Admin**', '@** Ada Admin**'],
    ['@**Ada\nAdmin**', '@<strong>Ada<br>\nAdmin</strong>'],
    ['me@**Ada Admin**', 'me@<strong>Ada Admin</strong>'],
    ['@Ada Admin @all', '@Ada Admin @all'],
    ['@*nobody*', '@<em>nobody</em>'],
    [
      'é@**Ada Admin** й@**Ada Admin**',
      'é@<strong>Ada Admin</strong> й@<strong>Ada Admin</strong>',
    ],
    [
      'ל@**Ada Admin** و@**Ada Admin**',
      `ל${mention(12, 'Ada Admin')} و${mention(12, 'Ada Admin')}`,
    ],
  ]);
});

describe('stream links', () => {
  const stream = (id: number, href: string, text: string): string =>
    `<a class="stream" data-stream-id="${id}" href="/#narrow/stream/${href}">${text}</a>`;
  const topic = (id: number, href: string, text: string): string =>
    `<a class="stream-topic" data-stream-id="${id}" href="/#narrow/stream/${href}">${text}</a>`;

  showsInline([
    ['#**ops**', stream(4, '4-ops', '#ops')],
    ['#**OPS**', stream(4, '4-ops', '#ops')],
    ['#**ops>deploy**', topic(4, '4-ops/topic/deploy', '#ops &gt; deploy')],
    [
      '#**ops>Größe 1.0/50% (x)!**',
      topic(
        4,
        '4-ops/topic/Gr.C3.B6.C3.9Fe.201.2E0.2F50.25.20.28x.29.21',
        '#ops &gt; Größe 1.0/50% (x)!',
      ),
    ],
    ['#**release v1.0 (beta)**', stream(9, '9-release-v1.2E0-.28beta.29', '#release v1.0 (beta)')],
    ['#**a>b**', stream(11, '11-a.3Eb', '#a&gt;b')],
    ['#**leads** #**leads>x** #**x.com**', '#**leads** #**leads&gt;x** #**x.com**'],
    ['[#**ops**](/x)', link('/x', '#**ops**')],
    ['`#**ops**`', '<code>#**ops**</code>'],
  ]);
});

describe('groups', () => {
  const group = '<span class="user-group-mention" data-user-group-id="3">@helpers</span>';

  showsInline([
    ['@*helpers*', group],
    ['hi @*HELPERS*, @**Ben Member**', `hi ${group}, ${mention(3, 'Ben Member')}`],
    ['**@*helpers***', `<strong>${group}</strong>`],
    [
      'x@*helpers* `@*helpers*` \\@*helpers*',
      'x@<em>helpers</em> <code>@*helpers*</code> @<em>helpers</em>',
    ],
  ]);

  it('groups are silent in a quote', () => {
    expect(htmlOf('> @*helpers*')).toContain(
      '<span class="user-group-mention silent" data-user-group-id="3">helpers</span>',
    );
  });
});

describe('emoji', () => {
  const emoji = (name: string, code: string): string =>
    `<span aria-label="${name.replaceAll('_', ' ')}" class="emoji emoji-${code}" role="img" title="${name.replaceAll('_', ' ')}">:${name}:</span>`;
  const custom = (name: string, id: number): string =>
    `<img alt=":${name}:" class="emoji" src="/user_avatars/1/emoji/images/${String(id)}.png" title="${name.replaceAll('_', ' ')}">`;
  const tada = emoji('tada', '1f389');

  showsInline([
    [':tada:', tada],
    [':tada::tada:', tada + tada],
    ['**:tada:** [:tada:](/x)', `<strong>${tada}</strong> ${link('/x', tada)}`],
    [':+1: :thumbs_up:', `${emoji('+1', '1f44d')} ${emoji('thumbs_up', '1f44d')}`],
    ['🎉', tada],
    ['a🎉b 👍🏽', `a${tada}b ${emoji('+1_tone3', '1f44d-1f3fd')}`],
    ['`:tada:` `🎉` \\:tada:', '<code>:tada:</code> <code>🎉</code> :tada:'],
    [':nosuchemoji: :: : :a b: 10:30:15 :Tada:', ':nosuchemoji: :: : :a b: 10:30:15 :Tada:'],
    ...[
      '00:1b:de:ad:be:ef 2001:db8:a:b:c::1 root:x:0:0 std::x::y ::b::c',
      'x:tada: :tada:x é:tada: :tada:1 :tada:_',
    ].map((text) => [text, text] as const),
    [':tada::+1:! (:tada:)', `${tada}${emoji('+1', '1f44d')}! (${tada})`],
    ['© 1 # ™', '© 1 # ™'],
    [':party:', custom('party', 7)],
    [':thank_you:', custom('thank_you', 8)],
    ['http://x.com/:tada:/a', link('http://x.com/:tada:/a')],
  ]);

  it('emoji of the organization come before those of Unicode', () => {
    const customEmoji = new Map([['tada', '/user_avatars/1/emoji/images/9.png']]);
    expect(htmlOf(':tada:', { customEmoji })).toBe(`<p>${custom('tada', 9)}</p>`);
  });
});

describe('formulas', () => {
  it('formulas become MathML with their source', () => {
    const html = htmlOf('so $$x^2$$.');
    expect(html).toMatch(
      /^<p>so <span class="katex"><math xmlns="[^"]+"><semantics>.*<\/span>\.<\/p>$/,
    );
    expect(html).toContain('<msup><mi>x</mi><mn>2</mn></msup>');
    expect(html).toContain('<annotation encoding="application/x-tex">x^2</annotation>');
  });

  it.each(['$$a$$ $$b$$', '**$$a$$**', '($$a$$)', '[$$a$$](/x)', '$$a<b$$', '$$a\\$b$$'])(
    '%j has one',
    (source) => {
      expect(htmlOf(source)).toContain('<span class="katex">');
    },
  );

  showsInline([
    ['$$\\nosuch{x}$$', '<span class="tex-error">$$\\nosuch{x}$$</span>'],
    ['$$<b>"{$$', '<span class="tex-error">$$&lt;b&gt;"{$$</span>'],
    ['`$$a$$` \\$$a$$ $a$ $$$$ $$ a', '<code>$$a$$</code> $$a$$ $a$ $$$$ $$ a'],
    ['cost$$5 and$$6 US$$7', 'cost$$5 and$$6 US$$7'],
    ['$$a\nb$$', '$$a<br>\nb$$'],
  ]);
});

describe('formulas that would lead elsewhere', () => {
  it.each([
    '\\href{javascript:x}{a}',
    '\\url{http://x.com}',
    '\\includegraphics{/x}',
    '\\htmlStyle{color:red}{a}',
  ])('%j does not', (tex) => {
    expect(htmlOf(`$$${tex}$$`)).not.toMatch(/<[^<>]* (?:href|src|style|class="(?!katex))/);
  });
});

describe('times', () => {
  const time = (datetime: string, text: string): string =>
    `<time datetime="${datetime}">${text}</time>`;

  showsInline([
    ['<time:2030-05-01T12:00:00Z>', time('2030-05-01T12:00:00Z', '2030-05-01T12:00:00Z')],
    [
      'at <time:2030-05-01T12:00:00+02:00>!',
      `at ${time('2030-05-01T10:00:00Z', '2030-05-01T12:00:00+02:00')}!`,
    ],
    ['<time:2030-05-01 12:00>', time('2030-05-01T12:00:00Z', '2030-05-01 12:00')],
    [
      '<time:2030-05-01T12:00:00.25-0530>',
      time('2030-05-01T17:30:00Z', '2030-05-01T12:00:00.25-0530'),
    ],
    ['<time:2030-05-01>', time('2030-05-01T00:00:00Z', '2030-05-01')],
    ['<time:1903867200>', time('2030-05-01T12:00:00Z', '1903867200')],
    ['<time:tomorrow> <time:>', '&lt;time:tomorrow&gt; &lt;time:&gt;'],
    [
      '<time:2030-02-30> <time:2030-05-01T25:00Z>',
      '&lt;time:2030-02-30&gt; &lt;time:2030-05-01T25:00Z&gt;',
    ],
    [
      '`<time:2030-05-01>` \\<time:2030-05-01>',
      '<code>&lt;time:2030-05-01&gt;</code> &lt;time:2030-05-01&gt;',
    ],
  ]);
});

describe('linkifiers', () => {
  const issue = (id: number): string =>
    link(`https://t.test/issues/${String(id)}`, `#${String(id)}`);

  showsInline([
    ['#123', issue(123)],
    ['fixes #1, #2 and #3.', `fixes ${issue(1)}, ${issue(2)} and ${issue(3)}.`],
    [
      '(#1) "#2" \'#3\' :#4 <#5 ,#6',
      `(${issue(1)}) "${issue(2)}" '${issue(3)}' :${issue(4)} &lt;${issue(5)} ,${issue(6)}`,
    ],
    ['a#1 /#2 -#3 ##4 .#5 *#6', 'a#1 /#2 -#3 ##4 .#5 *#6'],
    ['#1a #2é #3_ #4-x', `#1a #2é #3_ ${issue(4)}-x`],
    [
      '**#1** #2**b** **a**#3',
      `<strong>${issue(1)}</strong> ${issue(2)}<strong>b</strong> <strong>a</strong>#3`,
    ],
    ['a\n#1', `a<br>\n${issue(1)}`],
    ['ABC-12', link('https://t.test/ABC?n=12', 'ABC-12')],
    [
      '`#1` [#1](/x) http://x.com/#1 \\#1',
      `<code>#1</code> ${link('/x', '#1')} ${link('http://x.com/#1')} #1`,
    ],
  ]);

  it('linkifiers also match in headings, lists and tables, but not in code blocks', () => {
    for (const source of ['# #1', '* #1', 'a|b\n-|-\n#1|x', '> #1'])
      expect(htmlOf(source)).toContain(issue(1));
    expect(htmlOf('```\n#1\n```')).not.toContain('<a ');
  });

  it('the hits of linkifiers count as links', () => {
    expect(renderMessage('#1', context).has_link).toBe(true);
  });
});

describe('letters that need no blank beside them', () => {
  const letters = Array.from('你々のカーㄅ한ไໄខမ');
  const forms = [
    ...[
      '@**Ada Admin**',
      '@_**Ben Member|3**',
      '@**all**',
      '@*helpers*',
      '#**ops**',
      '#**ops>a b**',
    ],
    ...[
      'https://example.com',
      'http://build:8080',
      'ftp://10.0.0.5',
      'www.example.com',
      'a.b@x.com',
    ],
    ...[
      ':tada:',
      '🎉',
      ':party:',
      '$$x^2$$',
      '#123',
      'ABC-12',
      '**b**',
      '`c`',
      '[t](http://x.com)',
    ],
  ];

  it.each(forms)('%j means beside them what it means alone', (form) => {
    const alone = htmlOf(form).slice('<p>'.length, -'</p>'.length);
    expect(alone).not.toBe(form);
    for (const letter of letters)
      expect(htmlOf(`${letter}${form}${letter}`)).toBe(`<p>${letter}${alone}${letter}</p>`);
  });
});
