import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { failure, success } from '#shared/bridge/outcome.ts';
import { account, BridgeDouble, inTopic, withPeople } from '#test/support/window/bridge-double.ts';
import { isAtEnd, openConversation, scroller } from './open-conversation.ts';
import { paintedPicture } from './rich-conversation.ts';

let bridge: BridgeDouble;
beforeEach(() => {
  bridge = new BridgeDouble();
});

const ben = withPeople(9);
const preview = (name: string): string =>
  `<div class="message_inline_image"><a href="/user_uploads/1/ab/${name}" title="${name}"><img src="/user_uploads/1/ab/${name}"></a></div>`;
const store = (rendered: string) => bridge.store(ben, rendered, { isRead: true });
const imageButton = (name: string) => page.getByRole('button', { name: `Open image ${name}` });

async function servePicture(width?: number, height?: number): Promise<void> {
  const type = 'image/png';
  const bytes = await paintedPicture(width, height);
  bridge.answer('file', async () => success({ type, bytes }));
}

test('a picture of the service comes through the bridge, and takes its place before it is here', async () => {
  store(preview('cat.png'));
  let answer: () => void = () => undefined;
  const bytes = await paintedPicture();
  bridge.answer('file', async () => {
    await new Promise<void>((resolve) => (answer = resolve));
    return success({ type: 'image/png', bytes });
  });
  await openConversation(bridge, ben);
  await expect.element(imageButton('cat.png')).toBeVisible();
  const { height } = imageButton('cat.png').element().getBoundingClientRect();
  answer();
  await expect
    .poll(() => imageButton('cat.png').element().querySelector('img')?.src)
    .toMatch(/^blob:/);
  await expect
    .poll(() => imageButton('cat.png').element().querySelector('img')?.complete)
    .toBe(true);
  expect(imageButton('cat.png').element().getBoundingClientRect().height).toBe(height);
  expect(bridge.argsOf('file')).toEqual([[account.id, '/user_uploads/1/ab/cat.png']]);
});

test('an image is one attachment, however often it is linked', async () => {
  await servePicture();
  store(`<p><a href="/user_uploads/1/ab/cat.png">cat.png</a></p>${preview('cat.png')}`);
  await openConversation(bridge, ben);
  await expect.element(page.getByRole('listitem', { name: /1 attachment(?!s)/ })).toBeVisible();
});

test('the list stays at its end while pictures come', async () => {
  await servePicture();
  for (let i = 0; i < 12; i += 1) store(preview(`${String(i)}.png`));
  await openConversation(bridge, ben);
  await expect.poll(isAtEnd).toBe(true);
  await expect.poll(() => scroller().querySelectorAll('img').length).toBeGreaterThan(2);
  await expect.poll(isAtEnd).toBe(true);
});

test('a picture that cannot be had leaves its name', async () => {
  store(preview('gone.png'));
  await openConversation(bridge, ben);
  await expect.element(imageButton('gone.png')).toHaveClass('is-missing');
});

/** The same picture under a header that announces another size. */
function announcing(bytes: Uint8Array<ArrayBuffer>, width: number, height: number) {
  const changed = new Uint8Array(bytes);
  new DataView(changed.buffer).setUint32(16, width);
  new DataView(changed.buffer).setUint32(20, height);
  return changed;
}

test('a picture of more pixels than a computer has room for leaves its name, by what it announces [message-images.picture-more-pixels]', async () => {
  const bytes = announcing(await paintedPicture(), 20_000, 5001);
  bridge.answer('file', async () => success({ type: 'image/png', bytes }));
  store(preview('bomb.png'));
  await openConversation(bridge, ben);
  await expect.element(imageButton('bomb.png')).toHaveClass('is-missing');
  await imageButton('bomb.png').click();
  await expect.element(page.getByRole('dialog', { name: 'bomb.png' })).toBeVisible();
  expect(page.getByRole('dialog').getByRole('img').elements()).toEqual([]);
});

