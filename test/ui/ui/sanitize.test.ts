import { expect, test } from 'vitest';
import { renderedTags } from '#shared/text/rendered-html.ts';
import { matchedTexts, messageNodes, textOf } from '#renderer/lib/sanitize.ts';

function html(source: string): string {
  const element = document.createElement('div');
  element.append(messageNodes(source));
  return element.innerHTML;
}

test.each([
  ['<script>alert(1)</script>', ''],
  ['<img src=x onerror=alert(1) alt="a cat">', 'a cat'],
  ['<p onclick="alert(1)">text</p>', '<p>text</p>'],
  ['<p style="position:fixed">text</p>', '<p>text</p>'],
  ['<p id="app" name="body">text</p>', '<p>text</p>'],
  ['<iframe src="https://example.com"></iframe>', ''],
  ['<svg><script>alert(1)</script></svg>', ''],
  ['<form action="https://example.com"><input name="q"></form>', ''],
  ['<style>body{display:none}</style>', ''],
  ['<p class="shell timeline">text</p>', '<p>text</p>'],
  ['<p role="alert" aria-label="x">text</p>', '<p>text</p>'],
  [
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
    '<math><mtext><table></table></mtext></math>',
  ],
  [
    '<math><annotation-xml encoding="text/html"><img src=x onerror=alert(1)></annotation-xml></math>',
    '<math></math>',
  ],
  [
    '<math href="javascript:alert(1)"><mi style="position:fixed" mathcolor="url(x)">x</mi></math>',
    '<math><mi>x</mi></math>',
  ],
  ['<span class="user-mention shell">text</span>', '<span>text</span>'],
  ['<div class="message-html">text</div>', '<div>text</div>'],
  ['<time datetime="x" title="y">text</time>', '<time>text</time>'],
])('what stays of %s is %j', (source, safe) => {
  expect(html(source)).toBe(safe);
});

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,hi',
  'vbscript:x',
])('a link to %j leads nowhere', (href) => {
  const link = messageNodes(`<a href="${href}">x</a>`).querySelector('a');
  expect(link?.hasAttribute('href')).toBe(false);
});

test.each(['https://example.com/', 'mailto:a@example.com', '/#narrow/stream/4-ops', '#narrow/x'])(
  'a link to %s stays',
  (href) => {
    const link = messageNodes(`<a href="${href}">x</a>`).querySelector('a');
    expect(link?.getAttribute('href')).toBe(href);
  },
);

test('nothing of a message is fetched from outside: a link says where it leads [sanitize.nothing-message-fetched]', () => {
  const preview =
    '<p>look</p><div class="message_inline_image"><a href="https://example.com/a.png"><img src="https://example.com/a.png"></a></div>';
  const nodes = messageNodes(preview);
  expect(nodes.querySelector('img')).toBeNull();
  const link = nodes.querySelector('.message-outside a');
  expect(link?.getAttribute('href')).toBe('https://example.com/a.png');
  expect(link?.textContent).toContain('example.com');
  expect(link?.getAttribute('rel')).toBe('noreferrer');
});

test('a picture of the service is a button, which fetches nothing by itself', () => {
  const nodes = messageNodes(
    '<div class="message_inline_image"><a href="/user_uploads/1/ab/my%20cat.png"><img src="/user_uploads/1/ab/my%20cat.png"></a></div>',
  );
  expect(nodes.querySelector('img, a')).toBeNull();
  const button = nodes.querySelector('button');
  expect(button?.dataset['image']).toBe('/user_uploads/1/ab/my%20cat.png');
  expect(button?.getAttribute('aria-label')).toBe('Open image my cat.png');
});

test.each([
  '<button data-image="/user_uploads/1/x">x</button>',
  '<img data-file="/user_uploads/1/x" alt="x">',
  '<div class="message_inline_image"><a href="//example.com/user_uploads/x"><img></a></div>',
  '<div class="message_inline_image"><a href="javascript:alert(1)"><img></a></div>',
  '<span class="highlight shell">x</span>',
])('nothing of %s can be loaded or dressed up [sanitize.nothing-loaded-dressed]', (source) => {
  const nodes = messageNodes(source);
  expect(nodes.querySelector('[data-image], [data-file], img, [class], a[href]')).toBeNull();
});

test('what a search found and what the history changed stay marked', () => {
  expect(html('<p>a <span class="highlight">b</span></p>')).toBe(
    '<p>a <span class="highlight">b</span></p>',
  );
  expect(
    html(
      '<p><span class="highlight_text_deleted">a</span><span class="highlight_text_inserted">b</span></p>',
    ),
  ).toBe('<p><del>a</del><ins>b</ins></p>');
});

test('every copy of a message is one of its own', () => {
  const [first, second] = [messageNodes('<p>same</p>'), messageNodes('<p>same</p>')];
  first.querySelector('p')?.remove();
  expect(second.querySelector('p')?.textContent).toBe('same');
  expect(messageNodes('<p>same</p>').querySelector('p')?.textContent).toBe('same');
});

test('the words of a message keep their form', () => {
  const source =
    '<p><strong>b</strong> <em>i</em> <del>s</del> <code>c</code><br></p><ul><li>x</li></ul>';
  expect(html(source)).toBe(source);
});

