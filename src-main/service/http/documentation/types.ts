/** JSON schemas in a few words, and as lists of fields. */
import type { JsonSchema } from './describe.ts';

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const schemasOf = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];

const quoted = (value: unknown): string => JSON.stringify(value);

/** Alternatives, each named once. */
const either = (texts: readonly string[]): string => [...new Set(texts)].join(' or ');

function listText(schema: JsonSchema): string {
  const pair = schemasOf(schema['prefixItems']);
  if (pair.length > 0) return `[${pair.map(typeText).join(', ')}]`;
  return isSchema(schema['items']) ? `list of ${typeText(schema['items'])}` : 'list';
}

function objectText(schema: JsonSchema): string {
  const values = schema['additionalProperties'];
  const isMap = isSchema(values) && Object.keys(values).length > 0;
  return isMap ? `object of ${typeText(values)}` : 'object';
}

/** What a value may be. */
export function typeText(schema: JsonSchema): string {
  const { $ref, const: only, type } = schema;
  if (typeof $ref === 'string') return $ref.split('/').at(-1)?.toLowerCase() ?? 'object';
  if (only !== undefined) return quoted(only);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(quoted).join(' | ');
  const choices = [...schemasOf(schema['anyOf']), ...schemasOf(schema['oneOf'])];
  if (choices.length > 0) return either(choices.map(typeText));
  if (type === 'array') return listText(schema);
  if (type === 'object') return objectText(schema);
  if (Array.isArray(type)) return either(type.map(String));
  return typeof type === 'string' ? type : 'any';
}

/** The values of an enumeration as they are written on the wire; none of anything else. */
export const choicesOf = (schema: JsonSchema): readonly string[] =>
  Array.isArray(schema['enum']) ? schema['enum'].map(String) : [];

export interface Field {
  readonly name: string;
  readonly type: string;
  readonly isAlwaysThere: boolean;
  /** The fields of the objects that it holds. */
  readonly fields: readonly Field[];
}

/** The objects inside: of a list, its elements; of a map, its values; of alternatives, the first that has fields. */
function inner(schema: JsonSchema): JsonSchema | undefined {
  if (isSchema(schema['properties'])) return schema;
  const inside = [
    schema['items'],
    schema['additionalProperties'],
    ...schemasOf(schema['anyOf']),
  ].filter(isSchema);
  for (const each of inside) {
    const found = inner(each);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function fieldsOf(schema: JsonSchema): readonly Field[] {
  const object = inner(schema);
  if (object === undefined || !isSchema(object['properties'])) return [];
  const required = Array.isArray(object['required']) ? object['required'] : [];
  return Object.entries(object['properties']).flatMap(([name, value]) =>
    isSchema(value)
      ? [
          {
            name,
            type: typeText(value),
            isAlwaysThere: required.includes(name),
            fields: fieldsOf(value),
          },
        ]
      : [],
  );
}
