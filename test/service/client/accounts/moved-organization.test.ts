/** An office whose address changes, and the accounts that belong to it: real sockets, real TLS, real files. */
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Account } from '#shared/bridge/models/client.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { desktopServerIdentity } from '#desktop/system/pinned-tls.ts';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { makeLeaf } from '#service/security/certificates.ts';
import { createRealClient, valueOf } from '#test/support/client/client.ts';
import { Computer, type Running } from '#test/support/client/computer.ts';
import { type ProxyDoor, openDoor } from '#test/support/client/door.ts';
import { pinOfService } from '#test/support/client/over-tls.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';

let office: TestService;
let pin: string;
let words: string;
beforeAll(async () => {
  office = await startTestService({ longpollSeconds: 2, heartbeatSeconds: 1 });
  pin = await pinOfService(office);
  words = await safetyWords(pin);
});
afterAll(() => office.stop());

const serverIdentity = { serverIdentity: desktopServerIdentity };
const withoutPassword = { email: ada, password: '' };

/** Joined by the first address; the second one is known, too. */
async function joinedByTwo(): Promise<{
  readonly computer: Computer;
  readonly running: Running;
  readonly doors: readonly [ProxyDoor, ProxyDoor];
}> {
  const doors = [await openDoor(office.origin), await openDoor(office.origin)] as const;
  const computer = await Computer.buy();
  const first = await computer.join(
    { origin: doors[0].address, email: ada, words },
    serverIdentity,
  );
  await first.client.stop();
  const [account] = computer.accounts;
  computer.adopt({ ...account!, addresses: [doors[1].address] }, await office.keyOf(ada));
  const running = await computer.start(serverIdentity);
  await running.live();
  return { computer, running, doors };
}

const contentsOf = async (): Promise<readonly string[]> => {
  const asked = { anchor: 'newest', num_before: 100, num_after: 0, apply_markdown: false };
  const { messages } = await office.ask(ben, api.messages.page, asked);
  return messages.map(({ content }) => content);
};

/** Somebody else, with a key of their own, at an address that was the office's. */
async function strangerAt(address: string): Promise<() => string> {
  const leaf = makeLeaf(makeServerIdentity(), { names: [], addresses: [] }, Date.now());
  let heard = '';
  const server = createServer({ key: leaf.key, cert: leaf.chain }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => (heard += String(bytes)));
  });
  const port = Number(new URL(address).port);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return () => heard;
}

const addressOf = ({ accounts: [account] }: Computer): string | undefined => account?.address;

test('an account goes on at another address that is known: same id, same queue, nothing lost, nothing doubled', async () => {
  const { computer, running, doors } = await joinedByTwo();
  const registered = computer.requestsTo('/register').length;
  const { id } = running.account;
  await doors[0].close();
  await running.send('on the way', [2]);
  await expect.poll(() => addressOf(computer)).toBe(doors[1].address);
  await running.live();
  await running.until(() => running.arrived().some(({ rendered }) => rendered.includes('way')));
  await expect.poll(async () => (await running.state()).outbox).toEqual([]);
  expect((await contentsOf()).filter((content) => content === 'on the way')).toHaveLength(1);
  expect(computer.requestsTo('/register')).toHaveLength(registered);
  expect(computer.accounts).toMatchObject([{ id, pin, addresses: [doors[0].address] }]);
  expect(running.heard.accountChanged.at(-1)).toEqual(computer.accounts[0]);

  await running.client.stop();
  const next = await computer.start(serverIdentity);
  await next.live();
  expect(next.account).toMatchObject({ id, address: doors[1].address });
});

test('somebody with another key at its address is told nothing, and the other address is taken', async () => {
  const { computer, running, doors } = await joinedByTwo();
  await doors[0].close();
  const heard = await strangerAt(doors[0].address);
  running.client.wake();
  await expect.poll(() => addressOf(computer)).toBe(doors[1].address);
  await running.live();
  expect(heard()).toBe('');
});

