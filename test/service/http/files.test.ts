import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Call } from '#service/core/ports/handlers.ts';
import { byteRange } from '#service/http/range.ts';
import { ada, basic, type Double, keyOf, RawConnection, startDouble } from './service-double.ts';

let service: Double;
beforeAll(async () => {
  service = await startDouble({ limits: { uploadBytes: 1000, bodyBytes: 500 } });
  service.answers['uploads.upload'] = streamed;
});
afterAll(() => service.drain(1000));
beforeEach(() => {
  service.seen.length = 0;
});

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function send(path: string, parts: readonly string[]): Promise<Response> {
  const body = [...parts.map((part) => `--b\r\n${part}\r\n`), '--b--\r\n'].join('');
  return fetch(new URL(`/api/v1${path}`, service.origin), {
    method: 'POST',
    headers: { authorization: ada, 'content-type': 'multipart/form-data; boundary=b' },
    body,
  });
}

const post = async (path: string, parts: readonly string[]): Promise<number> =>
  (await send(path, parts)).status;

const received = () =>
  service.seen[0]?.call.files.map(({ bytes, ...rest }) => ({ ...rest, text: textOf(bytes) }));

interface Streamed {
  readonly fileName: string;
  readonly contentType: string;
  text: string;
}

/** As an upload takes them. */
async function streamed({ incoming }: Pick<Call, 'incoming'>): Promise<{ files: Streamed[] }> {
  const files: Streamed[] = [];
  for await (const event of incoming) {
    const last = files.at(-1);
    if (event.kind === 'file') {
      files.push({ fileName: event.fileName, contentType: event.contentType, text: '' });
    } else if (last !== undefined) last.text += textOf(event.bytes);
  }
  return { files };
}

const PICTURE = '/realm/icon';

describe('the file parts of a body', () => {
  test.each([
    ['name="f"; filename="a.txt"', 'f', 'a.txt'],
    ['name=f; filename=a.txt', 'f', 'a.txt'],
    ['filename="a.txt"; name="f"', 'f', 'a.txt'],
    ['filename="a.txt"', '', 'a.txt'],
    ['name="f"; filename=""', 'f', ''],
    ['name="f"; filename="a \\"b\\".txt"', 'f', 'a "b".txt'],
    ['name="f"; filename="a %22b%22.txt"', 'f', 'a "b".txt'],
    ['name="f"; filename="報告.txt"', 'f', '報告.txt'],
    [`name="f"; filename="x.txt"; filename*=UTF-8''%E5%A0%B1.txt`, 'f', '報.txt'],
    [`name="f"; filename*=utf-8'en'%E5%A0%B1.txt`, 'f', '報.txt'],
    [`name="f"; filename*=latin1''%E5.txt`, 'f', ''],
    [`name="f"; filename="x.txt"; filename*=UTF-8''%E5`, 'f', 'x.txt'],
  ])(
    'file parts with %s reach the endpoint that takes them',
    async (disposition, partName, fileName) => {
      const part = `Content-Disposition: form-data; ${disposition}\r\nContent-Type: text/x-a \r\n\r\n`;
      const file = { fileName, contentType: 'text/x-a', text: 'one\r\ntwo' };
      expect(await post(PICTURE, [`${part}one\r\ntwo`])).toBe(200);
      expect(received()).toEqual([{ partName, ...file }]);
      const answer = await send('/user_uploads', [`${part}one\r\ntwo`]);
      expect(await answer.json()).toMatchObject({ files: [file] });
    },
  );

  test('file parts stand beside parameters, in order, with a type where the client gave none', async () => {
    const file = (name: string) =>
      `Content-Disposition: form-data; name="${name}"; filename="${name}.bin"\r\n\r\n${name}`;
    const field = 'Content-Disposition: form-data; name="unknown"\r\n\r\nvalue';
    expect(await post(PICTURE, [file('b'), field, file('a')])).toBe(200);
    expect(received()).toEqual(
      ['b', 'a'].map((name) => ({
        partName: name,
        fileName: `${name}.bin`,
        contentType: 'application/octet-stream',
        text: name,
      })),
    );
  });

  test('file parts do not reach an endpoint that takes none', async () => {
    const file = 'Content-Disposition: form-data; name="f"; filename="a"\r\n\r\nx';
    expect(await post('/mark_all_as_read', [file])).toBe(200);
    expect(received()).toEqual([]);
  });

  test('a body has at most a hundred file parts', async () => {
    const file = 'Content-Disposition: form-data; filename="a"\r\n\r\n';
    expect(
      await post(
        PICTURE,
        Array.from({ length: 101 }, () => file),
      ),
    ).toBe(400);
    expect(service.seen).toEqual([]);
  });
});

