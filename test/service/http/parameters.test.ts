import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/api/errors.ts';
import { readParameters } from '#service/http/parameters.ts';
import { expectLinear } from '#test/support/growth.ts';
import { ada, type Double, exchange, startDouble } from './service-double.ts';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

function read(
  query: string,
  contentType = '',
  body: string | Uint8Array = '',
): Record<string, unknown> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { ...readParameters({ query, contentType, body: bytes, isJsonRead: true }) };
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
  return 'none';
}

describe('urlencoded text', () => {
  test.each([
    ['', {}],
    ['a=1', { a: '1' }],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2&a=3', { a: '3' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['=1', { '': '1' }],
    ['&&a=1&', { a: '1' }],
    ['a=b=c', { a: 'b=c' }],
    ['a=x+y%20z%2B', { a: 'x y z+' }],
    ['a+b=1', { 'a b': '1' }],
    ['%61=%C3%A9', { a: 'é' }],
    ['a=%F0%9F%98%80', { a: '😀' }],
    ['a=%00', { a: '\0' }],
    ['a=%EF%BB%BFx', { a: '\ufeffx' }],
    ['a=;b', { a: ';b' }],
  ])('%j reads as %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(read('', FORM, text)).toEqual(expected);
  });

  test.each([
    'a=%',
    'a=%2',
    'a=%zz',
    '%=1',
    'a=%FF',
    'a=%C3',
    'a=%C3%28',
    'a=%ED%A0%80',
    'a=%C0%80',
  ])('%j is a bad request', (text) => {
    expect(refusal(() => read(text))).toBe('BAD_REQUEST');
    expect(refusal(() => read('', FORM, text))).toBe('BAD_REQUEST');
  });

  test('raw UTF-8 is read in a form and in a query, which arrives as bytes', () => {
    expect(read('', FORM, 'a=é😀')).toEqual({ a: 'é😀' });
    expect(read(Buffer.from('a=é😀').toString('latin1'))).toEqual({ a: 'é😀' });
  });

  test('raw bytes that are not UTF-8 are a bad request', () => {
    expect(refusal(() => read('', FORM, Buffer.from([0x61, 0x3d, 0xff])))).toBe('BAD_REQUEST');
    expect(refusal(() => read('a=\xff'))).toBe('BAD_REQUEST');
  });

  test('what URLSearchParams writes is read back', () => {
    const pairs = fc.array(
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })),
    );
    fc.assert(
      fc.property(pairs, (written) => {
        const text = new URLSearchParams(written.map(([name, value]) => [name, value])).toString();
        const expected = Object.entries(read(text));
        expect(new Map(expected)).toEqual(new Map(written));
      }),
    );
  });
});

describe('sources', () => {
  test('the body wins over the query, and the query fills in what the body lacks', () => {
    expect(read('a=1&b=2', FORM, 'a=3')).toEqual({ a: '3', b: '2' });
    expect(read('a=1&b=2', JSON_TYPE, '{"a":3}')).toEqual({ a: 3, b: '2' });
  });

  test.each([
    [`${FORM}; charset=utf-8`, 'a=1', { a: '1' }],
    ['Application/X-WWW-Form-Urlencoded', 'a=1', { a: '1' }],
    ['application/json;charset=utf-8', '{"a":1}', { a: 1 }],
    ['text/plain', 'a=1', {}],
    ['application/octet-stream', 'a=%FF', {}],
    ['', 'a=1', {}],
    ['application/jsonish', '{"a":1}', {}],
  ])('a body of type %j', (contentType, body, expected) => {
    expect(read('', contentType, body)).toEqual(expected);
  });

  test('up to 1000 parameters are read, from all sources together', () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, i) => `p${i}=1`).join('&');
    expect(Object.keys(read(many(500), FORM, many(500)))).toHaveLength(500);
    expect(refusal(() => read(many(501), FORM, many(500)))).toBe('BAD_REQUEST');
    expect(refusal(() => read('', FORM, 'a=1&'.repeat(1001)))).toBe('BAD_REQUEST');
    const members = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`p${i}`, 1]));
    expect(refusal(() => read('', JSON_TYPE, JSON.stringify(members)))).toBe('BAD_REQUEST');
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    'a parameter named %s is one like any other',
    (name) => {
      for (const values of [
        readParameters({
          query: `${name}=x`,
          contentType: '',
          body: Buffer.alloc(0),
          isJsonRead: true,
        }),
        readParameters({
          query: '',
          contentType: FORM,
          body: Buffer.from(`${name}=x`),
          isJsonRead: true,
        }),
        readParameters({
          query: '',
          contentType: JSON_TYPE,
          body: Buffer.from(`{"${name}":"x"}`),
          isJsonRead: true,
        }),
      ]) {
        expect(Object.keys(values)).toEqual([name]);
        const inherited = Object.getPrototypeOf(values) as object;
        expect([Reflect.ownKeys(inherited), Object.getPrototypeOf(inherited)]).toEqual([[], null]);
        expect(values[name]).toBe('x');
      }
      expect(({} as Record<string, unknown>)['x']).toBeUndefined();
    },
  );
});

