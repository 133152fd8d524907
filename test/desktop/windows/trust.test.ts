import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callNames } from '#preload/bridge.ts';
import {
  createProfile,
  openApp,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';

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

/** How a call of the bridge ends, when it is rejected, as code of the page. */
const rejectionOf = (code: string): string =>
  `(async () => { try { return await (${code}); } catch (error) { return error.message; } })()`;

const rejection = (code: string): Promise<unknown> => inPage(rejectionOf(code));

test('the page has the bridge and nothing of Node or Electron', async () => {
  const found = await inPage(
    `['require', 'process', 'module', 'Buffer', 'global', 'electron', 'ipcRenderer'].filter((name) => name in window)`,
  );
  expect(found).toEqual([]);
  expect(await inPage('Object.keys(window.bridge)')).toEqual([...callNames, 'holdFile', 'on']);
  expect(await address()).toBe('app://hearth/index.html');
});

test('a page that says where a file is hands over what it has of it, and nothing of the disk [trust.no-path-from-page]', async () => {
  const secret = join(profile.dir, 'secret.txt');
  await writeFile(secret, 'nobody chose this');
  const path = JSON.stringify(secret);
  const forged = [
    `new File(['named'], ${path})`,
    `Object.defineProperty(new File(['told'], 'a'), 'path', { value: ${path} })`,
    `{ name: ${path}, path: ${path}, size: 4, slice: () => new Blob(['made']) }`,
  ];
  for (const [index, file] of forged.entries()) {
    const outcome = await inPage(`window.bridge.holdFile('forged ${String(index)}', ${file})`);
    expect(outcome).toEqual({ ok: true, value: null });
  }
  const held = await readdir(join(profile.dir, 'uploads'));
  const contents = held.map((name) => readFile(join(profile.dir, 'uploads', name), 'utf8'));
  expect((await Promise.all(contents)).sort()).toEqual(['made', 'named', 'told']);
});

test('the headers of the document name the scripts and styles in it, so that they are fetched before it is read', async () => {
  const { link, text } = await app.electron.evaluate(async ({ net }) => {
    const response = await net.fetch('app://hearth/index.html');
    return { link: response.headers.get('link') ?? '', text: await response.text() };
  });
  const inDocument = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
  const inHeaders = [
    ...link.matchAll(/<([^<>]+)>; rel=(?:modulepreload|preload; as=style); cross/g),
  ];
  expect(inDocument.length).toBeGreaterThan(1);
  expect(inHeaders.map(([, path]) => path)).toEqual(inDocument);
});

test('the window is sandboxed and isolated [trust.window-sandboxed-isolated]', async () => {
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

test.each(callNames)(
  '%s refuses malformed arguments [trust.refuses-malformed-arguments]',
  async (name) => {
    const lists = [
      '"x", "x", "x"',
      'null, null, null',
      '{}, {}',
      '"", 1.5, {}',
      'undefined, "2"',
      '[], [], [], [], []',
      'NaN, -1',
      '{ length: 1, 0: "x" }, true',
      'JSON.parse(\'{"__proto__":{"ok":true}}\'), "x", {}',
      'new Uint8Array(8), new Date(), new Map()',
      '"x".repeat(100_000), "x", "x", "x", "x"',
    ];
    const calls = lists.map((list) => rejectionOf(`window.bridge.${name}(${list})`));
    // At once: each way into the page and back takes longer than all of the calls.
    const answers = (await inPage(`Promise.all([${calls.join()}])`)) as readonly unknown[];
    const refusal: unknown = expect.stringContaining(`${name} with malformed arguments`);
    expect(lists.map((list, index) => [list, answers[index]])).toEqual(
      lists.map((list) => [list, refusal]),
    );
  },
);

test('a refusal does not repeat what was sent', async () => {
  const code = `window.bridge.connect({ address: 7, email: 'ada@example.com', password: 'hush-hush' })`;
  expect(await rejection(code)).not.toContain('hush-hush');
  expect(app.stderr()).not.toContain('hush-hush');
});

test.each(['file:///etc/passwd', 'javascript:alert(1)', 'smb://host/share', 'app://hearth/', 'x'])(
  'the link %s is not opened [trust.link-not-opened]',
  async (url) => {
    expect(await inPage(`window.bridge.openLink(${JSON.stringify(url)})`)).toMatchObject({
      ok: false,
      failure: { code: 'BAD_LINK' },
    });
    expect(await profile.openedLinks()).not.toContain(url);
  },
);

test('web and e-mail links are opened by the system [trust.web-e-mail]', async () => {
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
  // Navigations are handled in order: those before were refused when the link of this one reached the system.
  await inPage(`window.open('https://example.com/last'); null`);
  await expect.poll(profile.openedLinks).toContain('https://example.com/last');
  expect(await address()).toBe('app://hearth/index.html');
  const opened = (await profile.openedLinks()).join();
  expect(opened).not.toMatch(/passwd|away|click/);
});

test('the page reaches no network and runs no script of its own making [trust.page-reaches-no]', async () => {
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

test('the policy of the page allows nothing from outside and no code but our files [trust.policy-page-allows]', async () => {
  const policy = await app.electron.evaluate(async ({ net }) => {
    const answer = await net.fetch('app://hearth/index.html');
    return answer.headers.get('content-security-policy');
  });
  const directives = new Map(
    policy!.split('; ').map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  );
  expect(directives.get('default-src')).toBe("'none'");
  expect(directives.get('script-src')).toBe("'self'");
  expect(directives.get('style-src')).toBe("'self'");
  for (const name of ['connect-src', 'base-uri', 'form-action', 'frame-ancestors']) {
    expect(directives.get(name), name).toBe("'none'");
  }
  expect(policy).not.toMatch(/unsafe|https?:|\*|wss?:|filesystem:/);
  expect(await rejection(`eval('1 + 1')`)).toContain('unsafe-eval');
  expect(await rejection(`new Function('return 1')()`)).toContain('unsafe-eval');
});

test('what a message could smuggle into the page runs nothing and leads nowhere', async () => {
  const html = [
    `<img src="x" onerror="window.smuggled = 'image'">`,
    `<svg onload="window.smuggled = 'svg'"></svg>`,
    `<iframe srcdoc="<script>parent.smuggled = 'frame'</script>"></iframe>`,
    `<iframe src="app://hearth/index.html"></iframe>`,
    `<object data="app://hearth/index.html"></object>`,
    `<embed src="app://hearth/index.html">`,
    `<form id="form" action="https://example.com/form"><button></button></form>`,
    `<a id="script" href="javascript:window.smuggled = 'link'">x</a>`,
    `<a id="own" href="app://hearth/other.html">x</a>`,
    `<a id="scheme" href="hearth://chat.example.com/">x</a>`,
    `<a id="file" href="file:///etc/passwd">x</a>`,
    `<a id="window" target="_blank" href="app://hearth/index.html">x</a>`,
    `<a id="download" download href="data:text/html,x">x</a>`,
    `<meta http-equiv="refresh" content="0;url=https://example.com/refresh">`,
  ].join('');
  await inPage(
    `document.body.append(Object.assign(document.createElement('section'), { innerHTML: ${JSON.stringify(html)} })); null`,
  );
  for (const id of ['script', 'own', 'scheme', 'file', 'window', 'download']) {
    await inPage(`document.getElementById('${id}').click(); null`);
  }
  await inPage(`document.getElementById('form').submit(); null`);
  await inPage(`window.open('https://example.com/after-all'); null`);
  await expect.poll(profile.openedLinks).toContain('https://example.com/after-all');
  expect(await inPage('window.smuggled ?? null')).toBeNull();
  expect(await address()).toBe('app://hearth/index.html');
  expect(app.electron.windows()).toHaveLength(1);
  const opened = await profile.openedLinks();
  expect(opened.filter((link) => !/^(https?:|mailto:)/.test(link))).toEqual([]);
  expect(opened).not.toContain('https://example.com/form');
  expect(opened).not.toContain('https://example.com/refresh');
  const bridged = await app.electron.evaluate(({ BrowserWindow }) =>
    Promise.all(
      BrowserWindow.getAllWindows()[0]!
        .webContents.mainFrame.framesInSubtree.slice(1)
        .map(
          (frame) =>
            frame.executeJavaScript(`'bridge' in window`).catch(() => false) as Promise<boolean>,
        ),
    ),
  );
  expect(bridged).not.toContain(true);
  await inPage(`document.querySelector('body > section').remove(); null`);
});

test('developer tools open in development only', async () => {
  const [isPackaged, isOpened] = await app.electron.evaluate(
    async ({ app: electron, BrowserWindow }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!;
      webContents.openDevTools({ mode: 'detach', activate: false });
      const isOpen = webContents.isDevToolsOpened();
      webContents.closeDevTools();
      return [electron.isPackaged, isOpen];
    },
  );
  if (isPackaged) expect(isOpened).toBe(false);
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
  // The system hands it over in its own time.
  await expect
    .poll(() => app.electron.evaluate(({ clipboard }) => clipboard.readText()))
    .toBe('http://127.0.0.1:9981');
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
