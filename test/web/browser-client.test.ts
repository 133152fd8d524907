import { rm } from 'node:fs/promises';
import type { Browser } from 'playwright';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Tab } from '../support/window/browser.ts';
import { launchChromium, openTab } from '../support/window/browser.ts';
import { row } from '../support/desktop/desktop-places.ts';
import type { RunningService } from '../support/service/service.ts';
import {
  call,
  credentials,
  startService,
  startServiceForTest,
} from '../support/service/service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
});

/** A tab in which somebody of the development organization reads the stream `general`. */
async function openGeneral(origin: string, email: string): Promise<Tab> {
  const tab = await openTab(browser, origin);
  await tab.signIn(email);
  await tab.isSaid('Connected');
  await tab.openStream('general');
  return tab;
}

const appears = (tab: Tab, text: string): Promise<void> =>
  tab.messages.filter({ hasText: text }).waitFor();

const sendAs = async (origin: string, email: string, message: object): Promise<void> => {
  const auth = await credentials(origin, email);
  const answer = await call(origin, auth, 'POST', '/messages', { ...message });
  expect(answer.status).toBe(200);
};

describe('on a development service', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ dev: true });
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
  });

  test('what one person types appears with the other without a reload, and the answer comes back', async () => {
    const ada = await openGeneral(service.origin, 'ada@example.com');
    const ben = await openGeneral(service.origin, 'ben@example.com');
    await ada.write('Lunch', 'Soup at **noon**?');
    await appears(ben, 'Soup at noon?');
    await appears(ada, 'Soup at noon?');
    await ben.write('Lunch', 'I am in 🍲');
    await appears(ada, 'I am in 🍲');
    await appears(ben, 'I am in 🍲');
    for (const { complaints, messages } of [ada, ben]) {
      expect(await messages.count()).toBe(2);
      expect(complaints).toEqual([]);
    }
  });

  test('formatted text is pasted under the rules of the page, which keep every style out', async () => {
    const ada = await openGeneral(service.origin, 'ada@example.com');
    const box = ada.page.getByRole('textbox', { name: 'Message', exact: true });
    await box.evaluate((field) => {
      const clipboardData = new DataTransfer();
      const html =
        '<b style="font-weight:normal"><p><span style="font-weight:700">Plan</span><span style="font-weight:400">, soon</span></p></b>';
      clipboardData.setData('text/html', html);
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      );
    });
    await expect.poll(() => box.inputValue()).toBe('**Plan**, soon');
    await box.fill('');
    expect(ada.complaints).toEqual([]);
  });

  test('the history is there after a reload, which asks for no password', async () => {
    const { origin } = service;
    for (const content of ['first', 'second', 'third']) {
      const message = { type: 'stream', to: 'engineering', topic: 'History', content };
      await sendAs(origin, 'ben@example.com', message);
    }
    const ada = await openGeneral(origin, 'ada@example.com');
    await ada.page.reload();
    await ada.isSaid('Connected');
    await ada.openStream('engineering');
    await appears(ada, 'third');
    const texts = await ada.messages.allInnerTexts();
    expect(texts.map((text) => /first|second|third/.exec(text)?.[0])).toEqual([
      'first',
      'second',
      'third',
    ]);
    expect(ada.complaints).toEqual([]);
  });

  test('another tab has to sign in by itself', async () => {
    const ada = await openGeneral(service.origin, 'ada@example.com');
    const page = await ada.page.context().newPage();
    await page.goto(service.origin);
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
  });

  test('a wrong password is told beside the form, and nobody is signed in', async () => {
    const tab = await openTab(browser, service.origin);
    await tab.signIn('ada@example.com', 'not the password');
    await tab.page.getByText('The e-mail address or the password is wrong.').waitFor();
    const stored = await tab.page.evaluate(() => sessionStorage.length);
    expect(stored).toBe(0);
    expect(tab.complaints).toEqual([]);
  });

  test('a private message is counted until its conversation is opened', async () => {
    const { origin } = service;
    const cleo = await openGeneral(origin, 'cleo@example.com');
    const message = { type: 'private', to: 'cleo@example.com', content: 'psst' };
    await sendAs(origin, 'ben@example.com', message);
    const from = row(cleo.page, 'Ben Member');
    await from.waitFor();
    await cleo.page.waitForFunction(() => document.title.startsWith('(1)'));
    await from.click();
    await appears(cleo, 'psst');
    await cleo.page.waitForFunction(() => !document.title.startsWith('('));
    expect(cleo.complaints).toEqual([]);
  });

  test('signing out leaves nothing behind in the tab [browser-client.signing-leaves-nothing]', async () => {
    const ada = await openGeneral(service.origin, 'ada@example.com');
    expect(await ada.page.evaluate(() => sessionStorage.length)).toBeGreaterThan(0);
    await ada.page.getByRole('button', { name: 'Account of Ada Admin' }).click();
    await ada.page.getByRole('button', { name: 'Sign out' }).click();
    await ada.page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click();
    await ada.page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await ada.page.evaluate(() => Object.values(sessionStorage).join())).not.toMatch(
      /[A-Za-z0-9]{32}/,
    );
  });

  test('the network going away is said, and its return makes the page live at once', async () => {
    const ada = await openGeneral(service.origin, 'ada@example.com');
    await ada.page.context().setOffline(true);
    await ada.isSaid('Offline');
    const content = 'while you were away';
    const message = { type: 'stream', to: 'general', topic: 'Network', content };
    await sendAs(service.origin, 'ben@example.com', message);
    await ada.page.context().setOffline(false);
    await ada.isSaid('Connected');
    await appears(ada, content);
  });
});

