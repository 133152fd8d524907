import { describe, expect, test } from 'vitest';
import { createApp } from '../../../src-main/service/http/app.ts';
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
  test('accepts no connection, answers what waits and closes', async () => {
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

  test('closes idle connections and those on which nothing was ever sent', async () => {
    const service = await startDouble();
    const idle = new RawConnection(service.port);
    idle.write(get('/api/v1/server_settings'));
    await idle.received(/"result":"success"/);
    const silent = new RawConnection(service.port);
    await new Promise((resolve) => silent.socket.once('connect', resolve));
    // Accepted in order: with the answer to a later connection the silent one is known to the server.
    await (await fetch(`${service.origin}/api/v1/server_settings`)).text();
    const drained = service.drain(60_000);
    await Promise.all([idle.all, silent.all, drained]);
  });

  test('cuts off what is not finished in time', async () => {
    const service = await startDouble();
    const { isWaiting } = hold(service);
    const connection = new RawConnection(service.port);
    connection.write(get('/api/v1/events'));
    await isWaiting;
    await service.drain(20);
    expect(await connection.all).toBe('');
  });

  test('can be told so more than once', async () => {
    const service = await startDouble();
    service.stopAccepting();
    await Promise.all([service.drain(1000), service.drain(1000)]);
  });
});

test('a handler that is missing is found out at the start', () => {
  const broken = { handlers: {} } as unknown as Parameters<typeof createApp>[0];
  expect(() => createApp(broken)).toThrow(/has no handler/);
});
