import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callNames } from '../../src-preload/bridge.ts';
import { createProfile, openApp, type DesktopApp, type Profile } from '../support/desktop-app.ts';

let profile: Profile;
let app: DesktopApp;
beforeAll(async () => {
  profile = await createProfile();
  app = await openApp(profile);
  await app.page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
});
afterAll(async () => {
  await app.quit();
  await profile.remove();
});

/** Runs code in the page as the page's own scripts run: Playwright would wait for a navigation that is refused. */
const inPage = (code: string): Promise<unknown> =>
  app.electron.evaluate(
    ({ BrowserWindow }, script) =>
      BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(script, true) as unknown,
    code,
  );

const address = (): Promise<string> =>
  app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.getURL(),
  );

/** How a call of the bridge ends, when it is rejected. */
const rejection = (code: string): Promise<unknown> =>
  inPage(
    `(async () => { try { return await (${code}); } catch (error) { return error.message; } })()`,
  );

test('the page has the bridge and nothing of Node or Electron', async () => {
  const found = await inPage(
    `['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter((name) => name in window)`,
  );
  expect(found).toEqual([]);
  expect(await inPage('Object.keys(window.bridge)')).toEqual([...callNames, 'on']);
  expect(await address()).toBe('app://hearth/index.html');
});

test('the window is sandboxed and isolated', async () => {
  const preferences = await app.electron.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    return (
      webContents as unknown as { getLastWebPreferences: () => Electron.WebPreferences }
    ).getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
  });
});

test.each(callNames)('%s refuses malformed arguments', async (name) => {
  const lists = ['"x", "x", "x"', 'null, null, null', '{}, {}', '"", 1.5, {}', 'undefined, "2"'];
  for (const list of lists) {
    expect(await rejection(`window.bridge.${name}(${list})`), list).toContain(
      `${name} with malformed arguments`,
    );
  }
});

test('a refusal does not repeat what was sent', async () => {
  const code = `window.bridge.connect({ address: 7, email: 'ada@example.com', password: 'hush-hush' })`;
  expect(await rejection(code)).not.toContain('hush-hush');
  expect(app.stderr()).not.toContain('hush-hush');
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/share', 'app://hearth/', 'x'])(
  'the link %s is not opened',
  async (url) => {
    expect(await inPage(`window.bridge.openLink(${JSON.stringify(url)})`)).toMatchObject({
      ok: false,
      failure: { code: 'BAD_LINK' },
    });
    expect(await profile.openedLinks()).not.toContain(url);
  },
);

test('web and e-mail links are opened by the system', async () => {
  for (const url of [
    'https://example.com/a?b=c#d',
    'http://127.0.0.1:1/',
    'mailto:ada@example.com',
  ]) {
    expect(await inPage(`window.bridge.openLink(${JSON.stringify(url)})`)).toMatchObject({
      ok: true,
    });
    await expect.poll(profile.openedLinks).toContain(url);
  }
});

test('a window that the page opens is refused, and its link goes to the system', async () => {
  expect(await inPage(`String(window.open('https://example.com/popup'))`)).toBe('null');
  await expect.poll(profile.openedLinks).toContain('https://example.com/popup');
  expect(await inPage(`String(window.open('file:///etc/passwd'))`)).toBe('null');
  expect(app.electron.windows()).toHaveLength(1);
});

test('the page cannot be navigated away', async () => {
  for (const url of [
    'https://example.com/away',
    'data:text/html,<h1>x</h1>',
    'app://hearth/web/index.html',
    'file:///etc/passwd',
  ]) {
    await inPage(`location.href = ${JSON.stringify(url)}; null`);
  }
  await inPage(
    `document.body.append(Object.assign(document.createElement('a'), { id: 'away', href: 'https://example.com/click' })); document.querySelector('#away').click()`,
  );
  // Navigations are handled in order: the last one was refused when its link reached the system.
  await expect.poll(profile.openedLinks).toContain('https://example.com/click');
  expect(await address()).toBe('app://hearth/index.html');
  expect(await profile.openedLinks()).not.toContain('file:///etc/passwd');
});

test('the page reaches no network and runs no script of its own making', async () => {
  const server = 'http://127.0.0.1:1/';
  expect(await rejection(`fetch('${server}')`)).toBe('Failed to fetch');
  const blocked = `new Promise((resolve) => { document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true });`;
  const script = `document.head.append(Object.assign(document.createElement('script'), { textContent: 'window.ran = true' })); })`;
  expect(await inPage(blocked + script)).toBe('script-src-elem');
  const frame = `document.body.append(Object.assign(document.createElement('iframe'), { src: 'data:text/html,x' })); })`;
  expect(await inPage(blocked + frame)).toBe('frame-src');
  const image = `document.body.append(Object.assign(new Image(), { src: '${server}x.png' })); })`;
  expect(await inPage(blocked + image)).toBe('img-src');
  expect(await inPage('window.ran')).toBeUndefined();
});

test('only files of the page are served', async () => {
  const statuses = await app.electron.evaluate(async ({ net }) => {
    const paths = [
      'index.html',
      '',
      '..%2Fmain%2Findex.js',
      '%2e%2e/preload/index.cjs',
      'missing.js',
      '%00',
      '%zz',
    ];
    const answers = paths.map(async (path) => (await net.fetch(`app://hearth/${path}`)).status);
    const other = net.fetch('app://other/index.html').then(({ status }) => status);
    return Promise.all([...answers, other]);
  });
  expect(statuses).toEqual([200, 404, 404, 404, 404, 404, 404, 404]);
});

test('permissions are denied', async () => {
  expect(await inPage(`Notification.requestPermission()`)).toBe('denied');
  const camera = `navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'granted', (error) => error.name)`;
  expect(await inPage(camera)).not.toBe('granted');
  expect(
    await inPage(`navigator.permissions.query({ name: 'geolocation' }).then(({ state }) => state)`),
  ).toBe('denied');
});

test('a click may copy text to the clipboard, and nothing may read it', async () => {
  await app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.focus());
  expect(await rejection(`navigator.clipboard.writeText('http://127.0.0.1:9981')`)).toBeUndefined();
  expect(await app.electron.evaluate(({ clipboard }) => clipboard.readText())).toBe(
    'http://127.0.0.1:9981',
  );
  expect(await rejection('navigator.clipboard.readText()')).toContain('denied');
});

test('another page with the same preload cannot call the bridge', async () => {
  const preload = await app.electron.evaluate(({ app: electron }) => electron.getAppPath());
  const call = (url: string): Promise<string> =>
    app.electron.evaluate(
      async ({ BrowserWindow }, [page, file]) => {
        const stranger = new BrowserWindow({ show: false, webPreferences: { preload: file! } });
        await stranger.loadURL(page!);
        const code = `window.bridge.start().then(() => 'answered', (error) => error.message)`;
        const answer = (await stranger.webContents.executeJavaScript(code)) as string;
        stranger.destroy();
        return answer;
      },
      [url, join(preload, 'out', 'preload', 'index.cjs')],
    );
  expect(await call('data:text/html,stranger')).toContain('from an untrusted frame');
  expect(await call('app://hearth/index.html')).toContain('from an untrusted frame');
});
