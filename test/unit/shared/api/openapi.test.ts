import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { wireSchemaOf } from '#shared/api/codecs.ts';
import type { AnyEndpoint, Table } from '#shared/api/endpoint.ts';
import { describeError, errorCodes } from '#shared/api/error-descriptions.ts';
import { errorStatuses } from '#shared/api/errors.ts';
import { describeApi } from '#service/http/documentation/describe.ts';
import { openApiDocument } from '#service/http/documentation/openapi.ts';

interface Operation {
  readonly operationId: string;
  readonly 'x-access': string;
  readonly security: readonly Record<string, unknown>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema?: Record<string, unknown>;
    readonly content?: Record<string, { readonly schema: Record<string, unknown> }>;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Record<
      string,
      {
        readonly schema: {
          readonly properties: Record<string, Record<string, unknown>>;
          readonly required?: readonly string[];
        };
      }
    >;
  };
  readonly responses: Record<
    string,
    { readonly content?: Record<string, { readonly schema: Record<string, unknown> }> }
  >;
}

const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as {
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
};

const endpoints: readonly (readonly [string, AnyEndpoint])[] = Object.entries<Table>(api).flatMap(
  ([aggregate, table]) =>
    Object.entries(table).map(([name, endpoint]) => [`${aggregate}.${name}`, endpoint] as const),
);

/** Captures that stand at the same place are one, whatever they are called. */
function operationOf({ method, path }: AnyEndpoint): Operation {
  const shape = path.replace(/:[a-z_]+/g, '{}');
  const found = Object.entries(document.paths).find(
    ([each, item]) =>
      each.replace(/\{[^{}]+\}/g, '{}') === shape && Object.hasOwn(item, method.toLowerCase()),
  );
  const operation = found?.[1][method.toLowerCase()];
  if (operation === undefined) throw new Error(`${method} ${path} is not in the document`);
  return operation;
}

interface Shown {
  readonly isRequired: boolean;
  readonly fallback: unknown;
}

type Named = readonly [name: string, shown: Shown];

const inQuery = ({ parameters }: Operation): readonly Named[] =>
  parameters.map(({ name, required, schema, content }) => {
    const json = schema ?? content?.['application/json']?.schema;
    return [name, { isRequired: required, fallback: json?.['default'] }];
  });

function inBody({ requestBody }: Operation): readonly Named[] {
  const { properties = {}, required = [] } =
    Object.values(requestBody?.content ?? {})[0]?.schema ?? {};
  return Object.entries(properties).map(([name, schema]) => [
    name,
    { isRequired: required.includes(name), fallback: schema['default'] },
  ]);
}

const argumentsIn = (operation: Operation): ReadonlyMap<string, Shown> =>
  new Map([...inQuery(operation), ...inBody(operation)]);

const jsonSchemaIn = (response: Operation['responses'][string] | undefined) =>
  (response?.content?.['application/json']?.schema ?? {}) as {
    readonly properties?: Record<string, { readonly enum?: readonly string[] }>;
    readonly required?: readonly string[];
  };

test('the document is valid OpenAPI 3.1 and names the version of the product', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(document);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect(document.info.version).toBe('1.2.3');
});

test('no two operations share an id, and no two paths a shape', () => {
  const ids = describeApi().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(endpoints.length);
  const shapes = Object.keys(document.paths).map((path) => path.replace(/\{[^{}]+\}/g, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
});

test.each(endpoints)('%s names exactly the arguments of the table', (_, endpoint) => {
  const operation = operationOf(endpoint);
  const fields = describeApi().find((each) => each.endpoint === endpoint)?.parameters ?? [];
  const captures = [...endpoint.path.matchAll(/:[a-z_]+/g)].length;
  expect(operation.parameters.filter((each) => each.in === 'path')).toHaveLength(captures);
  const shown = argumentsIn(operation);
  for (const { name, place, isRequired, fallback } of fields) {
    if (place === 'path') continue;
    expect(shown.get(name), name).toEqual({ isRequired, fallback });
  }
});

test.each(endpoints)('%s says which codes come with which status', (_, endpoint) => {
  const { responses } = operationOf(endpoint);
  for (const code of endpoint.errors) {
    const { properties } = jsonSchemaIn(responses[String(errorStatuses[code])]);
    if (code !== 'NONE') expect(properties?.['code']?.enum).toContain(code);
    for (const key of describeError(code).keys) {
      expect(properties).toHaveProperty([key.replace('?', '')]);
    }
  }
  const { properties, required } = jsonSchemaIn(responses['200']);
  expect(required).toEqual(expect.arrayContaining(['result', 'msg']));
  expect(Object.keys(properties ?? {})).toEqual(
    expect.arrayContaining(Object.keys(endpoint.result.shape)),
  );
});

test.each(endpoints)('%s says how its caller is known', (_, endpoint) => {
  const { security } = operationOf(endpoint);
  const schemes = security.flatMap((each) => Object.keys(each));
  const expected = {
    none: [],
    user: ['basic'],
    sender: ['basic'],
    webhook: ['apiKey', 'basic'],
  }[endpoint.auth];
  expect(schemes).toEqual(expected);
});

describe('an argument', () => {
  test.each(endpoints)(
    'an argument of %s is shown as the JSON that it stands for',
    (_, endpoint) => {
      for (const { schema } of Object.values(endpoint.params.fields)) {
        expect(wireSchemaOf(schema)).not.toBe(schema);
      }
    },
  );

  test('an argument that is a list goes into a query as JSON', () => {
    const narrow = operationOf(api.messages.page).parameters.find(({ name }) => name === 'narrow');
    expect(narrow?.content?.['application/json']?.schema).toMatchObject({
      type: 'array',
      default: [],
    });
    const before = operationOf(api.messages.page).parameters.find(
      ({ name }) => name === 'num_before',
    );
    expect(before).toMatchObject({ in: 'query', required: true, schema: { type: 'integer' } });
  });

  test('an argument has its other names, and its choices', () => {
    const { properties } =
      operationOf(api.messages.send).requestBody?.content['application/x-www-form-urlencoded']
        ?.schema ?? {};
    expect(properties?.['type']?.['enum']).toEqual(['stream', 'private', 'channel', 'direct']);
    expect(properties?.['topic']?.['description']).toMatch(/also accepted as subject/i);
  });

  test('an argument that is a file is a part of a multipart body', () => {
    const { content = {} } = operationOf(api.uploads.upload).requestBody ?? {};
    expect(Object.keys(content)).toEqual(['multipart/form-data']);
    expect(content['multipart/form-data']?.schema.properties).toHaveProperty('file');
  });
});

test('every error code is described', () => {
  for (const code of errorCodes) expect(describeError(code).meaning).toMatch(/\.$|\. /);
});
