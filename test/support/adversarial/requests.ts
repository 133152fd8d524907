/** Requests to one endpoint that are right but for one text of any length. */
import { z } from 'zod';
import type { AnyEndpoint } from '#shared/api/endpoint.ts';
import { wireSchemaOf } from '#shared/api/codecs.ts';
import { wireName } from '#shared/api/wire.ts';
import { plausible, type Schema } from '../fuzz/values.ts';
import type { Random } from '../random.ts';

export interface Argument {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export const argumentsOf = (endpoint: AnyEndpoint): readonly Argument[] =>
  Object.entries(endpoint.params.fields).map(([key, { schema, isRequired }]) => ({
    name: wireName(key),
    schema: z.toJSONSchema(wireSchemaOf(schema), { io: 'input', unrepresentable: 'any' }) as Schema,
    isRequired,
  }));

/** Puts a text into one place of a value. */
export type Filled = (text: string) => unknown;

/** As many items as a list may have. */
const MAX_ITEMS = 5000;
const ITEM_LENGTH = 8;
const itemsOf = (text: string): readonly string[] =>
  Array.from({ length: Math.min(MAX_ITEMS, text.length / ITEM_LENGTH) }, (_, index) =>
    text.slice(index * ITEM_LENGTH, (index + 1) * ITEM_LENGTH),
  );

/** Every place of an argument that takes text, the members of its lists and objects among them. */
export function placesIn(
  random: Random,
  name: string,
  schema: Schema,
): readonly (readonly [path: string, fill: Filled])[] {
  const { const: fixed, enum: words, anyOf, oneOf, items, prefixItems, properties } = schema;
  if (fixed !== undefined || words !== undefined) return [];
  const choices = anyOf ?? oneOf;
  if (choices !== undefined) return choices.flatMap((each) => placesIn(random, name, each));
  if (prefixItems !== undefined) {
    const plain = prefixItems.map((each) => plausible(random, name, each));
    return prefixItems.flatMap((each, index) =>
      placesIn(random, name, each).map(
        ([path, fill]) =>
          [`${path}[${String(index)}]`, (text: string) => plain.with(index, fill(text))] as const,
      ),
    );
  }
  if (items !== undefined) {
    const one = placesIn(random, name, items).map(
      ([path, fill]) => [`${path}[]`, (text: string) => [fill(text)]] as const,
    );
    return items.type === 'string' ? [...one, ['[…]', itemsOf]] : one;
  }
  if (properties !== undefined) {
    const plain = plausible(random, name, schema) as object;
    return Object.entries(properties).flatMap(([key, each]) =>
      placesIn(random, key, each).map(
        ([path, fill]) =>
          [`${path}.${key}`, (text: string) => ({ ...plain, [key]: fill(text) })] as const,
      ),
    );
  }
  return schema.type === 'string' ? [['', (text: string) => text]] : [];
}
