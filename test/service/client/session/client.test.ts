import { describe, expect, test } from 'vitest';
import { createClient } from '#client/client.ts';
import type { Client } from '#client/client.ts';
import type { ClientPorts, HostingPort, HttpResponse } from '#client/ports.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import type { HostingStatus } from '#shared/bridge/models/hosting.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { ada, ben, realmUser } from '#test/support/service/wire-builders.ts';
import { FakeClock, settle } from '#test/support/fake-clock.ts';
import { errorAnswer, ModelService } from '#test/support/client/model-service.ts';
import { quietPorts } from '#test/support/client/client.ts';
import { accountAt } from '#test/support/client/session.ts';

const settings = {
  authentication_methods: { dev: false, password: true, email: true },
  chat_version: '0.1.0',
  zulip_version: '2.1.0',
  push_notifications_enabled: false,
  is_incompatible: false,
  email_auth_enabled: true,
  require_email_format_usernames: true,
  realm_uri: 'http://service.test',
  realm_name: 'Model',
  realm_icon: '/icon.png',
  realm_description: '',
  external_authentication_methods: [],
};
const { realm_name: _, ...settingsOfEmpty } = settings;

const answer = (body: object): HttpResponse => ({
  status: 200,
  text: JSON.stringify({ result: 'success', msg: '', ...body }),
});

/** The service of ada's organization, which accepts the password `correct horse`. */
function signInService(more: object = {}): ModelService {
  const service = new ModelService();
  const { overrides } = service;
  const profile = { ...realmUser(ada), is_active: true, bot_type: null, short_name: 'ada' };
  overrides.set('GET /server_settings', () => answer({ ...settings, ...more }));
  overrides.set('POST /fetch_api_key', ({ username, password }) =>
    password === 'correct horse'
      ? answer({ api_key: 'key-1', email: username })
      : errorAnswer(403, 'AUTHENTICATION_FAILED', { reason: 'incorrect_creds' }),
  );
  overrides.set('GET /users/me', () =>
    answer({ ...profile, pointer: -1, max_message_id: -1, client_id: 'c' }),
  );
  return service;
}

interface World {
  readonly client: Client;
  readonly service: ModelService;
  readonly keys: Map<string, string>;
  readonly stored: { accounts: readonly Account[] };
  readonly opened: string[];
  readonly urls: string[];
}

function createWorld(service = signInService(), more: Partial<ClientPorts> = {}): World {
  const keys = new Map<string, string>();
  const stored: World['stored'] = { accounts: [] };
  const opened: string[] = [];
  const urls: string[] = [];
  const client = createClient({
    http: (request) => {
      urls.push(request.url);
      return request.url.startsWith(`${service.origin}/`)
        ? service.http(request)
        : Promise.reject(new Error('refused'));
    },
    clock: new FakeClock(),
    keys: {
      find: async (id) => keys.get(id),
      save: async (id, key) => void keys.set(id, key),
      remove: async (id) => void keys.delete(id),
    },
    accounts: {
      list: async () => stored.accounts,
      save: async (accounts) => {
        stored.accounts = accounts;
      },
    },
    ...quietPorts(),
    openLink: async (url) => void opened.push(url),
    describeShell: async () => ({
      shell: 'desktop',
      canHost: true,
      hosted: null,
      fixedAddress: null,
      isDevelopment: false,
    }),
    ...more,
  });
  return { client, service, keys, stored, opened, urls };
}

const request = { address: 'http://service.test', email: ada.email, password: 'correct horse' };
const account = accountAt('http://service.test');
const noKeychain = (): Promise<never> => Promise.reject(new Error('org.freedesktop.secrets'));
const lockedKeys = { find: noKeychain, save: noKeychain, remove: noKeychain };

