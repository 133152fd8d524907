import { describe, expect, test } from 'vitest';
import { plainText } from '#client/plain-text.ts';
import { expectLinear } from '#test/support/growth.ts';

describe('plain text of a message', () => {
  test.each([
    ['<p>one</p>\n<p>two<br/>three</p>', 'one two three'],
    ['<ul>\n<li>a</li>\n<li>b</li>\n</ul>', 'a b'],
    ['<p>a<strong>b</strong>c</p>', 'abc'],
    [
      '<p>1 &lt; 2 &amp;&amp; 3 &gt; 2 &quot;so&quot; &#39;x&#x27; &#128512;</p>',
      `1 < 2 && 3 > 2 "so" 'x' 😀`,
    ],
    ['<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>', '<script>alert(1)</script>'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['<a href="https://a.example/?x=1>2" title=\'a > b\'>link</a>', 'link'],
    ['<p>hi <img alt=":tada:" src="/x.png"> there</p>', 'hi :tada: there'],
    ['<!-- <b>hidden</b> -->seen', 'seen'],
    ['&unknown; &#0; &#xD800; &#99999999;', '&unknown; &#0; &#xD800; &#99999999;'],
    [
      '<p>hi <span aria-label="tada" class="emoji emoji-1f389" role="img" title="tada">:tada:</span></p>',
      'hi 🎉',
    ],
    ['<span class="emoji emoji-0031-20e3" title="one">:one:</span>', '1⃣'],
    ['<span class="emoji emoji-ffffff" title="x">:x:</span>', ':x:'],
    ['', ''],
  ])('%j reads %j', (html, text) => {
    expect(plainText(html, 200)).toBe(text);
  });

  test('a text of 200 characters is whole, a longer one ends in an ellipsis', () => {
    expect(plainText('🎉'.repeat(200), 200)).toBe('🎉'.repeat(200));
    expect(plainText('🎉'.repeat(201), 200)).toBe(`${'🎉'.repeat(199)}…`);
  });

  test.each(['<a', '<a "', "<a '", '<!--', '<span ', '<span class="emoji emoji-1" ', '&', ' '])(
    'many of %j take time in proportion to their length',
    async (unit) => {
      const make = (size: number): string => unit.repeat(size / unit.length);
      await expectLinear({ make, run: (html) => plainText(html, 200), size: 2500 });
    },
  );

  test('hostile input is read in little time, cut tags included', () => {
    expect(plainText('<a '.repeat(1_000_000), 200).length).toBeLessThanOrEqual(200);
    expect(plainText(`${'x'.repeat(50)}<img alt="${'y'.repeat(20_000)}">`, 200)).toBe(
      'x'.repeat(50),
    );
  });
});
