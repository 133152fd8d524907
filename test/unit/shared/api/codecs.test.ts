import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  anchor,
  anything,
  bool,
  int,
  intList,
  jsonOrRawText,
  messageIdList,
  NEWEST_ANCHOR,
  oneOf,
  parseJson,
  positiveInt,
  principalList,
  stringList,
  text,
} from '#shared/api/codecs.ts';
import { ServiceError } from '#shared/api/errors.ts';
import { NarrowParam, QueueNarrowParam } from '#shared/api/narrow.ts';
import {
  decodeParams,
  optional,
  type Param,
  required,
  wire,
  withDefault,
} from '#shared/api/wire.ts';
import { expectLinear } from '#test/support/growth.ts';

const invalid = Symbol('invalid');

const decode = (schema: z.ZodType, raw: unknown): unknown => {
  const parsed = schema.safeParse(raw);
  return parsed.success ? parsed.data : invalid;
};

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('one argument', () => {
  test.each<[string, z.ZodType, readonly (readonly [unknown, unknown])[]]>([
    [
      'a string',
      text,
      [
        ['', ''],
        ['a', 'a'],
        ['"a"', '"a"'],
        ['null', 'null'],
        [' a ', ' a '],
        [7, invalid],
        [true, invalid],
        [['a'], invalid],
      ],
    ],
    [
      'a string that may be quoted',
      jsonOrRawText,
      [
        ['Bo Li', 'Bo Li'],
        ['"Bo Li"', 'Bo Li'],
        ['"a\\u00e9"', 'aé'],
        ['"', '"'],
        ['""', ''],
        ['"a"b"', '"a"b"'],
        ['"open', '"open'],
        ['[1]', '[1]'],
        [7, invalid],
      ],
    ],
    [
      'an integer',
      int,
      [
        ['12', 12],
        ['-12', -12],
        ['+12', 12],
        [' 12 ', 12],
        ['"12"', 12],
        ['" 12 "', 12],
        ['0012', 12],
        [12, 12],
        ['9007199254740991', 9_007_199_254_740_991],
        ['9007199254740992', invalid],
        ['99999999999999999999999', invalid],
        ['1.0', invalid],
        ['1e3', invalid],
        ['0x10', invalid],
        ['1_000', invalid],
        ['""12""', invalid],
        ['', invalid],
        ['-', invalid],
        ['twelve', invalid],
        ['١٢', invalid],
        [1.5, invalid],
        [2 ** 53, invalid],
        [true, invalid],
        [[12], invalid],
      ],
    ],
    [
      'an integer that is not negative',
      positiveInt,
      [
        ['0', 0],
        ['-0', -0],
        ['7', 7],
        ['-1', invalid],
        [-1, invalid],
      ],
    ],
    [
      'true or false',
      bool,
      [
        ['true', true],
        ['True', true],
        ['TRUE', true],
        ['1', true],
        ['false', false],
        ['False', false],
        ['0', false],
        [true, true],
        [false, false],
        [1, true],
        [0, false],
        ['yes', invalid],
        ['on', invalid],
        ['2', invalid],
        ['"true"', invalid],
        ['', invalid],
        [2, invalid],
        [[true], invalid],
      ],
    ],
    [
      'one of some words',
      oneOf(['add', 'remove']),
      [
        ['add', 'add'],
        ['Add', invalid],
        [' add', invalid],
        ['', invalid],
        [0, invalid],
      ],
    ],
    [
      'a list of strings',
      stringList,
      [
        ['["a","b"]', ['a', 'b']],
        ['[]', []],
        ['a,b', ['a', 'b']],
        [' a , ,b ', ['a', 'b']],
        ['a', ['a']],
        ['["a"', ['["a"']],
        [['a'], ['a']],
        ['[1]', invalid],
        ['["a",null]', invalid],
        ['{"a":1}', invalid],
        [{ a: 1 }, invalid],
        [7, invalid],
        [
          JSON.stringify(Array.from({ length: 5000 }, () => 'a')),
          Array.from({ length: 5000 }, () => 'a'),
        ],
        [JSON.stringify(Array.from({ length: 5001 }, () => 'a')), invalid],
        ['a,'.repeat(5001), invalid],
        [Array.from({ length: 5001 }, () => 'a'), invalid],
      ],
    ],
    [
      'a list of addresses or ids',
      principalList,
      [
        ['["a@b",7]', ['a@b', 7]],
        ['[]', []],
        ['a@b,c@d', ['a@b', 'c@d']],
        ['[1.5]', invalid],
        ['[true]', invalid],
        ['{}', invalid],
      ],
    ],
    [
      'an anchor',
      anchor,
      [
        ['newest', NEWEST_ANCHOR],
        ['"newest"', NEWEST_ANCHOR],
        ['oldest', 0],
        ['first_unread', 'first_unread'],
        ['Newest', invalid],
        ['latest', invalid],
        ['0', 0],
        [0, 0],
        ['-5', 0],
        [-5, 0],
        ['-99999999999999999999999', 0],
        ['9007199254740991', 9_007_199_254_740_991],
        ['9007199254740992', NEWEST_ANCHOR],
        [2 ** 53, NEWEST_ANCHOR],
        ['10000000000000000', NEWEST_ANCHOR],
        [10_000_000_000_000_000, NEWEST_ANCHOR],
        ['9'.repeat(400), NEWEST_ANCHOR],
        ['"99999999999999999999"', NEWEST_ANCHOR],
        [' 7 ', 7],
        ['"7"', 7],
        ['"7', invalid],
        ['7.0', invalid],
        [7.5, invalid],
        ['1e17', invalid],
        ['', invalid],
        [true, invalid],
      ],
    ],
    [
      'whatever was received',
      anything,
      [
        ['', ''],
        ['[1]', '[1]'],
        [[1], [1]],
        [7, 7],
        [null, invalid],
      ],
    ],
    [
      'a narrow',
      NarrowParam,
      [
        ['[]', []],
        ['[["is","private"]]', [{ operator: 'is', operand: 'private' }]],
        [
          '[{"operator":"id","operand":7,"negated":true},["dm",[1,"a"]]]',
          [
            { operator: 'id', operand: 7, negated: true },
            { operator: 'dm', operand: [1, 'a'] },
          ],
        ],
        ['["is","private"]', invalid],
        ['[["is"]]', invalid],
        ['{}', invalid],
        ['is:private', invalid],
        [nested(30), invalid],
      ],
    ],
    [
      'the narrow of a queue',
      QueueNarrowParam,
      [
        ['[]', []],
        ['["is","private"]', [['is', 'private']]],
        ['[["is","private"]]', [['is', 'private']]],
        [
          '[["is","private"],{"operator":"topic","operand":"t"}]',
          [
            ['is', 'private'],
            ['topic', 't'],
          ],
        ],
        ['[{"operator":"is","operand":"private","negated":false}]', [['is', 'private']]],
        // A queue has no negation; to ignore it would bring exactly what is not wanted.
        ['[{"operator":"is","operand":"private","negated":true}]', invalid],
        ['["a","b","c"]', invalid],
        ['[["is",1]]', invalid],
        ['7', invalid],
      ],
    ],
  ])('%s', (_, schema, rows) => {
    for (const [raw, expected] of rows) {
      expect([raw, decode(schema, raw)]).toEqual([raw, expected]);
    }
  });

  test.each([19, 20, 21, 100, 100_000])('JSON nested %i deep', (depth) => {
    const value = parseJson(nested(depth));
    if (depth <= 20) expect(JSON.stringify(value)).toBe(nested(depth));
    else expect(value).toBeUndefined();
  });

  test('objects count as depth too, and long lists are refused', () => {
    const deep = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
    expect(parseJson(deep(20))).toBeDefined();
    expect(parseJson(deep(21))).toBeUndefined();
    expect(parseJson(JSON.stringify(Array.from({ length: 5000 }, () => 1)))).toHaveLength(5000);
    expect(parseJson(JSON.stringify(Array.from({ length: 5001 }, () => 1)))).toBeUndefined();
  });
});

