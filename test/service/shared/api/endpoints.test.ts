import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { api } from '#shared/api/endpoints/index.ts';
import type { AnyEndpoint, Table } from '#shared/api/endpoint.ts';
import {
  badEventQueueId,
  badRequest,
  type ErrorCode,
  errorStatuses,
  ServiceError,
  streamDoesNotExist,
  variableInvalid,
} from '#shared/api/errors.ts';
import { wireName } from '#shared/api/wire.ts';
import { generalCodes, startTestService, type TestService } from '#test/support/service/api.ts';
import { projectDir } from '#test/support/machine.ts';

const endpoints: readonly (readonly [string, AnyEndpoint])[] = Object.entries<Table>(api).flatMap(
  ([aggregate, table]) =>
    Object.entries(table).map(([name, endpoint]) => [`${aggregate}.${name}`, endpoint] as const),
);

/** Decided before it is known which endpoint is meant, or on behalf of all of them. */
const transportCodes: readonly ErrorCode[] = [
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'INVALID_JSON',
  'RATE_LIMIT_HIT',
  'ORGANIZATION_ASLEEP',
  'INTERNAL_ERROR',
  'DISK_FULL',
];

const codes = Object.keys(errorStatuses) as ErrorCode[];

describe('every error code', () => {
  const sources = globSync('test/service/**/*.test.ts', { cwd: projectDir }).map((file) =>
    readFileSync(join(projectDir, file), 'utf8'),
  );
  const answered = new Set([
    ...transportCodes,
    ...endpoints.flatMap(([, endpoint]) => [...endpoint.errors, ...generalCodes(endpoint)]),
  ]);

  test.each(codes)('%s can be answered by an endpoint or for all of them', (code) => {
    expect(answered).toContain(code);
  });

  test.each(codes)('%s is provoked by a test of the service', (code) => {
    expect(sources.some((source) => source.includes(`'${code}'`))).toBe(true);
  });

  test('every error code has the status that clients expect', () => {
    expect(errorStatuses).toEqual({
      BAD_REQUEST: 400,
      NONE: 400,
      STREAM_DOES_NOT_EXIST: 400,
      BAD_EVENT_QUEUE_ID: 400,
      REQUEST_VARIABLE_MISSING: 400,
      REQUEST_VARIABLE_INVALID: 400,
      REQUEST_CONFUSING_VAR: 400,
      BAD_NARROW: 400,
      UNAUTHORIZED_PRINCIPAL: 403,
      WRONG_PASSWORD: 400,
      LINK_NOT_VALID: 400,
      BAD_IMAGE: 400,
      REALM_UPLOAD_QUOTA: 400,
      INVITATION_FAILED: 400,
      CANNOT_DEACTIVATE_LAST_USER: 400,
      INVALID_JSON: 400,
      MISSING_HTTP_EVENT_HEADER: 400,
      UNEXPECTED_WEBHOOK_EVENT_TYPE: 400,
      UNAUTHORIZED: 401,
      INVALID_API_KEY: 401,
      USER_DEACTIVATED: 401,
      REALM_DEACTIVATED: 401,
      ORGANIZATION_CLOSED: 503,
      ORGANIZATION_ASLEEP: 503,
      AUTHENTICATION_FAILED: 403,
      NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      PAYLOAD_TOO_LARGE: 413,
      RATE_LIMIT_HIT: 429,
      INTERNAL_ERROR: 500,
      DISK_FULL: 507,
    });
  });
});

describe('an error body', () => {
  test.each<[string, ServiceError, object]>([
    ['plain', badRequest('No.'), { result: 'error', msg: 'No.', code: 'BAD_REQUEST' }],
    ['without a code', new ServiceError('NONE', 'No.'), { result: 'error', msg: 'No.' }],
    [
      'of a stream by name',
      streamDoesNotExist('ops'),
      {
        result: 'error',
        msg: "Stream 'ops' does not exist",
        code: 'STREAM_DOES_NOT_EXIST',
        stream: 'ops',
      },
    ],
    [
      'of a stream by id',
      streamDoesNotExist(7),
      {
        result: 'error',
        msg: expect.stringContaining('7'),
        code: 'STREAM_DOES_NOT_EXIST',
        stream: '7',
        stream_id: 7,
      },
    ],
    [
      'of a queue, in the words that old clients compare',
      badEventQueueId('1:2'),
      {
        result: 'error',
        msg: 'Bad event queue id: 1:2',
        code: 'BAD_EVENT_QUEUE_ID',
        queue_id: '1:2',
      },
    ],
    [
      'of an argument',
      variableInvalid('anchor', [1], 'an integer'),
      {
        result: 'error',
        msg: "Bad value for 'anchor': expected an integer",
        code: 'REQUEST_VARIABLE_INVALID',
        var_name: 'anchor',
        bad_value: '[1]',
      },
    ],
  ])('%s', (_, error, expected) => {
    expect(error.body).toEqual(expected);
    expect(error.status).toBe(errorStatuses[error.code]);
  });
});

describe('the endpoint table', () => {
  test('the endpoint table has no method and path twice', () => {
    const keys = endpoints.map(
      ([, { method, path }]) => `${method} ${path.replace(/:[a-z_]+/g, ':')}`,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each(endpoints)('%s says what it is and where that is written', (_, endpoint) => {
    expect(endpoint.summary).toMatch(/\.$/);
    expect(endpoint.spec).not.toBe('');
    expect(endpoint.path).toMatch(/^(?:\/[a-z_]+|\/:[a-z_]+)+$/);
  });

  test.each(endpoints)(
    '%s takes what its path captures, and its aliases stand for arguments',
    (_, endpoint) => {
      const names = Object.keys(endpoint.params.fields).map(wireName);
      const captures = [...endpoint.path.matchAll(/:([a-z_]+)/g)].map((match) => match[1]);
      expect(names).toEqual(expect.arrayContaining(captures));
      expect(names).toEqual(expect.arrayContaining(Object.keys(endpoint.params.aliases)));
    },
  );

  test.each(endpoints)('%s does not repeat what is answered for every endpoint', (_, endpoint) => {
    expect(new Set(endpoint.errors).size).toBe(endpoint.errors.length);
    expect(endpoint.result.shape).not.toHaveProperty('result');
    expect(endpoint.result.shape).not.toHaveProperty('msg');
  });

  test.each(endpoints)('%s can be documented as JSON schema', (_, endpoint) => {
    for (const { schema } of Object.values(endpoint.params.fields)) {
      expect(z.toJSONSchema(schema, { io: 'input' })).toHaveProperty('description');
    }
    expect(z.toJSONSchema(endpoint.result, { io: 'input' })).toMatchObject({ type: 'object' });
  });
});

describe('the running service', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  test.each(endpoints)('the running service serves %s', async (_, endpoint) => {
    const path = endpoint.path.replace(':integration', 'trello').replace(/:[a-z_]+/g, '1');
    const { status, body } = await service.send(null, `${endpoint.method} ${path}`);
    const expected: unknown[] =
      endpoint.auth === 'none'
        ? [undefined, 'REQUEST_VARIABLE_MISSING']
        : endpoint.auth === 'webhook'
          ? ['REQUEST_VARIABLE_MISSING']
          : ['UNAUTHORIZED'];
    expect(expected, JSON.stringify({ status, body })).toContain(body['code']);
  });
});