test('a very large picture is made smaller before it is shown', async () => {
  await servePicture(6000, 4000);
  store(preview('poster.png'));
  await openConversation(bridge, ben);
  const shown = () => imageButton('poster.png').element().querySelector('img');
  await expect.poll(() => shown()?.naturalWidth ?? 0).toBeGreaterThan(0);
  const { naturalWidth = 0, naturalHeight = 0 } = shown() ?? {};
  expect(naturalWidth * naturalHeight).toBeLessThanOrEqual(4096 * 4096);
  expect(naturalWidth / naturalHeight).toBeCloseTo(1.5, 2);
});

test('a picture from elsewhere is never fetched: a link says where it leads', async () => {
  store(
    '<div class="message_inline_image"><a href="https://pictures.example.org/cat.png"><img src="https://pictures.example.org/cat.png"></a></div>',
  );
  await openConversation(bridge, ben);
  const link = page.getByRole('link', { name: /Image on pictures\.example\.org/ });
  await link.click();
  await expect
    .poll(() => bridge.argsOf('openLink'))
    .toEqual([['https://pictures.example.org/cat.png']]);
  expect(scroller().querySelector('img')).toBeNull();
  expect(bridge.argsOf('file')).toEqual([]);
});

test('a face is the picture of the person, and initials where there is none', async () => {
  await servePicture();
  bridge.store(ben, 'hello', { isRead: true, avatarUrl: '/user_avatars/1/ben.png' });
  bridge.store(ben, 'hi', {
    isRead: true,
    senderId: 10,
    avatarUrl: 'https://elsewhere.example/x.png',
  });
  await openConversation(bridge, ben);
  await expect.poll(() => scroller().querySelectorAll('img[src^="blob:"]').length).toBe(1);
  // Drawn, so that they are no part of any name.
  await expect.poll(() => scroller().querySelector('[data-initials="CZ"]')).not.toBeNull();
  expect(bridge.argsOf('file')).toEqual([[account.id, '/user_avatars/1/ben.png']]);
});

test('the viewer shows a picture large, goes to the next one, zooms, and gives the focus back', async () => {
  await servePicture();
  store(preview('one.png') + preview('two.png'));
  store(preview('three.png'));
  await openConversation(bridge, ben);
  await imageButton('two.png').click();
  const viewer = page.getByRole('dialog', { name: 'two.png' });
  await expect.element(viewer.getByRole('img', { name: 'two.png' })).toBeVisible();
  await expect.element(viewer.getByText('2 of 3')).toBeVisible();
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('dialog', { name: 'three.png' })).toBeVisible();
  await page.getByRole('button', { name: 'Previous image' }).click();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await expect.element(page.getByText('125 %')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  await expect.element(imageButton('two.png')).toHaveFocus();
});

const viewed = () => page.getByRole('dialog').getByRole('img');
function viewedSize(): readonly number[] {
  const { width, height } = viewed().element().getBoundingClientRect();
  return [Math.round(width), Math.round(height)];
}

test('the viewer shows a small picture in its own size, and larger only when it is zoomed', async () => {
  await servePicture(120, 80);
  store(preview('icon.png'));
  await openConversation(bridge, ben);
  await imageButton('icon.png').click();
  await expect.element(viewed()).toBeVisible();
  await expect.poll(viewedSize).toEqual([120, 80]);
  await userEvent.keyboard('+');
  await expect.poll(viewedSize).toEqual([150, 100]);
  await userEvent.keyboard('0');
  await expect.poll(viewedSize).toEqual([120, 80]);
});

test('the viewer shows a large picture whole, and every part of it when it is zoomed', async () => {
  await servePicture(3000, 1000);
  store(preview('panorama.png'));
  await openConversation(bridge, ben);
  await imageButton('panorama.png').click();
  const stage = page.getByRole('group', { name: 'Image panorama.png' });
  const overflow = (): readonly number[] => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = stage.element();
    return [scrollWidth - clientWidth, scrollHeight - clientHeight];
  };
  await expect.element(viewed()).toBeVisible();
  await expect.poll(viewedSize).toEqual([968, 323]);
  expect(overflow()).toEqual([0, 0]);
  await stage.dblClick();
  await expect.poll(viewedSize).toEqual([1936, 645]);
  stage.element().scrollTo(0, 0);
  const { left } = viewed().element().getBoundingClientRect();
  expect(Math.round(left)).toBe(16);
  expect(overflow()[0]).toBe(968);
});

