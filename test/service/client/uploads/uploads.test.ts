import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiAt } from '#client/transport/api.ts';
import { multipartBody } from '#client/transport/multipart.ts';
import type { Http } from '#client/ports.ts';
import { createHeldBlobs } from '#client/uploads/held-blobs.ts';
import { createUploads, type Uploads, type UploadParts } from '#client/uploads/uploads.ts';
import { api } from '#shared/api/endpoints/index.ts';
import { failure, success } from '#shared/bridge/outcome.ts';
import { desktopClock } from '#desktop/system/clock.ts';
import { desktopHttp } from '#desktop/system/http.ts';
import { readMultipart } from '#service/http/multipart.ts';
import { ada, startTestService, type TestService } from '#test/support/service/api.ts';
import { codeOf, valueOf } from '#test/support/client/client.ts';
import { FakeClock } from '#test/support/fake-clock.ts';
import { png, pngOf } from '#test/support/images.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const place = {
  get address() {
    return service.origin;
  },
};

const held = createHeldBlobs();

interface World {
  readonly uploads: Uploads;
  readonly told: [string, number][];
}

async function world(more: Partial<UploadParts> = {}, http: Http = desktopHttp): Promise<World> {
  const told: [string, number][] = [];
  const credentials = { email: ada, key: await service.keyOf(ada) };
  const clock = more.clock ?? desktopClock;
  const uploads = createUploads({
    // Each start of the service is at another port.
    api: createApiAt(place, { http, clock, credentials }),
    clock,
    files: held,
    begun: new Map(),
    maxUploadMiB: () => 25,
    progress: (uploadId, share) => told.push([uploadId, share]),
    ...more,
  });
  return { uploads, told };
}