describe('connecting', () => {
  test('connecting keeps the account in the list, its key in the key store, and opens a session', async () => {
    const { client, keys, stored } = createWorld();
    expect(await client.connect(request)).toEqual({ ok: true, value: account });
    expect(stored.accounts).toEqual([account]);
    expect([...keys]).toEqual([[account.id, 'key-1']]);
    expect(JSON.stringify(stored.accounts)).not.toContain('key-1');
    expect(await client.state(account.id)).toMatchObject({
      ok: true,
      value: { organization: { settings: { name: 'Model' } } },
    });
    await settle();
    expect(await client.connection(account.id)).toEqual({ ok: true, value: { state: 'live' } });
  });

  test('a second time replaces the account and its session', async () => {
    const { client, stored, service } = createWorld();
    await client.connect(request);
    await client.state(account.id);
    await client.connect(request);
    await client.state(account.id);
    await settle();
    expect(stored.accounts).toEqual([account]);
    expect(service.queueIds).toHaveLength(1);
  });

  test('connecting again after the key was refused goes on where the window is', async () => {
    const { client, service } = createWorld();
    await client.connect(request);
    await client.state(account.id);
    await client.showView(account.id, { kind: 'private', userIds: [ben.id] });
    service.overrides.set('GET /events', () => errorAnswer(401, 'INVALID_API_KEY'));
    client.wake();
    await settle();
    expect(await client.connection(account.id)).toMatchObject({ value: { state: 'signed-out' } });
    service.overrides.delete('GET /events');
    const heard: string[] = [];
    client.on('connectionChanged', ({ connection }) => heard.push(connection.state));
    client.on('messagesReset', () => heard.push('reset'));
    await client.connect(request);
    await settle();
    expect(heard).toEqual(['connecting', 'reset', 'live']);
    const told: unknown[] = [];
    client.on('messagesArrived', ({ messages }) => told.push(...messages.map(({ id }) => id)));
    const id = service.sendPrivate(ben, [ada, ben]);
    await settle();
    expect(told).toEqual([id]);
  });

  test('connecting without a scheme never sends a password over plain http to another machine [client.connecting-without-scheme]', async () => {
    const { client, urls } = createWorld();
    const outcome = await client.connect({ ...request, address: 'service.test' });
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'UNREACHABLE', argument: 'address' },
    });
    expect(urls).toEqual([
      'https://service.test/api/v1/server_settings',
      'https://service.test:9981/api/v1/server_settings',
    ]);
  });

  test('connecting without a scheme asks this computer by http, then by https', async () => {
    const { client, urls } = createWorld();
    await client.connect({ ...request, address: 'localhost:9981' });
    expect(urls.map((url) => new URL(url).origin)).toEqual([
      'http://localhost:9981',
      'https://localhost:9981',
    ]);
  });

  test.each([
    ['an address that is none', { address: 'not an address' }, 'BAD_REQUEST', 'address'],
    ['an e-mail address that is none', { email: 'ada' }, 'BAD_REQUEST', 'email'],
    [
      'an address where nothing answers',
      { address: 'https://gone.test' },
      'UNREACHABLE',
      'address',
    ],
    ['a wrong password', { password: 'wrong' }, 'AUTHENTICATION_FAILED', 'password'],
    ['no password', { password: '' }, 'BAD_REQUEST', 'password'],
  ])(
    'whoever connects with %s is told so, and nothing is kept',
    async (_, wrong, code, argument) => {
      const { client, keys, stored } = createWorld();
      const outcome = await client.connect({ ...request, ...wrong });
      expect(outcome).toMatchObject({ ok: false, failure: { code, argument } });
      expect(outcome).toMatchObject({ failure: { message: expect.stringMatching(/^[A-Z].*\.$/) } });
      expect([keys.size, stored.accounts.length]).toEqual([0, 0]);
    },
  );

  test.each([
    ['a web page', { status: 200, text: '<!doctype html>' }],
    ['another API', { status: 200, text: '{"status":"fine"}' }],
    ['an older kind of this API', answer({ zulip_version: '1.0' })],
    ['a page that is missing', { status: 404, text: 'Not found' }],
  ])('connecting to %s says that this is not a Hearth service', async (_, response) => {
    const service = signInService();
    service.overrides.set('GET /server_settings', () => response);
    const outcome = await createWorld(service).client.connect(request);
    expect(outcome).toMatchObject({
      ok: false,
      failure: { code: 'NOT_HEARTH', argument: 'address' },
    });
  });

  test('connecting to a service without an organization says so', async () => {
    const service = signInService();
    service.overrides.set('GET /server_settings', () => answer(settingsOfEmpty));
    const outcome = await createWorld(service).client.connect(request);
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'NO_ORGANIZATION' } });
  });

  test('connecting with the password of a deactivated account tells what the service says', async () => {
    const service = signInService();
    service.overrides.set('POST /fetch_api_key', () =>
      errorAnswer(403, 'AUTHENTICATION_FAILED', { reason: 'user disable', msg: 'Deactivated.' }),
    );
    expect(await createWorld(service).client.connect(request)).toEqual({
      ok: false,
      failure: { code: 'AUTHENTICATION_FAILED', message: 'Deactivated.' },
    });
  });

  test('connecting to a development service needs no password', async () => {
    const service = signInService({ authentication_methods: { dev: true } });
    service.overrides.set('POST /dev_fetch_api_key', ({ username }) =>
      username === ada.email
        ? answer({ api_key: 'key-1', email: username })
        : errorAnswer(403, 'AUTHENTICATION_FAILED', { reason: 'unregistered' }),
    );
    const { client } = createWorld(service);
    const stranger = await client.connect({ ...request, email: 'x@example.com', password: '' });
    expect(stranger).toMatchObject({ ok: false, failure: { argument: 'email' } });
    expect(await client.connect({ ...request, password: '' })).toMatchObject({ ok: true });
    expect(await client.connect({ ...request, password: 'wrong' })).toMatchObject({ ok: false });
  });

  test('connecting without a keychain keeps nothing and says what to do', async () => {
    const { client, stored } = createWorld(signInService(), { keys: lockedKeys });
    const outcome = await client.connect(request);
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'NO_KEYCHAIN' } });
    expect(JSON.stringify(outcome)).not.toContain('freedesktop');
    expect(stored.accounts).toEqual([]);
    expect(await client.connection(account.id)).toMatchObject({ failure: { code: 'NO_ACCOUNT' } });
  });

  test("connecting takes the keychain's own advice where it gives one", async () => {
    const locked = Object.assign(new Error('Unlock it.'), { code: 'NO_KEYCHAIN' });
    const keys = { ...lockedKeys, save: () => Promise.reject(locked) };
    const { client } = createWorld(signInService(), { keys });
    expect(await client.connect(request)).toEqual(failure('NO_KEYCHAIN', 'Unlock it.'));
  });

  test('connecting leaves no key behind when the list of accounts cannot be written', async () => {
    const accounts = { list: async () => [], save: () => Promise.reject(new Error('disk full')) };
    const { client, keys } = createWorld(signInService(), { accounts });
    expect(await client.connect(request)).toMatchObject({ failure: { code: 'NOT_STORED' } });
    expect(keys.size).toBe(0);
  });
});

