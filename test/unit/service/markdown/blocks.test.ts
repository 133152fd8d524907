import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { quoteOf } from '#renderer/lib/writing/fence.ts';
import { htmlOf } from './directory.ts';
import { scanHtml } from '#test/support/service/markdown/scan-html.ts';

const code = (content: string, language?: string): string => {
  const attribute = language === undefined ? '' : ` data-code-language="${language}"`;
  return `<div class="codehilite"${attribute}><pre><span></span><code>${content}</code></pre></div>`;
};
const quote = (inner: string): string => `<blockquote>\n${inner}\n</blockquote>`;

type Rows = readonly (readonly [string, string])[];

function shows(rows: Rows): void {
  it.each(rows)('%j', (source, html) => {
    expect(htmlOf(source)).toBe(html);
  });
}

describe('paragraphs, headings and rules', () => {
  shows([
    ['a\n\nb', '<p>a</p>\n<p>b</p>'],
    ['# H', '<h1>H</h1>'],
    ['###### **H**', '<h6><strong>H</strong></h6>'],
    ['####### H', '<p>####### H</p>'],
    ['#H', '<p>#H</p>'],
    ['#', '<p>#</p>'],
    ['a\n## H\nb', '<p>a</p>\n<h2>H</h2>\n<p>b</p>'],
    ['---', '<hr>'],
    ['a\n---\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
    ['a\n===', '<p>a<br>\n===</p>'],
    ['___', '<p>___</p>'],
  ]);
});

describe('code blocks', () => {
  shows([
    ['```\na <b>\n\n  c\n```', code('a &lt;b&gt;\n\n  c\n')],
    ['```python\nx\n```', code('x\n', 'Python')],
    ['~~~~ JS\nx\n~~~~', code('x\n', 'JavaScript')],
    ['```c++\nx\n```', code('x\n', 'C++')],
    ['```{.rust}\nx\n```', code('x\n', 'Rust')],
    ['```text\nimport x\n```', code('import x\n', 'Text only')],
    ['```nosuch"><b>\nx\n```', code('x\n')],
    ['```constructor\nx\n```', code('x\n')],
    ['```\nx', code('x\n')],
    ['```', code('')],
    ['a\n```\nb\n```\nc', `<p>a</p>\n${code('b\n')}\n<p>c</p>`],
    ['````\n```\n````', code('```\n')],
    ['```\n@**Ada Admin** **b** x.com\n```', code('@**Ada Admin** **b** x.com\n')],
    ['    a\n      b', code('a\n  b\n')],
    ['\ta', code('a\n')],
    ['a\n    b', '<p>a<br>\nb</p>'],
  ]);
});

test('what is written below a quote stands outside of it, whatever the message leaves open', () => {
  const line = fc.constantFrom(
    ...[
      '```',
      '````',
      '~~~',
      '~~~~',
      '```py',
      '```quote',
      '````spoiler x',
      '~~~quote',
      ' ```',
      '   ~~~',
    ],
    ...[
      '```a```',
      '> ```',
      '* ```',
      '  ```',
      '    ```',
      '1. ~~~',
      '',
      'a',
      '`',
      '``',
      '$$',
      '**',
      '|',
      '-',
    ],
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (lines) => {
      const html = htmlOf(`said:\n${quoteOf(lines.join('\n'))}the answer`);
      expect(html).toMatch(/<\/blockquote>\n<p>the answer<\/p>$/);
      expect(html.match(/<blockquote>/g)?.length).toBe(html.match(/<\/blockquote>/g)?.length);
    }),
  );
});