describe('a JSON body', () => {
  test('members that are not strings count as decoded', () => {
    const body = '{"a":[1,"2"],"b":true,"c":null,"d":"1","e":{"f":1}}';
    expect(read('', JSON_TYPE, body)).toEqual({
      a: [1, '2'],
      b: true,
      c: null,
      d: '1',
      e: { f: 1 },
    });
  });

  test('nothing at all is no parameter', () => {
    expect(read('', JSON_TYPE, '')).toEqual({});
  });

  test.each(['{', '[]', '"a"', '1', 'null', 'a=1', '{"a":1}}', ' ', '{"a":NaN}', "{'a':1}"])(
    '%j is INVALID_JSON',
    (body) => {
      expect(refusal(() => read('', JSON_TYPE, body))).toBe('INVALID_JSON');
    },
  );

  test('too deep a nesting is INVALID_JSON, and a very deep one no crash', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(refusal(() => read('', JSON_TYPE, nested(19)))).toBe('none');
    expect(refusal(() => read('', JSON_TYPE, nested(20)))).toBe('INVALID_JSON');
    expect(refusal(() => read('', JSON_TYPE, nested(500_000)))).toBe('INVALID_JSON');
    expect(refusal(() => read('', JSON_TYPE, '['.repeat(1_000_000)))).toBe('INVALID_JSON');
  });

  test('invalid UTF-8 is a bad request, half a character is no JSON', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}')]);
    expect(refusal(() => read('', JSON_TYPE, bytes))).toBe('BAD_REQUEST');
    expect(refusal(() => read('', JSON_TYPE, String.raw`{"a":"\ud800"}`))).toBe('INVALID_JSON');
    expect(read('', JSON_TYPE, String.raw`{"a":"\ud83d\ude00"}`)).toEqual({ a: '😀' });
  });
});

