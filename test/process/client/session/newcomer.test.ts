/** Somebody who is added today, to an organization that has written for a while. */
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MessagePage, View } from '#shared/bridge/models/client.ts';
import { valueOf } from '#test/support/client/client.ts';
import { Computer, quickService, type Running } from '#test/support/client/computer.ts';
import { Mate } from '#test/support/window/office-mates.ts';
import { type RunningService, startService } from '#test/support/service/service.ts';

const feed: View = { kind: 'feed' };
const search = (operand: string): View => ({
  kind: 'search',
  terms: [{ operator: 'search', operand, negated: false }],
});

let service: RunningService;
let ids: Readonly<Record<'general' | 'shared' | 'closed' | 'elsewhere' | 'left' | 'after', number>>;

const nora = 'nora@example.com';

beforeAll(async () => {
  service = await startService({ dev: true, args: quickService });
  const ada = await Mate.of(() => service.origin, 'ada');
  const open = (name: string, more: object): Promise<unknown> =>
    ada.ask('POST', '/users/me/subscriptions', { subscriptions: [{ name }], ...more });
  await open('shared', { invite_only: true, history_public_to_subscribers: true });
  await open('closed', { invite_only: true, history_public_to_subscribers: false });
  await open('left', { invite_only: true, history_public_to_subscribers: true });
  const yesterday = {
    general: await ada.say('general', 'welcome', 'a parachute for everybody'),
    shared: await ada.say('shared', 'plan', 'a parachute for some'),
    closed: await ada.say('closed', 'plan', 'a parachute for few'),
    elsewhere: await ada.say('engineering', 'plan', 'a parachute for engineers'),
    left: await ada.say('left', 'plan', 'a parachute for nobody'),
  };
  const person = { email: nora, password: 'a good password', full_name: 'Nora New' };
  await ada.ask('POST', '/users', person);
  for (const name of ['shared', 'closed', 'left']) await open(name, { principals: [nora] });
  const left = { subscriptions: ['left'], principals: [nora] };
  await ada.ask('DELETE', '/users/me/subscriptions', left);
  ids = { ...yesterday, after: await ada.say('closed', 'news', 'a parachute for Nora, too') };
});
afterAll(async () => {
  await service.stop();
  await rm(service.dataDir, { recursive: true, force: true });
});

async function arrive(): Promise<{ readonly computer: Computer; readonly online: Running }> {
  const computer = await Computer.buy();
  const online = await computer.join({ origin: service.origin, email: nora });
  await online.filled();
  return { computer, online };
}

const named = ({ messages }: MessagePage): readonly string[] =>
  messages.map(({ id }) => Object.entries(ids).find(([, each]) => each === id)?.[0] ?? String(id));

describe('whoever came today', () => {
  test('a newcomer finds what may be read, and has a feed of the streams they are in', async () => {
    const { online } = await arrive();
    expect(named(await online.page(search('parachute')))).toEqual([
      ...['general', 'shared', 'elsewhere', 'after'],
    ]);
    expect(named(await online.page(feed))).toEqual(['general', 'shared', 'after']);
  });

  test('a newcomer has recent conversations, of which only what came for them is unread', async () => {
    const { online } = await arrive();
    const recent = valueOf(await online.client.recent(online.account.id));
    expect(recent.map(({ newestMessageId }) => newestMessageId)).toEqual([
      ...[ids.after, ids.shared, ids.general],
    ]);
    const { unread } = await online.state();
    expect(Object.values(unread)).toMatchObject([{ newestId: ids.after }]);
    const { messages } = await online.page(feed);
    expect(messages.filter(({ isRead }) => !isRead).map(({ id }) => id)).toEqual([ids.after]);
  });

  test('a newcomer cannot make unread what never came for them', async () => {
    const { online } = await arrive();
    const { client, account } = online;
    await client.markUnreadFrom(account.id, feed, ids.general);
    const { unread } = await online.state();
    expect(Object.values(unread)).toMatchObject([{ newestId: ids.after }]);
    const { streamId } = (await online.state()).streams.find(({ name }) => name === 'general')!;
    const view = { kind: 'stream', streamId, topic: null } as const;
    await client.markUnreadFrom(account.id, view, ids.general);
    expect((await online.page(view)).messages.at(-1)?.isRead).toBe(true);
  });

  test('a newcomer is told since when the messages of their streams are here', async () => {
    const { online } = await arrive();
    const oldest = (await online.page(feed)).messages[0];
    expect((await online.status()).completeSinceSeconds).toBe(oldest?.sentAtSeconds);
  });

  test('a newcomer has the same offline as online, and is told that other streams are not looked through', async () => {
    const { computer, online } = await arrive();
    const views = [feed, search('parachute'), search('few')];
    const before = await Promise.all(views.map((view) => online.page(view)));
    const recent = valueOf(await online.client.recent(online.account.id));
    await online.client.stop();
    const offline = await computer.start({ http: () => Promise.reject(new Error('no network')) });
    await offline.offline();
    const [whole, found, none] = await Promise.all(views.map((view) => offline.page(view)));
    expect(whole).toEqual(before[0]);
    expect(found?.messages).toEqual(before[1]?.messages);
    expect(found).toMatchObject({ isComplete: false, isOwnComplete: true });
    expect(none).toMatchObject({ messages: [], isComplete: false, isOwnComplete: true });
    expect(valueOf(await offline.client.recent(offline.account.id))).toEqual(recent);
  });
});
