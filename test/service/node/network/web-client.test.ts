import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWebClient, isPublicAddress, isOnLocalNetwork } from '#node/network/web-client.ts';
import { HookServer } from '#test/support/service/hook-server.ts';

const server = new HookServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const open = createWebClient({ allowPrivateAddresses: true });
const careful = createWebClient({ allowPrivateAddresses: false });

const request = {
  headers: { 'content-type': 'application/json', 'x-own': 'yes' },
  body: '{"ä":1}',
  timeoutMs: 5000,
  maxBytes: 1000,
  signal: new AbortController().signal,
};

describe('which addresses are public', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00::1',
  ])('%s is', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'localhost',
    '',
    '127.1',
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('where private addresses are not allowed, nothing is sent to', () => {
  test.each([
    ['an address', (port: number) => `http://127.0.0.1:${String(port)}/`],
    ['a short form of it', (port: number) => `http://127.1:${String(port)}/`],
    ['a number for it', (port: number) => `http://2130706433:${String(port)}/`],
    ['an octal form of it', (port: number) => `http://0177.0.0.1:${String(port)}/`],
    ['its mapped form', (port: number) => `http://[::ffff:127.0.0.1]:${String(port)}/`],
    ['the other loopback', (port: number) => `http://[::1]:${String(port)}/`],
    ['a name that leads there', (port: number) => `http://localhost:${String(port)}/`],
    ['a name over TLS', (port: number) => `https://localhost:${String(port)}/`],
  ])('%s [web-client.private-addresses-not]', async (_, urlOf) => {
    const answer = await careful.post(urlOf(server.port), request);
    expect(answer).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('is not an address on the public internet'),
    });
    expect(server.waiting).toBe(0);
  });
});

describe('a request', () => {
  test('a request carries body and headers, and is answered with status and body', async () => {
    const answer = open.post(`http://localhost:${String(server.port)}/a?b=c`, request);
    const received = await server.next();
    expect(received).toMatchObject({ method: 'POST', path: '/a?b=c', body: '{"ä":1}' });
    expect(received.headers).toMatchObject({ 'x-own': 'yes', 'content-length': '8' });
    received.answer('grün', 418);
    expect(await answer).toEqual({ kind: 'answered', status: 418, body: 'grün' });
  });

  test('a request follows no redirect', async () => {
    const answer = open.post(server.url(), request);
    (await server.next()).answer('', 307, { location: server.url('/elsewhere') });
    expect(await answer).toMatchObject({ kind: 'answered', status: 307 });
    expect(server.waiting).toBe(0);
  });

  test('a request fails after its time', async () => {
    const answer = open.post(server.url(), { ...request, timeoutMs: 50 });
    const received = await server.next();
    expect(await answer).toEqual({ kind: 'failed', reason: 'no answer within 0.05 s' });
    await received.gone;
  });

  test('a request is refused when the answer is longer than wanted', async () => {
    const answer = open.post(server.url(), { ...request, maxBytes: 10 });
    (await server.next()).answer('x'.repeat(11));
    expect(await answer).toMatchObject({ kind: 'refused', reason: expect.stringContaining('10') });
    const exact = open.post(server.url(), { ...request, maxBytes: 10 });
    (await server.next()).answer('x'.repeat(10));
    expect(await exact).toMatchObject({ kind: 'answered' });
  });

  test('a request ends when nobody wants the answer any more', async () => {
    const controller = new AbortController();
    const answer = open.post(server.url(), { ...request, signal: controller.signal });
    const received = await server.next();
    controller.abort();
    expect(await answer).toMatchObject({ kind: 'failed' });
    await received.gone;
  });

  test('a request fails where nobody listens, and where the address is none', async () => {
    const other = new HookServer();
    await other.start();
    const url = other.url();
    await other.stop();
    expect(await open.post(url, request)).toEqual({ kind: 'failed', reason: 'ECONNREFUSED' });
    expect(await open.post('nowhere', request)).toMatchObject({ kind: 'failed' });
  });
});

test('hosts of the own IPv6 networks and all own addresses are nearby, others are not', () => {
  const own = (address: string, cidr: string, family: 'IPv4' | 'IPv6') => {
    const rest = { netmask: '', mac: '', internal: false, cidr: `${address}/${cidr}`, address };
    return family === 'IPv6' ? { ...rest, family, scopeid: 0 } : { ...rest, family };
  };
  const interfaces = {
    eth0: [own('2a01:4f8:1:2::5', '64', 'IPv6'), own('93.184.216.34', '24', 'IPv4')],
    wlan0: [own('2a02:8070:9:9::7', '128', 'IPv6')],
  };
  const nearby = ['2a01:4f8:1:2::5', '2a01:4f8:1:2:aaaa::1', '2a02:8070:9:9::1', '93.184.216.34'];
  const beyond = ['2a01:4f8:1:3::5', '2606:4700::1111', '93.184.216.35', '1.1.1.1'];
  expect(nearby.filter((address) => isOnLocalNetwork(address, interfaces))).toEqual(nearby);
  expect(beyond.filter((address) => isOnLocalNetwork(address, interfaces))).toEqual([]);
});
