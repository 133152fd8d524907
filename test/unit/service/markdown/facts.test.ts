import { describe, expect, it } from 'vitest';
import {
  mentionCandidates,
  renderDescription,
  renderMessage,
  subjectLinks,
} from '#service/markdown/render.ts';
import { context, linkifiers, markup } from './directory.ts';

describe('who is mentioned', () => {
  it.each<readonly [string, readonly number[], boolean]>([
    ['nobody', [], false],
    ['@**Ben Member** @**Ada Admin** @**ben member**', [3, 12], false],
    ['@**Sam Twin|41** @**Sam Twin**', [41], false],
    ['@_**Ada Admin** @_**all**', [], false],
    ['@**all**', [], true],
    ['@**stream** and @**Ben Member**', [3], true],
    ['> @**Ada Admin** @**everyone**', [], false],
    ['> @**Ada Admin**\n@**Ben Member**', [3], false],
    ['```quote\n* @**Ada Admin**\n```\n@**Ben Member**', [3], false],
    ['```quote\n@**Ada Admin**', [], false],
    ['`@**Ada Admin**` \\@**Ada Admin**', [], false],
    ['```\n@**Ada Admin**\n```', [], false],
    ['    @**Ada Admin**', [], false],
    ['# @**Ada Admin**', [12], false],
    ['* x\n  * @**Ada Admin**', [12], false],
    ['a|b\n-|-\n@**Ada Admin**|x', [12], false],
    ['@*helpers* @**Ada Admin**', [3, 12, 40], false],
    ['> @*helpers*', [], false],
    ['```spoiler x\n@**Ada Admin**\n```', [12], false],
    ['```spoiler @**Ada Admin**\nx\n```', [12], false],
  ])('%j', (content, userIds, isWildcard) => {
    const rendered = renderMessage(content, context);
    expect(rendered.mentionedUserIds).toEqual(userIds);
    expect(rendered.has_wildcard_mention).toBe(isWildcard);
  });

  it('mentions in a quote are shown as silent', () => {
    const { html } = renderMessage('> > @**Ada Admin**', context);
    expect(html).toContain('<span class="user-mention silent" data-user-id="12">Ada Admin</span>');
  });
});

describe('what a message has', () => {
  it.each<readonly [string, string]>([
    ['x', ''],
    ['http://x.com', 'link'],
    ['> [t](/x)', 'link'],
    ['ada@example.com', 'link'],
    ['#**ops** `x.com` [t](javascript:x)', ''],
    ['[f](/user_uploads/1/f.pdf)', 'link attachment'],
    ['[f](/user_uploads/1/f.PNG)', 'link attachment image'],
    ['> [f](/user_uploads/1/f.png)', 'link attachment'],
    ['[f](http://x.com/user_uploads/1/f.png)', 'link image'],
    ['> http://x.com/f.png', 'link'],
    ['#12', 'link'],
    [':tada: :party: $$x$$ <time:2030-05-01>', ''],
  ])('%j has: %s', (content, expected) => {
    const rendered = renderMessage(content, context);
    const has = [
      rendered.has_link && 'link',
      rendered.has_attachment && 'attachment',
      rendered.has_image && 'image',
    ];
    expect(has.filter(Boolean).join(' ')).toBe(expected);
  });
});

