/** The events of the API, one by one. */
import type { z } from 'zod';
import { Event } from '#shared/api/events.ts';
import { type JsonSchema, jsonSchemaOf } from './describe.ts';
import { fieldsOf } from './types.ts';

export interface EventDescription {
  /** Its type and, where it has one, its operation. */
  readonly title: string;
  readonly schema: JsonSchema;
}

export const describeEvents = (): readonly EventDescription[] =>
  (Event.options as readonly z.ZodType[])
    .map((option) => {
      const schema = jsonSchemaOf(option);
      const fields = fieldsOf(schema);
      const written = (name: string): string =>
        fields.find((field) => field.name === name)?.type.replaceAll('"', '') ?? '';
      return { title: [written('type'), written('op')].join(' ').trim(), schema };
    })
    .sort((a, b) => a.title.localeCompare(b.title));
