import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  anchor,
  bool,
  int,
  NEWEST_ANCHOR,
  positiveInt,
  principalList,
  stringList,
  text,
} from '#shared/api/codecs.ts';
import { ServiceError } from '#shared/api/errors.ts';
import { NarrowParam, QueueNarrowParam } from '#shared/api/narrow.ts';
import {
  decodeParams,
  encodeParams,
  optional,
  required,
  wire,
  wireName,
  withDefault,
} from '#shared/api/wire.ts';

const everything = wire({
  someText: required(text, 'text'),
  otherText: optional(text, 'text'),
  wholeNumber: optional(int),
  numBefore: withDefault(positiveInt, 0),
  isSet: withDefault(bool, false),
  maybeSet: optional(bool),
  eventTypes: optional(stringList),
  principals: withDefault(principalList, []),
  narrow: withDefault(NarrowParam, []),
  queueNarrow: withDefault(QueueNarrowParam, []),
  anchor: optional(anchor),
});

const string = fc.string({ unit: 'binary' });
const absent = { nil: undefined };
// A fraction of zero is not told apart on the wire.
const integer = fc.maxSafeInteger().map((value) => value + 0);

const operand = fc.oneof(string, integer, fc.array(fc.oneof(string, integer), { maxLength: 4 }));
const term = fc.oneof(
  fc.record({ operator: string, operand }),
  fc.record({ operator: string, operand, negated: fc.boolean() }),
);

const someArguments = fc.record({
  someText: string,
  otherText: fc.option(string, absent),
  wholeNumber: fc.option(integer, absent),
  numBefore: fc.nat(),
  isSet: fc.boolean(),
  maybeSet: fc.option(fc.boolean(), absent),
  eventTypes: fc.option(fc.array(string, { maxLength: 5 }), absent),
  principals: fc.array(fc.oneof(string, integer), { maxLength: 5 }),
  narrow: fc.array(term, { maxLength: 4 }),
  queueNarrow: fc.array(fc.tuple(string, string), { maxLength: 4 }),
  anchor: fc.option(
    fc.oneof(
      fc.nat(),
      fc.constant(NEWEST_ANCHOR),
      fc.constant('first_unread' as const),
      fc.maxSafeNat(),
    ),
    absent,
  ),
});

function refusalOf(work: () => unknown): ServiceError {
  try {
    work();
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

test('what a client encodes, the service decodes to the same', () => {
  fc.assert(
    fc.property(someArguments, (values) => {
      expect(decodeParams(everything, encodeParams(values))).toEqual(values);
    }),
  );
});

test('a JSON body may hold the values themselves', () => {
  fc.assert(
    fc.property(someArguments, (values) => {
      const body = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [wireName(name), value]),
      );
      expect(decodeParams(everything, body)).toEqual(values);
    }),
  );
});

test('any text at all is decoded or refused by the name of its argument, never a crash', () => {
  const names = Object.keys(everything.fields).map(wireName);
  const raw = fc.oneof(string, fc.json(), fc.jsonValue(), fc.constant(null));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), raw), (received) => {
      try {
        decodeParams(everything, { some_text: 'x', ...received });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        expect(error.code).toBe('REQUEST_VARIABLE_INVALID');
        expect(names).toContain(error.data['var_name']);
        expect(String(error.data['bad_value']).length).toBeLessThanOrEqual(200);
      }
    }),
  );
});

test('names are snake_case on the wire, and what is absent is not sent', () => {
  expect(encodeParams({ numBefore: 1, isSet: true, eventTypes: ['a'], gone: undefined })).toEqual({
    num_before: '1',
    is_set: 'true',
    event_types: '["a"]',
  });
});

test('arguments that nobody asked for are ignored, those of the prototype included', () => {
  const received = Object.assign(Object.create({ value: 'inherited' }) as object, {
    other: '1',
    __proto__: null,
  });
  expect(decodeParams(wire({ value: optional(text, 'text') }), { ...received })).toEqual({
    value: undefined,
  });
});

describe('which argument is named', () => {
  const params = wire({ first: required(int), secondOne: required(int) });

  test('the first one at fault [wire.first-fault]', () => {
    expect(refusalOf(() => decodeParams(params, {})).data).toEqual({ var_name: 'first' });
    expect(refusalOf(() => decodeParams(params, { first: '1' })).data).toEqual({
      var_name: 'second_one',
    });
    expect(refusalOf(() => decodeParams(params, { first: 'x', second_one: 'y' })).data).toEqual({
      var_name: 'first',
      bad_value: 'x',
    });
  });

  test('its value as it was received, cut to 200 characters [wire.value-received-cut]', () => {
    const long = refusalOf(() => decodeParams(params, { first: 'x'.repeat(300) }));
    expect(long.data['bad_value']).toBe('x'.repeat(200));
    const decoded = refusalOf(() => decodeParams(params, { first: { a: [1] } }));
    expect(decoded.data['bad_value']).toBe('{"a":[1]}');
  });
});

describe('an argument with two names', () => {
  const params = wire({ topic: optional(text, 'text') }, { topic: ['subject'] });

  test.each<[object, unknown]>([
    [{ topic: 'a' }, 'a'],
    [{ subject: 'a' }, 'a'],
    [{ topic: 'a', subject: 'a' }, 'a'],
    [{ subject: '' }, ''],
    [{}, undefined],
  ])('%j is %j', (received, expected) => {
    expect(decodeParams(params, { ...received }).topic).toBe(expected);
  });

  test('an argument with two names may not have two values', () => {
    const refusal = refusalOf(() => decodeParams(params, { topic: 'a', subject: 'b' }));
    expect(refusal.body).toMatchObject({
      result: 'error',
      code: 'REQUEST_CONFUSING_VAR',
      var_name1: 'topic',
      var_name2: 'subject',
    });
  });
});
