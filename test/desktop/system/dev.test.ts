/** The window of `npm run dev`: the page comes from its sources, and only from there. */
import { expect, test } from 'vitest';
import { findPageServer, isOfPageServer } from '#desktop/system/page-server.ts';
import { createProfile, startApp } from '#test/support/desktop/desktop-app.ts';
import { startDev } from '#test/support/dev-process.ts';
import { temporaryDir } from '#test/support/service/store.ts';

/** Everything that the page imports is compiled when it is first asked for. */
const inTime = { timeout: 120_000 };

test('the window shows the page from its sources, with its styles, and hears of changes', async () => {
  const dev = await startDev(temporaryDir());
  await expect.poll(() => dev.line('page')).toBeDefined();
  const server = (dev.line('page') ?? '').replace(/\/$/, '');
  const profile = await createProfile();
  const { electron, quit } = await startApp(profile, { env: { HEARTH_PAGE_SERVER: server } });
  try {
    const page = await electron.firstWindow(inTime);
    page.setDefaultTimeout(inTime.timeout);
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    // What it said before anybody listened.
    await page.reload();
    await page.getByText('Host an organization on this computer').waitFor();
    expect(page.url()).toBe('app://hearth/index.html');
    await expect.poll(() => said).toContain('[vite] connected.');
    expect(said.filter((text) => !text.startsWith('[vite]'))).toEqual([]);
    expect(await page.locator('style[nonce]').count()).toBeGreaterThan(0);
    const other = server.replace(/:\d+$/, ':1');
    const asked = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => 'answered',
          () => 'refused',
        ),
      `${other}/`,
    );
    expect(asked).toBe('refused');
  } finally {
    await quit();
    await profile.remove();
  }
}, 420_000);

test.each([
  ['http://127.0.0.1:9980', false, 'http://127.0.0.1:9980'],
  ['http://127.0.0.1:9980', true, undefined],
  ['http://127.0.0.1:9980.example.com', false, undefined],
  ['http://127.0.0.1@example.com:80', false, undefined],
  ['https://example.com', false, undefined],
  ['', false, undefined],
])('a page server %j where a package is %j is %j', (address, isPackaged, found) => {
  expect(findPageServer({ HEARTH_PAGE_SERVER: address }, isPackaged)).toBe(found);
});

test('nothing but that server is let through', () => {
  const server = 'http://127.0.0.1:998';
  expect(isOfPageServer('ws://127.0.0.1:998/?token=1', server)).toBe(true);
  expect(isOfPageServer('http://127.0.0.1:998/web/main.ts', server)).toBe(true);
  expect(isOfPageServer('http://127.0.0.1:9980/', server)).toBe(false);
});
