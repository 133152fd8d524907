import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Account, Conversation, Draft, ShownMessage } from '#shared/bridge/models/client.ts';
import { success } from '#shared/bridge/outcome.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import type { RealClient } from '#test/support/client/client.ts';
import { createRealClient, valueOf } from '#test/support/client/client.ts';
import type { RunningService } from '#test/support/service/service.ts';
import {
  call,
  credentials,
  startService,
  startServiceForTest,
} from '#test/support/service/service.ts';

interface Joined extends RealClient {
  readonly account: Account;
}

async function join(origin: string, email: string): Promise<Joined> {
  const real = createRealClient();
  const account = valueOf(await real.client.connect({ address: origin, email, password: '' }));
  await real.until(() => real.heard.connectionChanged.at(-1)?.connection.state === 'live');
  return { ...real, account };
}

const arrived = ({ heard }: RealClient): readonly ShownMessage[] =>
  heard.messagesArrived.flatMap(({ messages }) => messages);

const text = (joined: Joined): readonly string[] => arrived(joined).map(({ rendered }) => rendered);

/** Settles with its id when the service has it and told of it. */
async function send(joined: Joined, draft: Draft): Promise<number> {
  const { localId } = valueOf(await joined.client.sendMessage(joined.account.id, draft, null));
  const find = (): number | undefined =>
    arrived(joined).find((message) => message.localId === localId)?.id;
  await joined.until(() => find() !== undefined);
  return find()!;
}