/** As a window hands it over. */
function file(name: string, bytes: Uint8Array<ArrayBuffer>, type = 'text/plain') {
  const uploadId = `upload of ${name}`;
  held.hold(uploadId, new Blob([bytes]));
  return { uploadId, name, type, bytes };
}
const text = (content: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(content);

const names = [
  'plain.txt',
  'Überraschung 東京 🎉.txt',
  'with "quotes".txt',
  'back\\slash\\\\es.txt',
  'percent %22 and %0D%0A.txt',
  'line\r\nContent-Type: text/html\r\n\r\nbreak.txt',
  'semi; filename=other.txt',
  "it's (a) *file*.txt",
];

describe('a body with a file', () => {
  test.each(names)('a body with a file is read by the service as it was meant: %j', (name) => {
    const bytes = new Uint8Array([13, 10, 45, 45, 0, 255]);
    const fields = { 'a "name"': 'ä\r\n--value' };
    const body = multipartBody(fields, { name, type: 'image/png', bytes });
    expect([...readMultipart(body.contentType, body.bytes)].map(plain)).toEqual([
      { name: 'a "name"', value: [...text('ä\r\n--value')], file: null },
      { name: 'file', value: [...bytes], file: { name, contentType: 'image/png' } },
    ]);
  });

  const plain = <T extends { readonly value: Uint8Array }>(part: T) => ({
    ...part,
    value: [...part.value],
  });

  test.each(['', 'text', 'a/b\r\nX: y', 'text/html; charset=x', 'a'.repeat(300)])(
    'a body with a file has no other header where %j is said to be its type',
    (type) => {
      const body = multipartBody({}, { name: 'x', type, bytes: text('x') });
      const [part] = readMultipart(body.contentType, body.bytes);
      expect(part?.file?.contentType).toBe('application/octet-stream');
    },
  );
});

describe('an upload', () => {
  test('an upload answers with the address of the file, which has every byte, and tells how far it is', async () => {
    const { uploads, told } = await world();
    const bytes = new Uint8Array(8 * 1024 * 1024).map((_, index) => index % 251);
    const address = valueOf(await uploads.upload(file('big.bin', bytes, '')));
    const response = await fetch(new URL(address, service.origin), {
      headers: { authorization: await service.authorization(ada) },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
    const shares = told.map(([, share]) => share);
    expect(new Set(told.map(([id]) => id))).toEqual(new Set(['upload of big.bin']));
    expect(shares.length).toBeGreaterThan(10);
    expect(shares).toEqual([...new Set(shares)].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test.each(names)('an upload keeps the name %j', async (name) => {
    const { uploads } = await world();
    const address = valueOf(await uploads.upload(file(name, text(name))));
    const { attachments } = await service.ask(ada, api.uploads.list);
    const stored = attachments.find(({ path_id: path }) => address.endsWith(path));
    // The service itself makes one line of a name, and leaves out what has a meaning in a path.
    if (!/[\r\n\\]/.test(name)) expect(stored?.name).toBe(name);
    expect(stored?.size).toBe(text(name).byteLength);
  });

  test('an upload that is cancelled says so, sends no more, and leaves nothing', async () => {
    const { attachments: before } = await service.ask(ada, api.uploads.list);
    const { uploads, told } = await world({
      progress: (uploadId, share) => {
        told.push([uploadId, share]);
        uploads.cancel(uploadId);
      },
    });
    const outcome = await uploads.upload(file('cancelled.bin', new Uint8Array(16 * 1024 * 1024)));
    expect(outcome).toMatchObject({
      failure: { code: 'CANCELLED', message: 'The upload was cancelled.' },
    });
    expect(told.at(-1)?.[1]).toBeLessThan(1);
    await service.arrived();
    expect((await service.ask(ada, api.uploads.list)).attachments).toEqual(before);
  });

  test('an upload that is too large is refused before anything is sent', async () => {
    const { uploads, told } = await world({ maxUploadMiB: () => 1 }, () => {
      throw new Error('nothing may be sent');
    });
    const outcome = await uploads.upload(file('film.mp4', new Uint8Array(1_500_000)));
    expect(outcome).toMatchObject({
      failure: {
        code: 'FILE_TOO_LARGE',
        message: 'film.mp4 has 1.4 MiB; at most 1 MiB can be uploaded.',
      },
    });
    expect(told).toEqual([]);
  });

  test('an upload that moves no further for a minute ends as one without an answer', async () => {
    const clock = new FakeClock();
    const never: Http = ({ onProgress, signal }) =>
      new Promise((_, reject) => {
        onProgress?.(0.5);
        signal.addEventListener('abort', () => reject(new Error('given up')));
      });
    const { uploads } = await world({ clock }, never);
    const running = uploads.upload(file('slow.bin', text('x')));
    await clock.advance(59_000);
    await clock.advance(2_000);
    expect(codeOf(await running)).toBe('UNREACHABLE');
  });

  test('an upload of a long file goes on when the network is back, however long that takes', async () => {
    const clock = new FakeClock();
    let isGone = false;
    let attempts = 0;
    const http: Http = async (request) => {
      if (isGone) {
        attempts += 1;
        throw new Error('there is no network');
      }
      const answered = await desktopHttp(request);
      isGone = request.method === 'PATCH' && attempts === 0;
      return answered;
    };
    const { uploads } = await world({ clock }, http);
    const running = uploads.upload(file('far.bin', new Uint8Array(3 * 1024 * 1024)));
    await expect.poll(() => attempts).toBeGreaterThan(0);
    for (let minute = 0; minute < 10; minute += 1) await clock.advance(60_000);
    isGone = false;
    await clock.advance(10_000);
    expect(codeOf(await running)).toBe('ok');
    expect(attempts).toBeGreaterThan(10);
  });

  test('an upload of which no piece comes through while everything else does ends after some attempts', async () => {
    const clock = new FakeClock();
    let pieces = 0;
    const http: Http = async (request) => {
      if (request.method !== 'PATCH') return desktopHttp(request);
      pieces += 1;
      throw new Error('a proxy lets no such body through');
    };
    const { uploads } = await world({ clock }, http);
    const running = uploads.upload(file('barred.bin', new Uint8Array(3 * 1024 * 1024)));
    await expect
      .poll(
        async () => {
          await clock.advance(1000);
          return pieces;
        },
        { interval: 1 },
      )
      .toBe(8);
    expect(codeOf(await running)).toBe('UNREACHABLE');
    uploads.cancel('upload of barred.bin');
  });

  test('an upload that runs already is not begun a second time', async () => {
    const { uploads } = await world();
    const [first, second] = await Promise.all([
      uploads.upload(file('twice.txt', text('x'))),
      uploads.upload(file('twice.txt', text('x'))),
    ]);
    expect([codeOf(first), codeOf(second)]).toEqual(['ok', 'UPLOAD_RUNNING']);
    uploads.cancel('upload of twice.txt');
    expect(codeOf(await uploads.upload(file('twice.txt', text('x'))))).toBe('ok');
  });

  test('an upload goes on after an interruption with what has not come yet, and ends where it was to', async () => {
    const bytes = new Uint8Array(5 * 1024 * 1024).map((_, index) => index % 249);
    let sentBytes = 0;
    let pieces = 0;
    const breaking: Http = async (request) => {
      if (request.method !== 'PATCH') return desktopHttp(request);
      pieces += 1;
      sentBytes += request.body?.length ?? 0;
      const answered = await desktopHttp(request);
      // The answers to some are lost, one after all of it had come; the service starts anew after another.
      if (pieces === 2) await service.restart();
      if (pieces === 2 || pieces === 4) throw new Error('the connection ended');
      return answered;
    };
    const { uploads } = await world({}, breaking);
    const address = valueOf(await uploads.upload(file('broken.bin', bytes)));
    const response = await fetch(new URL(address, service.origin), {
      headers: { authorization: await service.authorization(ada) },
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true);
    expect(pieces).toBeGreaterThan(4);
    expect(sentBytes).toBe(bytes.length);
  });

  test('an upload that failed goes on when it is sent again, and is given up when it is cancelled', async () => {
    const bytes = new Uint8Array(3 * 1024 * 1024).fill(7);
    let isBroken = true;
    let sentBytes = 0;
    const http: Http = async (request) => {
      if (isBroken && request.method === 'PATCH' && sentBytes > 0) {
        const text = JSON.stringify({ result: 'error', msg: 'broken', code: 'INTERNAL_ERROR' });
        return { status: 500, text };
      }
      if (request.method === 'PATCH') sentBytes += request.body?.length ?? 0;
      return desktopHttp(request);
    };
    const { uploads } = await world({}, http);
    const request = file('twice.bin', bytes);
    expect(codeOf(await uploads.upload(request))).toBe('INTERNAL_ERROR');
    expect(service.rows('unfinished_upload').some((row) => row['is_finished'] === 0)).toBe(true);
    isBroken = false;
    expect(codeOf(await uploads.upload(request))).toBe('ok');
    expect(sentBytes).toBe(bytes.length);
    [isBroken, sentBytes] = [true, 0];
    const other = file('given-up.bin', bytes);
    expect(codeOf(await uploads.upload(other))).toBe('INTERNAL_ERROR');
    uploads.cancel(other.uploadId);
    await expect
      .poll(() => service.rows('unfinished_upload').filter((row) => row['is_finished'] === 0))
      .toEqual([]);
  });

  test('an upload waits for its turn where three long ones are under way, unless it is short or cancelled', async () => {
    let running = 0;
    let most = 0;
    const http: Http = async (request) => {
      if (request.url.endsWith('/uploads')) running += 1;
      most = Math.max(most, running);
      if (running === 3) uploads.cancel('upload of 5.bin');
      const answered = await desktopHttp(request);
      if (request.url.endsWith('/finish')) running -= 1;
      return answered;
    };
    const { uploads } = await world({}, http);
    const bytes = new Uint8Array(2 * 1024 * 1024);
    const long = ['1.bin', '2.bin', '3.bin', '4.bin', '5.bin'].map((name) =>
      uploads.upload(file(name, bytes)),
    );
    const short = uploads.upload(file('short.bin', bytes.subarray(0, 10)));
    expect((await Promise.all([...long, short])).map(codeOf)).toEqual([
      ...['ok', 'ok', 'ok', 'ok', 'CANCELLED', 'ok'],
    ]);
    expect(most).toBe(3);
  });

  test('an upload goes whole to a service that takes no pieces', async () => {
    const http: Http = async (request) =>
      request.url.includes('/api/v1/uploads')
        ? {
            status: 404,
            text: JSON.stringify({
              result: 'error',
              msg: 'There is nothing here',
              code: 'NOT_FOUND',
            }),
          }
        : desktopHttp(request);
    const { uploads } = await world({}, http);
    expect(codeOf(await uploads.upload(file('old.bin', new Uint8Array(2_000_000))))).toBe('ok');
  });

  test('an upload ends with the application, and goes on with the next one', async () => {
    const { uploads } = await world({ progress: () => uploads.stop() });
    const request = file('ended.bin', new Uint8Array(16 * 1024 * 1024));
    expect(codeOf(await uploads.upload(request))).toBe('UPLOAD_STOPPED');
    await service.arrived();
    expect(service.rows('unfinished_upload').at(-1)?.['is_finished']).toBe(0);
  });

  test('an upload of a file that is another one by then begins anew', async () => {
    const bytes = new Uint8Array(3 * 1024 * 1024).fill(1);
    let version = 'first';
    const changed = failure('FILE_CHANGED', 'It was changed.');
    const { uploads } = await world({
      files: {
        open: async () =>
          success({
            ...{ version, sizeBytes: bytes.length, close: async () => undefined },
            read: async (from, to) =>
              version === 'first' && from > 0 ? changed : success(bytes.subarray(from, to)),
          }),
      },
    });
    const request = file('edited.bin', bytes);
    expect(await uploads.upload(request)).toEqual(changed);
    bytes.fill(2);
    version = 'second';
    const address = valueOf(await uploads.upload(request));
    const response = await fetch(new URL(address, service.origin), {
      headers: { authorization: await service.authorization(ada) },
    });
    expect(new Set(new Uint8Array(await response.arrayBuffer()))).toEqual(new Set([2]));
  });

  test('an upload of nothing, or of what nobody handed over, says so', async () => {
    const { uploads } = await world();
    expect(codeOf(await uploads.upload(file('none.txt', text(''))))).toBe('FILE_EMPTY');
    held.release('upload of none.txt');
    const request = { uploadId: 'upload of none.txt', name: 'none.txt', type: '' };
    expect(codeOf(await uploads.upload(request))).toBe('UPLOAD_GONE');
  });
});

describe('calls that take a file', () => {
  const picture = { ...file('face.png', png, 'image/png') };

  test('calls that take a file set a picture and add an emoji', async () => {
    const { uploads } = await world();
    const avatar = valueOf(await uploads.requestWithFile('avatars.set', {}, picture));
    expect(avatar.avatar_url).toMatch(/^\/user_avatars\//);
    valueOf(await uploads.requestWithFile('emoji.add', { name: 'dot' }, picture));
    const { emoji } = await service.ask(ada, api.emoji.list);
    expect(Object.values(emoji).map(({ name }) => name)).toContain('dot');
  });

  test('calls that take a file tell what the service says of one that is no picture', async () => {
    const { uploads } = await world();
    const bad = await uploads.requestWithFile('avatars.set', {}, file('x.txt', text('no image')));
    expect(codeOf(bad)).toBe('BAD_IMAGE');
  });

  test('calls that take a file refuse what is not on the list, what is too large, and names that are another path', async () => {
    const { uploads } = await world();
    const large = file('x.png', new Uint8Array(6 * 1024 * 1024));
    expect(codeOf(await uploads.requestWithFile('avatars.set', {}, large))).toBe('FILE_TOO_LARGE');
    const wide = file('wide.png', pngOf(5000, 4000), 'image/png');
    expect(await uploads.requestWithFile('emoji.add', { name: 'wide' }, wide)).toMatchObject({
      failure: {
        code: 'FILE_TOO_LARGE',
        message: 'wide.png has 5000 × 4000 pixels; choose one of at most 4096 × 4096.',
      },
    });
    for (const name of ['', '.', '..']) {
      const outcome = await uploads.requestWithFile('emoji.add', { name }, picture);
      expect(outcome).toMatchObject({ failure: { code: 'BAD_ARGUMENT', argument: 'name' } });
    }
    const forged = 'uploads.upload' as 'avatars.set';
    expect(codeOf(await uploads.requestWithFile(forged, {}, picture))).toBe('NOT_ALLOWED');
  });
});
