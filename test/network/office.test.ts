/** An office on a laptop and its colleagues, on computers and a network of their own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { joinLinkIn, joinLinkText, type JoinLink } from '#shared/join-link.ts';
import type { ConnectionReport } from '#shared/bridge/models/connection-check.ts';
import type { Account } from '#shared/bridge/models/client.ts';
import type { NetworkAccess } from '#shared/bridge/models/hosting.ts';
import { entryOf } from '../support/entries.ts';
import { type Computer, Lan } from '../support/network/lan.ts';

const proxyProgram = fileURLToPath(new URL('../support/network/proxy-process.ts', import.meta.url));

const password = 'correct horse battery';

interface Office {
  readonly host: Computer;
  readonly account: Account;
  readonly reach: NetworkAccess;
}

/** A laptop that hosts and lets others in its network join. */
async function found(lan: Lan, address: string, realmName = 'Lantern'): Promise<Office> {
  const host = await lan.computer(address);
  const email = 'mara@example.com';
  const request = { realmName, fullName: 'Mara Host', email, password };
  const account = await host.get<Account>('hostOrganization', request);
  const reach = await host.ask<NetworkAccess>('openToNetwork', true);
  return { host, account, reach };
}

let count = 0;
async function invite({ host, account, reach }: Office): Promise<JoinLink> {
  const inviteeEmails = `colleague${String((count += 1))}@example.com`;
  await host.get('request', account.id, 'invitations.invite', { inviteeEmails });
  const { invites } = await host.get<{
    readonly invites: readonly { readonly email: string; readonly link: string }[];
  }>('request', account.id, 'invitations.list', {});
  const token = joinLinkIn(invites.find(({ email }) => email === inviteeEmails)?.link ?? '')?.token;
  const { addresses, identity } = reach;
  const link = {
    token: token ?? '',
    addresses,
    pin: identity?.fingerprint ?? '',
    realmName: 'Lantern',
  };
  // As it is passed on.
  return joinLinkIn(`Join us: ${joinLinkText(link)}`)!;
}

const joinBy = (computer: Computer, link: JoinLink): Promise<Account> =>
  computer.get('acceptInvitation', { ...link, fullName: 'Ben Colleague', password });

const general = { kind: 'stream', streamId: 1, topic: 'hello' };
const write = (computer: Computer, { id }: Account, content: string): Promise<unknown> =>
  computer.get('sendMessage', id, { conversation: general, content }, null);

/** An attempt that nobody answered may come first. */
const isToldOfAnotherKey = (computer: Computer): Promise<void> =>
  expect
    .poll(() => computer.connection)
    .toMatchObject({ reason: expect.stringMatching(/another key/) as string });

test('a colleague joins by a link, and writes through sleep and a pulled cable without signing in again', async () => {
  const lan = await Lan.create();
  const office = await found(lan, '10.77.0.1');
  expect(office.reach.addresses).toEqual(['https://10.77.0.1:9981']);
  const ben = await lan.computer('10.77.0.2');
  const link = await invite(office);
  expect(await ben.get('invitation', link, null)).toMatchObject({ inviterName: 'Mara Host' });
  const account = await joinBy(ben, link);
  expect(account.pin).toBe(office.reach.identity?.fingerprint);
  await ben.isConnected('live');
  await write(ben, account, 'I am in');
  await office.host.hears('I am in');
  expect((await office.host.ask<NetworkAccess>('loadNetworkAccess')).remoteClients).toEqual([
    '10.77.0.2',
  ]);

  await office.host.ask('sleep', true);
  await expect
    .poll(() => ben.connection)
    .toMatchObject({ asleepSinceSeconds: expect.any(Number) as number });
  office.host.suspend();
  await write(ben, account, 'while it was said to sleep');
  office.host.resume();
  await office.host.ask('sleep', false);
  await office.host.hears('while it was said to sleep');
  await ben.isConnected('live');

  office.host.suspend();
  await write(ben, account, 'while it slept');
  office.host.resume();
  await office.host.hears('while it slept');

  office.host.unplug();
  await write(ben, account, 'without a cable');
  await write(office.host, office.account, 'from the host');
  office.host.plug();
  await Promise.all([office.host.hears('without a cable'), ben.hears('from the host')]);
  expect(await ben.ask('accounts')).toMatchObject([{ id: account.id }]);
});

