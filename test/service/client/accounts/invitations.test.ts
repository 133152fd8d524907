/** From a link to an account: real sockets, a real service over TLS, and others in its place. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JoinLink } from '#shared/join-link.ts';
import { joinByInvitation, fetchInvitation } from '#client/accounts/invitations.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { makeServerIdentity } from '#node/tls/server-identity.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { makeLeaf } from '#service/security/certificates.ts';
import { newcomersNetwork, overTls, pinOfService } from '#test/support/client/over-tls.ts';
import { png, upload } from '#test/support/images.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';

const network = newcomersNetwork('bens-laptop');
const person = { fullName: 'Newly Invited', password: 'a long password' };

let service: TestService;
let address: string;
let pin: string;
beforeAll(async () => {
  service = await startTestService();
  address = overTls(service);
  pin = await pinOfService(service);
});
afterAll(() => service.stop());

let count = 0;
async function invited(
  more: Partial<JoinLink> = {},
): Promise<JoinLink & { readonly email: string }> {
  const email = `new${String((count += 1))}@example.com`;
  await service.ask(ben, api.invitations.invite, { invitee_emails: email });
  const { invites } = await service.ask(ben, api.invitations.list, {});
  const token =
    invites
      .find((each) => each.email === email)
      ?.link.split('/')
      .at(-1) ?? '';
  return { token, addresses: [address], pin, realmName: '', ...more, email };
}

/** Somebody else on this computer, and what was said to them. */
async function stranger() {
  const leaf = makeLeaf(makeServerIdentity(), { names: [], addresses: [] }, Date.now());
  let heard = '';
  const server = createServer({ key: leaf.key, cert: leaf.chain }, (socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => (heard += String(bytes)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `https://127.0.0.1:${String(port)}`,
    heard: () => heard,
    stop: () => server.close(),
  };
}

test('who is invited sees the picture of the organization, from its own office', async () => {
  const { email: _email, ...link } = await invited();
  await service.ask(ada, api.realmIcon.set, {}, { body: upload(png) });
  const seen = await fetchInvitation(network, link);
  expect(seen).toMatchObject({ ok: true, value: { icon: { type: 'image/png' } } });
  expect(seen.ok ? seen.value.icon?.bytes : undefined).toEqual(png);
  await service.ask(ada, api.realmIcon.remove);
  expect(await fetchInvitation(network, link)).toMatchObject({ value: { icon: null } });
});

test('who is invited sees by whom, joins with a name and a password, and keeps the pin', async () => {
  const { email, ...link } = await invited();
  expect(await fetchInvitation(network, link)).toEqual({
    ok: true,
    value: { address, realmName: 'Dev', inviterName: 'Ben Member', email, icon: null },
  });
  const short = await joinByInvitation(network, { ...link, ...person, password: 'short' });
  expect(short).toMatchObject({ failure: { argument: 'password' } });
  const nameless = await joinByInvitation(network, { ...link, ...person, fullName: '' });
  expect(nameless).toMatchObject({ failure: { argument: 'fullName' } });
  const joined = await joinByInvitation(network, { ...link, ...person });
  expect(joined).toMatchObject({
    ok: true,
    value: { account: { address, email, fullName: person.fullName, pin, isHosted: false } },
  });
  for (const again of [
    await fetchInvitation(network, link),
    await joinByInvitation(network, { ...link, ...person }),
  ]) {
    expect(again.ok).toBe(false);
  }
});

test("joining by a link for many takes an address of one's own", async () => {
  const { invite_link } = await service.ask(ben, api.invitations.inviteMany, { max_uses: 5 });
  const token = invite_link.split('/').at(-1) ?? '';
  const link = { token, addresses: [address], pin, realmName: '' };
  expect(await fetchInvitation(network, link)).toMatchObject({ ok: true, value: { email: '' } });
  for (const email of [undefined, 'no address', ben]) {
    const refused = await joinByInvitation(network, { ...link, ...person, email });
    expect(refused).toMatchObject({ ok: false, failure: { argument: 'email' } });
  }
  const email = 'by-link@example.com';
  expect(await joinByInvitation(network, { ...link, ...person, email })).toMatchObject({
    ok: true,
    value: { account: { address, email, pin } },
  });
});

test('the one of several addresses where the office answers is taken, whoever has the others', async () => {
  const other = await stranger();
  const { email, ...link } = await invited({
    addresses: ['https://127.0.0.1:1', other.origin, address],
  });
  expect(await fetchInvitation(network, link)).toMatchObject({
    ok: true,
    value: { address, email },
  });
  expect(await joinByInvitation(network, { ...link, ...person })).toMatchObject({
    ok: true,
    value: { account: { address } },
  });
  expect(other.heard()).toBe('');
  other.stop();
});

test('somebody else is told nothing of the invitation, and is said to be somebody else', async () => {
  const other = await stranger();
  const { email: _email, ...link } = await invited({ addresses: [other.origin] });
  for (const outcome of [
    await fetchInvitation(network, link),
    await joinByInvitation(network, { ...link, ...person }),
  ]) {
    expect(outcome).toMatchObject({ ok: false, failure: { code: 'OTHER_OFFICE' } });
  }
  expect(other.heard()).toBe('');
  other.stop();
});

test('where nobody answers the addresses are named, and the network', async () => {
  const { email: _email, ...link } = await invited({ addresses: ['https://127.0.0.1:1'] });
  expect(await fetchInvitation(network, link)).toMatchObject({
    failure: {
      code: 'UNREACHABLE',
      message: expect.stringMatching(/127\.0\.0\.1:1.*same network/) as string,
    },
  });
});

test('a link without a pin takes the safety words first', async () => {
  const { email, ...link } = await invited({ pin: null });
  expect(await fetchInvitation(network, link)).toMatchObject({
    failure: { code: 'WORDS_NEEDED' },
  });
  const words = await safetyWords(pin);
  expect(await fetchInvitation(network, link, words)).toMatchObject({
    ok: true,
    value: { email },
  });
  expect(await joinByInvitation(network, { ...link, ...person, words })).toMatchObject({
    ok: true,
    value: { account: { pin } },
  });
});
