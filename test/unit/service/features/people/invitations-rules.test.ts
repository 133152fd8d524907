import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#shared/api/errors.ts';
import {
  expiryOf,
  failureOf,
  numberOf,
  readInvitees,
  roleOf,
} from '#service/features/people/rules/invitations.ts';
import { expectLinear } from '#test/support/growth.ts';

const addressesOf = (text: string): readonly string[] =>
  readInvitees(text).map(({ email }) => email);

describe('the addresses of a text', () => {
  test.each([
    ['a@b.org', ['a@b.org']],
    ['a@b.org,c@d.org', ['a@b.org', 'c@d.org']],
    ['a@b.org\r\nc@d.org\n', ['a@b.org', 'c@d.org']],
    [' Ana Ruiz <a@b.org> , <c@d.org>', ['a@b.org', 'c@d.org']],
    ['a@b.org, A@B.org', ['A@B.org']],
  ])('%j', (text, expected) => {
    expect(addressesOf(text)).toEqual(expected);
  });

  test.each(['', ' ', ',', '\n,\n'])('%j names nobody', (text) => {
    expect(() => readInvitees(text)).toThrow('at least one');
  });

  test('each that is none is named', () => {
    const error = ((): unknown => {
      try {
        return readInvitees('a@b.org, b, c@');
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(ServiceError);
    expect((error as ServiceError).body).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [
        ['b', 'Invalid address.', false],
        ['c@', 'Invalid address.', false],
      ],
      sent_invitations: false,
    });
  });

  test.each([',', 'a,', 'a@b.org,', ' <', '<> ', '<a', '@'])(
    'many of %j take time in proportion to their length',
    async (unit) => {
      const make = (size: number): string => unit.repeat(size / unit.length);
      const run = (text: string): unknown => {
        try {
          return readInvitees(text);
        } catch (error) {
          return error;
        }
      };
      await expectLinear({ make, run, size: 65_536 });
    },
  );

  test('more than a thousand are refused before any is looked at', () => {
    expect(() => readInvitees('x,'.repeat(1000))).toThrow('at most 1000 addresses');
    expect(readInvitees('a@b.org,'.repeat(999))).toHaveLength(1);
  });

  test('whatever is written is read or refused', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(readInvitees(text).length).toBeGreaterThan(0);
        } catch (error) {
          expect(error).toBeInstanceOf(ServiceError);
        }
      }),
    );
  });
});

test('roles have the numbers that clients use', () => {
  expect(([1, 2, 3] as const).map(roleOf)).toEqual(['member', 'admin', 'guest']);
  expect(([1, 2, 3] as const).map((number) => numberOf(roleOf(number)))).toEqual([1, 2, 3]);
});

test('a failure tells whether anybody was invited', () => {
  const uninvited = [{ email: 'a@b.org', why: 'deactivated' }] as const;
  expect(failureOf([], 1)).toBeUndefined();
  expect(failureOf(uninvited, 1)).toMatchObject({ data: { sent_invitations: false } });
  expect(failureOf(uninvited, 2)).toMatchObject({
    data: { sent_invitations: true, errors: [['a@b.org', expect.any(String), true]] },
  });
});

test('links end after ten days, and those for many when they are to', () => {
  expect(expiryOf(1_000_000)).toBe(1_000_000 + 864_000);
  expect(expiryOf(1_000_000, 1)).toBe(1_000_000 + 86_400);
});
