import { expect, test } from 'vitest';
import { causes } from '#shared/api/causes.ts';
import { ServiceError } from '#shared/api/errors.ts';
import { explanations } from '#shared/i18n/en/explanations.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import {
  checkDescription,
  checkFullName,
  checkKnownEmail,
  checkPassword,
  checkRealmName,
  checkStreamName,
} from '#service/core/rules/names.ts';
import { checkHostRequest, checkNewPerson, checkNewStream } from '#client/session/form-checks.ts';

const person = { fullName: 'Ada', email: 'ada@example.com', password: 'correct horse' };
const host = { ...person, realmName: 'Office' };
const stream = { name: 'ops', description: '', isPrivate: false, userIds: [] };

/** The form with one of its fields as it was typed. */
const forms: Readonly<Record<string, (typed: string) => Outcome<null>>> = {
  fullName: (fullName) => checkNewPerson({ ...person, fullName }),
  email: (email) => checkNewPerson({ ...person, email }),
  password: (password) => checkNewPerson({ ...person, password }),
  realmName: (realmName) => checkHostRequest({ ...host, realmName }),
  name: (name) => checkNewStream({ ...stream, name }),
  description: (description) => checkNewStream({ ...stream, description }),
};

function refused(check: (typed: string) => unknown, typed: string): unknown {
  try {
    check(typed);
  } catch (error) {
    if (error instanceof ServiceError) return error.failureCause;
    throw error;
  }
  return undefined;
}

test.each([
  ['fullName', ' x ', checkFullName],
  ['fullName', 'x'.repeat(101), checkFullName],
  ['fullName', 'Ada @ home', checkFullName],
  ['email', ' ada@ ', checkKnownEmail],
  ['password', '1234567', checkPassword],
  ['realmName', ' ', checkRealmName],
  ['realmName', 'x'.repeat(61), checkRealmName],
  ['name', ' ', checkStreamName],
  ['name', '😀'.repeat(61), checkStreamName],
  ['description', 'x'.repeat(1025), checkDescription],
])('a form refuses %s %j for the cause for which the service would', (field, typed, check) => {
  const cause = refused(check, typed);
  expect(cause).toMatchObject({ name: expect.any(String) });
  expect(forms[field]?.(typed)).toMatchObject({ failure: { argument: field, cause } });
});

test.each([
  ['fullName', 'Al', checkFullName],
  ['realmName', '😀'.repeat(60), checkRealmName],
  ['name', ' x ', checkStreamName],
  ['description', 'x'.repeat(1024), checkDescription],
])('a form takes %s %j, as the service does', (field, typed, check) => {
  expect(refused(check, typed)).toBe(undefined);
  expect(forms[field]?.(typed)).toEqual({ ok: true, value: null });
});

test('every explanation is of a cause', () => {
  const names = Object.values(causes).flatMap(Object.keys);
  expect(names).toEqual(expect.arrayContaining(Object.keys(explanations)));
});
