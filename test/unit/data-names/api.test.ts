import { expect, test } from 'vitest';
import { describeError, errorCodes } from '#shared/api/error-descriptions.ts';
import { Event } from '#shared/api/events.ts';
import { auditTypes } from '#shared/api/models/audit.ts';
import { describeApi, jsonSchemaOf, type Operation } from '#service/http/documentation/describe.ts';
import { listed } from '#test/support/data-names/listed.ts';
import { namesIn } from '#test/support/data-names/wire-names.ts';

const isAudited = (line: string): boolean => auditTypes.some((type) => line.endsWith(` = ${type}`));

/** `?` before what is asked, `>` before what is answered. */
function linesOf({ endpoint, path, parameters, result }: Operation): readonly string[] {
  const asked = parameters.flatMap(({ name, aliases, schema }) => [
    `  ? ${[name, ...aliases].join(' | ')}`,
    ...namesIn(name, schema).map((line) => `  ? ${line}`),
  ]);
  const answered = namesIn('', result).map((line) => `  > ${line}`);
  const lines = [...new Set([...asked.sort(), ...answered.sort()])];
  return [`${path} ${endpoint.method}`, ...lines.filter((line) => !isAudited(line))];
}

test('paths, arguments and answers of the API stay', () => {
  const operations = describeApi().map(linesOf);
  operations.sort(([one = ''], [other = '']) => (one < other ? -1 : 1));
  expect(operations.flat()).toEqual(listed('api'));
});

test('fields of events stay', () => {
  const events = Event.options.map((event) => {
    const lines = namesIn('', jsonSchemaOf(event, false));
    const kind = lines.filter((line) => /^(?:type|op) = /.test(line));
    const fields = lines.filter((line) => !kind.includes(line)).sort();
    return [
      kind.map((line) => line.replace(/^.* = /, '')).join(' '),
      ...fields.map((line) => `  ${line}`),
    ];
  });
  events.sort((one, other) => (one.join('\n') < other.join('\n') ? -1 : 1));
  expect(events.flat()).toEqual(listed('events'));
});

test('fields of refusals stay', () => {
  const lines = errorCodes.map((code) => `${code}: ${describeError(code).keys.join(', ')}`);
  expect(lines.filter((line) => !line.endsWith(': ')).sort()).toEqual(listed('refusals'));
});