describe('a client of a development service', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ dev: true });
  });
  afterAll(async () => {
    expect(await service.stop()).toBe(0);
  });

  test('a client of a development service signs in and knows its organization', async () => {
    const ada = await join(service.origin, 'ada@example.com');
    const realm = valueOf(await ada.client.state(ada.account.id));
    expect(ada.account).toMatchObject({ fullName: 'Ada Admin', realmName: 'Dev', isHosted: false });
    expect(realm.ownUserId).toBe(ada.account.userId);
    expect(realm.streams.map(({ name }) => name).sort()).toEqual([
      'engineering',
      'general',
      'leads',
    ]);
    const people = new Map(realm.people.map((person) => [person.email, person]));
    expect(people.get('ada@example.com')).toMatchObject({ isAdmin: true, isGuest: false });
    expect(people.get('gus@example.com')).toMatchObject({ isAdmin: false, isGuest: true });
    expect(people.get('echo-bot@example.com')).toMatchObject({ isBot: true });
  });

  test('two clients talk in a stream and in private, and find it again in the history', async () => {
    const ada = await join(service.origin, 'ada@example.com');
    const ben = await join(service.origin, 'ben@example.com');
    const { streams } = valueOf(await ada.client.state(ada.account.id));
    const general = streams.find(({ name }) => name === 'general')!.streamId;
    const lunch: Conversation = { kind: 'stream', streamId: general, topic: 'Lunch & more' };
    const toBen: Conversation = { kind: 'private', userIds: [ben.account.userId] };
    const toAda: Conversation = { kind: 'private', userIds: [ada.account.userId] };

    const ids = [
      await send(ada, { conversation: lunch, content: '**soup**?' }),
      await send(ben, { conversation: lunch, content: 'yes + no' }),
      await send(ada, { conversation: toBen, content: 'psst 🎉' }),
    ];
    for (const side of [ada, ben]) {
      await side.until(() => arrived(side).length === 3);
      expect(arrived(side).map(({ id }) => id)).toEqual(ids);
    }
    expect(text(ben)[0]).toContain('<strong>soup</strong>');
    await expect.poll(() => ben.notices).toMatchObject([{ title: 'Ada Admin', body: 'psst 🎉' }]);
    expect(ada.notices).toEqual([]);
    expect(arrived(ada).map(({ isOwn }) => isOwn)).toEqual([true, false, true]);

    const page = { anchor: 'newest', before: 10, after: 0 } as const;
    const inTopic = await ben.client.messages(ben.account.id, { view: lunch, ...page });
    expect(valueOf(inTopic).messages.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(valueOf(inTopic).hasOldest).toBe(true);
    const inPrivate = await ben.client.messages(ben.account.id, { view: toAda, ...page });
    expect(valueOf(inPrivate).messages.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(valueOf(await ben.client.topics(ben.account.id, general))).toEqual(['Lunch & more']);
    const realm = valueOf(await ben.client.state(ben.account.id));
    expect(realm.privateConversations[0]).toMatchObject({ userIds: [ada.account.userId] });
    expect(Object.values(realm.unread).map(({ count }) => count)).toEqual([1, 1]);
  });

  test('notes to oneself are a conversation with nobody else', async () => {
    const cleo = await join(service.origin, 'cleo@example.com');
    const notes: Conversation = { kind: 'private', userIds: [] };
    const id = await send(cleo, { conversation: notes, content: 'remember' });
    expect(arrived(cleo)[0]).toMatchObject({ id, conversation: notes });
    const request = { view: notes, anchor: 'newest', before: 10, after: 0 } as const;
    const { messages } = valueOf(await cleo.client.messages(cleo.account.id, request));
    expect(messages.map((message) => message.id)).toEqual([id]);
  });

  test('a new stream appears with everybody who was named', async () => {
    const ada = await join(service.origin, 'ada@example.com');
    const ben = await join(service.origin, 'ben@example.com');
    const stream = {
      name: 'secret plans',
      description: 'hush',
      isPrivate: true,
      userIds: [ben.account.userId],
    };
    expect(valueOf(await ada.client.createStream(ada.account.id, stream))).toBe('secret plans');
    for (const side of [ada, ben]) {
      const has = (): boolean =>
        side.heard.stateChanged.some(
          ({ changes }) =>
            changes.streams?.some(({ name, isPrivate }) => name === 'secret plans' && isPrivate) ===
            true,
        );
      await side.until(has);
    }
  });

  test('a new colleague appears with everybody, and signs in with a password of their own', async () => {
    const ada = await join(service.origin, 'ada@example.com');
    const ben = await join(service.origin, 'ben@example.com');
    const person = { fullName: 'Dora Dean', email: 'dora@example.com', password: 'correct horse' };
    const userId = valueOf(await ada.client.createPerson(ada.account.id, person));
    await ben.until(() =>
      ben.heard.stateChanged.some(
        ({ changes }) => changes.people?.some((each) => each.userId === userId) === true,
      ),
    );
    const dora = createRealClient();
    const request = {
      address: service.origin,
      email: 'Dora@example.com',
      password: 'correct horse',
    };
    expect(await dora.client.connect(request)).toMatchObject({
      failure: { code: 'PASSWORD_GIVEN' },
    });
    for (const newPassword of ['short', 'correct horse', 'password1']) {
      const refused = await dora.client.connect({ ...request, newPassword });
      expect(refused).toMatchObject({ failure: { argument: 'password' } });
    }
    const chosen = { ...request, newPassword: 'battery staple' };
    const joined = valueOf(await dora.client.connect(chosen));
    expect(joined).toMatchObject({ userId });
    const { devices } = valueOf(await dora.client.request(joined.id, 'devices.list', {}));
    expect(devices).toMatchObject([{ is_current: true }]);
    const refused = await dora.client.connect({ ...request, password: 'wrong horse' });
    expect(refused).toMatchObject({ failure: { code: 'AUTHENTICATION_FAILED' } });
    const again = { ...request, password: 'battery staple' };
    expect(valueOf(await dora.client.connect(again))).toMatchObject({ userId });
  });

  test("a member cannot create a colleague, and the sentence is the service's own", async () => {
    const ben = await join(service.origin, 'ben@example.com');
    const person = { fullName: 'Eve Else', email: 'eve@example.com', password: 'correct horse' };
    const outcome = await ben.client.createPerson(ben.account.id, person);
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'BAD_REQUEST' } });
  });

  test('a queue that was deleted is replaced, and nothing is missed', async () => {
    const ada = await join(service.origin, 'ada@example.com');
    const auth = await credentials(service.origin, 'ada@example.com');
    const queueIds: string[] = [];
    const spy = createRealClient({
      http: async (request) => {
        const response = await desktopHttp(request);
        const { queue_id: id } = JSON.parse(response.text) as { readonly queue_id?: string };
        if (request.url.endsWith('/register') && id !== undefined) queueIds.push(id);
        return response;
      },
    });
    const request = { address: service.origin, email: 'ada@example.com', password: '' };
    const account = valueOf(await spy.client.connect(request));
    await spy.until(() => spy.heard.connectionChanged.at(-1)?.connection.state === 'live');
    const conversation: Conversation = { kind: 'private', userIds: [] };
    const deleted = { queue_id: queueIds[0] };
    expect(await call(service.origin, auth, 'DELETE', '/events', deleted)).toMatchObject({
      status: 200,
    });
    const id = await send(ada, { conversation, content: 'while away' });
    await spy.until(() => spy.heard.messagesReset.length === 1);
    await spy.until(() => arrived(spy).length === 1);
    expect(arrived(spy)[0]?.id).toBe(id);
    expect(valueOf(await spy.client.connection(account.id))).toEqual({ state: 'live' });
  });
});