test('a picture that moves stands still until it is asked to play', async () => {
  // Two frames of one pixel each.
  const gif = atob(
    'R0lGODlhAQABAPAAAP8AAP///yH5BAAKAAAALAAAAAABAAEAAAICRAEAIfkEAAoAAAAsAAAAAAEAAQAAAgJMAQA7',
  );
  const bytes = Uint8Array.from(gif, (sign) => sign.charCodeAt(0));
  bridge.answer('file', async () => success({ type: 'image/gif', bytes }));
  store(preview('party.gif'));
  await openConversation(bridge, ben);
  await expect.element(imageButton('party.gif')).toHaveClass('is-animated');
  const still = imageButton('party.gif').element().querySelector('img')?.src;
  await imageButton('party.gif').click();
  const image = page.getByRole('dialog').getByRole('img', { name: 'party.gif' });
  await expect.element(image).toHaveAttribute('src', still ?? '');
  await page.getByRole('button', { name: 'Play' }).click();
  await expect.element(image).not.toHaveAttribute('src', still ?? '');
  await expect.element(page.getByRole('button', { name: 'Pause' })).toBeVisible();
});

test('every picture of a message is reached in the viewer, also those without a preview', async () => {
  await servePicture();
  const href = (n: number) => `/user_uploads/1/ab/${String(n)}.png`;
  const links = Array.from({ length: 30 }, (_, n) => `<a href="${href(n)}">${String(n)}.png</a>`);
  const previews = Array.from(
    { length: 5 },
    (_, n) =>
      `<div class="message_inline_image"><a href="${href(n)}" title="${String(n)}.png"><img src="${href(n)}"></a></div>`,
  );
  store(`<p>${links.join(' ')}</p>${previews.join('')}`);
  await openConversation(bridge, ben);
  await page.getByRole('link', { name: '28.png' }).click();
  const viewer = page.getByRole('dialog');
  await expect.element(viewer.getByRole('img', { name: '28.png' })).toBeVisible();
  await expect.element(viewer).toMatchTextContent(/29 of 30/);
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(viewer.getByRole('img', { name: '29.png' })).toBeVisible();
});

test('other files are handed over to be saved, and a failure is said', async () => {
  store('<p><a href="/user_uploads/1/ab/plan.pdf">plan.pdf</a></p>');
  bridge.answer('saveFile', async () => failure('NOT_FOUND', 'The file is gone.'));
  await openConversation(bridge, ben);
  await page.getByRole('link', { name: 'plan.pdf' }).click();
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent(/could not be saved\. The file is gone\./);
  const url = '/user_uploads/1/ab/plan.pdf';
  expect(bridge.argsOf('saveFile')).toMatchObject([[account.id, { url }]]);
  expect(bridge.argsOf('openLink')).toEqual([]);
});

test('links to the outside go to the bridge, links to streams and messages stay in the window', async () => {
  store(
    '<p><a href="https://example.com/x">outside</a> <a href="/#narrow/stream/2-engineering/topic/x/near/77">that message</a></p>',
  );
  const { navigation } = await openConversation(bridge, ben);
  await page.getByRole('link', { name: 'outside' }).click();
  await expect.poll(() => bridge.argsOf('openLink')).toEqual([['https://example.com/x']]);
  await page.getByRole('link', { name: 'that message' }).click();
  await expect.poll(() => navigation.view).toEqual({ kind: 'stream', streamId: 2, topic: 'x' });
  expect(navigation.messageId).toBe(77);
  expect(bridge.argsOf('openLink')).toHaveLength(1);
});

