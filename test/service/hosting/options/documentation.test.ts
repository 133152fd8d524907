/** docs/hosting/configuration.md says of each option what the table of options does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveTable, limitOptions, variableOf } from '#hosting/options/option-table.ts';
import type { Option } from '#node/command-line/option.ts';
import { projectDir } from '#test/support/machine.ts';

const page = readFileSync(join(projectDir, 'docs', 'hosting', 'configuration.md'), 'utf8');

/** Cells of the table below a heading, without those of its head. */
function rowsBelow(heading: string): readonly (readonly string[])[] {
  const [, below = ''] = page.split(`\n## ${heading}\n`);
  const [section = ''] = below.split('\n## ');
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
const types = { boolean: 'true or false', integer: 'number', string: 'text', strings: 'list' };
const dataDir = 'see [Data](README.md#data)';

test('every option stands in the documents with its variable, type, default and meaning', () => {
  const options = Object.entries<Option>(serveTable).filter(
    ([, { isHidden }]) => isHidden !== true,
  );
  expect(rowsBelow('Options')).toEqual(
    options.map(([name, { argument, isFor, type, initialText, summary }]) => [
      code(`--${name} ${argument}`.trimEnd()),
      isFor === 'command-line' ? '' : code(variableOf(name)),
      isFor === undefined ? types[type] : '',
      name === 'data-dir' ? dataDir : initialText,
      summary,
    ]),
  );
});

test('every limit stands in the documents with its range, default and meaning', () => {
  expect(rowsBelow('Limits')).toEqual(
    Object.entries(limitOptions).map(([key, { expected, initialText, summary }]) => [
      code(key.slice('limit.'.length)),
      expected.replace(/^a whole number from (\d+) to (\d+)$/, '$1 to $2'),
      initialText,
      summary,
    ]),
  );
});
