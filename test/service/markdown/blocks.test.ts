import { describe, expect, it } from 'vitest';
import { htmlOf } from './directory.ts';

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
  it('has both sections and the alignment of its columns', () => {
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

  it('has a body even without rows', () => {
    expect(htmlOf('a|b\n-|-')).toBe(
      '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody></tbody>\n</table>',
    );
  });

  it('keeps an escaped bar in its cell', () => {
    expect(htmlOf('a\\|b|c\n-|-')).toContain('<th>a|b</th>\n<th>c</th>');
  });

  it('is text when its missing cells would swell it', () => {
    const columns = 200;
    const source = `${'a|'.repeat(columns)}\n${'-|'.repeat(columns)}\n${'x\n'.repeat(100)}`;
    expect(htmlOf(source)).not.toContain('<table>');
  });
});
