/** From an organization that was found to an account in it: real sockets, a real service over TLS. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { joinByInvitation } from '#client/accounts/invitations.ts';
import {
  pendingJoinRequests,
  requestToJoin,
  dropJoinRequest,
  removeFulfilledRequest,
} from '#client/accounts/join-requests.ts';
import type { KeyStore } from '#client/ports.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { safetyWords } from '#node/tls/fingerprint-words.ts';
import { newcomersNetwork, overTls, pinOfService } from '#test/support/client/over-tls.ts';
import { ada, startTestService, type TestService } from '#test/support/service/api.ts';

const network = newcomersNetwork('nias-laptop');
const password = 'a long password';

let service: TestService;
let address: string;
let pin: string;
beforeAll(async () => {
  service = await startTestService();
  address = overTls(service);
  pin = await pinOfService(service);
});
afterAll(() => service.stop());

let kept: Map<string, string>;
let heard: readonly string[];
beforeEach(() => {
  kept = new Map();
  heard = [];
});
const keys: KeyStore = {
  find: async (name) => kept.get(name),
  save: async (name, secret) => void kept.set(name, secret),
  remove: async (name) => void kept.delete(name),
};
const asking = { network, keys, addressesOf: () => heard };
const trusting = { ...asking, network: { ...network, knownFingerprint: () => pin } };

let count = 0;
const person = () => ({
  address,
  fullName: 'Nia Newcomer',
  email: `nia${String((count += 1))}@example.com`,
  about: '',
});

const requestOf = async (email: string) => {
  const { requests } = await service.ask(ada, api.joinRequests.list);
  return requests.find((each) => each.email === email);
};

test('who asked, was accepted and chose a password is in, wherever the office is by then', async () => {
  const request = person();
  expect(await requestToJoin(asking, request)).toMatchObject({ failure: { code: 'WORDS_NEEDED' } });
  expect(await requestOf(request.email)).toBeUndefined();
  const asked = await requestToJoin(asking, { ...request, words: await safetyWords(pin) });
  const found = await requestOf(request.email);
  expect(asked).toMatchObject({
    ok: true,
    value: { state: 'waiting', pin, realmName: 'Dev', number: found?.number },
  });
  await service.ask(ada, api.joinRequests.accept, { request_id: found?.id });
  // As if it had another address since.
  kept.set(
    'join-request',
    (kept.get('join-request') ?? '').replace(address, 'https://127.0.0.1:9'),
  );
  expect(await pendingJoinRequests(asking)).toMatchObject({
    value: { state: 'unreached', link: null },
  });
  heard = [address];
  const now = await pendingJoinRequests(asking);
  const link = now.ok ? now.value?.link : undefined;
  if (!link) throw new Error('not accepted');
  expect(link).toMatchObject({ addresses: [address], pin });
  const joined = await joinByInvitation(network, { ...link, fullName: 'Nia', password });
  expect(joined).toMatchObject({ ok: true, value: { account: { email: request.email, pin } } });
  await removeFulfilledRequest(keys, request.email.toUpperCase());
  expect(await pendingJoinRequests(asking)).toEqual({ ok: true, value: null });
});

test('who takes a request back is asked for no more, and keeps nothing of it', async () => {
  const request = person();
  await requestToJoin(trusting, request);
  await dropJoinRequest(asking);
  expect([await requestOf(request.email), kept.size]).toEqual([undefined, 0]);
});

test('an organization that takes no requests says so before anything is sent', async () => {
  await service.ask(ada, api.realm.update, { ask_to_join_policy: 1 });
  const refused = await requestToJoin(trusting, person());
  expect(refused).toMatchObject({ failure: { code: 'NO_REQUESTS', argument: 'address' } });
  expect(kept.size).toBe(0);
  await service.ask(ada, api.realm.update, { ask_to_join_policy: 2 });
});

test('without a place for its secret nothing is asked', async () => {
  const locked = { ...keys, find: () => Promise.reject(new Error('locked')) };
  const request = person();
  const refused = await requestToJoin({ ...trusting, keys: locked }, request);
  expect(refused).toMatchObject({ failure: { code: 'NO_KEYCHAIN' } });
  expect(await requestOf(request.email)).toBeUndefined();
});

test.each([
  ['fullName', { fullName: 'x' }],
  ['email', { email: 'nia\u200b@example.com' }],
  ['about', { about: 'x'.repeat(201) }],
])('what is wrong is said beside its field: %s', async (argument, wrong) => {
  expect(await requestToJoin(trusting, { ...person(), ...wrong })).toMatchObject({
    failure: { argument },
  });
});
