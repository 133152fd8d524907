import { expect, test } from 'vitest';
import { plainTextOf } from '#renderer/lib/plain-text.ts';

const code =
  '<div class="codehilite" data-code-language="Python"><pre><span></span><code>def f():\n    return 1\n</code></pre></div>';

test.each([
  [
    'paragraphs and lines',
    '<p>Hi <strong>Ada</strong>,<br>\nit works</p>\n<p>bye</p>',
    'Hi Ada,\nit works\n\nbye',
  ],
  ['code', `<p>Look:</p>\n${code}`, 'Look:\n\ndef f():\n    return 1'],
  [
    'lists',
    '<ul>\n<li>one\n<ul>\n<li>deeper</li>\n</ul>\n</li>\n<li>two</li>\n</ul>\n<ol start="3">\n<li>three</li>\n<li>four</li>\n</ol>',
    '- one\n  - deeper\n- two\n\n3. three\n4. four',
  ],
  [
    'quotes',
    '<blockquote>\n<p>first</p>\n<p>second</p>\n</blockquote>\n<p>no</p>',
    '> first\n> \n> second\n\nno',
  ],
  [
    'tables',
    '<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2 <em>x</em></td></tr></tbody></table>',
    'a\tb\n1\t2 x',
  ],
  [
    'formulas',
    '<p>so <span class="katex"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>.</p>',
    'so x^2.',
  ],
  [
    'mentions and emoji',
    '<p><span class="user-mention" data-user-id="9">@Ben</span> <span class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
    '@Ben 🎉',
  ],
  [
    'spoilers',
    '<div class="spoiler-block"><div class="spoiler-header">\n<p>End</p>\n</div><div class="spoiler-content" aria-hidden="true">\n<p>He wakes up</p>\n</div></div>',
    'End\n\nHe wakes up',
  ],
])('as plain text, %s keep their lines', (_, html, text) => {
  expect(plainTextOf(html)).toBe(text);
});
