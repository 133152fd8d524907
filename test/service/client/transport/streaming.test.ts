/** The loop of events over a real service: how it asks, and what it does where streams do not come through. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Http, HttpRequest } from '#client/ports.ts';
import { createApi } from '#client/transport/api.ts';
import { EventLoop } from '#client/transport/event-queue.ts';
import { success } from '#shared/bridge/outcome.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { FakeClock, settle } from '#test/support/fake-clock.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const isStream = (url: string): boolean => url.includes('/events/stream?');

/** A session's loop, with the path of every request and the messages that it was told of. */
async function startLoop(wrap: (http: Http) => Http = (http) => http) {
  const asked: string[] = [];
  const told: number[] = [];
  const clock = new FakeClock();
  const http: Http = (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace('/api/v1', '');
    asked.push(searchParams.get('dont_block') === 'false' ? `${path} blocking` : path);
    return wrap(desktopHttp)(request);
  };
  const credentials = { email: ben, key: await service.keyOf(ben) };
  const api = createApi({ http, clock, address: service.origin, credentials });
  const { id: queueId, lastEventId } = await service.register(ben, { event_types: ['message'] });
  const loop = new EventLoop({
    api,
    clock,
    position: { queueId, lastEventId },
    liveUntilSeconds: null,
    register: () => Promise.reject(new Error('nothing is registered here')),
    catchUp: () => Promise.resolve(success(null)),
    deliver: (events) => {
      for (const event of events as readonly { readonly message?: { readonly id: number } }[]) {
        if (event.message !== undefined) told.push(event.message.id);
      }
      return success(null);
    },
    delivering: () => undefined,
    report: () => undefined,
  });
  const running = loop.run();
  onTestFinished(async () => {
    await loop.stop({ keepsQueue: false });
    await running;
  });
  /** Passes time until something is as it should be. */
  const passing = async (ms: number, isDone: () => boolean): Promise<void> => {
    await expect
      .poll(async () => {
        await settle();
        if (!isDone()) await clock.advance(ms);
        return isDone();
      })
      .toBe(true);
  };
  return { asked, told, clock, loop, queueId, passing };
}

const count = (asked: readonly string[], path: string): number =>
  asked.filter((each) => each === path).length;

test('many events come on one answer, and the service is told how far they came', async () => {
  const { asked, told, clock } = await startLoop();
  await expect.poll(() => count(asked, '/events/stream')).toBe(1);
  const sent: number[] = [];
  for (let i = 0; i < 5; i += 1) sent.push(await service.say(ada, 'general', 'stream'));
  await expect.poll(() => told).toEqual(sent);
  expect(asked).toEqual(['/events', '/events/stream']);
  await clock.advance(10_000);
  sent.push(await service.say(ada, 'general', 'stream'));
  await expect.poll(() => told).toEqual(sent);
  await expect.poll(() => asked).toEqual(['/events', '/events/stream', '/events/acknowledge']);
});

test('where nothing happens, the answer stays open for as long as heartbeats may take', async () => {
  let pieces = 0;
  const { asked, told, clock } = await startLoop((http) => (request) => {
    const { onText } = request;
    if (onText === undefined) return http(request);
    const counted = (piece: string): ReturnType<typeof onText> => {
      pieces += 1;
      return onText(piece);
    };
    return http({ ...request, onText: counted });
  });
  // The first line says only that the way is open.
  await expect.poll(() => pieces).toBe(1);
  await clock.advance(44_000);
  const sent = await service.say(ada, 'general', 'after a while');
  await expect.poll(() => told).toEqual([sent]);
  expect(count(asked, '/events/stream')).toBe(1);
});