test('mentions, streams and code blocks keep their marks', () => {
  const mention = '<span class="user-mention" data-user-id="8">@Ada</span>';
  expect(html(mention)).toBe(mention);
  const block = messageNodes(
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="kn">import</span></code></pre></div>',
  );
  expect(block.querySelector('.codehilite pre .kn')?.textContent).toBe('import');
});

test('an emoji is shown as its character', () => {
  const nodes = messageNodes(
    '<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>',
  );
  const emoji = nodes.querySelector('[role="img"]');
  expect(emoji?.textContent).toBe('🎉');
  expect(emoji?.getAttribute('aria-label')).toBe('tada');
});

test('an emoji that is no character stays as it was written', () => {
  expect(messageNodes('<span class="emoji emoji-ffffffff">:x:</span>').textContent).toBe(':x:');
});

test('headings of a message stay out of the outline of the page', () => {
  expect(html('<h1>Title</h1>')).toBe('<p class="message-heading">Title</p>');
});

test('a spoiler opens on demand', () => {
  const nodes = messageNodes(
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>End</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>secret</p>\n</div></div>',
  );
  expect(nodes.querySelector('details > summary')?.textContent).toBe('End');
  expect(nodes.querySelector('details')?.open).toBe(false);
});

test('what is announced of a message is its text', () => {
  expect(textOf('<p>Hi <strong>Ada</strong></p>\n<p>bye</p>')).toBe('Hi Ada bye');
});

test('what the service writes keeps its form', () => {
  const formula =
    '<span class="katex"><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><msup><mi mathvariant="normal">x</mi><mn>2</mn></msup><mspace width="1em"></mspace></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>';
  for (const source of [
    formula,
    `<p><span class="katex-display">${formula}</span></p>`,
    '<span class="tex-error">$$x</span>',
    '<span class="user-group-mention silent" data-user-group-id="3">helpers</span>',
    '<a class="stream" data-stream-id="4" href="/#narrow/stream/4-ops" rel="noreferrer">#ops</a>',
    '<table><thead><tr><th align="left">a</th></tr></thead><tbody><tr><td align="right">b</td></tr></tbody></table>',
    '<ol start="3"><li>a</li></ol>',
  ])
    expect(html(source)).toBe(source);
});

test('a window knows every tag that the service writes', () => {
  const rewritten = new Set([
    'img',
    'pre',
    'table',
    'time',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'a',
  ]);
  for (const tag of renderedTags.keys()) {
    if (rewritten.has(tag) || ['br', 'hr', 'thead', 'tbody', 'tr', 'th', 'td'].includes(tag))
      continue;
    const isMath = /^(?:m|annotation|semantics)/.test(tag) && tag !== 'math';
    const source = isMath ? `<math><${tag}></${tag}></math>` : `<${tag}></${tag}>`;
    expect(html(source)).toBe(source);
  }
});

test('a moment is shown as the reader writes it, with what was typed as its title', () => {
  const time = messageNodes(
    '<time datetime="2030-05-01T12:00:00Z">2030-05-01 12:00</time>',
  ).firstElementChild;
  expect(time?.textContent).toContain('2030');
  expect(time?.textContent).toContain('May');
  expect(time?.getAttribute('title')).toBe('2030-05-01 12:00');
});

test('a custom emoji notes where its picture is, and fetches nothing by itself', () => {
  const source =
    '<img alt=":party:" class="emoji" src="/user_avatars/1/emoji/images/7.png" title="party">';
  const image = messageNodes(source).querySelector('img');
  expect(image?.hasAttribute('src')).toBe(false);
  expect(image?.dataset['file']).toBe('/user_avatars/1/emoji/images/7.png');
  expect(textOf(`<p>a ${source}</p>`)).toBe('a :party:');
  expect(html(source.replace('/user_avatars', 'https://example.com'))).toBe(':party:');
});

test('a spoiler without a title says what it is', () => {
  const nodes = messageNodes(
    '<div class="spoiler-block"><div class="spoiler-header">\n</div><div class="spoiler-content" aria-hidden="true">\n<p>secret</p>\n</div></div>',
  );
  expect(nodes.querySelector('details > summary')?.textContent).toBe('Spoiler');
});

test('what is announced of a formula is its source', () => {
  expect(
    textOf(
      '<span class="katex"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></span>',
    ),
  ).toBe('x');
});

test.each<[string, readonly (readonly [string, boolean])[]]>([
  ['plain', [['plain', false]]],
  ['', []],
  [
    'the <span class="highlight">deploy</span> of R&amp;D',
    [
      ['the ', false],
      ['deploy', true],
      [' of R&D', false],
    ],
  ],
  [
    '<img src=x onerror=alert(1)>a <b class="highlight">b</b> <a href="https://example.com">c</a>',
    [
      ['a ', false],
      ['b', false],
      [' ', false],
      ['c', false],
    ],
  ],
])('the marked pieces of the line %j are what a search has found', (line, pieces) => {
  expect(matchedTexts(line).map(({ text, isHit }) => [text, isHit])).toEqual(pieces);
});
