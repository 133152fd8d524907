import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createApp } from '#service/http/app.ts';
import { knock, largestCrowd } from '#test/support/service/crowd.ts';
import { ada, type Double, RawConnection, startDouble } from './service-double.ts';

const get = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada}\r\n\r\n`;

/** A call that waits until it is released, as a long poll does. */
function hold(service: Double): {
  readonly isWaiting: Promise<void>;
  readonly release: () => void;
} {
  let told = (): void => undefined;
  let release = (): void => undefined;
  const isWaiting = new Promise<void>((resolve) => (told = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  service.answers['events.poll'] = async () => {
    told();
    await released;
    return { released: true };
  };
  return { isWaiting, release: () => release() };
}

describe('a server that stops', () => {
  test('a stopping server accepts no connection, answers what waits and closes', async () => {
    const service = await startDouble();
    const { isWaiting, release } = hold(service);
    const connection = new RawConnection(service.port);
    connection.write(get('/api/v1/events'));
    await isWaiting;
    service.stopAccepting();
    const late = new RawConnection(service.port);
    expect(await late.all).toBe('');
    release();
    const text = await connection.all;
    expect(text).toMatch(/"released":true/);
    expect(text).toMatch(/\r\nconnection: close/i);
    await service.drain(1000);
  });

  test('a stopping server closes idle connections and those on which nothing was ever sent', async () => {
    const service = await startDouble();
    const idle = new RawConnection(service.port);
    idle.write(get('/api/v1/server_settings'));
    await idle.received(/"result":"success"/);
    const silent = new RawConnection(service.port);
    await new Promise((resolve) => silent.socket.once('connect', resolve));
    // Accepted no later than those after it: with the answer to one of them the silent one is known to the server.
    await (await fetch(`${service.origin}/api/v1/server_settings`)).text();
    const drained = service.drain(60_000);
    await Promise.all([idle.all, silent.all, drained]);
  });

  test('a stopping server cuts off what is not finished in time', async () => {
    const service = await startDouble();
    const { isWaiting } = hold(service);
    const connection = new RawConnection(service.port);
    connection.write(get('/api/v1/events'));
    await isWaiting;
    await service.drain(20);
    expect(await connection.all).toBe('');
  });

  test('a server can be told to stop more than once', async () => {
    const service = await startDouble();
    service.stopAccepting();
    await Promise.all([service.drain(1000), service.drain(1000)]);
  });
});

test.runIf(process.platform === 'linux')(
  'a thousand who knock while the thread is busy find room',
  async () => {
    const service = await startDouble();
    const wanted = Math.min(1000, largestCrowd());
    const crowd = knock(service.port, wanted);
    expect(crowd.count).toBe(wanted);
    await crowd.leave();
    await service.drain(1000);
  },
);

test('a port that another service has is refused, and free once that has stopped', async () => {
  const first = await startDouble();
  const { port } = first;
  await expect(startDouble({}, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.drain(1000);
  const second = await startDouble({}, { port });
  expect(second.port).toBe(port);
  await second.drain(1000);
});

describe('more addresses', () => {
  const answers = (address: string, port: number): Promise<boolean> =>
    fetch(`http://${address}:${String(port)}/api/v1/server_settings`).then(
      async (response) => (await response.text()).includes('"result":"success"'),
      () => false,
    );

  test('further addresses are listened on and left again, along with whoever came by them', async () => {
    const service = await startDouble();
    const { port } = service;
    expect(await answers('127.0.0.2', port)).toBe(false);
    expect(await service.listenOn(['127.0.0.2', '127.0.0.3'])).toEqual([]);
    expect(await answers('127.0.0.2', port)).toBe(true);
    const inside = new RawConnection(port, '127.0.0.3');
    inside.write(get('/api/v1/server_settings'));
    await inside.received(/"result":"success"/);
    expect(service.remoteClients()).toContain('127.0.0.1');
    await service.listenOn(['127.0.0.2']);
    await inside.all;
    expect(await answers('127.0.0.3', port)).toBe(false);
    expect(await answers('127.0.0.2', port)).toBe(true);
    expect(await answers('127.0.0.1', port)).toBe(true);
    await service.drain(1000);
    expect(await answers('127.0.0.2', port)).toBe(false);
  });

  test('further addresses that another program has are named, and had once they are free', async () => {
    const service = await startDouble();
    const other = createServer().listen(service.port, '127.0.0.2');
    await once(other, 'listening');
    const closed = [{ address: '127.0.0.2', code: 'EADDRINUSE' }];
    expect(await service.listenOn(['127.0.0.2'])).toEqual(closed);
    other.close();
    await once(other, 'close');
    expect(await service.listenOn(['127.0.0.2'])).toEqual([]);
    expect(await answers('127.0.0.2', service.port)).toBe(true);
    await service.drain(1000);
  });

  test('further addresses answer what waits before they close', async () => {
    const service = await startDouble();
    await service.listenOn(['127.0.0.2']);
    const { isWaiting, release } = hold(service);
    const connection = new RawConnection(service.port, '127.0.0.2');
    connection.write(get('/api/v1/events'));
    await isWaiting;
    const drained = service.drain(60_000);
    release();
    expect(await connection.all).toMatch(/"released":true/);
    await drained;
  });
});

test('a handler that is missing is found out at the start', () => {
  const broken = { handlers: {} } as unknown as Parameters<typeof createApp>[0];
  expect(() => createApp(broken)).toThrow(/has no handler/);
});