describe('a message with hostile HTML', () => {
  const hostile = [
    '<script>globalThis.wasRun = "script"</script>',
    '<img src="x" onerror="globalThis.wasRun = 1">',
    '<svg onload="globalThis.wasRun = 2"><a xlink:href="javascript:wasRun=3"><text>t</text></a></svg>',
    '<iframe srcdoc="<script>parent.wasRun = 4</script>"></iframe>',
    '<a href="javascript:globalThis.wasRun=5">hostile link</a>',
    '<style>body { display: none }</style>',
    '<form action="//evil.example"><input name="password"><button>go</button></form>',
    '<p onmouseover="globalThis.wasRun = 6" id="app" style="position: fixed">end of it</p>',
  ].join('\n');
  const inside =
    'script, iframe, object, form, input, style, [onerror], [onload], [onmouseover], [style]';

  async function isHarmless(tab: Tab): Promise<void> {
    const row = tab.messages.filter({ hasText: 'end of it' });
    await row.waitFor();
    await row.hover();
    for (const link of await row.locator('a').all()) await link.click({ force: true });
    expect(await row.locator('.content').locator(inside).count()).toBe(0);
    expect(await tab.page.evaluate(() => 'wasRun' in globalThis)).toBe(false);
    expect(tab.page.url()).not.toContain('evil');
  }

  test('hostile HTML runs nothing when it was typed', async () => {
    const service = await startServiceForTest({ dev: true });
    const ada = await openGeneral(service.origin, 'ada@example.com');
    const message = { type: 'stream', to: 'general', topic: 'Hostile', content: hostile };
    await sendAs(service.origin, 'ben@example.com', message);
    await isHarmless(ada);
    expect(ada.complaints).toEqual([]);
  });

  test('hostile HTML runs nothing when the service itself sends it as rendered [browser-client.hostile-html-runs]', async () => {
    const service = await startServiceForTest({ dev: true });
    const message = { type: 'stream', to: 'general', topic: 'Hostile', content: 'plain' };
    await sendAs(service.origin, 'ben@example.com', message);
    const ada = await openTab(browser, service.origin);
    await ada.page.route('**/api/v1/messages?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { readonly messages: readonly object[] };
      const messages = body.messages.map((each) => ({ ...each, content: hostile }));
      await route.fulfill({ response, json: { ...body, messages } });
    });
    await ada.signIn('ada@example.com');
    await ada.openStream('general');
    await isHarmless(ada);
    // The sanitizer parses in a document that runs nothing but is under the page's policy, which reports what it sees.
    expect(ada.complaints.filter((each) => !each.includes('Content Security Policy'))).toEqual([]);
  });
});

test('a restart of the service is survived, and what was sent before the page is back appears', async () => {
  const first = await startService({ dev: true });
  onTestFinished(() => rm(first.dataDir, { recursive: true, force: true }));
  const ada = await openGeneral(first.origin, 'ada@example.com');
  await ada.write('Restart', 'before');
  await appears(ada, 'before');
  await first.kill();
  await ada.isSaid('Offline');
  const { port } = new URL(first.origin);
  const options = { dev: true, dataDir: first.dataDir, args: ['--port', port] };
  const second = await startServiceForTest(options);
  const message = { type: 'stream', to: 'general', topic: 'Restart', content: 'meanwhile' };
  await sendAs(second.origin, 'ben@example.com', message);
  await ada.isSaid('Connected');
  await appears(ada, 'meanwhile');
  await ada.write('Restart', 'after');
  await appears(ada, 'after');
  expect(await ada.messages.count()).toBe(3);
  expect(ada.complaints).toEqual([]);
});

test('the first browser on the computer of a new service creates its organization', async () => {
  const service = await startServiceForTest();
  const tab = await openTab(browser, service.origin);
  const { page } = tab;
  await page.getByLabel('Organization name').fill('The Office');
  await page.getByLabel('Your name').fill('Ada Admin');
  await page.getByLabel('E-mail address').fill('ada@office.example');
  await page.getByLabel('Password', { exact: true }).fill('short');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await page.getByText('Enter a password of at least 8 characters.').waitFor();
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Create organization' }).click();
  await tab.isSaid('Connected');
  await page.getByRole('navigation').getByText('The Office').waitFor();
  await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor();
  const next = await openTab(browser, service.origin);
  await next.page.getByRole('heading', { name: 'Sign in to The Office' }).waitFor();
  await next.signIn('ada@office.example', 'correct horse');
  await next.isSaid('Connected');
  expect([...tab.complaints, ...next.complaints]).toEqual([]);
});
