import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PreferencesPatch } from '#shared/bridge/models/preferences.ts';
import {
  createProfile,
  hostOrganization,
  openAgain,
  openApp,
  type DesktopApp,
  type Profile,
} from '#test/support/desktop/desktop-app.ts';
import { addColleague } from '#test/support/desktop/desktop-colleague.ts';
import {
  answerDialogs,
  askedDialogs,
  pickMenu,
  windowCount,
} from '#test/support/desktop/desktop-window.ts';

let profile: Profile;
let app: DesktopApp;
let env: Record<string, string>;
beforeEach(async () => {
  profile = await createProfile();
  env = { XDG_CONFIG_HOME: join(profile.dir, '..', 'config') };
  await open();
});
afterEach(async () => {
  await app.quit();
  await profile.remove();
});

async function open(): Promise<void> {
  app = await openApp(profile, env);
  // Otherwise the page sees what Playwright pretends, and not what the system has.
  await app.page.emulateMedia({ colorScheme: null });
  await app.page.getByRole('heading', { name: 'Welcome to Hearth' }).waitFor();
}

async function reopen(): Promise<void> {
  await app.quit();
  await open();
}

const change = (patch: PreferencesPatch): Promise<unknown> =>
  app.page.evaluate(
    (choices) =>
      (
        window as unknown as { bridge: { setPreferences: (p: unknown) => Promise<unknown> } }
      ).bridge.setPreferences(choices),
    patch,
  );

const bounds = (): Promise<Electron.Rectangle> =>
  app.electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.getBounds());

test('the window opens with the size and at the place where it was left', async () => {
  expect(await bounds()).toMatchObject({ width: 1100, height: 720 });
  const left = { x: 40, y: 50, width: 900, height: 640 };
  await app.electron.evaluate(
    ({ BrowserWindow }, to) => BrowserWindow.getAllWindows()[0]!.setBounds(to),
    left,
  );
  const file = join(profile.dir, 'window.json');
  await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('"width": 900');
  await reopen();
  expect(await bounds()).toEqual(left);
});

test('the theme is that of the person, from the first moment of the next start on', async () => {
  expect(await change({ theme: 'dark' })).toMatchObject({ ok: true });
  const isDark = (): Promise<boolean> =>
    app.page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const colour = (): Promise<string> =>
    app.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await expect.poll(isDark).toBe(true);
  const dark = await colour();
  await reopen();
  expect(await isDark()).toBe(true);
  expect(await colour()).toBe(dark);
  const background = await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.getBackgroundColor().toLowerCase(),
  );
  expect(background).toBe('#1b1816');
  await change({ theme: 'light' });
  await expect.poll(isDark).toBe(false);
  await expect.poll(colour).not.toBe(dark);
});

test('text grows with its setting, and zoom is kept', async () => {
  const size = (): Promise<string> =>
    app.page.evaluate(() => getComputedStyle(document.body).fontSize);
  expect(await size()).toBe('14px');
  await change({ fontSize: 20 });
  await expect.poll(size).toBe('20px');
  const zoom = (): Promise<number> =>
    app.electron.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.getZoomLevel(),
    );
  await pickMenu(app, 'View', 'Larger');
  await pickMenu(app, 'View', 'Larger');
  await expect.poll(zoom).toBe(1);
  await reopen();
  expect(await size()).toBe('20px');
  await expect.poll(zoom).toBe(1);
  await pickMenu(app, 'View', 'Smaller');
  await expect.poll(zoom).toBe(0.5);
  await pickMenu(app, 'View', 'Normal size');
  await expect.poll(zoom).toBe(0);
});

test('starting with the session is off, and writes and removes its file', async () => {
  const file = join(env['XDG_CONFIG_HOME']!, 'autostart', 'hearth.desktop');
  await expect(stat(file)).rejects.toThrow();
  expect(await change({ startAtLogin: true })).toMatchObject({ ok: true });
  const entry = await readFile(file, 'utf8');
  const executable = await app.electron.evaluate(() => process.execPath);
  expect(entry).toContain(`Exec="${executable}"`);
  expect(entry).toContain('"--hidden"');
  await change({ startAtLogin: false });
  await expect(stat(file)).rejects.toThrow();
});

test('a global shortcut is unset, is taken when it is free, and refused with a sentence when it is no key', async () => {
  const isTaken = (key: string): Promise<boolean> =>
    app.electron.evaluate(({ globalShortcut }, k) => globalShortcut.isRegistered(k), key);
  expect(await isTaken('Ctrl+Alt+H')).toBe(false);
  expect(await change({ globalShortcut: 'Ctrl+Alt+H' })).toMatchObject({ ok: true });
  expect(await isTaken('Ctrl+Alt+H')).toBe(true);
  expect(await change({ globalShortcut: 'Nonsense+7' })).toMatchObject({
    ok: false,
    failure: { code: 'SHORTCUT_TAKEN' },
  });
  expect(await isTaken('Ctrl+Alt+H')).toBe(true);
  await change({ globalShortcut: null });
  expect(await isTaken('Ctrl+Alt+H')).toBe(false);
});

test('a page that crashes is loaded again', async () => {
  const loaded = app.page.waitForEvent('crash');
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer(),
  );
  await loaded;
  const title = (): Promise<string> =>
    app.electron.evaluate(({ BrowserWindow }) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!;
      if (webContents.isCrashed()) return '';
      const code = `document.querySelector('h1')?.textContent ?? ''`;
      return webContents.executeJavaScript(code) as Promise<string>;
    });
  await expect.poll(title).toBe('Welcome to Hearth');
});

