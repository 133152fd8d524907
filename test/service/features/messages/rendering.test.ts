import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  eventsOf,
  startTestService,
  type TestService,
} from '#test/support/service/api.ts';
import { png, upload } from '#test/support/images.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** The HTML of a content as a message, and as it is shown before it is sent. */
async function htmlOf(content: string): Promise<string> {
  const id = await service.say(ben, 'general', 'markup', content);
  const message = await service.read(ben, id);
  const { rendered } = await service.ask(ben, api.messages.render, { content });
  expect(message?.content).toBe(rendered);
  return rendered;
}

const setRealm = (params: Readonly<Record<string, unknown>>): Promise<unknown> =>
  service.ask(ada, api.realm.update, params);

describe('what an organization adds to the markup of messages', () => {
  test('linkifiers count from the moment they are there until they are removed [rendering.linkifiers-count-moment]', async () => {
    const issue = { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://t.test/%(id)s' };
    expect(await htmlOf('see #12')).toBe('<p>see #12</p>');
    const { id } = await service.ask(ada, api.linkifiers.add, issue);
    const linked = '<p>see <a href="https://t.test/12">#12</a></p>';
    expect(await htmlOf('see #12')).toBe(linked);
    await service.restart();
    expect(await htmlOf('see #12')).toBe(linked);
    await service.ask(ada, api.linkifiers.remove, { filter_id: id });
    expect(await htmlOf('see #12')).toBe('<p>see #12</p>');
  });

  test('a link by an address of the service itself leads there at every other address', async () => {
    const link = `${service.origin}/#narrow/stream/1-general`;
    expect(await htmlOf(`[there](${link})`)).toBe(
      '<p><a href="/#narrow/stream/1-general">there</a></p>',
    );
    const local = link.replace('127.0.0.1', 'localhost');
    expect(await htmlOf(local)).toContain('href="/#narrow/stream/1-general"');
  });

  test('linkifiers count in topics, in history and in events [rendering.linkifiers-count-topics]', async () => {
    const issue = { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://t.test/%(id)s' };
    const { id: filterId } = await service.ask(ada, api.linkifiers.add, issue);
    const links = ['https://t.test/7', 'https://example.com/'];
    let id = 0;
    const sent = await eventsOf(service, async () => {
      id = await service.say(ben, 'general', 'https://example.com/ fixes #7');
    });
    expect(sent.get(cleo)).toMatchObject([{ message: { subject_links: links } }]);
    const moved = await eventsOf(service, () =>
      service.ask(ben, api.lifecycle.edit, { message_id: id, topic: '#8' }),
    );
    expect(moved.get(cleo)).toMatchObject([{ subject_links: ['https://t.test/8'] }]);
    expect(await service.read(cleo, id)).toMatchObject({ subject_links: ['https://t.test/8'] });
    await service.ask(ada, api.linkifiers.remove, { filter_id: filterId });
    expect(await service.read(cleo, id)).toMatchObject({ subject_links: [] });
  });

  test('custom emoji are images until they are deactivated', async () => {
    expect(await htmlOf(':our_party:')).toBe('<p>:our_party:</p>');
    await service.ask(ben, api.emoji.add, { name: 'our_party' }, { body: upload(png) });
    const { emoji } = await service.ask(ben, api.emoji.list);
    const [image] = Object.values(emoji);
    expect(await htmlOf(':our_party:')).toBe(
      `<p><img alt=":our_party:" class="emoji" src="${String(image?.source_url)}" title="our party"></p>`,
    );
    await service.ask(ben, api.emoji.deactivate, { name: 'our_party' });
    expect(await htmlOf(':our_party:')).toBe('<p>:our_party:</p>');
  });

  test('the language of code that names none', async () => {
    const source = '```\nimport x\n```';
    expect(await htmlOf(source)).not.toContain('data-code-language');
    await setRealm({ default_code_block_language: 'python' });
    expect(await htmlOf(source)).toBe(
      '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="kn">import</span> x\n</code></pre></div>',
    );
    await setRealm({ default_code_block_language: '' });
    expect(await htmlOf(source)).not.toContain('data-code-language');
  });

  test('whether images of other hosts are shown', async () => {
    const source = 'https://example.com/a.png';
    expect(await htmlOf(source)).toContain('<div class="message_inline_image">');
    await setRealm({ inline_image_preview: false });
    expect(await htmlOf(source)).toBe(`<p><a href="${source}">${source}</a></p>`);
    await setRealm({ inline_image_preview: true });
  });

  test('formulas need nothing of it', async () => {
    expect(await htmlOf('$$x^2$$')).toContain('<msup><mi>x</mi><mn>2</mn></msup>');
  });
});

test('an image that is shown is found as one', async () => {
  const narrow = [['has', 'image']];
  const shown = await service.say(ben, 'general', 'images', 'https://example.com/a.png');
  const quoted = await service.say(ben, 'general', 'images', '> https://example.com/a.png');
  expect(await service.read(ben, shown, { narrow })).toMatchObject({ id: shown });
  expect(await service.read(ben, quoted, { narrow })).toBeUndefined();
});
