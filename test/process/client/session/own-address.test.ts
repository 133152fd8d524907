import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ClientPorts } from '#client/ports.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import {
  createRealClient,
  memoryStorage,
  valueOf,
  type RealClient,
} from '#test/support/client/client.ts';
import { startService, type RunningService } from '#test/support/service/service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService({ dev: true });
});
afterAll(async () => {
  expect(await service.stop()).toBe(0);
});

/** What stays on a computer while the application does not run. */
interface Computer extends Pick<ClientPorts, 'accounts' | 'keys' | 'storage'> {
  readonly kept: { accounts: readonly Account[] };
}

function createComputer(): Computer {
  const kept: Computer['kept'] = { accounts: [] };
  const keys = new Map<string, string>();
  return {
    kept,
    accounts: {
      list: async () => kept.accounts,
      save: async (list) => {
        kept.accounts = list;
      },
    },
    keys: {
      find: async (id) => keys.get(id),
      save: async (id, key) => void keys.set(id, key),
      remove: async (id) => void keys.delete(id),
    },
    storage: memoryStorage(),
  };
}

const isLive = ({ heard }: RealClient): boolean =>
  heard.connectionChanged.at(-1)?.connection.state === 'live';

async function join(computer: Computer, email: string): Promise<[RealClient, string]> {
  const real = createRealClient(computer);
  const request = { address: service.origin, email, password: '' };
  const { id } = valueOf(await real.client.connect(request));
  await real.until(() => isLive(real));
  return [real, id];
}

async function start(computer: Computer): Promise<RealClient> {
  const real = createRealClient(computer);
  expect(valueOf(await real.client.start()).problem).toBeNull();
  await real.until(() => isLive(real));
  return real;
}

/** Every state of the connections that was told, in order. */
const statesOf = ({ heard }: RealClient): readonly string[] =>
  heard.connectionChanged.map(({ connection }) => connection.state);

async function sends({ client, heard, until }: RealClient, id: string, content: string) {
  const conversation = { kind: 'private', userIds: [] } as const;
  valueOf(await client.sendMessage(id, { conversation, content }, null));
  const texts = () => heard.messagesArrived.flatMap(({ messages }) => messages);
  await until(() => texts().some(({ rendered }) => rendered.includes(content)));
}

const oldPassword = 'a long password';
let number = 0;
let home: Computer;
let office: Computer;
/** A colleague of their own for each test: their address changes for good. */
let email: string;
beforeEach(async () => {
  [home, office] = [createComputer(), createComputer()];
  number += 1;
  email = `dora-${String(number)}@example.com`;
  const [ada, id] = await join(createComputer(), 'ada@example.com');
  const person = { email, fullName: `Dora ${String(number)}`, password: oldPassword };
  valueOf(await ada.client.createPerson(id, person));
});

test('a session goes on without a gap when its address is changed on another computer', async () => {
  const [there, id] = await join(office, email);
  const [here] = await join(home, email);
  const next = `moved-${email}`;
  valueOf(await there.client.request(id, 'settings.update', { email: next, oldPassword }));
  await here.until(() => here.heard.accountChanged.length > 0);
  expect(here.heard.accountChanged).toMatchObject([{ id, email: next }]);
  await sends(here, id, 'from here');
  await sends(there, id, 'from there');
  expect(statesOf(here)).toEqual(['connecting', 'live']);
  expect(statesOf(there)).toEqual(['connecting', 'live']);
  expect(home.kept.accounts).toMatchObject([{ id, email: next }]);
  expect(office.kept.accounts).toMatchObject([{ id, email: next }]);

  await here.client.stop();
  const again = await start(home);
  expect(again.heard.accountChanged).toEqual([]);
  await sends(again, id, 'after a restart');
});

test('a computer that was off meanwhile finds out by itself, and keeps what it was told', async () => {
  const [here, id] = await join(home, email);
  await here.client.stop();
  const [there] = await join(office, email);
  const next = `moved-${email}`;
  valueOf(await there.client.request(id, 'settings.update', { email: next, oldPassword }));

  const woken = await start(home);
  expect(statesOf(woken)).toEqual(['connecting', 'live']);
  expect(woken.heard.accountChanged).toMatchObject([{ id, email: next }]);
  expect(home.kept.accounts).toMatchObject([{ id, email: next }]);
  await sends(woken, id, 'awake');
});

test('the account is called what the person and the organization are called now', async () => {
  const [there, id] = await join(office, email);
  const [here] = await join(home, email);
  const fullName = `Dora the ${String(number)}th`;
  valueOf(await there.client.request(id, 'settings.update', { fullName }));
  await here.until(() => here.heard.accountChanged.length > 0);
  expect(here.heard.accountChanged).toMatchObject([{ id, fullName, realmName: 'Dev' }]);
  expect(home.kept.accounts).toMatchObject([{ id, fullName }]);
  await here.client.stop();

  const [admin, adminId] = await join(createComputer(), 'ada@example.com');
  const realmName = `Dev ${String(number)}`;
  valueOf(await admin.client.request(adminId, 'realm.update', { name: realmName }));
  const woken = await start(home);
  await woken.until(() => woken.heard.accountChanged.length > 0);
  expect(woken.heard.accountChanged).toMatchObject([{ id, fullName, realmName, email }]);
  expect(home.kept.accounts).toMatchObject([{ id, fullName, realmName }]);
  valueOf(await admin.client.request(adminId, 'realm.update', { name: 'Dev' }));
});

test('another password ends the sessions elsewhere, and the one that changed it goes on with its new key', async () => {
  const [here, id] = await join(home, email);
  const [there] = await join(office, email);
  const passwords = { oldPassword, newPassword: 'another long password' };
  valueOf(await there.client.request(id, 'settings.update', passwords));
  here.client.wake();
  await here.until(() => statesOf(here).at(-1) === 'signed-out');
  expect(here.heard.accountChanged).toEqual([]);
  await sends(there, id, 'with the new key');
  expect(statesOf(there)).toEqual(['connecting', 'live']);
  await there.client.stop();
  await sends(await start(office), id, 'after a restart');
});

test('a session whose device is ended elsewhere is signed out, and one that signs out ends its own', async () => {
  const [here, id] = await join(home, email);
  const [there] = await join(office, email);
  const listed = async () =>
    valueOf(await there.client.request(id, 'devices.list', {})).devices.map(
      ({ id: deviceId, is_current: isCurrent }) => ({ deviceId, isCurrent }),
    );
  const before = await listed();
  expect(before.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  const deviceId = before[1]?.deviceId ?? 0;
  valueOf(await there.client.request(id, 'devices.end', { deviceId }));
  await here.until(() => statesOf(here).at(-1) === 'signed-out');
  const [again] = await join(createComputer(), email);
  expect(await listed()).toHaveLength(2);
  valueOf(await again.client.signOut(id));
  expect(await listed()).toEqual(before.slice(0, 1));
});
