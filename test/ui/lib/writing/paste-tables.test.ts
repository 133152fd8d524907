import fc from 'fast-check';
import { expect, test } from 'vitest';
import { markdownOf } from '#renderer/lib/writing/paste.ts';

const table = (...rows: readonly string[]): string =>
  `<table>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`;
const cells = (text: string): string =>
  text
    .split(' ')
    .map((cell) => `<td>${cell}</td>`)
    .join('');

test.each([
  [
    'a first row that is merged',
    table('<th colspan="3">Plan</th>', cells('a b c'), cells('d e f')),
    ['| Plan |  |  |', '| --- | --- | --- |', '| a | b | c |', '| d | e | f |'],
  ],
  [
    'a first row that is shorter',
    table('<th>Plan</th>', cells('a b c')),
    ['| Plan |  |  |', '| --- | --- | --- |', '| a | b | c |'],
  ],
  [
    'a later row that is shorter',
    table(cells('a b c'), cells('d')),
    ['| a | b | c |', '| --- | --- | --- |', '| d |  |  |'],
  ],
  [
    'merged rows',
    table(cells('a b c'), `<td rowspan="2">d</td>${cells('e f')}`, cells('g h'), cells('i j k')),
    ['| a | b | c |', '| --- | --- | --- |', '| d | e | f |', '|  | g | h |', '| i | j | k |'],
  ],
  [
    'a cell that is merged both ways',
    table(`<td rowspan="2" colspan="2">a</td>${cells('b')}`, cells('c'), cells('d e f')),
    ['| a |  | b |', '| --- | --- | --- |', '|  |  | c |', '| d | e | f |'],
  ],
  [
    'rows that are merged to the end, and further than there are any',
    table(`<td rowspan="0">a</td><td rowspan="9">b</td>${cells('c')}`, cells('d')),
    ['| a | b | c |', '| --- | --- | --- |', '|  |  | d |'],
  ],
  [
    'columns that nothing but a merged cell is in',
    table('<td colspan="1000">a</td>', cells('b c')),
    ['| a |  |', '| --- | --- |', '| b | c |'],
  ],
  [
    'sections, a caption, and rows without cells',
    `<table><caption>Title</caption><tbody><tr></tr><tr><td rowspan="2">a</td><td>b</td></tr><tr></tr><tr><td>c</td></tr></tbody><thead><tr><th align="right">x</th><th style="text-align: center">y</th></tr></thead></table>`,
    ['Title', '', '| x | y |', '| --: | :-: |', '| a | b |', '| c |  |'],
  ],
  [
    'a table in a cell',
    table(`<td>a</td><td>${table(cells('b c'), cells('d e'))}</td>`, cells('f g')),
    ['| a | b c d e |', '| --- | --- |', '| f | g |'],
  ],
  ['a single cell', table('<td><b>a</b> | b</td>'), ['**a** | b']],
  ['no cell', 'a<table></table>b', ['ab']],
])('%s is pasted without losing or shifting a cell', async (_, html, lines) => {
  expect((await markdownOf(html)).split('\n')).toEqual(lines);
});

test('every cell is pasted once, in order, into rows of equal length', async () => {
  const span = fc.integer({ min: 1, max: 4 });
  const row = fc.array(fc.tuple(span, span), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 5 }), async (rows) => {
      let count = 0;
      const html = rows.map((row) =>
        row
          .map(
            ([x, y]) =>
              `<td colspan="${String(x)}" rowspan="${String(y)}">n${String(count++)}</td>`,
          )
          .join(''),
      );
      const markdown = await markdownOf(table(...html));
      expect(markdown.match(/n\d+/g) ?? []).toEqual(
        Array.from({ length: count }, (_, n) => `n${String(n)}`),
      );
      if (count < 2) return;
      const lines = markdown.split('\n');
      expect(lines).toHaveLength(rows.filter((row) => row.length > 0).length + 1);
      expect(new Set(lines.map((line) => line.split('|').length)).size).toBe(1);
    }),
  );
});
