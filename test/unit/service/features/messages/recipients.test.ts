import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/api/errors.ts';
import {
  parsePrivateRecipients,
  parseStreamRecipient,
} from '#service/features/messages/rules/recipients.ts';

const invalid = expect.objectContaining({
  name: 'ServiceError',
  code: 'REQUEST_VARIABLE_INVALID',
  data: expect.objectContaining({ var_name: 'to', bad_value: expect.any(String) }),
});

describe('the stream that a message goes to', () => {
  test.for<[unknown, string]>([
    ['general', 'general'],
    ['  general  ', 'general'],
    ['"general"', 'general'],
    ['"12"', '12'],
    ['["general"]', 'general'],
    [' [ "general" ] ', 'general'],
    ['a, b', 'a, b'],
    ['"unfinished', '"unfinished'],
    ['[project] news', '[project] news'],
    ['{"a":1}', '{"a":1}'],
    ['true', 'true'],
    ['null', 'null'],
    ['007', '007'],
    ['2.0', '2.0'],
    ['1e3', '1e3'],
    ['-0.0', '-0.0'],
    ['12 monkeys', '12 monkeys'],
    ['99999999999999999999', '99999999999999999999'],
    ['-', '-'],
    ['', ''],
    [['general'], 'general'],
  ])('%j is the name %j', ([to, name]) => {
    expect(parseStreamRecipient(to)).toEqual({ kind: 'name', name });
  });

  test.for<[unknown, number]>([
    ['12', 12],
    [' 12 ', 12],
    ['[12]', 12],
    ['-5', -5],
    [12, 12],
    [[12], 12],
  ])('%j is the id %i, or else the name of these digits', ([to, id]) => {
    expect(parseStreamRecipient(to)).toEqual({ kind: 'id', id, digits: String(id) });
  });

  test.for<unknown>([
    '[]',
    '["a","b"]',
    '[1,2]',
    '[["a"]]',
    '[null]',
    '[1.5]',
    [],
    ['a', 'b'],
    {},
    true,
    1.5,
    2 ** 60,
  ])('%j is refused', (to) => {
    expect(() => parseStreamRecipient(to)).toThrow(invalid);
  });
});

describe('the people whom a message goes to', () => {
  test.for<[unknown, readonly string[], readonly number[]]>([
    ['["a@x","b@x"]', ['a@x', 'b@x'], []],
    ['[" a@x ","","a@x"]', ['a@x'], []],
    ['[9,8,9]', [], [9, 8]],
    ['"a@x"', ['a@x'], []],
    ['"a@x, b@x"', ['a@x', 'b@x'], []],
    ['"8,9"', ['8', '9'], []],
    ['9', [], [9]],
    ['a@x', ['a@x'], []],
    ['a@x, b@x ,,', ['a@x', 'b@x'], []],
    ['8, 9', [], [8, 9]],
    ['8,a@x', ['a@x'], [8]],
    ['["5"]', ['5'], []],
    ['2.0', ['2.0'], []],
    ['true', ['true'], []],
    [9, [], [9]],
    [[8, 9], [], [8, 9]],
    [['a@x'], ['a@x'], []],
  ])('%j are %j and %j', ([to, emails, userIds]) => {
    expect(parsePrivateRecipients(to)).toEqual({ emails, userIds });
  });

  test.for<unknown>(['[]', '', ' ', ',', ' , ,', '""', '[""]', '[" "]', []])(
    '%j is nobody',
    (to) => {
      expect(() => parsePrivateRecipients(to)).toThrow(
        expect.objectContaining({ code: 'BAD_REQUEST' }),
      );
    },
  );

  test.for<unknown>(['[1,"a@x"]', '[1.5]', '[null]', '[["a@x"]]', '[{}]', {}, true, 1.5, [1, 'a']])(
    '%j is refused',
    (to) => {
      expect(() => parsePrivateRecipients(to)).toThrow(invalid);
    },
  );
});

describe('whatever is sent', () => {
  const asText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.stringMatching(/^[[\]"{},0-9.eE+\- a@]*$/),
  );
  const anything = fc.oneof(asText, fc.jsonValue());

  test('any value is a recipient, or is refused by an error that can be answered', () => {
    fc.assert(
      fc.property(
        anything,
        fc.constantFrom(parseStreamRecipient, parsePrivateRecipients),
        (to, parse) => {
          try {
            parse(to);
          } catch (error) {
            expect(error).toBeInstanceOf(ServiceError);
            expect(() => JSON.stringify((error as ServiceError).body)).not.toThrow();
          }
        },
      ),
      { numRuns: 5000 },
    );
  });

  test('a list of people means those whom it names, in every form in which clients write it', () => {
    const email = fc.stringMatching(/^[a-z]{1,5}@[a-z]{1,5}$/);
    fc.assert(
      fc.property(fc.uniqueArray(email, { minLength: 1, maxLength: 5 }), (emails) => {
        const expected = { emails, userIds: [] };
        const joined = emails.join(', ');
        for (const to of [JSON.stringify(emails), joined, JSON.stringify(joined), emails]) {
          expect(parsePrivateRecipients(to)).toEqual(expected);
        }
      }),
    );
    const id = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), (userIds) => {
        for (const to of [JSON.stringify(userIds), userIds.join(','), userIds]) {
          expect(parsePrivateRecipients(to)).toEqual({ emails: [], userIds });
        }
      }),
    );
  });

  test('a name, quoted or in a list, means the stream of that name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const expected = { kind: 'name', name: name.trim() };
        expect(parseStreamRecipient(JSON.stringify(name))).toEqual(expected);
        expect(parseStreamRecipient(JSON.stringify([name]))).toEqual(expected);
      }),
    );
  });
});
