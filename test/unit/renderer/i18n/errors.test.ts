import { expect, test } from 'vitest';
import { causes } from '#shared/api/causes.ts';
import { refusal } from '#shared/api/refusal.ts';
import { errorTextFor } from '#renderer/i18n/errors.ts';

test.each([
  [refusal('stream_name_taken', { name: 'ops' }), /with this name already/],
  [refusal('common_password', { argument: 'password' }), /Choose another one/],
  [refusal('no_such_message'), /no longer there/],
  [refusal('one_line_too_long', { what: 'topic', limit: 60 }), /^A topic has at most 60 char/],
  [refusal('status_too_long', { limit: 60 }), /^Status text too long \(limit: 60 characters\)$/],
  [refusal('internal_error'), /Try again in a moment/],
])('%s is said as %s', ({ code, message, failureCause }, expected) => {
  const cause = failureCause === undefined ? {} : { cause: failureCause };
  expect(errorTextFor({ code, message, ...cause })).toMatch(expected);
});

test.each([
  ['WRONG_PASSWORD', 'Wrong password!', 'This is not your password.'],
  ['BAD_REQUEST', 'Invalid message(s)', 'Invalid message(s)'],
])('without a cause, %s (%s) is said as %s', (code, message, expected) => {
  expect(errorTextFor({ code, message })).toBe(expected);
});

test('a cause that only a later service knows is said as it says it', () => {
  const cause = { name: 'of_tomorrow', values: {} };
  expect(Object.values(causes).flatMap(Object.keys)).not.toContain(cause.name);
  expect(errorTextFor({ code: 'BAD_REQUEST', message: 'No.', cause })).toBe('No.');
});
