/** Which suites and files `npm test` runs. */
import { expect, test } from 'vitest';
import { choose } from '#scripts/suites.ts';

const chosenBy = (...args: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(choose(args).chosen.map(({ suite, filters }) => [suite.name, filters]));

const names = ['unit', 'service', 'process', 'ui', 'network', 'web', 'desktop'];

test('every suite runs where none is named, and what needs nothing but Node in the fast form', () => {
  expect(Object.keys(chosenBy())).toEqual(names);
  expect(Object.keys(chosenBy('--long'))).toEqual(names);
  expect(chosenBy('--fast')).toEqual({ unit: [], service: [] });
});

test('a suite runs whole, or the files that a filter behind it names', () => {
  expect(chosenBy('web', 'service')).toEqual({ service: [], web: [] });
  expect(chosenBy('service', '--', 'streams')).toEqual({ service: ['streams'] });
});

test('a word that is no suite names files, of whichever suites they are', () => {
  expect(chosenBy('torture', 'growth')).toEqual({ process: ['torture'], service: ['growth'] });
  expect(chosenBy('backup/torture.test.ts')).toEqual({ process: ['backup/torture.test.ts'] });
  expect(chosenBy('process', 'soak', 'service/fuzz.')).toEqual({
    service: ['service/fuzz.'],
    process: [],
  });
});

test('a word that names nothing is refused, beside others that do', () => {
  expect(() => choose(['service', 'everything'])).toThrow(
    /^no suite and no test file is called everything; the suites are unit, service/,
  );
});