describe('uploaded files of a message', () => {
  it('uploaded files are the paths that the links of a message lead to, once each, in quotes too', () => {
    const content =
      '[a](/user_uploads/1/x/a%20b.pdf) [b](/user_uploads/1/x/a%20b.pdf?k=1) > /user_uploads/1/y\n> [c](/user_uploads/1/z/ü.png#f)';
    expect(renderMessage(content, context).uploadPaths).toEqual(['1/x/a b.pdf', '1/z/ü.png']);
  });

  it('uploaded files are those of links by an address of the service itself, which others may reach at another one', () => {
    const own = {
      ...context,
      ownOrigins: () => ['http://127.0.0.1:9981', 'https://maras-laptop.local:9981'],
    };
    const content =
      'http://127.0.0.1:9981/user_uploads/1/x/a.pdf [b](https://maras-laptop.local:9981/#narrow/stream/4-ops/near/7)';
    const { html, uploadPaths } = renderMessage(content, own);
    expect(uploadPaths).toEqual(['1/x/a.pdf']);
    expect(html).toContain('href="/user_uploads/1/x/a.pdf"');
    expect(html).toContain('href="/#narrow/stream/4-ops/near/7"');
    for (const other of [
      'http://127.0.0.1:9982/#narrow/stream/4',
      'http://127.0.0.1:9981/api/',
      'http://127.0.0.1:9981@x.com/#narrow/stream/4',
    ]) {
      expect(renderMessage(`[t](${other})`, own).html).toContain(`href="${other}"`);
    }
  });

  it('uploaded files are none of another service', () => {
    expect(renderMessage('http://x.com/user_uploads/1/a.pdf', context).uploadPaths).toEqual([]);
  });

  it('a message shows no image of another service where the organization says so', () => {
    const quiet = { ...context, markup: { ...markup, showsLinkedImages: false } };
    expect(renderMessage('http://x.com/a.png', quiet).has_image).toBe(false);
    expect(renderMessage('[a](/user_uploads/1/a.png)', quiet).has_image).toBe(true);
  });
});

describe('/me messages', () => {
  it.each<readonly [string, boolean]>([
    ['/me waves', true],
    ['/me waves\n', true],
    ['/me **waves**', true],
    ['/me', false],
    ['/meow x', false],
    [' /me x', false],
    ['/me a\nb', false],
    ['/me http://x.com/a.png', false],
    ['x /me', false],
  ])('%j: %s', (content, isMe) => {
    const rendered = renderMessage(content, context);
    expect(rendered.is_me_message).toBe(isMe);
    if (isMe) expect(rendered.html).toMatch(/^<p>\/me /);
  });
});

describe('candidates for mentions', () => {
  it('the candidates name all that rendering may look up, once each', () => {
    const content =
      '@**Ada** @_**Ben|3** @**Ben|3** @**all** @**Ada** #**ops** #**ops>x** #** a > b ** `@**Cleo**` @*g*';
    expect(mentionCandidates(content)).toEqual({
      names: ['Ada', 'Cleo'],
      userIds: [3],
      streamNames: ['ops', 'ops>x', 'a > b', 'a'],
      groupNames: ['g'],
    });
  });

  it('the candidates include a mention behind a mark that opens nothing', () => {
    expect(mentionCandidates('\\@**x@**Ada**').names).toContain('Ada');
  });

  it('plain text has no candidates for mentions', () => {
    const none = { names: [], userIds: [], streamNames: [], groupNames: [] };
    expect(mentionCandidates('a @b **c** #d')).toEqual(none);
  });
});

describe('links in a topic', () => {
  it.each<readonly [string, readonly string[]]>([
    ['deploy', []],
    [
      'see https://x.com/a, y.org. (ftp://z.net)',
      ['https://x.com/a', 'http://y.org', 'ftp://z.net'],
    ],
    ['ada@example.com README.md javascript:x', []],
    [
      'https://x.com/a fixes #1 (ABC-2) a#3 https://x.com/ #4x',
      ['https://t.test/issues/1', 'https://t.test/ABC?n=2', 'https://x.com/a', 'https://x.com/'],
    ],
    ['http://x.com/,#1', ['http://x.com/,#1']],
    [
      '修复#1吧：https://x.com吧和y.org看',
      ['https://t.test/issues/1', 'https://x.com', 'http://y.org'],
    ],
  ])('%j', (topic, links) => {
    expect(subjectLinks(topic, linkifiers)).toEqual(links);
  });
});

describe('descriptions', () => {
  it.each<readonly [string, string]>([
    ['', ''],
    ['Run', '<p>Run</p>'],
    ['**Run**\n# it <b>', '<p><strong>Run</strong> # it &lt;b&gt;</p>'],
    ['see x.com', '<p>see <a href="http://x.com">x.com</a></p>'],
    ['@**all** @**Ada Admin** #**ops**', '<p>@**all** @**Ada Admin** #**ops**</p>'],
    ['* not a list', '<p>* not a list</p>'],
    ['$$x$$ #12', '<p>$$x$$ #12</p>'],
  ])('%j', (text, html) => {
    expect(renderDescription(text)).toBe(html);
  });
});