test('a colleague types the address and chooses the right words; whoever shows others gets nothing', async () => {
  const lan = await Lan.create();
  const office = await found(lan, '10.77.0.1');
  const link = await invite(office);
  const first = await lan.computer('10.77.0.2');
  await joinBy(first, link);
  const [{ email }] = await first.ask<readonly [Account]>('accounts');

  const second = await lan.computer('10.77.0.3');
  const typed = { address: '10.77.0.1', email, password };
  const asked = await second.ask('connect', typed);
  expect(asked).toMatchObject({ failure: { code: 'WORDS_NEEDED' } });
  const wrong = await second.ask('connect', { ...typed, words: 'none of these' });
  expect(wrong).toMatchObject({ failure: { code: 'WRONG_WORDS' } });
  const words = office.reach.identity?.words;
  expect(await second.get('connect', { ...typed, words })).toMatchObject({ email });
});

test('somebody else at the address of the office is told nothing, and the office is found again [office.else-address-nothing]', async () => {
  const lan = await Lan.create();
  const office = await found(lan, '10.77.0.1');
  const ben = await lan.computer('10.77.0.2');
  const account = await joinBy(ben, await invite(office));
  const unused = await invite(office);
  await ben.isConnected('live');

  office.host.unplug();
  const other = await lan.computer('10.77.0.1');
  await other.ask('pretend');
  ben.forgetNeighbours();
  await ben.ask('wake');
  await ben.isConnected('offline');
  await isToldOfAnotherKey(ben);
  await write(ben, account, 'not for strangers');
  const carol = await lan.computer('10.77.0.3');
  expect(await carol.ask('invitation', unused, null)).toMatchObject({
    failure: { code: 'OTHER_OFFICE' },
  });
  expect(await other.ask('heard')).toBe('');

  other.unplug();
  office.host.plug();
  ben.forgetNeighbours();
  await ben.ask('wake');
  await ben.isConnected('live');
  await office.host.hears('not for strangers');
});

test('each of two offices in one network is joined by its own link alone', async () => {
  const lan = await Lan.create();
  const [here, there] = await Promise.all([
    found(lan, '10.77.0.1'),
    found(lan, '10.77.0.2', 'Harbour'),
  ]);
  const link = await invite(here);
  const ben = await lan.computer('10.77.0.3');
  const astray = { ...link, addresses: there.reach.addresses };
  expect(await ben.ask('invitation', astray, null)).toMatchObject({
    failure: { code: 'OTHER_OFFICE' },
  });
  const both = { ...link, addresses: [...there.reach.addresses, ...here.reach.addresses] };
  expect(await joinBy(ben, both)).toMatchObject({ realmName: 'Lantern' });
});

test('the host is given another address while three write: all are back, nothing is lost or doubled, nobody signs in again', async () => {
  const lan = await Lan.create();
  const office = await found(lan, '10.77.0.1');
  const colleagues = await Promise.all(
    ['10.77.0.2', '10.77.0.3', '10.77.0.4'].map(async (address) => {
      const computer = await lan.computer(address);
      const account = await joinBy(computer, await invite(office));
      await computer.isConnected('live');
      return { computer, account };
    }),
  );
  const batch = (which: string): readonly string[] =>
    colleagues.flatMap((_, who) => [0, 1, 2, 3, 4].map((n) => `${which} ${who} ${n}.`));
  const writeAll = (which: string): Promise<unknown> =>
    Promise.all(
      colleagues.map(async ({ computer, account }, who) => {
        const own = batch(which).filter((text) => text.startsWith(`${which} ${who} `));
        for (const text of own) await write(computer, account, text);
      }),
    );
  await writeAll('before');
  office.host.moveTo('10.77.0.9');
  await writeAll('after');

  const all = [...batch('before'), ...batch('after')];
  const everybody = [office.host, ...colleagues.map(({ computer }) => computer)];
  await Promise.all(everybody.flatMap((each) => all.map((text) => each.hears(text))));
  const { messages } = await office.host.get<{
    readonly messages: readonly { readonly rendered: string }[];
  }>('messages', office.account.id, { view: general, anchor: 'newest', before: 500, after: 0 });
  expect(messages.map(({ rendered }) => rendered).sort()).toEqual(
    all.map((text) => `<p>${text}</p>`).sort(),
  );
  for (const { computer, account } of colleagues) {
    expect(computer.connection).toEqual({ state: 'live' });
    expect(await computer.ask('accounts')).toMatchObject([
      { id: account.id, address: 'https://10.77.0.9:9981' },
    ]);
  }
});