test('after many events the service is told at once how far they came, and again where that was lost', async () => {
  let take: NonNullable<HttpRequest['onText']> = () => undefined;
  const say = (text: string): void => void take(text);
  let isLost = true;
  const acknowledged: number[] = [];
  const { asked, clock } = await startLoop((http) => async (request) => {
    take = request.onText ?? take;
    if (!request.url.endsWith('/events/acknowledge')) return http(request);
    const form = new URLSearchParams(String(request.body));
    acknowledged.push(Number(form.get('last_event_id')));
    if (isLost) throw new Error('the connection broke');
    return http(request);
  });
  await expect.poll(() => count(asked, '/events/stream')).toBe(1);
  const first = 1_000_000;
  const events = Array.from({ length: 5000 }, (_, index) => ({
    id: first + index,
    type: 'typing',
  }));
  const lines = events.map((event) => `${JSON.stringify(event)}\n`);
  say(lines.slice(0, 4000).join(''));
  await clock.advance(0);
  expect(acknowledged).toEqual([]);
  say(lines.slice(4000).join(''));
  await clock.advance(0);
  const last = first + 4999;
  expect(acknowledged).toEqual([last]);
  await settle();
  isLost = false;
  await clock.advance(10_000);
  // What a full queue says, for as long as nobody tells it more.
  const heartbeat = `${JSON.stringify({ id: last, type: 'heartbeat' })}\n`;
  say(heartbeat);
  expect(acknowledged).toEqual([last, last]);
  await expect.poll(() => count(asked, '/events/acknowledge')).toBe(2);
  await clock.advance(10_000);
  say(heartbeat);
  expect(acknowledged).toEqual([last, last]);
});

test('a connection that says nothing any more is given up for a new one', async () => {
  let isMute = false;
  const { asked, told, passing } = await startLoop((http) => (request) => {
    const { onText } = request;
    if (onText === undefined) return http(request);
    return http({
      ...request,
      onText: (piece) => (isMute ? undefined : onText(piece)),
    });
  });
  await expect.poll(() => count(asked, '/events/stream')).toBe(1);
  const heard = await service.say(ada, 'general', 'heard');
  await expect.poll(() => told).toEqual([heard]);
  isMute = true;
  const unheard = await service.say(ada, 'general', 'unheard');
  await passing(15_000, () => told.length === 2);
  expect(told).toEqual([heard, unheard]);
  isMute = false;
  await expect.poll(() => count(asked, '/events/stream')).toBeGreaterThan(1);
});

test('behind a proxy that holds answers back until they end, events come by fetches', async () => {
  const { asked, told, passing } = await startLoop((http) => async (request) => {
    const { onText } = request;
    if (onText === undefined) return http(request);
    const held: string[] = [];
    const hold = (piece: string): undefined => void held.push(piece);
    const response = await http({ ...request, onText: hold });
    for (const piece of held) await onText(piece);
    return response;
  });
  await passing(2_500, () => count(asked, '/events blocking') > 0);
  expect(count(asked, '/events/stream')).toBe(3);
  const sent = await service.say(ada, 'general', 'by fetch');
  await expect.poll(() => told).toEqual([sent]);
});

test('a service without streams is asked once whether it has them, and something that is no service is no stream', async () => {
  const refusal = { result: 'error', msg: 'There is nothing here', code: 'NOT_FOUND' };
  const older = await startLoop(
    (http) => (request) =>
      isStream(request.url)
        ? Promise.resolve({ status: 404, text: JSON.stringify(refusal) })
        : http(request),
  );
  await expect.poll(() => count(older.asked, '/events blocking')).toBe(1);
  expect(older.asked).toEqual(['/events', '/events/stream', '/events blocking']);
  const strange = await startLoop((http) => (request) => {
    if (!isStream(request.url)) return http(request);
    void request.onText?.('<html>\n<p>Please sign in to this network.\n');
    return Promise.resolve({ status: 200, text: '' });
  });
  await expect.poll(() => count(strange.asked, '/events blocking')).toBe(1);
  const sent = await service.say(ada, 'general', 'to both');
  await expect.poll(() => [older.told, strange.told]).toEqual([[sent], [sent]]);
});
