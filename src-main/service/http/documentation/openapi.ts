/** The OpenAPI 3.1 document, derived from the endpoint table alone. */
import { codesOf, describeError, errorCodes } from '#shared/api/error-descriptions.ts';
import { accessOf, type Auth } from '#shared/api/endpoint.ts';
import { type ErrorCode, errorStatuses } from '#shared/api/errors.ts';
import { Event } from '#shared/api/events.ts';
import { answerBody } from './answers.ts';
import { describeCauses } from './causes.ts';
import {
  describeApi,
  type JsonSchema,
  jsonSchemaOf,
  type Operation,
  type Parameter,
  titleOf,
  whoMayCall,
} from './describe.ts';

type Json = Readonly<Record<string, unknown>>;

const securityOf: Readonly<Record<Auth, readonly Json[]>> = {
  none: [],
  user: [{ basic: [] }],
  sender: [{ basic: [] }],
  webhook: [{ apiKey: [] }, { basic: [] }],
};

const isStructured = ({ type, anyOf }: JsonSchema): boolean =>
  type === 'array' ||
  type === 'object' ||
  (Array.isArray(anyOf) && anyOf.some((each) => isStructured(each as JsonSchema)));

function descriptionOf({ note, aliases }: Parameter): Json {
  const also = aliases.length === 0 ? [] : [`also accepted as ${aliases.join(', ')}`];
  const phrases = [...(note === '' ? [] : [note]), ...also].join('; ');
  if (phrases === '') return {};
  return { description: `${phrases.charAt(0).toUpperCase()}${phrases.slice(1)}.` };
}

const schemaOf = (parameter: Parameter): Record<string, unknown> => ({
  ...parameter.schema,
  ...(parameter.fallback === undefined ? {} : { default: parameter.fallback }),
  ...descriptionOf(parameter),
});

/** A list or an object in a query is JSON text. */
function addressParameter(parameter: Parameter): Json {
  const { name, place, isRequired, aliases } = parameter;
  const { description, ...schema } = schemaOf(parameter);
  const content = isStructured(parameter.schema)
    ? { content: { 'application/json': { schema } } }
    : { schema };
  return {
    name,
    in: place,
    required: isRequired || place === 'path',
    ...(description === undefined ? {} : { description }),
    ...(aliases.length === 0 ? {} : { 'x-aliases': aliases }),
    ...content,
  };
}

const FILE = {
  type: 'string',
  contentMediaType: 'application/octet-stream',
  description: 'The file; the part may have any name.',
};

const pieceBody = {
  requestBody: {
    required: true,
    content: { 'application/octet-stream': { schema: { description: 'The piece as it is.' } } },
  },
};

function requestBody({ endpoint, parameters }: Operation): Json {
  if (endpoint.takesPiece === true) return pieceBody;
  const inBody = parameters.filter(({ place }) => place === 'body');
  const takesFiles = endpoint.takesFiles !== undefined;
  if (inBody.length === 0 && !takesFiles) return {};
  const required = inBody.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const properties = Object.fromEntries(inBody.map((each) => [each.name, schemaOf(each)]));
  const schema = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
  };
  const structured = inBody.filter((each) => isStructured(each.schema));
  const encoding = Object.fromEntries(
    structured.map(({ name }) => [name, { contentType: 'application/json' }]),
  );
  const form = structured.length === 0 ? { schema } : { schema, encoding };
  const multipart = takesFiles
    ? { ...form, schema: { ...schema, properties: { ...properties, file: FILE } } }
    : form;
  const fieldsOnly = {
    'application/x-www-form-urlencoded': form,
    'application/json': { schema },
  };
  return {
    requestBody: {
      required: required.length > 0 || takesFiles,
      content: { 'multipart/form-data': multipart, ...(inBody.length === 0 ? {} : fieldsOnly) },
    },
  };
}

/** A payload of somebody else's making. */
const webhookBody = {
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { description: 'The payload of the service.' } } },
  },
};

function successOf({ result }: Operation): Json {
  const { properties = {}, required = [], ...rest } = result;
  return {
    ...rest,
    type: 'object',
    properties: {
      result: { const: 'success' },
      msg: { const: '' },
      ...(properties as Json),
    },
    required: ['result', 'msg', ...(required as readonly string[])],
  };
}

