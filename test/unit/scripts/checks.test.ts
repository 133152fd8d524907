/** What `npm run check -- --changed` looks at. */
import { expect, test } from 'vitest';
import { allSteps, stepsFor } from '#scripts/checks.ts';

const namesFor = (files: readonly string[], deleted: readonly string[] = []): readonly string[] =>
  stepsFor({ files, deleted }).map(({ name }) => name);

test.each([
  [['src-main/service/http/call.ts'], ['lint', 'types src-main', 'types test', 'format']],
  [
    ['src-main/shared/api/errors.ts'],
    [
      ...['lint', 'types src-main', 'types src-main/shared', 'types src-main/client'],
      ...['types src-preload', 'types test', 'format'],
    ],
  ],
  [['src-renderer/views/people.svelte'], ['lint', 'svelte src-renderer', 'format']],
  [['test/ui/ui/list.test.ts'], ['lint', 'types test', 'svelte test/ui', 'format']],
  [['scripts/serve.js'], ['lint', 'types .', 'types test', 'format']],
  [['electron-builder.ts'], ['lint', 'types .', 'format']],
])('of %j it runs %j, and looks at the imports', (files, names) => {
  expect(namesFor(files)).toEqual([...names, 'imports']);
});

test('of a document only the format is looked at', () => {
  expect(stepsFor({ files: ['docs/a page.md'], deleted: [] })).toEqual([
    {
      name: 'format',
      command: 'prettier --check --ignore-unknown --log-level warn "docs/a page.md"',
    },
  ]);
});

test('a file that was deleted is no longer read, but what may have needed it is', () => {
  expect(namesFor([], ['src-main/client/gone.ts'])).toEqual([
    'types src-main',
    'types src-main/client',
    'types test',
    'imports',
  ]);
});

test('nothing runs where nothing changed, or only what is wrong on purpose', () => {
  expect(namesFor([])).toEqual([]);
  expect(namesFor(['test/canary/wrong-type.ts'])).toEqual([]);
});

test('everything runs where a tool is told something else, or a hundred files changed', () => {
  for (const file of ['src-main/tsconfig.json', 'package-lock.json', 'test/layers.cjs']) {
    expect(stepsFor({ files: [file], deleted: [] }), file).toBe(allSteps);
  }
  const many = Array.from({ length: 101 }, (_, index) => `docs/${String(index)}.md`);
  expect(stepsFor({ files: many, deleted: [] })).toBe(allSteps);
});