test('links to other narrows open the view or the search; one that means nothing says so', async () => {
  store(
    '<p><a href="/#narrow/is/starred">stars</a> <a href="/#narrow/sender/9-ben/search/tea">tea</a> <a href="/#narrow/is/odd">odd</a></p>',
  );
  const { navigation } = await openConversation(bridge, ben);
  await page.getByRole('link', { name: 'odd' }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/is:odd/);
  expect(navigation.view).toEqual(ben);
  await page.getByRole('link', { name: 'tea' }).click();
  const terms = [
    { operator: 'sender', operand: 9 },
    { operator: 'search', operand: 'tea' },
  ];
  await expect.poll(() => navigation.view).toEqual({ kind: 'search', terms });
  navigation.go(ben);
  await page.getByRole('link', { name: 'stars' }).click();
  await expect.poll(() => navigation.view).toEqual({ kind: 'starred' });
  expect(bridge.argsOf('openLink')).toEqual([]);
});

test('a link that may not be opened says why', async () => {
  store('<p><a href="file:///etc/passwd">a file</a></p>');
  bridge.fail('openLink', 'Hearth opens web and mail links only.');
  await openConversation(bridge, ben);
  await page.getByRole('link', { name: 'a file' }).click();
  await expect.element(page.getByRole('alert')).toMatchTextContent(/web and mail links only\./);
});

test('hostile HTML does nothing', async () => {
  store(
    '<p>before<img src="x" onerror="document.title=\'owned\'"><script>document.title="owned"</script><a href="javascript:document.title=\'owned\'">click me</a><style>body{display:none}</style></p>',
  );
  await openConversation(bridge, ben);
  await expect.element(page.getByText('click me')).toBeVisible();
  await page.getByText('click me').click();
  expect(document.title).not.toBe('owned');
  expect(scroller().querySelectorAll('img, script, style:not([class]), [onerror]')).toHaveLength(0);
});

test('code says its language and is copied whole', async () => {
  store(
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="kn">import</span> this\n</code></pre></div>',
  );
  const { announcer } = await openConversation(bridge, ben);
  await expect.element(page.getByText('Python', { exact: true })).toBeVisible();
  const written: string[] = [];
  const write = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = async (text) => void written.push(text);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  navigator.clipboard.writeText = write;
  expect(written).toEqual(['import this']);
  await expect.poll(() => announcer.text).toBe('Copied.');
});

test('what a search has found is marked', async () => {
  const message = store('<p>the deploy failed</p>');
  const match = {
    rendered: '<p>the <span class="highlight">deploy</span> failed</p>',
    topic: '',
  };
  const whole = { hasOldest: true, hasNewest: true, isComplete: true };
  bridge.answer('messages', async () =>
    success({ messages: [{ ...message, match }], anchorId: null, ...whole }),
  );
  await openConversation(bridge, {
    kind: 'search',
    terms: [{ operator: 'search', operand: 'deploy' }],
  });
  await expect.poll(() => scroller().querySelector('.highlight')?.textContent).toBe('deploy');
});

test('what a search has found in a topic is marked above its messages', async () => {
  const messages = ['the deploy of R&D', 'plans'].map((topic) => ({
    ...bridge.store(inTopic(1, topic), '<p>it failed</p>'),
    match: {
      rendered: '<p>it failed</p>',
      // The second one is said to be something that it is not called.
      topic: 'the <span class="highlight">deploy</span> of R&amp;D',
    },
  }));
  const whole = { hasOldest: true, hasNewest: true, isComplete: true };
  bridge.answer('messages', async () => success({ messages, anchorId: null, ...whole }));
  await openConversation(bridge, {
    kind: 'search',
    terms: [{ operator: 'search', operand: 'deploy' }],
  });
  const bar = (name: string) =>
    page.getByRole('heading', { level: 2 }).getByRole('button', { name, exact: true });
  await expect.element(bar('the deploy of R&D')).toBeVisible();
  await expect.element(bar('plans')).toBeVisible();
  const marks = [...scroller().querySelectorAll('mark')].map(({ textContent }) => textContent);
  expect(marks).toEqual(['deploy']);
});

test('/me is said about the sender', async () => {
  bridge.store(ben, '<p>/me waves</p>', { is_me_message: true, isRead: true });
  await openConversation(bridge, ben);
  await expect.element(page.getByRole('listitem', { name: /^Ben Member waves/ })).toBeVisible();
});