test('a café that wants a sign-in first hears nothing; the window says why, and goes on once it is back', async () => {
  const lan = await Lan.create();
  const office = await found(lan, '10.77.0.1');
  const ben = await lan.computer('10.77.0.2');
  const account = await joinBy(ben, await invite(office));
  await ben.isConnected('live');

  const portal = await lan.computer('10.99.0.1');
  // It answers for every address that somebody asks for by way of it.
  portal.run('ip', 'route', 'add', 'local', '10.77.0.0/24', 'dev', 'lo');
  await portal.ask('beCaptivePortal');
  ben.moveTo('10.99.0.2');
  ben.run('ip', 'route', 'add', 'default', 'via', '10.99.0.1');
  await ben.ask('wake');
  await ben.isConnected('offline');
  await isToldOfAnotherKey(ben);
  await write(ben, account, 'from the café');
  const report = await ben.get<ConnectionReport>('checkConnection', {
    kind: 'account',
    accountId: account.id,
  });
  expect(report.steps.find(({ result }) => result === 'failed')?.name).toBe('identity');
  expect(report.sentence).toMatch(/A network that wants a sign-in page first does that, too\./);
  const typed = { address: '10.77.0.1', email: account.email, password };
  expect(await ben.ask('connect', typed)).toMatchObject({ ok: false });
  // It was reached, and nobody has asked it for anything.
  expect(await portal.ask('heard')).toBe('');

  ben.moveTo('10.77.0.2');
  await ben.ask('wake');
  await ben.isConnected('live');
  await office.host.hears('from the café');
});

test('nobody behind a proxy on the computer of the service is taken for whoever sits there', async () => {
  const lan = await Lan.create();
  const host = await lan.computer('10.77.0.1');
  const ben = await lan.computer('10.77.0.2');
  const carol = await lan.computer('10.77.0.3');
  const serveAt = (port: string, ...more: readonly string[]): Promise<string> => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hearth-behind-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true }));
    const args = ['--data-dir', dataDir, '--port', port, ...more];
    return host.program(entryOf('serve'), args, /setup code (\S+)\n/);
  };
  const proxyAt = (port: string, to: string, manner: 'bare' | 'forwarding'): Promise<string> =>
    host.program(proxyProgram, [port, to, manner], /listening/);
  const claim = (computer: Computer, port: string, more: Readonly<Record<string, string>> = {}) => {
    const founder = { realm_name: 'Lantern', full_name: 'Eve', email: 'eve@example.com', password };
    const url = `http://10.77.0.1:${port}/api/v1/organization`;
    return computer.ask<{ readonly status: number }>('post', url, { ...founder, ...more });
  };

  const publicUrl = ['--public-url', 'https://chat.example.com'];
  const [, code] = await Promise.all([
    serveAt('9001', ...publicUrl),
    serveAt('9002', ...publicUrl, '--trusted-proxy', '127.0.0.1', '--limit', 'sign-in-calls=2'),
    serveAt('9003'),
  ]);
  await Promise.all([
    proxyAt('8001', '9001', 'bare'),
    proxyAt('8002', '9002', 'forwarding'),
    proxyAt('8003', '9003', 'forwarding'),
  ]);
  for (const port of ['8001', '8002', '8003']) {
    expect(await ben.ask('getText', `http://10.77.0.1:${port}/api/v1/server_settings`)).toContain(
      '"setup_code_required":true',
    );
    expect(await claim(ben, port)).toMatchObject({ status: 400 });
  }
  expect(await claim(ben, '8002', { setup_code: code })).toMatchObject({ status: 200 });

  // Who tries passwords is counted by their own address, and stops nobody else.
  const guess = async (computer: Computer): Promise<number> => {
    const url = 'http://10.77.0.1:8002/api/v1/fetch_api_key';
    const fields = { username: 'eve@example.com', password: 'wrong' };
    return (await computer.ask<{ readonly status: number }>('post', url, fields)).status;
  };
  expect([await guess(carol), await guess(carol), await guess(carol)]).toEqual([403, 403, 429]);
  expect(await guess(ben)).toBe(403);
});
