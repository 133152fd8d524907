import { expect, test } from 'vitest';
import { messageNodes, textOf } from '../../../src-renderer/ui/sanitize.ts';

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
  ['<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>', ''],
])('of %s stays %j', (source, safe) => {
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

test('nothing of a message is fetched from outside', () => {
  const preview =
    '<p>look</p><div class="message_inline_image"><a href="https://example.com/a.png"><img src="https://example.com/a.png"></a></div>';
  expect(html(preview)).toBe('<p>look</p>');
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
  expect(block.querySelector('pre')?.tabIndex).toBe(0);
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