describe('starting', () => {
  test('a client that starts opens the stored accounts with their keys', async () => {
    const { client, keys, stored, service } = createWorld();
    stored.accounts = [account];
    keys.set(account.id, 'kept');
    expect(await client.start()).toMatchObject({
      ok: true,
      value: { shell: 'desktop', canHost: true, accounts: [account], problem: null },
    });
    expect(await client.state(account.id)).toMatchObject({ ok: true });
    const sent = service.to('/register')[0]?.headers['Authorization'] ?? '';
    expect(atob(sent.replace('Basic ', ''))).toBe('ada@example.com:kept');
  });

  test('what a window asks of an account that is being opened is answered once it is open', async () => {
    const { client, keys, stored } = createWorld();
    stored.accounts = [account];
    keys.set(account.id, 'kept');
    const started = client.start();
    let known = await client.connection(account.id);
    while (!known.ok) known = await client.connection(account.id);
    expect(await client.state(account.id)).toMatchObject({ ok: true });
    await started;
  });

  test('starting a client twice, as a window does that is loaded again, opens nothing twice', async () => {
    const { client, keys, stored, service } = createWorld();
    stored.accounts = [account];
    keys.set(account.id, 'kept');
    await Promise.all([client.start(), client.start()]);
    await client.state(account.id);
    await client.start();
    await settle();
    expect(service.queueIds).toHaveLength(1);
  });

  test("a client that starts without an account's key shows the account as signed out", async () => {
    const { client, stored } = createWorld();
    stored.accounts = [account];
    expect(await client.start()).toMatchObject({ value: { accounts: [account], problem: null } });
    expect(await client.connection(account.id)).toMatchObject({ value: { state: 'signed-out' } });
    expect(await client.state(account.id)).toMatchObject({ failure: { code: 'NOT_CONNECTED' } });
  });

  test('a client that starts with a locked keychain reports the problem, and works once it is unlocked', async () => {
    let find = (): Promise<string | undefined> => noKeychain();
    const { client, stored } = createWorld(signInService(), {
      keys: { ...lockedKeys, find: () => find() },
    });
    stored.accounts = [account];
    expect(await client.start()).toMatchObject({ value: { problem: { code: 'NO_KEYCHAIN' } } });
    expect(await client.connection(account.id)).toMatchObject({
      value: { state: 'signed-out', isLocked: true },
    });
    find = () => Promise.resolve('kept');
    expect(await client.retryStart()).toMatchObject({ value: { problem: null } });
    expect(await client.state(account.id)).toMatchObject({ ok: true });
  });

  test('a client that starts reports a list of accounts that cannot be read', async () => {
    const accounts = {
      list: () => Promise.reject(new Error('EACCES')),
      save: async () => undefined,
    };
    const { client } = createWorld(signInService(), { accounts });
    expect(await client.start()).toMatchObject({
      value: { accounts: [], problem: { code: 'NOT_STORED' } },
    });
  });
});

