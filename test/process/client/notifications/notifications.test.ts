import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { NotificationLogEntry, SoundName } from '#shared/bridge/models/notifications.ts';
import { defaultPreferences } from '#shared/bridge/models/preference-defaults.ts';
import type { Badge } from '#shared/policies/unread-counts.ts';
import type { Notice } from '#client/ports.ts';
import { createRealClient, valueOf } from '#test/support/client/client.ts';
import {
  call,
  credentials,
  startService,
  type Credentials,
  type RunningService,
} from '#test/support/service/service.ts';

let service: RunningService;
/** Ada sits at the client, and uses another program as well. */
let ada: Credentials;
let ben: Credentials;

beforeAll(async () => {
  service = await startService({ dev: true });
  ada = await credentials(service.origin, 'ada@example.com');
  ben = await credentials(service.origin, 'ben@example.com');
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
});
beforeEach(async () => {
  await ask(ada, 'POST', '/mark_all_as_read');
});

type Body = Readonly<Record<string, unknown>>;

async function ask(who: Credentials, method: 'POST' | 'PATCH', path: string, params: Body = {}) {
  const { status, body } = await call(service.origin, who, method, path, params);
  if (status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
  return body;
}

const writeTo = async (message: Body): Promise<number> =>
  Number((await ask(ben, 'POST', '/messages', message))['id']);
const writeToAda = (content: string): Promise<number> =>
  writeTo({ type: 'private', to: ['ada@example.com'], content });
const writeToGeneral = (content: string): Promise<number> =>
  writeTo({ type: 'stream', to: 'general', topic: 'deploy', content });

/** A client of Ada's whose screen can be looked at. */
async function signIn() {
  const screen = new Map<string, Notice>();
  const rung: Notice[] = [];
  const sounds: SoundName[] = [];
  const badges: Badge[] = [];
  let hasChanged: () => void = () => undefined;
  const changed = (_change: unknown): void => {
    hasChanged();
  };
  const { client, heard, until } = createRealClient({
    choices: () => defaultPreferences,
    attention: {
      isWindowFocused: () => false,
      activeSinceMs: () => 0,
      canNotify: () => true,
      notify: (notice) => {
        rung.push(notice);
        changed(screen.set(`${notice.accountId} ${notice.tag}`, notice));
      },
      withdraw: (accountId, tag) => changed(screen.delete(`${accountId} ${tag}`)),
      playSound: (sound) => changed(sounds.push(sound)),
      setBadge: (badge) => changed(badges.push(badge)),
    },
  });
  const address = service.origin;
  const account = valueOf(await client.connect({ address, email: ada.email, password: '' }));
  await until(() => heard.connectionChanged.at(-1)?.connection.state === 'live');
  onTestFinished(() => client.stop());

  /** Settles as soon as the condition holds; it is looked at after every change of the screen. */
  const when = (condition: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      hasChanged = () => {
        if (condition()) resolve();
      };
      hasChanged();
    });
  const decisionOn = async (messageId: number): Promise<NotificationLogEntry> => {
    await until(() =>
      heard.messagesArrived.some(({ messages }) => messages.some(({ id }) => id === messageId)),
    );
    // Arriving and deciding are not one moment: the notification log is written in between.
    const find = async () =>
      valueOf(await client.notificationLog()).find((entry) => entry.messageId === messageId);
    await expect.poll(find).toBeDefined();
    return (await find())!;
  };
  return { client, account, screen, rung, sounds, badges, when, decisionOn, until, heard };
}

test('a private message rings, is counted, and goes away when it is read in another program', async () => {
  const { screen, rung, sounds, badges, when, decisionOn } = await signIn();
  const id = await writeToAda('hello');
  await when(() => screen.size === 1 && badges.at(-1)?.wanted === 1);
  expect(rung).toMatchObject([{ title: 'Ben Member', body: 'hello', messageId: id }]);
  expect(sounds).toEqual(['ember']);
  expect(await decisionOn(id)).toMatchObject({ rang: true, desktopReason: 'private-on' });
  await ask(ada, 'POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
  await when(() => screen.size === 0 && badges.at(-1)?.wanted === 0);
  expect(badges.at(-1)).toMatchObject({ badge: 0, problem: null });
});

test('everything that is read elsewhere goes away', async () => {
  const { screen, when } = await signIn();
  await writeToAda('one');
  await writeToAda('two');
  await when(() => screen.size === 1);
  await ask(ada, 'POST', '/mark_all_as_read');
  await when(() => screen.size === 0);
});

test('a stream follows the general setting from the moment that it changes', async () => {
  const { decisionOn, until, heard } = await signIn();
  expect(await decisionOn(await writeToGeneral('a'))).toMatchObject({ rang: false });
  await ask(ada, 'PATCH', '/settings/notifications', {
    enable_stream_desktop_notifications: true,
  });
  await until(() =>
    heard.stateChanged.some(
      ({ changes }) => changes.streams?.some((stream) => stream.desktopNotifications) === true,
    ),
  );
  expect(await decisionOn(await writeToGeneral('b'))).toMatchObject({
    rang: true,
    sounded: false,
    desktopReason: 'stream-on',
    soundReason: 'stream-off',
  });
  await ask(ada, 'PATCH', '/settings/notifications', {
    enable_stream_desktop_notifications: false,
  });
});

test('a muted topic is silent but for a mention by name', async () => {
  const muted = { stream: 'general', topic: 'deploy' };
  await ask(ada, 'PATCH', '/users/me/subscriptions/muted_topics', { ...muted, op: 'add' });
  const { decisionOn, badges, when } = await signIn();
  expect(await decisionOn(await writeToGeneral('@**all** look'))).toMatchObject({
    desktopReason: 'muted-topic',
    soundReason: 'muted-topic',
    streamName: 'general',
  });
  expect(await decisionOn(await writeToGeneral('@**Ada Admin** look'))).toMatchObject({
    rang: true,
    desktopReason: 'mention-on',
  });
  await when(() => (badges.at(-1)?.wanted ?? 0) > 0);
  await ask(ada, 'PATCH', '/users/me/subscriptions/muted_topics', { ...muted, op: 'remove' });
});

test('signing out takes everything off the screen, the badge and the ledger', async () => {
  const { client, account, screen, badges, when } = await signIn();
  await writeToAda('hello');
  await when(() => screen.size === 1 && badges.at(-1)?.badge === 1);
  valueOf(await client.signOut(account.id));
  expect(screen.size).toBe(0);
  expect(badges.at(-1)).toEqual({ wanted: 0, other: 0, badge: 0, problem: null });
  expect(valueOf(await client.notificationLog())).toEqual([]);
});
