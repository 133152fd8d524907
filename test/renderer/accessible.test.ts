import axe from 'axe-core';
import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { StartState } from '../../src-preload/bridge.ts';
import { BridgeDouble, inTopic, stream, withPeople } from '../support/bridge-double.ts';
import { heading, openWindow, row, textBox, topicBox } from './open-window.ts';

const html = document.documentElement;
afterEach(() => {
  html.style.colorScheme = '';
});

function furnished(start: Partial<StartState> = {}): BridgeDouble {
  const bridge = new BridgeDouble(start);
  const colours = ['#ffffff', '#000000', '#fae589', '#76ce90', '#e79ab5', '#1e90ff'];
  bridge.realmState = {
    ...bridge.realmState,
    streams: [
      ...bridge.realmState.streams,
      ...colours.map((color, i) => stream(20 + i, `stream ${i}`, { color, isMuted: i === 5 })),
    ],
    unreadCounts: { 'private:9': 3, 'stream:2:x': 1, 'stream:1:lunch': 2 },
  };
  bridge.store(inTopic(1, 'lunch'), 'noodles?', { senderId: 10 });
  bridge.store(
    inTopic(1, 'deploys'),
    '<p><span class="user-mention" data-user-id="8">@Ada</span> see <a href="https://example.com">this</a> and <code>that</code></p><blockquote><p>quoted</p></blockquote><div class="codehilite"><pre><code>let a = 1;</code></pre></div><h2>Title</h2>',
    { senderId: 12 },
  );
  bridge.store(withPeople(9), 'hello');
  return bridge;
}

interface Screen {
  readonly name: string;
  readonly start?: Partial<StartState>;
  readonly isWide?: boolean;
  readonly prepare?: (bridge: BridgeDouble) => void;
  readonly go: () => Promise<void>;
}

const general = async (): Promise<void> => {
  await row(/general/).click();
  await expect.element(heading('general')).toBeVisible();
  await expect.element(page.getByText('noodles?')).toBeVisible();
};

const press = (label: string | RegExp) => page.getByRole('button', { name: label }).click();

const screens: readonly Screen[] = [
  {
    name: 'first run',
    start: { accounts: [] },
    go: () => expect.element(heading('Welcome to Hearth')).toBeVisible(),
  },
  {
    name: 'host form with errors',
    start: { accounts: [] },
    go: async () => {
      await press(/^Host/);
      await press('Create organization');
    },
  },
  {
    name: 'sign-in that was refused',
    start: { accounts: [], shell: 'browser', canHost: false, fixedAddress: 'http://a.example' },
    prepare: (bridge) => bridge.fail('connect', 'Wrong e-mail address or password.'),
    go: async () => {
      await page.getByLabelText('E-mail address').fill('ada@example.com');
      await page.getByLabelText('Password', { exact: true }).fill('x');
      await press('Sign in');
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'start problem',
    start: { problem: { code: 'NO_KEYCHAIN', message: 'Locked.' } },
    go: () => expect.element(page.getByRole('alertdialog')).toBeVisible(),
  },
  { name: 'list', go: () => expect.element(row(/general/)).toBeVisible() },
  { name: 'stream', go: general },
  {
    name: 'empty private conversation',
    prepare: (bridge) => (bridge.messageList = []),
    go: async () => {
      await row(/Ben Member/).click();
      await expect.element(page.getByText(/No messages with/)).toBeVisible();
    },
  },
  {
    name: 'compose with completion open and what is wrong',
    go: async () => {
      await general();
      await textBox().fill('é'.repeat(5001));
      await topicBox().fill('e');
      await expect.element(page.getByRole('option').first()).toBeVisible();
    },
  },
  {
    name: 'failed and offline',
    prepare: (bridge) => {
      bridge.fail('sendMessage', 'No answer.');
      bridge.connectionState = { state: 'offline', liveUntilSeconds: 1, reason: 'No network.' };
    },
    go: async () => {
      await row(/Ben Member/).click();
      await textBox().fill('lost?');
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByRole('alert')).toBeVisible();
    },
  },
  {
    name: 'signed out',
    prepare: (bridge) =>
      (bridge.connectionState = { state: 'signed-out', reason: 'The key is not valid.' }),
    go: general,
  },
  {
    name: 'switcher',
    go: async () => {
      await press('Go to…');
      await expect.element(page.getByRole('option').first()).toBeVisible();
    },
  },
  { name: 'new private message', go: () => press('New private message') },
  { name: 'new stream', go: () => press('New stream') },
  { name: 'add person', go: () => press('Add person') },
  {
    name: 'account',
    go: async () => {
      await press(/^Account of/);
      await expect.element(page.getByText('Address for colleagues')).toBeVisible();
    },
  },
  {
    name: 'shortcuts',
    go: async () => {
      await expect.element(row(/general/)).toBeVisible();
      await userEvent.keyboard('?');
      await expect.element(page.getByRole('dialog')).toBeVisible();
    },
  },
];

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function complaints(): Promise<readonly string[]> {
  // A colour on its way to another one is nobody's choice.
  for (const animation of document.getAnimations()) animation.finish();
  const { violations } = await axe.run(document, { runOnly: tags });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html} ${node.failureSummary ?? ''}`),
  );
}

const themes = ['light', 'dark'] as const;
const widths = [1100, 700, 360];
const cases = screens.flatMap((screen) =>
  themes.flatMap((theme) => widths.map((width) => ({ screen, theme, width, name: screen.name }))),
);

test.each(cases)('$name, $theme, $width px: nothing to complain about', async (given) => {
  const { screen, theme, width } = given;
  html.style.colorScheme = theme;
  const bridge = furnished(screen.start);
  screen.prepare?.(bridge);
  await openWindow(bridge, { width, height: 640 });
  await screen.go();
  expect(await complaints()).toEqual([]);
  expect(html.scrollWidth).toBeLessThanOrEqual(width);
  // Columns scroll, the window does not; only a form may be longer than a low window.
  if (document.querySelector('.shell') !== null) expect(html.scrollHeight).toBe(640);
});
