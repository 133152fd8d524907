/** Answers whose readers take them slowly or not at all, on real connections (API decisions 13). */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { Serialized } from '#service/core/ports/handlers.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { ada, type Double, startDouble } from './service-double.ts';

const MIB = 1024 * 1024;
/** More than the buffers of the system at both ends take. */
const STEP_BYTES = 16 * MIB;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function keptMiB(): number {
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / MIB;
}

interface World extends Double {
  readonly time: FakeClock;
  /** What was ended before all of it was taken. */
  readonly ended: Set<string>;
}

async function start(): Promise<World> {
  const clock = new FakeClock();
  const ended = new Set<string>();
  const service = await startDouble({
    clock,
    files: {
      mostUploadBytes: async () => MIB,
      findUpload: async () => ({
        ...{ name: 'film.bin', contentType: 'application/octet-stream', version: '1' },
        sizeBytes: 5 * STEP_BYTES,
        read: async () => pieces(5 * STEP_BYTES, () => ended.add('file')),
      }),
      findAvatarFile: async () => undefined,
      findAvatarUrl: async () => undefined,
      findIconUrl: async () => '/icon.png',
    },
  });
  onTestFinished(() => service.drain(0));
  return { ...service, time: clock, ended };
}

async function* pieces(bytes: number, onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    for (let sent = 0; sent < bytes; sent += 65_536) yield Buffer.alloc(65_536, sent / 65_536);
  } finally {
    onEnd();
  }
}

/** An answer of which nothing is read yet. */
async function ask(service: Double, path: string, authorization = ada): Promise<Reader> {
  const agent = new Agent();
  const request = get(new URL(path, service.origin), { agent, headers: { authorization } });
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  onTestFinished(() => void response.destroy());
  return new Reader(response);
}

class Reader {
  readonly response: IncomingMessage;
  readonly #hash = createHash('sha256');
  bytes = 0;
  isCut = false;

  constructor(response: IncomingMessage) {
    this.response = response;
    response.on('error', () => undefined);
    response.socket.on('close', () => (this.isCut = !response.complete));
  }

  /** Settles when so much more was read, or nothing more comes. */
  read(bytes = Infinity): Promise<void> {
    const { response } = this;
    const until = this.bytes + bytes;
    return new Promise((resolve) => {
      const take = (chunk: Buffer): void => {
        this.#hash.update(chunk);
        this.bytes += chunk.length;
        if (this.bytes >= until) stop();
      };
      const stop = (): void => {
        response.pause().off('data', take).off('close', stop);
        resolve();
      };
      if (response.closed) resolve();
      else response.on('data', take).on('close', stop).resume();
    });
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}

const digestOf = ({ json, tail }: Serialized): string =>
  tail.reduce((hash, piece) => hash.update(piece), createHash('sha256').update(json)).digest('hex');

/** Half a text that needs UTF-8, half pieces, most of them short, as an answer with shared ones is. */
function answerOf(bytes: number, mark: number): Serialized {
  const tail = [Buffer.alloc(0), ...Array.from({ length: 500 }, () => Buffer.from('short, '))];
  const long = Buffer.alloc(bytes / 2, `${String(mark)} `);
  return new Serialized(`ä${'x'.repeat(bytes / 2)}`, [...tail, long, Buffer.from('}')]);
}

const page = '/api/v1/messages?anchor=0&num_before=0&num_after=1';

test('an answer of which nothing is taken for a minute ends, and one that waits for us does not', async () => {
  const service = await start();
  service.answers['messages.page'] = async ({ signal }) => {
    signal.addEventListener('abort', () => service.ended.add('answer'));
    return answerOf(2 * STEP_BYTES, 1);
  };
  let letGo = (): void => undefined;
  service.answers['events.poll'] = async () => {
    await new Promise<void>((resolve) => (letGo = resolve));
    return {};
  };
  const polling = ask(service, '/api/v1/events?queue_id=1:2');
  const readers = [await ask(service, page), await ask(service, '/user_uploads/1/x/a.bin')];
  await expect.poll(() => service.seen.length).toBe(2);
  const ended = async (): Promise<readonly string[]> => {
    await service.time.advance(10_000);
    return [...service.ended].sort();
  };
  await expect.poll(ended).toEqual(['answer', 'file']);
  for (const reader of readers) {
    await reader.read();
    expect(reader.bytes).toBeLessThan(2 * STEP_BYTES);
  }
  letGo();
  const poll = await polling;
  await poll.read();
  expect([poll.response.statusCode, poll.isCut]).toEqual([200, false]);
});

test.each([
  ['an answer', page],
  ['a download', '/user_uploads/1/x/a.bin'],
])(
  '%s that moves is read to its end, however long that takes [slow-readers.moves-read-end]',
  async (_name, path) => {
    const service = await start();
    const long = answerOf(5 * STEP_BYTES, 1);
    service.answers['messages.page'] = async () => long;
    const reader = await ask(service, path);
    for (let steps = 0; steps < 4; steps++) {
      await service.time.advance(50_000);
      await reader.read(STEP_BYTES);
    }
    await reader.read();
    expect(reader.isCut).toBe(false);
    expect(reader.bytes).toBe(Number(reader.response.headers['content-length']));
    if (path === page) expect(reader.digest()).toBe(digestOf(long));
  },
);

test('fifty who read nothing take less than 100 MiB, keep nobody waiting, and each gets all of it or is refused [slow-readers.fifty-read-nothing]', async () => {
  const service = await start();
  const digests = new Set<string>();
  let made = 0;
  service.answers['messages.page'] = async () => {
    const answer = answerOf(11 * MIB, made++);
    digests.add(digestOf(answer));
    return answer;
  };
  const before = keptMiB();
  const readers = await Promise.all(Array.from({ length: 50 }, () => ask(service, page)));
  // Quick ones would be done by now: what they had in memory goes to disk.
  await service.time.advance(15_000);
  await expect.poll(keptMiB).toBeLessThan(before + 60);
  service.answers['server.settings'] = async () => new Serialized('{"result":"success","msg":""}');
  expect((await fetch(new URL('/api/v1/server_settings', service.origin))).status).toBe(200);
  const isRefused = ({ response }: Reader): boolean => response.statusCode === 429;
  const answered = readers.filter((reader) => !isRefused(reader));
  expect(answered.length).toBeGreaterThanOrEqual(10);
  for (const reader of readers) await reader.read();
  for (const reader of answered) expect(digests).toContain(reader.digest());
  // Whoever has read may ask again.
  const again = await ask(service, page);
  await again.read();
  expect([again.response.statusCode, digests.has(again.digest())]).toEqual([200, true]);
});

test('bytes that many are told are in memory once, however many read nothing: nobody is refused', async () => {
  const service = await start();
  const shared = [Buffer.alloc(11 * MIB)];
  let made = 0;
  service.answers['messages.page'] = async () =>
    new Serialized(`answer ${String(made++)} `, shared);
  const readers = await Promise.all(Array.from({ length: 15 }, () => ask(service, page)));
  expect(new Set(readers.map(({ response }) => response.statusCode))).toEqual(new Set([200]));
});