describe('an account that this computer hosts', () => {
  const hosted = { ...account, isHosted: true };
  const running: HostingStatus = { phase: 'running', address: 'http://service.test' };
  const failed: HostingStatus = {
    phase: 'failed',
    code: 'PORT_IN_USE',
    reason: 'Another program uses the port.',
    port: 9981,
    isRetried: true,
  };

  class Host implements HostingPort {
    #status: HostingStatus;
    readonly #listeners = new Set<(status: HostingStatus) => void>();

    constructor(status: HostingStatus) {
      this.#status = status;
    }

    readonly status = (): HostingStatus => this.#status;

    readonly onStatus: HostingPort['onStatus'] = (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    };

    become(status: HostingStatus): void {
      this.#status = status;
      for (const listener of [...this.#listeners]) listener(status);
    }
  }

  function worldOf(host: Host, kept: Account = hosted): World {
    const world = createWorld(signInService(), { hosting: host });
    world.stored.accounts = [kept];
    world.keys.set(kept.id, 'kept');
    return world;
  }

  test('a hosted account waits for its service, and asks nothing of another program on its port', async () => {
    const host = new Host({ phase: 'starting' });
    const { client, urls } = worldOf(host);
    await client.start();
    await settle();
    expect(await client.connection(account.id)).toMatchObject({ value: { state: 'connecting' } });
    host.become(failed);
    await settle();
    expect(await client.connection(account.id)).toMatchObject({
      value: { state: 'offline', reason: failed.reason },
    });
    host.become({ phase: 'stopped', port: 9981 });
    expect(await client.connection(account.id)).toMatchObject({
      value: { state: 'offline', reason: 'Hosting is stopped on this computer.' },
    });
    expect(urls).toEqual([]);
    host.become(running);
    await settle();
    expect(await client.state(account.id)).toMatchObject({ ok: true });
    expect(await client.connection(account.id)).toMatchObject({ value: { state: 'live' } });
  });

  test('a hosted account follows its service to another port under its own id, and tells the window', async () => {
    const host = new Host({ phase: 'starting' });
    const { client, stored } = worldOf(host, { ...hosted, address: 'http://127.0.0.1:9' });
    const told: Account[] = [];
    client.on('accountChanged', (changed) => told.push(changed));
    await client.start();
    host.become(running);
    await settle();
    expect(stored.accounts).toEqual([hosted]);
    expect(told).toEqual([hosted]);
    expect(await client.state(account.id)).toMatchObject({ ok: true });
  });

  test('a hosted account is known by the address where somebody signs in to it', async () => {
    const host = new Host(running);
    const moved = { ...hosted, id: '1@http://127.0.0.1:9' };
    const first = worldOf(host, moved);
    await first.client.start();
    expect(await first.client.connect(request)).toEqual({ ok: true, value: moved });
    expect([...first.keys]).toEqual([[moved.id, 'key-1']]);
    const second = createWorld(signInService(), { hosting: host });
    expect(await second.client.connect(request)).toEqual({ ok: true, value: hosted });
  });

  test('a hosted account keeps its id to itself where it moved away from the address in it', async () => {
    const moved = { ...hosted, address: 'http://127.0.0.1:9' };
    const { client, keys } = worldOf(new Host({ phase: 'stopped', port: 9 }), moved);
    await client.start();
    const other = { ...account, id: `${account.id}+` };
    expect(await client.connect(request)).toEqual({ ok: true, value: other });
    expect(keys.get(moved.id)).toBe('kept');
  });
});

describe('hosting', () => {
  const host = { start: async () => success({ address: 'http://service.test' }) };
  const hostRequest = {
    realmName: ' The Office ',
    fullName: ' Ada Admin ',
    email: ada.email,
    password: 'correct horse',
  };

  function emptyService(): ModelService {
    const service = signInService();
    service.overrides.set('GET /server_settings', () => answer(settingsOfEmpty));
    service.overrides.set('POST /organization', ({ email }) => answer({ api_key: 'first', email }));
    return service;
  }

  test('hosting creates the organization, signs in and keeps the account as hosted', async () => {
    const { client, service, keys, stored } = createWorld(emptyService(), { host });
    const hosted = { ...account, realmName: 'The Office', isHosted: true };
    expect(await client.hostOrganization(hostRequest)).toEqual({ ok: true, value: hosted });
    expect(service.to('/organization')[0]?.params).toEqual({
      realm_name: 'The Office',
      full_name: 'Ada Admin',
      email: ada.email,
      password: 'correct horse',
    });
    expect(stored.accounts).toEqual([hosted]);
    expect(keys.get(hosted.id)).toBe('first');
  });

  test.each([
    ['realmName', { realmName: ' ' }],
    ['realmName', { realmName: 'x'.repeat(61) }],
    ['fullName', { fullName: 'A' }],
    ['fullName', { fullName: 'Ada "the admin"' }],
    ['email', { email: 'ada at example.com' }],
    ['password', { password: 'short' }],
  ])(
    'whoever hosts with a bad %s is told so before anything is started: %j',
    async (argument, bad) => {
      const { client, urls } = createWorld(emptyService(), {
        host: { start: () => Promise.reject(new Error('started')) },
      });
      const outcome = await client.hostOrganization({ ...hostRequest, ...bad });
      expect(outcome).toMatchObject({ ok: false, failure: { code: 'BAD_REQUEST', argument } });
      expect(urls).toEqual([]);
    },
  );

  test('where there is an organization already says so', async () => {
    const { client, service } = createWorld(signInService(), { host });
    const outcome = await client.hostOrganization(hostRequest);
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'ORGANIZATION_EXISTS' } });
    expect(service.to('/organization')).toEqual([]);
  });

  test('hosting without a keychain creates nothing', async () => {
    const { client, urls } = createWorld(emptyService(), { host, keys: lockedKeys });
    const outcome = await client.hostOrganization(hostRequest);
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'NO_KEYCHAIN' } });
    expect(urls).toEqual([]);
  });

  test('hosting tells why the service did not start', async () => {
    const failing = { start: async () => failure('UNWRITABLE', 'The disk is full.') };
    const { client } = createWorld(emptyService(), { host: failing });
    const outcome = await client.hostOrganization(hostRequest);
    expect(outcome).toEqual(failure('UNWRITABLE', 'The disk is full.'));
  });

  test('hosting is refused where nothing can be hosted', async () => {
    const outcome = await createWorld().client.hostOrganization(hostRequest);
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'CANNOT_HOST' } });
  });
});