describe('an upload that is too long', () => {
  const head = (length: number, authorization: string) =>
    [
      'POST /api/v1/user_uploads HTTP/1.1',
      'Host: a',
      `Authorization: ${authorization}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${length}`,
      '\r\n',
    ].join('\r\n');

  test('an overlong upload is refused by its length, before it is sent', async () => {
    const connection = new RawConnection(service.port);
    connection.write(head(1000 + 64 * 1024 + 1, ada));
    expect(await connection.received(/\r\n\r\n.*\}/s)).toMatch(
      /^HTTP\/1.1 413 [^]*PAYLOAD_TOO_LARGE/,
    );
    connection.close();
  });

  test('an upload of unannounced length is refused as soon as it is too long', async () => {
    const connection = new RawConnection(service.port);
    const chunked = head(0, ada).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    const bytes = 1000 + 64 * 1024 + 1;
    connection.write(`${chunked}${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n`);
    expect(await connection.received(/\r\n\r\n.*\}/s)).toMatch(
      /^HTTP\/1.1 413 [^]*PAYLOAD_TOO_LARGE/,
    );
    connection.close();
  });

  test('an upload is refused at once when nobody known sends it', async () => {
    const connection = new RawConnection(service.port);
    connection.write(head(1000, basic('ada@example.com', 'wrong')));
    expect(await connection.received(/\r\n\r\n.*\}/s)).toMatch(
      /^HTTP\/1.1 401 [^]*INVALID_API_KEY/,
    );
    connection.close();
  });
});

describe('a POST that stands for another method', () => {
  const override = async (path: string, fields: Record<string, string>, query = '') =>
    fetch(new URL(`/api/v1${path}${query}`, service.origin), {
      method: 'POST',
      headers: { authorization: ada },
      body: new URLSearchParams(fields),
    });

  test.each<[string, Record<string, string>, string, string]>([
    ['/messages/7', { method: 'DELETE' }, '', 'lifecycle.delete'],
    ['/messages/7', { method: 'PATCH', content: 'x' }, '', 'lifecycle.edit'],
    ['/messages/7', { content: 'x' }, '?method=PATCH', 'lifecycle.edit'],
    ['/messages', { method: 'GET', num_before: '1', num_after: '0' }, '', 'messages.page'],
    ['/users/me', { method: 'GET' }, '', 'users.me'],
    ['/events', { method: 'DELETE', queue_id: '1:2' }, '', 'events.deleteQueue'],
  ])('%s with %j%s reaches %s', async (path, fields, query, name) => {
    expect((await override(path, fields, query)).status).toBe(200);
    expect(service.seen.map((seen) => seen.name)).toEqual([name]);
  });

  test('a POST for another method takes the captures of its path', async () => {
    await override('/messages/7', { method: 'DELETE', message_id: '9' });
    expect(service.seen[0]?.params).toEqual({ messageId: 7 });
  });

  test('a POST for another method is refused where the path does not take that method', async () => {
    const response = await override('/messages/7', { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([
      405,
      'DELETE, GET, HEAD, PATCH',
    ]);
    expect(await response.json()).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
  });

  test.each(['POST', 'delete', 'HEAD', 'x', ''])(
    'a POST with the method %j is just a POST',
    async (method) => {
      await override('/mark_all_as_read', { method });
      expect(service.seen).toHaveLength(1);
      expect((await override('/messages/7', { method })).status).toBe(405);
    },
  );

  test('a POST for another method does not bypass the authentication', async () => {
    const url = new URL('/api/v1/messages/7?method=DELETE', service.origin);
    expect((await fetch(url, { method: 'POST' })).status).toBe(401);
    expect(service.seen).toEqual([]);
  });

  test('a POST to a webhook never stands for another method, because its payload is its own', async () => {
    const url = `/api/v1/external/helloworld?api_key=${keyOf(3)}&method=DELETE`;
    const response = await fetch(new URL(url, service.origin), { method: 'POST' });
    expect(response.status).toBe(200);
  });
});

describe('files of everybody', () => {
  test('files of everybody that are not there are answered in JSON', async () => {
    for (const path of ['/user_avatars/1/x.png', '/avatar/nobody@example.com']) {
      const response = await fetch(new URL(path, service.origin), { redirect: 'manual' });
      expect([response.status, await response.json()]).toMatchObject([404, { code: 'NOT_FOUND' }]);
      const options = await fetch(new URL(path, service.origin), { method: 'OPTIONS' });
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD']);
      const post = await fetch(new URL(path, service.origin), { method: 'POST' });
      expect([post.status, post.headers.get('access-control-allow-origin')]).toEqual([405, '*']);
    }
  });
});

test('a range is never outside of the file', () => {
  for (const header of ['bytes=0-', 'bytes=-1', 'bytes=1-1', 'bytes=999999999999999-', undefined]) {
    for (const size of [0, 1, 2]) {
      const range = byteRange(header, size);
      if (range === null || range === 'unsatisfiable') continue;
      expect(range.from).toBeGreaterThanOrEqual(0);
      expect(range.to).toBeLessThan(size);
      expect(range.from).toBeLessThanOrEqual(range.to);
    }
  }
});