describe('an argument as long as a body takes time in proportion to its length', () => {
  const codecs = { anchor, int, intList, jsonOrRawText, messageIdList, stringList, NarrowParam };
  const texts = [' ', '"', '7', ',', '-', '[', '{', '" ', '[1],', '\\"'];

  test.each(Object.entries(codecs))('%s', async (_, schema) => {
    for (const text of texts) {
      const make = (size: number): string => text.repeat(size / text.length) + 'x';
      const run = (raw: string): unknown => decode(schema, raw);
      await expectLinear({ make, run, size: 16_384 }, `many of ${text}`);
    }
  });
});

describe('an argument that may be absent', () => {
  const read = (param: Param<unknown>, raw: unknown): unknown => {
    try {
      return decodeParams(wire({ value: param }), raw === undefined ? {} : { value: raw }).value;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      return error.code;
    }
  };

  test.each<[string, Param<unknown>, readonly (readonly [unknown, unknown])[]]>([
    [
      'an optional integer',
      optional(int),
      [
        [undefined, undefined],
        ['null', undefined],
        ['undefined', undefined],
        ['', undefined],
        [null, undefined],
        ['7', 7],
        ['x', 'REQUEST_VARIABLE_INVALID'],
      ],
    ],
    [
      'a flag with a default',
      withDefault(bool, true),
      [
        [undefined, true],
        ['null', true],
        ['', true],
        ['false', false],
        ['maybe', 'REQUEST_VARIABLE_INVALID'],
      ],
    ],
    [
      'an optional list',
      optional(stringList),
      [
        [undefined, undefined],
        ['null', undefined],
        ['', undefined],
        ['[]', []],
      ],
    ],
    [
      'an optional string',
      optional(text, 'text'),
      [
        [undefined, undefined],
        ['null', 'null'],
        ['undefined', 'undefined'],
        ['', ''],
      ],
    ],
    [
      'a required integer',
      required(int),
      [
        [undefined, 'REQUEST_VARIABLE_MISSING'],
        ['', 'REQUEST_VARIABLE_INVALID'],
        ['null', 'REQUEST_VARIABLE_INVALID'],
        ['7', 7],
      ],
    ],
    [
      'a required string',
      required(text, 'text'),
      [
        [undefined, 'REQUEST_VARIABLE_MISSING'],
        ['', ''],
        ['null', 'null'],
      ],
    ],
  ])('%s', (_, param, rows) => {
    for (const [raw, expected] of rows) expect([raw, read(param, raw)]).toEqual([raw, expected]);
  });
});