test('a session survives a crash of its service and receives what was sent meanwhile', async () => {
  const first = await startService({ dev: true });
  onTestFinished(() => rm(first.dataDir, { recursive: true, force: true }));
  const { port } = new URL(first.origin);
  const ada = await join(first.origin, 'ada@example.com');
  const before = { content: 'before', conversation: { kind: 'private' as const, userIds: [] } };
  await send(ada, before);
  await first.kill();
  await ada.until(() => ada.heard.connectionChanged.at(-1)?.connection.state === 'offline');

  const second = await startServiceForTest({
    dev: true,
    dataDir: first.dataDir,
    args: ['--port', port],
  });
  const ben = await credentials(second.origin, 'ben@example.com');
  const message = { type: 'private', to: 'ada@example.com', content: 'after' };
  expect(await call(second.origin, ben, 'POST', '/messages', message)).toMatchObject({
    status: 200,
  });
  await ada.until(() => arrived(ada).length === 2);
  await ada.until(() => ada.heard.connectionChanged.at(-1)?.connection.state === 'live');
  expect(text(ada)).toEqual(['<p>before</p>', '<p>after</p>']);
  expect(ada.heard.messagesReset).toEqual([]);
});

test('an organization is created on a new service, once', async () => {
  const service = await startServiceForTest();
  const host = { start: async () => success({ address: service.origin }) };
  const { client, keys, heard, until } = createRealClient({ host });
  const request = {
    realmName: 'The Office',
    fullName: 'Ada Admin',
    email: 'ada@office.example',
    password: 'correct horse',
  };
  const early = await client.connect({ address: service.origin, ...request });
  expect(early).toMatchObject({ failure: { code: 'NO_ORGANIZATION' } });
  const account = valueOf(await client.hostOrganization(request));
  expect(account).toMatchObject({ realmName: 'The Office', isHosted: true });
  expect(keys.get(account.id)).toMatch(/^[A-Za-z0-9]{32}$/);
  await until(() => heard.connectionChanged.at(-1)?.connection.state === 'live');
  expect(valueOf(await client.state(account.id))).toMatchObject({
    organization: { settings: { name: 'The Office' } },
    people: [{ fullName: 'Ada Admin', isAdmin: true }],
  });
  const again = await client.hostOrganization(request);
  expect(again).toMatchObject({ failure: { code: 'ORGANIZATION_EXISTS' } });
  const other = createRealClient();
  expect(
    valueOf(await other.client.connect({ address: service.origin, ...request })),
  ).toMatchObject({
    id: account.id,
    isHosted: false,
  });
});
