import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { desktopClock } from '../../src-main/desktop/clock.ts';
import { desktopHttp } from '../../src-main/desktop/http.ts';

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const { signal } = new AbortController();
const get = { method: 'GET', headers: {}, body: null, signal };

test('method, headers and body arrive as given', async () => {
  const url = await listen((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => {
      response.end(JSON.stringify([request.method, request.headers['x-kind'], body]));
    });
  });
  const response = await desktopHttp({
    url,
    method: 'POST',
    headers: { 'x-kind': 'test' },
    body: 'a=ä',
    signal,
  });
  expect(response).toEqual({ status: 200, text: '["POST","test","a=ä"]' });
});

test.each([302, 401, 404, 500])(
  'status %i is an answer, and no redirect is followed',
  async (status) => {
    const url = await listen((_request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end('said');
    });
    expect(await desktopHttp({ ...get, url })).toEqual({ status, text: 'said' });
  },
);

test('a request that waits ends when it is aborted', async () => {
  const controller = new AbortController();
  const url = await listen(() => {
    controller.abort();
  });
  await expect(desktopHttp({ ...get, url, signal: controller.signal })).rejects.toThrow();
});

test('a service that cannot be reached is a rejection', async () => {
  await expect(desktopHttp({ ...get, url: 'http://127.0.0.1:1/' })).rejects.toThrow();
});

test('a wait ends at once when it is aborted, without an error', async () => {
  const controller = new AbortController();
  const waiting = desktopClock.wait(600_000, controller.signal);
  controller.abort();
  await waiting;
  await desktopClock.wait(600_000, controller.signal);
});