test('where nobody is the office the account stays, offline, says who is not, and goes on when it is back', async () => {
  const { computer, running, doors } = await joinedByTwo();
  await Promise.all(doors.map((door) => door.close()));
  const heard = await strangerAt(doors[0].address);
  await running.until(
    () =>
      running.connection?.state === 'offline' && running.connection.reason.includes('another key'),
  );
  await running.send('kept here', [2]);
  expect(addressOf(computer)).toBe(doors[0].address);
  expect(heard()).toBe('');
  await openDoor(office.origin, Number(new URL(doors[1].address).port));
  await running.live();
  await expect.poll(contentsOf).toContain('kept here');
  expect(heard()).toBe('');
});

test('an account that came by an invitation knows every address of it', async () => {
  const doors = [await openDoor(office.origin), await openDoor(office.origin)] as const;
  const email = 'newcomer@example.com';
  await office.ask(ben, api.invitations.invite, { invitee_emails: email });
  const { invites } = await office.ask(ben, api.invitations.list, {});
  const link = invites.find((each) => each.email === email)?.link.split('/');
  const { client } = createRealClient(serverIdentity);
  const addresses = doors.map(({ address }) => address);
  const account = valueOf(
    await client.acceptInvitation({
      ...{ token: link?.at(-1) ?? '', addresses, pin, realmName: '' },
      ...{ fullName: 'Newly Invited', password: 'a long password' },
    }),
  );
  expect([account.address, ...(account.addresses ?? [])].sort()).toEqual([...addresses].sort());
});

test('who signs in to an office that is known by its key, at another address, has the same account', async () => {
  const doors = [await openDoor(office.origin), await openDoor(office.origin)] as const;
  const { client, keys } = createRealClient(serverIdentity);
  const [first, second] = doors.map(({ address }) => ({ ...withoutPassword, address, words }));
  const before = valueOf(await client.connect(first!));
  const after = valueOf(await client.connect(second!));
  expect(after).toMatchObject({
    id: before.id,
    address: doors[1].address,
    addresses: [doors[0].address],
  });
  expect([...keys.keys()]).toEqual([before.id]);
  expect(before.id).not.toContain(doors[0].address);
  const other = valueOf(await client.connect({ ...second!, email: ben }));
  expect(other.id).not.toBe(before.id);
});

test('an account of before, filed under its first address, keeps key, messages, drafts and what waits', async () => {
  const door = await openDoor(office.origin);
  const computer = await Computer.buy();
  // As an account was written before accounts belonged to a fingerprint.
  const userId = 1;
  const before: Account = {
    id: `${String(userId)}@${door.address}`,
    address: door.address,
    realmName: 'Dev',
    email: ada,
    fullName: 'Ada Admin',
    userId,
    isHosted: false,
    pin,
  };
  const key = await office.keyOf(ada);
  computer.adopt(before, key);
  const old = await computer.start(serverIdentity);
  await old.live();
  await old.send('of before', [2]);
  await old.until(() => old.arrived().some(({ rendered }) => rendered.includes('of before')));
  await old.filled();
  await door.close();
  await old.offline();
  await old.send('still here', [2]);
  const view = { kind: 'private', userIds: [2] } as const;
  const draft = { key: 'private:2', view, topic: null, content: 'half', changedAtSeconds: 1 };
  valueOf(await old.client.saveDraft(before.id, draft));
  await old.client.stop();

  // Its next address, which somebody typed into the form: nothing was known of it here.
  const next = await openDoor(office.origin);
  const now = await computer.start(serverIdentity);
  const request = { ...withoutPassword, address: next.address, words };
  expect(valueOf(await now.client.connect(request))).toMatchObject({ id: before.id });
  await now.live();
  expect((await now.state()).drafts).toMatchObject([{ content: 'half' }]);
  await expect.poll(contentsOf).toContain('still here');
  const shown = (await now.page()).messages.map(({ rendered }) => rendered);
  expect(shown).toContain('<p>of before</p>');
  expect(computer.accounts).toMatchObject([{ id: before.id, addresses: [door.address] }]);
});
