/** GET /events/stream over a real socket. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import {
  ada,
  ben,
  cleo,
  idOf,
  startTestService,
  type TestQueue,
  type TestService,
} from '#test/support/service/api.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ heartbeatSeconds: 1 });
});
afterAll(() => service.stop());

const addressOf = (queueId: string, lastEventId: number): string =>
  `/api/v1/events/stream?queue_id=${encodeURIComponent(queueId)}&last_event_id=${String(lastEventId)}`;

type Line = Readonly<Record<string, unknown>> & { readonly id: number; readonly type: string };

/** One open answer, line by line. */
class Reader {
  readonly response: Response;
  readonly #client: AbortController;
  readonly #lines: AsyncGenerator<string>;

  constructor(response: Response, client: AbortController) {
    this.response = response;
    this.#client = client;
    this.#lines = linesOf(response);
  }

  /** As it stands on the wire; undefined when the stream is over. */
  async text(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done === true ? undefined : value;
  }

  /** The next event that is no heartbeat; undefined when the stream is over. */
  async next(): Promise<Line | undefined> {
    for (;;) {
      const text = await this.text();
      const line = text === undefined ? undefined : (JSON.parse(text) as Line);
      if (line?.type !== 'heartbeat') return line;
    }
  }

  leave(): void {
    this.#client.abort();
  }
}

/** As `fetch` says that an answer ended before its end. */
function undefinedIfCut(error: unknown): undefined {
  if (!(error instanceof TypeError)) throw error;
}