describe('signing out', () => {
  test('signing out ends the session and forgets account and key', async () => {
    const { client, keys, stored, service } = createWorld();
    await client.connect(request);
    await client.state(account.id);
    await settle();
    expect(await client.signOut(account.id)).toEqual({ ok: true, value: null });
    expect([keys.size, stored.accounts.length, service.queueIds.length]).toEqual([0, 0, 0]);
    expect(await client.start()).toMatchObject({ value: { accounts: [] } });
    expect(await client.state(account.id)).toMatchObject({ failure: { code: 'NO_ACCOUNT' } });
  });

  test('signing out of an account that is not there is refused', async () => {
    const { client } = createWorld();
    expect(await client.signOut('9@x')).toMatchObject({ failure: { code: 'NO_ACCOUNT' } });
  });
});

describe('events of a client', () => {
  test('events of a client carry their account until nobody listens any more', async () => {
    const { client, service } = createWorld();
    await client.connect(request);
    const heard: unknown[] = [];
    const stop = client.on('messagesArrived', (event) =>
      heard.push([event.accountId, event.messages[0]?.id]),
    );
    await client.state(account.id);
    await settle();
    const id = service.sendPrivate(ben, [ada, ben]);
    await settle();
    stop();
    service.sendPrivate(ben, [ada, ben]);
    await settle();
    expect(heard).toEqual([[account.id, id]]);
  });

  test('a click on a notification leads to its conversation', () => {
    const { client } = createWorld();
    const heard: unknown[] = [];
    client.on('conversationOpened', (event) => heard.push(event));
    const conversation = { kind: 'private', userIds: [2] } as const;
    client.openConversation(account.id, conversation, 7);
    expect(heard).toEqual([{ accountId: account.id, conversation, messageId: 7 }]);
  });

  test('stopping the client deletes the queues of all its sessions', async () => {
    const { client, service } = createWorld();
    await client.connect(request);
    await client.state(account.id);
    await settle();
    await client.stop();
    expect(service.queueIds).toEqual([]);
  });
});

describe('links', () => {
  test.each(['https://example.com/a?b#c', 'http://example.com/', 'mailto:ada@example.com'])(
    '%s is opened',
    async (url) => {
      const { client, opened } = createWorld();
      expect(await client.openLink(url)).toEqual({ ok: true, value: null });
      expect(opened).toEqual([url]);
    },
  );

  test.each([
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'file:///etc/passwd',
    'data:text/html,x',
    'smb://host/share',
    'hearth://x',
    '/relative',
    '',
  ])('%j is refused', async (url) => {
    const { client, opened } = createWorld();
    expect(await client.openLink(url)).toMatchObject({ ok: false, failure: { code: 'BAD_LINK' } });
    expect(opened).toEqual([]);
  });
});
