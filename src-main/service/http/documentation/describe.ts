/** The endpoint table as the document and the page show it. */
import { z } from 'zod';
import { api } from '#shared/api/endpoints/index.ts';
import { wireSchemaOf } from '#shared/api/codecs.ts';
import { accessOf, type Access, type AnyEndpoint, type Table } from '#shared/api/endpoint.ts';
import { Event } from '#shared/api/events.ts';
import { type Param, wireName } from '#shared/api/wire.ts';
import { noteOn } from './notes.ts';
import { groupOrder } from './subjects.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Parameter {
  /** As it is written on the wire. */
  readonly name: string;
  readonly place: 'path' | 'query' | 'body';
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  /** Undefined where nothing stands for it. */
  readonly fallback: unknown;
  readonly aliases: readonly string[];
  /** What it means and what is accepted; empty where its name and its type say that. */
  readonly note: string;
}

export interface Operation {
  readonly endpoint: AnyEndpoint;
  readonly aggregate: string;
  readonly id: string;
  /** With captures in braces, such as `/streams/{stream_id}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly result: JsonSchema;
}

const isSafeBound = (value: unknown): boolean =>
  typeof value === 'number' && Math.abs(value) === Number.MAX_SAFE_INTEGER;

/** Every integer of ours is a safe one; saying so each time only hides the rest. */
function withoutSafeBounds(schema: Record<string, unknown>): void {
  if (isSafeBound(schema['minimum'])) delete schema['minimum'];
  if (isSafeBound(schema['maximum'])) delete schema['maximum'];
}

function replaceBy(schema: Record<string, unknown>, replacement: JsonSchema): void {
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key);
  Object.assign(schema, replacement);
}

/** @param isEventNamed  whether the union of all events is referred to instead of written out */
export function jsonSchemaOf(schema: z.ZodType, isEventNamed = true): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (isEventNamed && zodSchema === Event) {
        replaceBy(jsonSchema, { $ref: '#/components/schemas/Event' });
      }
      withoutSafeBounds(jsonSchema);
    },
  });
  return json;
}

const capturesOf = ({ path }: AnyEndpoint): readonly string[] =>
  [...path.matchAll(/:([a-z_]+)/g)].map(([, name = '']) => name);

function describeParameter(endpoint: AnyEndpoint, key: string, param: Param<unknown>): Parameter {
  const name = wireName(key);
  const isPath = capturesOf(endpoint).includes(name);
  const isInQuery = endpoint.method === 'GET' || endpoint.takesPiece === true;
  const place = isPath ? 'path' : isInQuery ? 'query' : 'body';
  const { fallback } = param;
  return {
    name,
    place,
    schema: jsonSchemaOf(wireSchemaOf(param.schema)),
    isRequired: param.isRequired,
    fallback,
    aliases: endpoint.params.aliases[name] ?? [],
    note: noteOn(name, param.schema.meta()?.description ?? 'a value'),
  };
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const describeOperation = (aggregate: string, name: string, endpoint: AnyEndpoint): Operation => ({
  endpoint,
  aggregate,
  id: aggregate + capitalized(name),
  path: endpoint.path.replace(/:([a-z_]+)/g, '{$1}'),
  parameters: Object.entries(endpoint.params.fields).map(([key, param]) =>
    describeParameter(endpoint, key, param),
  ),
  result: jsonSchemaOf(endpoint.result),
});

/** The endpoints of one group of the table. */
export const describeGroup = (group: string): readonly Operation[] =>
  Object.entries((api as Readonly<Record<string, Table>>)[group] ?? {}).map(([name, endpoint]) =>
    describeOperation(group, name, endpoint),
  );

/** Every endpoint, those of one group together. */
export const describeApi = (): readonly Operation[] => groupOrder.flatMap(describeGroup);

const accessTexts: Readonly<Record<Access, string>> = {
  anyone: 'Anybody, without authentication',
  account: 'Every account',
  person: 'Every person; not bots',
  member: 'Every account that is not a guest',
  'member-person': 'Every person who is not a guest; not bots',
  admin: 'Administrators of the organization',
};

/** Who may call, in a few words. */
export function whoMayCall(endpoint: AnyEndpoint): string {
  const text = accessTexts[accessOf(endpoint)];
  if (endpoint.auth === 'webhook') return `${text}, by its key in the address`;
  return endpoint.auth === 'sender' ? `${text}, incoming webhook bots included` : text;
}

const titles: Readonly<Record<string, string>> = {
  botStorage: 'What bots keep',
  closing: 'Closing and opening again',
  compatibility: 'Asked for by other clients',
  deliveries: 'Deliveries',
  events: 'Event queues',
  lifecycle: 'Changing messages',
  linkifiers: 'Linkifiers',
  messages: 'Sending and fetching',
  officeFiles: 'Files of everybody',
  readState: 'Read state and flags',
  realm: 'Settings of the organization',
  realmIcon: 'Picture of the organization',
  recovery: 'Messages that only members still have',
  server: 'Server',
  settings: 'Own settings',
  streamAdmin: 'Changing streams',
  streams: 'Finding and joining streams',
  uploads: 'Uploads',
  userAdmin: 'Changing users',
  webhooks: 'Incoming webhooks',
};

/** `alertWords` as people read it: `Alert words`. */
export const titleOf = (aggregate: string): string =>
  titles[aggregate] ??
  capitalized(aggregate.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
