import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { browserPath } from '../support/machine.ts';
import { launchChromium, openTab, type Tab } from '../support/window/browser.ts';
import {
  call,
  credentials,
  startService,
  type Credentials,
  type RunningService,
} from '../support/service/service.ts';

let browser: Browser;
let service: RunningService;
let ada: Credentials;
let ben: Credentials;
beforeAll(async () => {
  browser = await launchChromium({ executablePath: browserPath });
  service = await startService({ dev: true });
  ada = await credentials(service.origin, 'ada@example.com');
  ben = await credentials(service.origin, 'ben@example.com');
});
afterAll(async () => {
  await browser.close();
  expect(await service.stop()).toBe(0);
});

/** What the page asked of the browser; a headless one shows nothing that could be looked at. */
interface Heard {
  readonly up: readonly { readonly title: string; readonly body: string }[];
  readonly silent: readonly boolean[];
  readonly ended: readonly string[];
}

/** Runs in the page before anything else: notes what the real parts are asked, in a tab that nobody looks at. */
function listen(): void {
  const up: Notification[] = [];
  const silent: boolean[] = [];
  const ended: string[] = [];
  const Real = window.Notification;
  class Noted extends Real {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      up.push(this);
      silent.push(options?.silent === true);
    }
    override close(): void {
      up.splice(up.indexOf(this), 1);
      super.close();
    }
  }
  window.Notification = Noted;
  const { play } = HTMLMediaElement.prototype;
  HTMLMediaElement.prototype.play = function playNoted(this: HTMLMediaElement): Promise<void> {
    this.addEventListener('ended', () => ended.push(new URL(this.src).pathname));
    return play.call(this);
  };
  document.hasFocus = () => false;
  const heard = () => ({
    up: up.map(({ title, body }) => ({ title, body })),
    silent,
    ended,
  });
  const click = (): void => {
    up[0]?.onclick?.(new Event('click'));
  };
  Object.assign(window, { heard, click });
}

async function openListening(): Promise<Tab> {
  const tab = await openTab(browser, service.origin);
  const { page } = tab;
  await page.context().grantPermissions(['notifications'], { origin: service.origin });
  await page.addInitScript(listen);
  await page.reload();
  await tab.signIn('ada@example.com');
  await tab.isSaid('Connected');
  return tab;
}

const heard = (page: Page): Promise<Heard> =>
  page.evaluate(() => (window as unknown as { readonly heard: () => Heard }).heard());
const bodiesUp = async (page: Page): Promise<readonly string[]> =>
  (await heard(page)).up.map(({ body }) => body);

async function ask(who: Credentials, path: string, params: Readonly<Record<string, unknown>>) {
  const { status, body } = await call(service.origin, who, 'POST', path, params);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return Number(body['id']);
}
const write = (content: string): Promise<number> =>
  ask(ben, '/messages', { type: 'private', to: ['ada@example.com'], content });

test('a private message is shown without the sound of the system, with one of ours', async () => {
  const { page, complaints } = await openListening();
  // A page makes a sound only after somebody did something in it.
  await page.mouse.click(1, 1);
  const id = await write('hello <b>you</b>');
  await expect.poll(() => bodiesUp(page)).toEqual(['hello <b>you</b>']);
  await expect.poll(async () => (await heard(page)).ended).toEqual(['/sounds/ember.wav']);
  expect(await heard(page)).toMatchObject({ up: [{ title: 'Ben Member' }], silent: [true] });
  await ask(ada, '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
  await expect.poll(() => bodiesUp(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a message rings once, also when the page is loaded anew', async () => {
  const { page, isSaid } = await openListening();
  await write('only once');
  await expect.poll(() => bodiesUp(page)).toEqual(['only once']);
  await page.reload();
  await isSaid('Connected');
  await write('after that');
  await expect.poll(() => bodiesUp(page)).toEqual(['after that']);
});

test('a click leads to the message', async () => {
  const { page } = await openListening();
  await write('come here');
  await expect.poll(() => bodiesUp(page)).toEqual(['come here']);
  await page.evaluate(() => (window as unknown as { readonly click: () => void }).click());
  await page.getByRole('main').getByText('come here').waitFor();
  expect(await bodiesUp(page)).toEqual([]);
});
