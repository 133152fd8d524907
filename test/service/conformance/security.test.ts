/** Every claim of docs/security.md has a test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '#test/support/machine.ts';
import { headingsIn } from './documents.ts';
import { problemsIn } from './claims.ts';

const page = readFileSync(join(projectDir, 'docs', 'security.md'), 'utf8');
/** What is not protected needs no proof. */
const sections = headingsIn(page).filter(
  ({ title }) => !['Security', 'What Hearth does not protect'].includes(title),
);

test('docs/security.md has the sections that are checked', () => {
  expect(sections.length).toBeGreaterThan(5);
});

test.each(sections)('every claim about "$title" is held by tests that exist', ({ text }) => {
  expect(problemsIn(text)).toEqual([]);
});

const table = (...rows: readonly string[]): string =>
  ['', '| Claim | Test |', '| --- | --- |', ...rows, ''].join('\n');
const own = '`queues.deleted-once`';

test.each([
  ['its test', table(`| Cats purr. | ${own} |`), []],
  ['two tests', table(`| Cats purr. | ${own}, ${own} |`), []],
  ['no test', table('| Cats purr. | |'), ['Cats purr. has no test']],
  ['no cell for one', table('| Cats purr. |'), ['Cats purr. has no test']],
  ['words for a test', table('| Cats purr. | trust us |'), ["'trust us' names no test"]],
  ['words beside one', table(`| Cats purr. | ${own} and us |`), [`'${own} and us' names no test`]],
  [
    'a test that is not there',
    table('| Cats purr. | `cats.purr` |'),
    ['no test that runs carries [cats.purr]'],
  ],
  ['no table around it', 'Cats purr.', ["'Cats purr.' is no row of a table"]],
])('a claim is found wanting where it has %s', (_, text, problems) => {
  expect(problemsIn(text)).toEqual(problems);
});
