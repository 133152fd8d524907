import { expect, test } from 'vitest';
import { setDirections, sourceDirection } from '#renderer/lib/direction.ts';
import { messageNodes } from '#renderer/lib/sanitize.ts';

const mention = '<span class="user-mention" data-user-id="12">@Ada Admin</span>';
const group = '<span class="user-group-mention" data-user-group-id="3">@helpers</span>';
const stream =
  '<a class="stream-topic" data-stream-id="4" href="/#narrow/stream/4-ops/topic/x">#ops &gt; x</a>';
const link = '<a href="http://x.com">x.com</a>';
const hebrewLink = '<a href="http://x.com">שלום</a>';
const emoji =
  '<span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span>';

/** Beside each HTML, the directions of its blocks in order. */
test.each([
  [`<p>${mention} שלום.</p>`, ['rtl']],
  [`<p>${group} ${emoji} <code>npm i</code> ${link} مرحبا a</p>`, ['rtl']],
  [`<p>${stream}: שלום</p>`, ['rtl']],
  [`<p><strong>${mention}</strong> <em>שלום</em></p>`, ['rtl']],
  ['<p><span class="user-mention" data-user-id="2">@עדה</span> hello</p>', ['ltr']],
  [`<p>${mention} hello שלום</p>`, ['ltr']],
  ['<p>12:30, שלום</p>', ['rtl']],
  ['<p>\u200f:) abc</p>', ['rtl']],
  // Without a text of its own, a name counts.
  [`<p>${hebrewLink}</p>`, ['rtl']],
  [`<p>${mention} 12</p>`, ['ltr']],
  ['<p>12</p>', ['auto']],
  [`<blockquote>\n<p>${mention} שלום</p>\n</blockquote>\n<p>hello</p>`, ['rtl', 'rtl', 'ltr']],
  ['<ul>\n<li>שלום</li>\n<li>hello</li>\n</ul>', ['rtl', 'rtl', 'ltr']],
  [
    '<table>\n<thead>\n<tr>\n<th>שם</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>Ada</td>\n</tr>\n</tbody>\n</table>',
    ['rtl', 'rtl', 'ltr'],
  ],
])('%s reads %j', (html, directions) => {
  const message = document.createElement('div');
  message.append(messageNodes(html));
  setDirections(message);
  const blocks = message.querySelectorAll('p, li, ul, blockquote, table, th, td');
  expect([...blocks].map((block) => block.getAttribute('dir'))).toEqual(directions);
});

test('names in a text keep a direction of their own, and code is read from the left', () => {
  const message = document.createElement('div');
  document.body.append(message);
  message.append(messageNodes(`<p>${mention} שלום <code>f(x)</code> ${hebrewLink}</p>`));
  setDirections(message);
  const directions = [...message.querySelectorAll('span, code, a')].map(
    (name) => getComputedStyle(name).direction,
  );
  expect(directions).toEqual(['ltr', 'ltr', 'rtl']);
  expect(message.querySelector('p')?.matches(':dir(rtl)')).toBe(true);
  message.remove();
});

test.each([
  ['@**Ada Admin** שלום.', 'rtl'],
  ['@_**Ada Admin|12** @*helpers* #**ops>x** שלום', 'rtl'],
  ['https://x.com/a [site](http://x.com) שלום', 'rtl'],
  ['`npm i` :tada: שלום', 'rtl'],
  ['```js\nlet a;\n```\nשלום', 'rtl'],
  ['```quote\nשלום\n```', 'rtl'],
  ['/me שלום', 'rtl'],
  ['@**עדה** hello', 'ltr'],
  ['hello שלום', 'ltr'],
  ['@**Ada Admin**', 'ltr'],
  ['```\nlet a;', 'ltr'],
  ['12', 'auto'],
  ['', 'auto'],
])('%j is written %s', (text, direction) => {
  expect(sourceDirection(text)).toBe(direction);
});
