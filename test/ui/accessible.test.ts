import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import type { StartState } from '#preload/bridge.ts';
import {
  account,
  BridgeDouble,
  inTopic,
  stream,
  unreadIn,
  withPeople,
} from '../support/window/bridge-double.ts';
import { complaints, looksAt } from '../support/window/complaints.ts';
import { listedStream } from '../support/window/office.ts';
import { heading, open, openWindow, row } from './open-window.ts';

const html = document.documentElement;
afterEach(() => {
  html.style.colorScheme = '';
});

function furnished(start: Partial<StartState> = {}): BridgeDouble {
  const bridge = new BridgeDouble(start);
  const colours = ['#ffffff', '#000000', '#fae589', '#76ce90', '#e79ab5', '#1e90ff'];
  const atSeconds = Math.floor(Date.now() / 1000);
  bridge.current = {
    ...bridge.current,
    streams: [
      ...bridge.current.streams,
      ...colours.map((color, i) =>
        stream(20 + i, `stream ${String(i)}`, { color, isMuted: i === 5 }),
      ),
    ],
    otherStreams: [listedStream(40, 'marketing', { description: 'Words', weeklyTraffic: 3 })],
    presences: { 9: { status: 'active', atSeconds }, 10: { status: 'idle', atSeconds } },
    statuses: { 10: { isAway: true, text: 'In a meeting' } },
    typing: { 'private:9': [9] },
    starredCount: 2,
    mutedTopics: [{ streamId: 1, topic: 'deploys' }],
    drafts: [
      {
        key: 'private:10',
        view: { kind: 'private', userIds: [10] },
        topic: null,
        content: 'half a sentence',
        changedAtSeconds: atSeconds,
      },
    ],
    outbox: [
      {
        localId: 'a',
        conversation: withPeople(9),
        content: 'On my way',
        writtenAtSeconds: atSeconds,
        state: 'failed',
        failure: 'No answer.',
      },
    ],
    unread: unreadIn([withPeople(9), 3], [inTopic(2, 'x'), 1], [inTopic(1, 'lunch'), 2, 1]),
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
  readonly prepare?: (bridge: BridgeDouble) => void;
  readonly go: (bridge: BridgeDouble) => Promise<void>;
}

const general = async (): Promise<void> => {
  await open(/general/, 'general');
  await expect.element(page.getByText('noodles?')).toBeVisible();
};

const portTaken: HostingStatus = {
  phase: 'failed',
  code: 'PORT_IN_USE',
  reason: 'Port 9981 of 127.0.0.1 is already in use.',
  port: 9981,
  isRetried: true,
};

/** What a real service brings about only with difficulty, or not at all. */
const screens: readonly Screen[] = [
  {
    name: 'start problem',
    start: { problem: { code: 'NO_KEYCHAIN', message: 'Locked.' } },
    go: () => expect.element(page.getByRole('alertdialog')).toBeVisible(),
  },
  {
    name: 'several organizations, streams of every colour and a filter',
    start: { accounts: [account, { ...account, id: '4@http://b.example', realmName: 'Side' }] },
    go: async () => {
      await expect.element(row(/general/)).toBeVisible();
      await userEvent.keyboard('q');
      await expect
        .element(page.getByRole('textbox', { name: 'Filter conversations' }))
        .toHaveFocus();
    },
  },
  {
    name: 'empty inbox',
    prepare: (bridge) => (bridge.current = { ...bridge.current, unread: {} }),
    go: () => open(/^Inbox/, 'Inbox'),
  },
  {
    name: 'a stream that one may not see',
    go: async (bridge) => {
      await expect.element(heading('Inbox')).toBeVisible();
      bridge.push('linkOpened', { accountId: account.id, fragment: '#narrow/stream/77-hidden' });
      await expect.element(heading('Stream not found')).toBeVisible();
    },
  },
  {
    name: 'offline with something unsent and a full disk',
    prepare: (bridge) => {
      bridge.connectionState = { state: 'offline', liveUntilSeconds: 1, reason: 'No network.' };
      bridge.current = { ...bridge.current, storageProblem: 'The disk is full.' };
    },
    go: general,
  },
  {
    name: 'a hosted service whose port is taken',
    prepare: (bridge) => (bridge.hostingStatus = portTaken),
    go: async () => {
      await general();
      await expect.element(page.getByText('Another program uses port 9981')).toBeVisible();
    },
  },
  {
    name: 'restored, and closed to others',
    prepare: (bridge) =>
      (bridge.hostingStatus = { phase: 'running', address: account.address, isClosed: true }),
    go: async () => {
      await general();
      await expect.element(page.getByText(/^Changes since/)).toBeVisible();
    },
  },
  {
    name: 'another port for the hosted service',
    prepare: (bridge) => (bridge.hostingStatus = portTaken),
    go: async () => {
      await general();
      await page.getByRole('button', { name: 'Other port…' }).click();
      await expect.element(page.getByLabelText('Port')).toHaveFocus();
    },
  },
  {
    name: 'hosted, and nobody signed in',
    start: { accounts: [], hosted: { realmName: 'Office' } },
    go: () => expect.element(heading('Sign in to Office')).toBeVisible(),
  },
  {
    name: 'hosted, stopped, and nobody signed in',
    start: { accounts: [], hosted: { realmName: '' } },
    prepare: (bridge) => (bridge.hostingStatus = { phase: 'stopped', port: 9981 }),
    go: () => expect.element(heading('Your organization on this computer')).toBeVisible(),
  },
  {
    name: 'signed out',
    prepare: (bridge) =>
      (bridge.connectionState = { state: 'signed-out', reason: 'The key is not valid.' }),
    go: general,
  },
  {
    name: 'draft in a stream that was archived',
    prepare: (bridge) => {
      const vault = listedStream(41, 'vault', { isPrivate: true });
      const view = { kind: 'stream', streamId: 41, topic: 'keys' } as const;
      const draft = { key: 'stream:41:keys', view, topic: null, content: 'half a thought' };
      bridge.current = {
        ...bridge.current,
        goneStreams: [{ ...vault, how: 'archived', sinceSeconds: 1_764_000_000 }],
        drafts: [{ ...draft, changedAtSeconds: 1_764_000_000 }],
      };
    },
    go: async () => {
      await row(/^Drafts/).click();
      await page.getByRole('button', { name: 'Go on writing' }).first().click();
      await expect.element(page.getByText(/#vault was archived on/)).toBeVisible();
      await expect.element(page.getByText('half a thought')).toBeVisible();
    },
  },
  {
    name: 'card of a person who is away',
    go: async () => {
      await general();
      await page.getByRole('main').getByRole('button', { name: /Cleo/ }).first().click();
      await expect.element(page.getByRole('dialog', { name: /Cleo/ })).toBeVisible();
    },
  },
  {
    name: 'menu of a stream',
    go: async () => {
      await row(/engineering/).click({ button: 'right' });
      await expect.element(page.getByRole('menu')).toBeVisible();
    },
  },
  {
    name: 'colour of a stream',
    go: async () => {
      await row(/engineering/).click({ button: 'right' });
      await page.getByRole('menuitem', { name: /Colour/ }).click();
      await expect.element(page.getByRole('dialog')).toBeVisible();
    },
  },
];

const looks = looksAt(1100, 700, 360);
const HEIGHT = 640;

test.each(screens)('$name: nothing to complain about in any theme and width', async (screen) => {
  const bridge = furnished(screen.start);
  screen.prepare?.(bridge);
  await openWindow(bridge, { width: 1100, height: HEIGHT });
  await screen.go(bridge);
  const found: string[] = [];
  for (const look of looks) {
    await page.viewport(look.width, HEIGHT);
    html.style.colorScheme = look.theme;
    found.push(...(await complaints(look)));
    // Columns scroll, the window does not; only a form may be longer than a low window.
    const isShell = document.querySelector('.shell') !== null;
    if (isShell && html.scrollHeight > HEIGHT) found.push(`${String(look.width)}: it scrolls`);
  }
  expect(found).toEqual([]);
});