const extraKey = (key: string): Json => ({ [key.replace('?', '')]: {} });

/** Codes of one status, with the keys that come along with any of them. */
function errorBody(codes: readonly ErrorCode[]): Json {
  const named = codes.filter((code) => code !== 'NONE');
  const keys = codes.flatMap((code) => describeError(code).keys);
  return {
    type: 'object',
    properties: {
      result: { const: 'error' },
      msg: { type: 'string' },
      ...(named.length === 0 ? {} : { code: { enum: named } }),
      ...Object.assign({}, ...keys.map(extraKey)),
      cause: { $ref: '#/components/schemas/Cause' },
    },
    required: ['result', 'msg', ...(named.length === codes.length ? ['code'] : [])],
  };
}

function errorResponses(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = errorStatuses[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, those]) => [
      String(status),
      {
        description: those.map((code) => `${code}: ${describeError(code).meaning}`).join('\n\n'),
        content: { 'application/json': { schema: errorBody(those) } },
      },
    ]),
  );
}

/** Programs have to live with names that a later version adds, so none is excluded. */
const causeSchema = (): Json => ({
  type: 'object',
  description: 'The reason, where one code covers several.',
  properties: {
    name: {
      anyOf: [{ enum: describeCauses().map(({ name }) => name) }, { type: 'string' }],
    },
    values: { type: 'object', additionalProperties: true },
  },
  required: ['name', 'values'],
});

function operationOf(operation: Operation): Json {
  const { endpoint, aggregate, id, parameters } = operation;
  const isWebhook = endpoint.auth === 'webhook';
  const inAddress = parameters.map((parameter) =>
    isWebhook && parameter.place === 'body' ? { ...parameter, place: 'query' as const } : parameter,
  );
  return {
    operationId: id,
    tags: [titleOf(aggregate)],
    summary: endpoint.summary,
    description: `May be called by: ${whoMayCall(endpoint)}. Described in: ${endpoint.spec}.`,
    'x-access': accessOf(endpoint),
    security: securityOf[endpoint.auth],
    parameters: inAddress.filter(({ place }) => place !== 'body').map(addressParameter),
    ...(isWebhook ? webhookBody : endpoint.method === 'GET' ? {} : requestBody(operation)),
    responses: {
      '200': {
        description: 'Done.',
        content: {
          'application/json': { schema: successOf(operation), example: answerBody(operation) },
        },
      },
      ...errorResponses(codesOf(endpoint)),
      default: { $ref: '#/components/responses/Error' },
    },
  };
}

/** Paths that differ only in how a capture is called are one path. */
function pathsOf(operations: readonly Operation[]): Json {
  const named = new Map<string, string>();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const shape = operation.path.replace(/\{[^{}]+\}/g, '{}');
    const path = named.get(shape) ?? operation.path;
    named.set(shape, path);
    const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    const own = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
    const parameters = operation.parameters.map((parameter) => {
      const index = parameter.place === 'path' ? own.indexOf(parameter.name) : -1;
      return { ...parameter, name: names[index] ?? parameter.name };
    });
    const method = operation.endpoint.method.toLowerCase();
    paths[path] = { ...paths[path], [method]: operationOf({ ...operation, parameters }) };
  }
  return paths;
}

/** @param version  the product's own */
export function openApiDocument(version: string): Json {
  const operations = describeApi();
  const aggregates = [...new Set(operations.map(({ aggregate }) => aggregate))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Hearth API',
      version,
      description:
        'Every answer is JSON with `result` and `msg`. Parameters may also arrive in the query, whatever the method; unknown ones are ignored.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    tags: aggregates.map((aggregate) => ({ name: titleOf(aggregate) })),
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
        basic: {
          type: 'http',
          scheme: 'basic',
          description: 'The e-mail address of the account and its API key.',
        },
        apiKey: { type: 'apiKey', in: 'query', name: 'api_key' },
      },
      schemas: { Cause: causeSchema(), Event: jsonSchemaOf(Event, false) },
      responses: {
        Error: {
          description: 'Any other error.',
          content: { 'application/json': { schema: errorBody(errorCodes) } },
        },
      },
    },
  };
}