describe('multipart', () => {
  const TYPE = 'multipart/form-data; boundary=b1';
  const part = (disposition: string, value: string, more = ''): string =>
    `--b1\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${value}\r\n`;

  test('what FormData writes is read: fields as parameters, files not', async () => {
    const form = new FormData();
    form.append('content', 'two\r\nlines é😀');
    form.append('quo"te\n', '');
    form.append('twice', '1');
    form.append('twice', '2');
    form.append('file', new Blob([new Uint8Array([0xff, 0xfe])]), 'picture.bin');
    const request = new Request('http://localhost', { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    const body = new Uint8Array(await request.arrayBuffer());
    const values = read('', type, body);
    expect(values).toEqual({ content: 'two\r\nlines é😀', 'quo"te\r\n': '', twice: '2' });
  });

  test.each([
    [
      'a quoted boundary',
      'multipart/form-data; boundary="b1"',
      `${part('name="a"', '1')}--b1--\r\n`,
    ],
    [
      'parameters in front of the boundary',
      'multipart/form-data; charset=utf-8; boundary=b1',
      `${part('name="a"', '1')}--b1--`,
    ],
    ['an unquoted name', TYPE, `${part('name=a', '1')}--b1--`],
    [
      'a part of type JSON',
      TYPE,
      `${part('name="a"', '1', 'Content-Type: application/json\r\n')}--b1--`,
    ],
    [
      'headers in lower case',
      TYPE,
      `--b1\r\ncontent-disposition:form-data;name="a"\r\n\r\n1\r\n--b1--`,
    ],
    ['a preamble and an epilogue', TYPE, `hello\r\n${part('name="a"', '1')}--b1--\r\nbye`],
    [
      'blanks after the boundary',
      TYPE,
      part('name="a"', '1').replace('--b1', '--b1 \t') + '--b1--',
    ],
  ])('%s is read', (_title, type, body) => {
    expect(read('', type, body)).toEqual({ a: '1' });
  });

  test('a value may look like the boundary without being it', () => {
    const body = `${part('name="a"', 'x--b1 is not\r\n-b1 a boundary')}--b1--`;
    expect(read('', TYPE, body)).toEqual({ a: 'x--b1 is not\r\n-b1 a boundary' });
  });

  test('an empty body and a form without fields have no parameters', () => {
    expect(read('', TYPE, '')).toEqual({});
    expect(read('', TYPE, '--b1--\r\n')).toEqual({});
  });

  test.each([
    ['no boundary', 'multipart/form-data', '--b1--'],
    ['no delimiter', TYPE, 'a=1'],
    ['no end', TYPE, part('name="a"', '1').slice(0, -2)],
    ['an end in the headers', TYPE, '--b1\r\nContent-Disp'],
    ['a part without a disposition', TYPE, '--b1\r\nX: y\r\n\r\n1\r\n--b1--'],
    ['a part without a name', TYPE, `${part('x="a"', '1')}--b1--`],
    [
      'a part of another kind',
      TYPE,
      '--b1\r\nContent-Disposition: attachment; name="a"\r\n\r\n1\r\n--b1--',
    ],
    ['text behind the boundary', TYPE, part('name="a"', '1').replace('--b1', '--b1xx') + '--b1--'],
  ])('%s is a bad request', (_title, type, body) => {
    expect(refusal(() => read('', type, body))).toBe('BAD_REQUEST');
  });

  test('a field that is not UTF-8 is a bad request, a file may hold anything', () => {
    const withByte = (disposition: string): Buffer =>
      Buffer.from(`${part(disposition, '\xff')}--b1--`, 'latin1');
    expect(refusal(() => read('', TYPE, withByte('name="a"')))).toBe('BAD_REQUEST');
    expect(refusal(() => read('', TYPE, withByte('name="\xff"')))).toBe('BAD_REQUEST');
    expect(read('', TYPE, withByte('name="a"; filename="f"'))).toEqual({});
  });

  test('any bytes at all are read or refused, never a crash', () => {
    const pieces = fc.constantFrom(
      '--b1',
      '\r\n',
      '--',
      'Content-Disposition: form-data; name="a"',
      ':',
      'x',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        expect(['none', 'BAD_REQUEST']).toContain(refusal(() => read('', TYPE, parts.join(''))));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a hostile multipart body', () => {
  const TYPE = 'multipart/form-data; boundary=b1';
  const NAMED = 'Content-Disposition: form-data; name="a"';
  const part = (headers: string): string => `--b1\r\n${headers}\r\n\r\n1\r\n`;
  const readAll = (body: Buffer): unknown => refusal(() => read('', TYPE, body));

  test('headers take time in proportion to their length, in one part and in many', async () => {
    const line = `${NAMED}; filename="f"\r\nContent-Type: a`;
    for (const unit of [' ', ';', '"', '\\"', ';a="', '%', '\n']) {
      const headers = (length: number): string => `${line}${unit.repeat(length / unit.length)}x`;
      const one = (size: number): Buffer => Buffer.from(`${part(headers(size))}--b1--`);
      const many = (size: number): Buffer =>
        Buffer.from(`${part(headers(200)).repeat(size / 200)}--b1--`);
      await expectLinear({ make: one, run: readAll, size: 16_384 }, `one part, ${unit}`);
      await expectLinear({ make: many, run: readAll, size: 32_768 }, `many parts, ${unit}`);
    }
  });

  test.each([
    ['1,101 parts', `${part(`${NAMED}; filename="f"`).repeat(1101)}--b1--`, '1100 parts'],
    ['17 headers', `${part(`${NAMED}${'\r\nX: y'.repeat(16)}`)}--b1--`, '16 headers'],
    [
      'long headers',
      `${part(`${NAMED}\r\nX: ${'y'.repeat(300)}`).repeat(900)}--b1--`,
      '262144 bytes',
    ],
  ])('%s are refused', (_title, body, limit) => {
    expect(() => read('', TYPE, body)).toThrow(`at most ${limit}`);
  });

  test('what stands in the quotes of a name is no parameter', () => {
    const body = `${part('Content-Disposition: form-data; name="a; filename=x"')}--b1--`;
    expect(read('', TYPE, body)).toEqual({ 'a; filename=x': '1' });
  });
});

describe('on the wire', () => {
  let service: Double;
  beforeAll(async () => {
    service = await startDouble();
  });
  afterAll(() => service.drain(1000));
  beforeEach(() => {
    service.seen.length = 0;
  });

  const post = (path: string, type: string | null, body: BodyInit): Promise<Response> =>
    fetch(service.origin + path, {
      method: 'POST',
      headers: { authorization: ada, ...(type === null ? {} : { 'content-type': type }) },
      body,
    });

  const draft = { type: 'private', to: 'x', content: 'y' };

  test.each([
    ['a form', FORM, new URLSearchParams(draft).toString()],
    ['a JSON object', JSON_TYPE, JSON.stringify(draft)],
  ])('%s reaches the handler as decoded parameters', async (_title, type, body) => {
    expect((await post('/api/v1/messages', type, body)).status).toBe(200);
    expect(service.seen[0]?.params).toMatchObject(draft);
  });

  test('multipart fields and query parameters reach the handler', async () => {
    const form = new FormData();
    form.append('content', 'from the form');
    const response = await fetch(
      `${service.origin}/api/v1/messages?type=private&to=x&content=query`,
      {
        method: 'POST',
        headers: { authorization: ada },
        body: form,
      },
    );
    expect(response.status).toBe(200);
    expect(service.seen[0]?.params).toMatchObject({ type: 'private', content: 'from the form' });
  });

  test('a DELETE takes its parameters from the query or from its body', async () => {
    const headers = { authorization: ada, 'content-type': FORM };
    const url = `${service.origin}/api/v1/events`;
    await fetch(`${url}?queue_id=1`, { method: 'DELETE', headers });
    await fetch(`${url}?queue_id=1`, { method: 'DELETE', headers, body: 'queue_id=2' });
    expect(service.seen.map(({ params }) => params['queueId'])).toEqual(['1', '2']);
  });

  test('a GET takes its parameters from the query only', async () => {
    await exchange(
      service.port,
      `GET /api/v1/events?queue_id=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${ada}\r\n` +
        `Content-Type: ${FORM}\r\nContent-Length: 10\r\nConnection: close\r\n\r\nqueue_id=2`,
    );
    expect(service.seen[0]?.params['queueId']).toBe('1');
  });

  test('a capture of the path wins over a parameter of its name', async () => {
    await fetch(`${service.origin}/api/v1/users/me/7/topics?stream_id=8`, {
      headers: { authorization: ada },
    });
    expect(service.seen[0]?.params['streamId']).toBe(7);
  });

  test.each([
    ['a missing one', '', { code: 'REQUEST_VARIABLE_MISSING', var_name: 'type' }],
    [
      'a wrong one',
      'type=none&to=x&content=y',
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'type', bad_value: 'none' },
    ],
    [
      'aliases that differ',
      'type=stream&to=x&topic=a&subject=b',
      { code: 'REQUEST_CONFUSING_VAR', var_name1: 'topic', var_name2: 'subject' },
    ],
    ['a malformed one', 'content=%', { code: 'BAD_REQUEST' }],
    ['one that is not UTF-8', 'content=%FF', { code: 'BAD_REQUEST' }],
  ])('%s is refused with 400', async (_title, body, expected) => {
    const response = await post('/api/v1/messages', FORM, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ result: 'error', ...expected });
    expect(service.seen).toEqual([]);
  });

  test('a malformed query is refused with 400', async () => {
    const text = await exchange(
      service.port,
      `GET /api/v1/server_settings?a=%FF HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 400[\s\S]*BAD_REQUEST/);
  });

  test.each([null, 'text', 'text/plain', ';', 'a/b; c', 'text/json; =', '/'])(
    'a body of type %j is ignored',
    async (type) => {
      const response = await post(
        '/api/v1/messages?type=private&to=x&content=y',
        type,
        Buffer.from('{'),
      );
      expect(response.status).toBe(200);
    },
  );

  test('a JSON body that does not parse is INVALID_JSON [parameters.json-body-not]', async () => {
    const response = await post('/api/v1/messages', JSON_TYPE, '{');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'INVALID_JSON' });
  });

  test('unknown parameters, those of the prototype included, change nothing', async () => {
    const body =
      '{"__proto__":{"isAdmin":true},"constructor":1,"type":"private","to":"x","content":"y"}';
    expect((await post('/api/v1/messages', JSON_TYPE, body)).status).toBe(200);
    expect(service.seen[0]?.params['isAdmin']).toBeUndefined();
    const form = '__proto__=1&toString=2&type=private&to=x&content=y';
    expect((await post('/api/v1/messages', FORM, form)).status).toBe(200);
  });
});