/** A busy machine may hold up who reads for longer than from one heartbeat to the next: whoever is cut off asks again. */
async function* heardUntilCut(stream: Reader): AsyncGenerator<Line> {
  for (;;) {
    const line = await stream.next().catch(undefinedIfCut);
    if (line === undefined) return;
    yield line;
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  let rest = '';
  const pieces = response.body!.pipeThrough(new TextDecoderStream());
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  expect(rest).toBe('');
}

async function openStream(
  who: string,
  queue: Pick<TestQueue, 'id' | 'lastEventId'>,
  at: TestService = service,
) {
  const client = new AbortController();
  const response = await fetch(at.origin + addressOf(queue.id, queue.lastEventId), {
    headers: { authorization: await at.authorization(who) },
    signal: client.signal,
  });
  return new Reader(response, client);
}

/** Sends requests as they are written; answers what reads until the answer has come to contain a text. */
async function openSocket(...requests: readonly string[]) {
  const socket = connect(Number(new URL(service.origin).port), '127.0.0.1');
  socket.setEncoding('utf8');
  let received = '';
  socket.on('data', (text: string) => (received += text));
  socket.write(requests.join(''));
  return {
    async until(text: string): Promise<string> {
      while (!received.includes(text)) await once(socket, 'data');
      return received;
    },
    close: () => socket.destroy(),
  };
}

const requestOf = async (who: string, address: string, version: string): Promise<string> =>
  `GET ${address} HTTP/${version}\r\nhost: 127.0.0.1\r\nauthorization: ${await service.authorization(who)}\r\n\r\n`;

describe('an open stream', () => {
  test('an event stream says at once that the way is open, also where what waits is gone', async () => {
    const office = await startTestService();
    onTestFinished(() => office.stop());
    const queue = await office.register(ben, { event_types: ['message'] });
    const { id: queueId, lastEventId } = queue;
    const id = await office.say(ada, 'general', 'taken back');
    expect(await queue.heard()).toEqual([`message ${String(id)}`]);
    await office.ask(ada, api.lifecycle.delete, { message_id: id });
    // As one whose answer to that poll was lost.
    const reader = await openStream(ben, { id: queueId, lastEventId }, office);
    expect(JSON.parse((await reader.text()) ?? '')).toMatchObject({ type: 'heartbeat' });
    const next = await office.say(ada, 'general', 'stays');
    expect(await reader.next()).toMatchObject({ type: 'message', message: { id: next } });
    reader.leave();
  });

  test('an event stream comes without chunks to a client of HTTP 1.0', async () => {
    const queue = await service.register(ben);
    const address = addressOf(queue.id, queue.lastEventId);
    const socket = await openSocket(await requestOf(ben, address, '1.0'));
    await socket.until('"heartbeat"}\n');
    await service.say(ada, 'general', 'to an old client');
    const received = await socket.until('"flags":[]}\n');
    expect(received).not.toMatch(/transfer-encoding/i);
    const [, body = ''] = received.split('\r\n\r\n');
    expect(body).not.toContain('\r');
    socket.close();
  });

  test('an event stream waits for the answer to the request before it on the same connection', async () => {
    const [beside, queue] = [await service.register(ben), await service.register(ben)];
    const poll = `/api/v1/events?queue_id=${encodeURIComponent(beside.id)}&last_event_id=${beside.lastEventId}`;
    const stream = addressOf(queue.id, queue.lastEventId);
    const socket = await openSocket(
      await requestOf(ben, poll, '1.1'),
      await requestOf(ben, stream, '1.1'),
    );
    await service.say(ada, 'general', 'to both');
    const first = await socket.until('"flags":[]}\n\r\n');
    expect(first.indexOf('"result":"success"')).toBeLessThan(first.indexOf('x-ndjson'));
    await service.say(ada, 'general', 'to the stream');
    const all = await socket.until('"subject":"to the stream"');
    const chunks = all.slice(all.indexOf('x-ndjson')).split('\r\n\r\n').slice(1).join('\r\n\r\n');
    expect(chunks).toMatch(/^(?:[0-9a-f]+\r\n[^\r]*\n\r\n)+/);
    socket.close();
  });

  test('an event stream says something at once, then each event in the words of a fetch', async () => {
    const queue = await service.register(ben);
    const beside = await service.register(ben);
    const stream = await openStream(ben, queue);
    expect(stream.response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(JSON.parse((await stream.text())!)).toMatchObject({ type: 'heartbeat' });
    await service.say(ada, 'general', 'first');
    await service.tell(ada, [ben], 'second');
    const [first, second] = [await stream.next(), await stream.next()];
    expect([first, second]).toEqual(await beside.now());
    stream.leave();
  });

  test('an open stream beats while nothing happens', async () => {
    const queue = await service.register(ben);
    const stream = await openStream(ben, queue);
    const ids: number[] = [];
    while (ids.length < 3) ids.push((JSON.parse((await stream.text())!) as Line).id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    stream.leave();
  });

  test('an open stream that broke is taken up where the client was, and what was acknowledged is gone', async () => {
    const queue = await service.register(ben);
    const stream = await openStream(ben, queue);
    const sent = [
      await service.say(ada, 'general', 'one'),
      await service.say(ada, 'general', 'two'),
      await service.say(ada, 'general', 'three'),
    ];
    const heard = [await stream.next(), await stream.next(), await stream.next()];
    const ids = heard.map((line) => line!.id);
    const messageOf = (line: Line | undefined): unknown => (line?.['message'] as Line).id;
    expect(heard.map(messageOf)).toEqual(sent);
    const params = { queue_id: queue.id, last_event_id: ids[0] };
    await service.ask(ben, api.events.acknowledge, params);
    stream.leave();
    const again = await openStream(ben, { id: queue.id, lastEventId: -1 });
    expect(messageOf(await again.next())).toBe(sent[1]);
    again.leave();
    const rest = await openStream(ben, { id: queue.id, lastEventId: ids[1]! });
    expect(messageOf(await rest.next())).toBe(sent[2]);
    rest.leave();
  });

  test('an event stream ends when another request takes its queue, when that is deleted, and when the service stops', async () => {
    const queue = await service.register(ben);
    const first = await openStream(ben, queue);
    expect(await first.text()).toContain('heartbeat');
    const second = await openStream(ben, queue);
    expect(await first.next()).toBeUndefined();
    await queue.now();
    expect(await second.next()).toBeUndefined();
    const third = await openStream(ben, queue);
    await service.ask(ben, api.events.deleteQueue, { queue_id: queue.id });
    expect(await third.next()).toBeUndefined();
    const last = await service.register(ben);
    const fourth = await openStream(ben, last);
    expect(await fourth.text()).toContain('heartbeat');
    await service.restart();
    expect(await fourth.next()).toBeUndefined();
    const fifth = await openStream(ben, last);
    expect(await fifth.next()).toMatchObject({ type: 'restart' });
    fifth.leave();
  });

  test('an event stream ends when its key is renewed, and when its account is deactivated', async () => {
    const stream = await openStream(cleo, await service.register(cleo));
    expect(await stream.text()).toContain('heartbeat');
    await service.ask(ada, api.devices.renewKeys, { user_id: idOf[cleo] });
    service.forgetKey(cleo);
    expect(await stream.next()).toBeUndefined();
    const again = await openStream(cleo, await service.register(cleo));
    expect(await again.text()).toContain('heartbeat');
    await service.ask(ada, api.userAdmin.deactivate, { user_id: idOf[cleo] });
    for (let line = await again.next(); line !== undefined;) line = await again.next();
    await service.ask(ada, api.userAdmin.reactivate, { user_id: idOf[cleo] });
    service.forgetKey(cleo);
  });

  test('whose client does not read is cut off, and nothing is lost', async () => {
    const queue = await service.register(ben);
    const { hostname, port } = new URL(service.origin);
    const socket = connect({ host: hostname, port: Number(port) });
    socket.pause();
    socket.write(
      `GET ${addressOf(queue.id, queue.lastEventId)} HTTP/1.1\r\nHost: ${hostname}\r\n` +
        `Authorization: ${await service.authorization(ben)}\r\n\r\n`,
    );
    const cut = once(socket, 'close');
    socket.on('error', () => undefined);
    const sent: number[] = [];
    // More than the system takes for a reader that does not read.
    while (sent.length < 900) {
      const batch = Array.from({ length: 100 }, () =>
        service.say(ada, 'general', 'long', 'x'.repeat(9_000)),
      );
      sent.push(...(await Promise.all(batch)).sort((one, other) => one - other));
    }
    // Only who reads is told that the connection is gone.
    const heard: number[] = [];
    let { lastEventId } = queue;
    while (heard.length < sent.length) {
      const stream = await openStream(ben, { id: queue.id, lastEventId });
      for await (const line of heardUntilCut(stream)) {
        lastEventId = line.id;
        if (line.type === 'message') heard.push((line['message'] as Line).id);
        if (heard.length === sent.length) break;
      }
      stream.leave();
    }
    expect(heard).toEqual(sent);
    socket.resume();
    await cut;
  });
});

describe('what is refused', () => {
  const ask = async (path: string, init: RequestInit = {}): Promise<[number, unknown]> => {
    const response = await fetch(service.origin + path, init);
    const text = await response.text();
    return [response.status, text === '' ? '' : (JSON.parse(text) as { code: unknown }).code];
  };
  const asBen = async () => ({ headers: { authorization: await service.authorization(ben) } });

  test('a stream without a key, without arguments, of an unknown queue or of another account', async () => {
    const queue = await service.register(ada);
    expect(await ask(addressOf(queue.id, -1))).toEqual([401, 'UNAUTHORIZED']);
    expect(await ask('/api/v1/events/stream', await asBen())).toEqual([
      400,
      'REQUEST_VARIABLE_MISSING',
    ]);
    expect(await ask(addressOf('1:2', -1), await asBen())).toEqual([400, 'BAD_EVENT_QUEUE_ID']);
    expect(await ask(addressOf(queue.id, -1), await asBen())).toEqual([400, 'BAD_REQUEST']);
  });

  test('any method but GET', async () => {
    const path = addressOf('1:2', -1);
    for (const method of ['POST', 'DELETE']) {
      expect(await ask(path, { ...(await asBen()), method })).toEqual([405, 'METHOD_NOT_ALLOWED']);
    }
    expect(await ask(path, { ...(await asBen()), method: 'HEAD' })).toEqual([405, '']);
  });
});