describe('quotes', () => {
  shows([
    ['> a\n> b', quote('<p>a<br>\nb</p>')],
    ['> a\nb', `${quote('<p>a</p>')}\n<p>b</p>`],
    ['a\n> b', `<p>a</p>\n${quote('<p>b</p>')}`],
    ['> a\n> > b\n> c', quote(`<p>a</p>\n${quote('<p>b</p>')}\n<p>c</p>`)],
    ['> a\n\n> b', `${quote('<p>a</p>')}\n${quote('<p>b</p>')}`],
    ['> ```\n> a\nb', `${quote(code('a\n'))}\n<p>b</p>`],
    ['> * a\n> * b', quote('<ul>\n<li>a</li>\n<li>b</li>\n</ul>')],
    ['```quote\n**a**\n```', quote('<p><strong>a</strong></p>')],
    ['~~~ quote\na\n\nb', quote('<p>a</p>\n<p>b</p>')],
    ['a\n```quote\nb\n```\nc', `<p>a</p>\n${quote('<p>b</p>')}\n<p>c</p>`],
    [
      '```quote\na\n```py\nx\n```\nb\n```\nc',
      `${quote(`<p>a</p>\n${code('x\n', 'Python')}\n<p>b</p>`)}\n<p>c</p>`,
    ],
    [
      '```quote\n```quote\na\n```\nb\n```\nc',
      `${quote(`${quote('<p>a</p>')}\n<p>b</p>`)}\n<p>c</p>`,
    ],
    ['````quote\n```\na\n```\n````', quote(code('a\n'))],
    ['````quote\n```\na\n````\nb', `${quote(code('a\n'))}\n<p>b</p>`],
    ['````quote\n~~~\na\n````\nb', `${quote(code('a\n'))}\n<p>b</p>`],
    ['`````quote\n````quote\n```\na\n`````\nb', `${quote(quote(code('a\n')))}\n<p>b</p>`],
    ['```quote\n````py\n```\n````\n```\nb', `${quote(code('```\n', 'Python'))}\n<p>b</p>`],
    ['```quote\n~~~\n```\n~~~\n```\nb', `${quote(code('```\n'))}\n<p>b</p>`],
    ['```quote\n> a', quote(quote('<p>a</p>'))],
    ['> ```quote\n> a\n> ```\nb', `${quote(quote('<p>a</p>'))}\n<p>b</p>`],
    [
      '* a\n  ```quote\n  b\n  ```\n* c',
      `<ul>\n<li>a\n${quote('<p>b</p>')}\n</li>\n<li>c</li>\n</ul>`,
    ],
    ['* a\n  ```quote\n  b\nc', `<ul>\n<li>a\n${quote('<p>b</p>')}\n</li>\n</ul>\n<p>c</p>`],
  ]);
});

describe('lists', () => {
  const ul = (...items: string[]): string =>
    `<ul>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ul>`;
  const ol = (...items: string[]): string =>
    `<ol>\n${items.map((item) => `<li>${item}</li>\n`).join('')}</ol>`;

  shows([
    ['* a\n* b', ul('a', 'b')],
    ['- a', ul('a')],
    ['+ a', ul('a')],
    ['p\n* a', `<p>p</p>\n${ul('a')}`],
    ['p\n1. a', `<p>p</p>\n${ol('a')}`],
    ['it was\n1984. Then', '<p>it was<br>\n1984. Then</p>'],
    ['* a\n  * b\n    * c\n* d', ul(`a\n${ul(`b\n${ul('c')}\n`)}\n`, 'd')],
    ['* a\n    * b', ul(`a\n${ul('b')}\n`)],
    ['1. a\n  * b\n2. c', ol(`a\n${ul('b')}\n`, 'c')],
    ['10. a\n  more\n  * b', `<ol start="10">\n<li>a<br>\nmore\n${ul('b')}\n</li>\n</ol>`],
    ['*    a\n  * b', ul(`a\n${ul('b')}\n`)],
    ['1. a\n1. b\n1. c', ol('a', 'b', 'c')],
    ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
    ['* a\nb', ul('a<br>\nb')],
    ['* a\n\nb', `${ul('a')}\n<p>b</p>`],
    ['* a\n\n* b', ul('\n<p>a</p>\n', '\n<p>b</p>\n')],
    ['* a\n\n  b', ul('\n<p>a</p>\n<p>b</p>\n')],
    ['* a\n- b', `${ul('a')}\n${ul('b')}`],
    ['* - a', ul(`\n${ul('a')}\n`)],
    ['12. - a\n    - b', `<ol start="12">\n<li>\n${ul('a', 'b')}\n</li>\n</ol>`],
    ['* a\n*\n* b', ul('a', '', 'b')],
    ['* ```\n  x\n  ```', ul(`\n${code('x\n')}\n`)],
    ['* # H', ul('\n<h1>H</h1>\n')],
    ['*', '<p>*</p>'],
    ['- ', '<p>-</p>'],
    ['+1', '<p>+1</p>'],
    ['1) a', '<p>1) a</p>'],
    ['1.a', '<p>1.a</p>'],
    ['1234567890. a', '<p>1234567890. a</p>'],
  ]);
});

describe('tables', () => {
  it('a table has both sections and the alignment of its columns', () => {
    expect(htmlOf('| a | b | c | d |\n|---|:--|:-:|--:|\n| 1 | **2** |\n').split('\n')).toEqual([
      ...['<table>', '<thead>', '<tr>'],
      ...['<th>a</th>', '<th align="left">b</th>'],
      ...['<th align="center">c</th>', '<th align="right">d</th>'],
      ...['</tr>', '</thead>', '<tbody>', '<tr>'],
      ...['<td>1</td>', '<td align="left"><strong>2</strong></td>'],
      ...['<td align="center"></td>', '<td align="right"></td>'],
      ...['</tr>', '</tbody>', '</table>'],
    ]);
  });

  it('a table has a body even without rows', () => {
    expect(htmlOf('a|b\n-|-')).toBe(
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody></tbody>\n</table>',
    );
  });

  it('a table keeps an escaped bar in its cell', () => {
    expect(htmlOf('a\\|b|c\n-|-')).toContain('<th>a|b</th>\n<th>c</th>');
  });

  it('a table is text when its missing cells would swell it', () => {
    const columns = 200;
    const source = `${'a|'.repeat(columns)}\n${'-|'.repeat(columns)}\n${'x\n'.repeat(100)}`;
    expect(htmlOf(source)).not.toContain('<table>');
  });
});

describe('highlighted code', () => {
  it('highlighted code marks its parts with short class names', () => {
    const source = '```py\nfrom a import b  # why\ndef f(x):\n    return "s" + 1 + 2.5 + None\n```';
    expect(htmlOf(source)).toBe(
      code(
        '<span class="kn">from</span> a <span class="kn">import</span> b  <span class="c1"># why</span>\n' +
          '<span class="k">def</span> <span class="nf">f</span>(x):\n' +
          '    <span class="k">return</span> <span class="s">"s"</span> + <span class="mi">1</span> + <span class="mf">2.5</span> + <span class="kc">None</span>\n',
        'Python',
      ),
    );
  });

  it.each<readonly [string, string, string]>([
    ['c', '#include <a.h>\nint x; /* c */', '<span class="cm">/* c */</span>'],
    ['html', '<a href="x">&</a>', '<span class="nt">a</span>'],
    ['json', '{"a": true}', '<span class="na">"a"</span>'],
    ['diff', '+a\n-b', '<span class="gi">+a</span>\n<span class="gd">-b</span>'],
    ['js', 'const x = `${y}`;', '<span class="si">${y}</span>'],
    ['rust', 'fn main() { 0xff }', '<span class="mh">0xff</span>'],
    ['python', '@dec\nclass A: pass', '<span class="nd">@dec</span>'],
  ])('the %s code %j has %s', (language, source, part) => {
    const html = htmlOf(`\`\`\`${language}\n${source}\n\`\`\``);
    expect(html).toContain(part);
    expect(scanHtml(html).text).toBe(`${source}\n`);
  });

  it('code is left plain when there is too much of it, or a line is too long', () => {
    expect(htmlOf(`\`\`\`py\n${'import x\n'.repeat(1000)}\`\`\``)).not.toContain('class="kn"');
    expect(htmlOf(`\`\`\`py\n${'import x;'.repeat(50)}\n\`\`\``)).not.toContain('class="kn"');
  });

  it('code has the language of the organization where the fence names none', () => {
    const defaultCodeLanguage = 'python';
    expect(htmlOf('```\nimport x\n```', { defaultCodeLanguage })).toBe(
      code('<span class="kn">import</span> x\n', 'Python'),
    );
    expect(htmlOf('```text\nimport x\n```', { defaultCodeLanguage })).toBe(
      code('import x\n', 'Text only'),
    );
    expect(htmlOf('    import x', { defaultCodeLanguage })).toBe(code('import x\n'));
    expect(htmlOf('```\nx\n```', { defaultCodeLanguage: 'nosuch' })).toBe(code('x\n'));
  });
});

describe('formulas in a fence', () => {
  it('fenced formulas stand in a paragraph of their own, one for each paragraph', () => {
    const html = htmlOf('```math\nx^2\n\n\\frac{a}{b}\n```');
    const [first = '', second = ''] = html.split('\n');
    expect(first).toMatch(
      /^<p><span class="katex-display"><span class="katex"><math xmlns="[^"]+" display="block">/,
    );
    expect(first).toMatch(/<\/math><\/span><\/span><\/p>$/);
    expect(second).toContain('<mfrac><mi>a</mi><mi>b</mi></mfrac>');
  });

  it('fenced formulas are shown as typed when they are none', () => {
    expect(htmlOf('```math\n\\x{<\n```')).toBe(
      '<p><span class="tex-error">$$\n\\x{&lt;\n$$</span></p>',
    );
  });

  it('fenced formulas are refused when they repeat or nest too much', () => {
    const doubling = '\\def\\a{xx}' + '\\edef\\a{\\a\\a}'.repeat(30) + '\\a';
    for (const tex of [doubling, '\\sqrt{'.repeat(200) + 'x' + '}'.repeat(200), 'x'.repeat(3001)])
      expect(htmlOf(`\`\`\`math\n${tex}\n\`\`\``)).toMatch(/^<p><span class="tex-error">/);
  });
});

describe('spoilers', () => {
  const spoiler = (title: string, inner: string): string =>
    `<div class="spoiler-block"><div class="spoiler-header">\n${title}</div><div class="spoiler-content" aria-hidden="true">\n${inner}\n</div></div>`;

  shows([
    ['```spoiler Title\n**a**\n```', spoiler('<p>Title</p>\n', '<p><strong>a</strong></p>')],
    ['~~~ spoiler The *end*\na\n\nb', spoiler('<p>The <em>end</em></p>\n', '<p>a</p>\n<p>b</p>')],
    ['```spoiler\na\n```\nb', `${spoiler('', '<p>a</p>')}\n<p>b</p>`],
    ['a\n```spoiler T\nb\n```', `<p>a</p>\n${spoiler('<p>T</p>\n', '<p>b</p>')}`],
    [
      '```spoiler T\n```py\nx\n```\n* a\n```\nb',
      `${spoiler('<p>T</p>\n', `${code('x\n', 'Python')}\n<ul>\n<li>a</li>\n</ul>`)}\n<p>b</p>`,
    ],
    [
      '```quote\n```spoiler T\na\n```\nb\n```',
      quote(`${spoiler('<p>T</p>\n', '<p>a</p>')}\n<p>b</p>`),
    ],
    ['```spoilers\na\n```', code('a\n')],
  ]);
});

describe('image previews', () => {
  const preview = (url: string, name: string): string =>
    `<div class="message_inline_image"><a href="${url}" title="${name}"><img src="${url}"></a></div>`;
  const link = (url: string, text = url): string => `<a href="${url}">${text}</a>`;
  const upload = '/user_uploads/1/ab/a%20cat.PNG';

  shows([
    [`[my cat](${upload})`, `<p>${link(upload, 'my cat')}</p>\n${preview(upload, 'my cat')}`],
    [
      'http://x.com/i.png',
      `<p>${link('http://x.com/i.png')}</p>\n${preview('http://x.com/i.png', 'i.png')}`,
    ],
    [
      'see [t](http://x.com/i.webp?a=1&b "Say \\"x\\"") ok\n\nb',
      `<p>see <a href="http://x.com/i.webp?a=1&amp;b" title="Say &quot;x&quot;">t</a> ok</p>\n${preview('http://x.com/i.webp?a=1&amp;b', 'Say &quot;x&quot;')}\n<p>b</p>`,
    ],
    [
      '* [a](/user_uploads/a.gif)\n* b',
      `<ul>\n<li>${link('/user_uploads/a.gif', 'a')}\n${preview('/user_uploads/a.gif', 'a')}\n</li>\n<li>b</li>\n</ul>`,
    ],
    ['> http://x.com/i.png', quote(`<p>${link('http://x.com/i.png')}</p>`)],
    [
      '```quote\n[a](/user_uploads/a.gif)\n```',
      quote(`<p>${link('/user_uploads/a.gif', 'a')}</p>`),
    ],
    [
      'http://x.com/i.svg http://x.com/png',
      `<p>${link('http://x.com/i.svg')} ${link('http://x.com/png')}</p>`,
    ],
    [
      '[a](/x/a.png) ftp://x.com/a.png',
      `<p>${link('/x/a.png', 'a')} ${link('ftp://x.com/a.png')}</p>`,
    ],
    ['[a](/user_uploads/a.pdf)', `<p>${link('/user_uploads/a.pdf', 'a')}</p>`],
    ['`http://x.com/i.png`', '<p><code>http://x.com/i.png</code></p>'],
  ]);

  it('the preview of an image in a table stands behind the whole table', () => {
    const html = htmlOf('a|b\n-|-\n[a](/user_uploads/a.gif)|x');
    expect(html.endsWith(`</table>\n${preview('/user_uploads/a.gif', 'a')}`)).toBe(true);
  });

  it('image previews from other hosts are left out where the organization says so', () => {
    const source = '[a](/user_uploads/a.gif) http://x.com/i.png';
    const html = htmlOf(source, { showsLinkedImages: false });
    expect(html.match(/<img /g)).toHaveLength(1);
    expect(html).toContain(preview('/user_uploads/a.gif', 'a'));
  });

  it('a message has at most five image previews, each once', () => {
    const source = [1, 1, 2, 3, 4, 5, 6].map((n) => `http://x.com/${String(n)}.png`).join('\n\n');
    const images = [...htmlOf(source).matchAll(/<img src="([^"]+)">/g)].map((match) => match[1]);
    expect(images).toEqual([1, 2, 3, 4, 5].map((n) => `http://x.com/${String(n)}.png`));
  });

  it('the image previews of a spoiler are hidden with it', () => {
    expect(
      htmlOf('```spoiler http://x.com/t.png\nhttp://x.com/i.png\n```').match(/<img /g),
    ).toHaveLength(1);
  });
});