test('a crash of the page loses neither the place nor what was being written', async () => {
  await hostOrganization(app.page);
  const ben = await addColleague(profile, 'Ben Member');
  await ben.write('hello');
  const host = new URL(profile.origin).host;
  await openAgain(profile, ['--', `hearth://${host}/#narrow/pm-with/${ben.userId}-pm`]);
  await app.page.getByRole('heading', { level: 1, name: 'Ben Member' }).waitFor();
  await app.page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
  const inPage = (code: string): Promise<unknown> =>
    app.electron.evaluate(({ BrowserWindow }, script) => {
      const { webContents } = BrowserWindow.getAllWindows()[0]!;
      return webContents.isCrashed() || webContents.isLoading()
        ? ''
        : (webContents.executeJavaScript(script) as Promise<unknown>);
    }, code);
  const drafts = `bridge.start().then(({ value }) => bridge.state(value.accounts[0].id)).then(({ value }) => value.drafts.map(({ content }) => content))`;
  await expect.poll(() => inPage(drafts)).toEqual(['half a thought']);
  // A page that is about to end answers no question, ever.
  const crashed = app.page.waitForEvent('crash');
  await app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer(),
  );
  await crashed;
  const shown = `[document.querySelector('h1')?.textContent.trim(), document.querySelector('textarea')?.value].join(': ')`;
  await expect.poll(() => inPage(shown)).toBe('Ben Member: half a thought');
});

test('a page that crashes again and again asks, and is loaded when the person says so', async () => {
  await answerDialogs(app, 'Try again');
  await app.electron.evaluate(({ BrowserWindow }) => {
    const { webContents } = BrowserWindow.getAllWindows()[0]!;
    let left = 3;
    webContents.on('did-finish-load', () => {
      if (left > 0) webContents.forcefullyCrashRenderer();
      left -= 1;
    });
    webContents.forcefullyCrashRenderer();
  });
  await expect
    .poll(() => askedDialogs(app))
    .toEqual([expect.stringMatching(/stopped several times.*Nothing is lost/)]);
  await expect
    .poll(() =>
      app.electron.evaluate(({ BrowserWindow }) => {
        const { webContents } = BrowserWindow.getAllWindows()[0]!;
        return !webContents.isCrashed() && !webContents.isLoading();
      }),
    )
    .toBe(true);
});

/** Opens the window anew while every request of its page fails; `mend` lets them through again. */
async function failPages(): Promise<{ readonly mend: () => Promise<void> }> {
  await app.electron.evaluate(({ app: application, BrowserWindow, session }) => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- what is to replace it makes no failing answer
    session.defaultSession.protocol.interceptBufferProtocol('app', (_request, answer) => {
      answer({ error: -2 });
    });
    BrowserWindow.getAllWindows()[0]!.destroy();
    application.emit('activate');
  });
  return {
    mend: () =>
      app.electron.evaluate(({ session }) => {
        // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
        session.defaultSession.protocol.uninterceptProtocol('app');
      }),
  };
}

const failedLoads = (): number => app.stderr().split('the page could not be loaded').length - 1;

/** Looked up each time: what failed to load is another page than what is loaded in its place. */
async function isWelcoming(): Promise<boolean> {
  const headings = app.electron
    .windows()
    .map((page) => page.getByRole('heading', { name: 'Welcome to Hearth' }));
  const seen = await Promise.all(headings.map((each) => each.isVisible().catch(() => false)));
  return seen.includes(true);
}

const visibleWindows = (): Promise<readonly boolean[]> =>
  app.electron.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) => window.isVisible()),
  );

test('a window that goes away just when its page is loaded takes nothing else with it', async () => {
  await app.electron.evaluate(({ BrowserWindow }) => {
    const window = BrowserWindow.getAllWindows()[0]!;
    // The application hears of it after this, when the window is gone.
    window.webContents.prependOnceListener('did-finish-load', () => window.destroy());
    window.webContents.reload();
  });
  await expect.poll(() => windowCount(app)).toBe(0);
  expect(await app.quit()).toBe(0);
});

test('a page that could not be loaded is loaded again, and its window comes up', async () => {
  const { mend } = await failPages();
  await expect.poll(failedLoads).toBeGreaterThan(1);
  await mend();
  await expect.poll(isWelcoming).toBe(true);
  await expect.poll(visibleWindows).toEqual([true]);
});

test('a page that can never be loaded is said, and loaded when the person says so', async () => {
  await answerDialogs(app, 'Try again');
  const { mend } = await failPages();
  await expect
    .poll(() => askedDialogs(app))
    .toEqual([expect.stringMatching(/could not be loaded.*Nothing is lost/)]);
  await mend();
  await expect.poll(isWelcoming).toBe(true);
});

test('spell checking asks nobody for dictionaries, unless the organization names an address [window.spell-checking-asks]', async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(404).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await app.quit();
  env = { ...env, HEARTH_DICTIONARIES_URL: `http://127.0.0.1:${port}/dictionaries/` };
  await open();
  expect(asked).toEqual([]);
  await change({ spellCheck: true, spellLanguages: ['en-US'] });
  await expect
    .poll(() => asked)
    .toContainEqual(expect.stringMatching(/^\/dictionaries\/en-us.*\.bdic$/i));
  await change({ spellCheck: false });
  server.close();
});
