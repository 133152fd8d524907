import { expect, test } from 'vitest';
import { errorTextFor } from '#renderer/i18n/errors.ts';

test.each([
  ['WRONG_PASSWORD', 'Wrong password!', 'settings.update', 'This is not your password.'],
  [
    'REQUEST_VARIABLE_INVALID',
    "Bad value for 'password': expected a password that is not among the commonest",
    'hostOrganization',
    /Choose another one/,
  ],
  ['BAD_REQUEST', 'Invalid message(s)', 'lifecycle.edit', /no longer there/],
  ['BAD_REQUEST', 'Stream already has that name', 'streamAdmin.update', /with this name already/],
  ['BAD_REQUEST', 'Stream already has that name', 'emoji.add', 'Stream already has that name'],
  ['INTERNAL_ERROR', 'Internal server error', 'streams.members', /Try again in a moment/],
  ['BAD_REQUEST', 'Full name must have 2 to 100 characters', 'settings.update', /^Full name must/],
])('%s (%s) of %s is said as %s', (code, message, place, expected) => {
  expect(errorTextFor({ code, message }, place)).toMatch(expected);
});
