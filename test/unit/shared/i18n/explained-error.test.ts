import { expect, test } from 'vitest';
import { refusal } from '#shared/api/refusal.ts';
import { failure } from '#shared/bridge/outcome.ts';
import { ExplainedError, toldOf, withCause, wordsFrom } from '#shared/i18n/explained-error.ts';

const words = wordsFrom({
  full: 'The disk is full.',
  unreadable: ({ file }: { file: string | number }): string => `The file ${file} cannot be read.`,
});

test('an error says why in words, and keeps the name and the values for whoever goes by them', () => {
  const told = words('unreadable', { file: 'a.json' });
  const cause = { name: 'unreadable', values: { file: 'a.json' } };
  expect(told).toEqual({ message: 'The file a.json cannot be read.', cause });
  const below = new Error('EIO');
  const error = new ExplainedError(told, { cause: below });
  expect([error.message, error.cause, error.failureCause]).toEqual([told.message, below, cause]);
  expect(toldOf(error)).toEqual(told);
  expect(words('full').cause).toEqual({ name: 'full', values: {} });
});

test('what a service refuses, what is a bug and what was said elsewhere is told as far as it is known', () => {
  const refused = refusal('no_such_emoji', { name: 'cat' });
  const cause = { name: 'no_such_emoji', values: { name: 'cat' } };
  expect(toldOf(refused)).toEqual({ message: refused.message, cause });
  expect(Object.keys(toldOf(new TypeError('x is undefined')))).toEqual(['message']);
  expect(toldOf('late')).toEqual({ message: 'late' });
  expect(Object.keys(withCause('Elsewhere.', undefined))).toEqual(['message']);
  expect(toldOf(new ExplainedError('Elsewhere.'))).toEqual({ message: 'Elsewhere.' });
});

test('a failure for a window has the code that is given, words, cause and argument', () => {
  const told = words('full');
  expect(failure('DISK_FULL', told)).toEqual({
    ok: false,
    failure: { code: 'DISK_FULL', ...told },
  });
  const before = { code: 'DISK_FULL', ...told };
  expect(failure('OTHER', before, 'file')).toEqual({
    ok: false,
    failure: { code: 'OTHER', ...told, argument: 'file' },
  });
  expect(failure('LATE', 'Later.')).toEqual({
    ok: false,
    failure: { code: 'LATE', message: 'Later.' },
  });
});
