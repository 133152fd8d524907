import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, readCsv } from '#cli/people/csv.ts';
import { readPeopleFile } from '#cli/people/people-file.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const cellsOf = (text: string): readonly (readonly string[])[] =>
  readCsv(bytes(text)).map(({ cells }) => cells);

test('what is written with quotes is read as it was, whatever the separator and the ends of lines', () => {
  const cell = fc.string({
    unit: fc.constantFrom('a', 'é', '"', ',', ';', '\t', '\n', '\r\n', ' '),
  });
  const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 });
  const ends = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom(',', ';', '\t'),
      ends,
      fc.boolean(),
      (written, sign, end, isLast) => {
        const quoted = (each: string): string => `"${each.replaceAll('"', '""')}"`;
        const head = ['x', 'y', 'z', 'w'].join(sign);
        const lines = [head, ...written.map((row) => row.map(quoted).join(sign))];
        const text = lines.join(end) + (isLast ? end : '');
        const kept = written.filter((row) => row.some((each) => each.trim() !== ''));
        expect(cellsOf(text)).toEqual([['x', 'y', 'z', 'w'], ...kept]);
      },
    ),
  );
});

test.each([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    '\uFEFFa;b\r\n1;2,5\r\n',
    [
      ['a', 'b'],
      ['1', '2,5'],
    ],
  ],
  [
    'a\tb\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,\n,2\n,\n\n',
    [
      ['a', 'b'],
      ['1', ''],
      ['', '2'],
    ],
  ],
  [
    'a,b\n"1 ""x""",2',
    [
      ['a', 'b'],
      ['1 "x"', '2'],
    ],
  ],
  [
    'a,b\n1"x,2',
    [
      ['a', 'b'],
      ['1"x', '2'],
    ],
  ],
  [
    '"a;b;c",d\n1,2',
    [
      ['a;b;c', 'd'],
      ['1', '2'],
    ],
  ],
  ['a', [['a']]],
  ['', []],
])('%j is read', (text, cells) => {
  expect(cellsOf(text)).toEqual(cells);
});

test('a record has the line in which it begins', () => {
  const records = readCsv(bytes('a,b\n"1\n2",3\r\n\r\n4,5'));
  expect(records.map(({ line }) => line)).toEqual([1, 2, 5]);
});

test.each([
  [bytes('a,b\n"1,2'), /^line 2: a quote is not closed/],
  [bytes('a,b\n"1"x,2'), /^line 2: something stands behind a closed quote/],
  [new Uint8Array([0xff, 0xfe, 0x61, 0]), /UTF-16: save it as CSV in UTF-8/],
  [new Uint8Array([0xfe, 0xff, 0, 0x61]), /UTF-16/],
  [new Uint8Array(Buffer.from('email,name', 'utf16le')), /UTF-16/],
  [new Uint8Array([0x61, 0xe9, 0x62]), /not UTF-8: save it as CSV in UTF-8/],
])('%j is refused with a sentence', (file, message) => {
  expect(() => readCsv(file)).toThrow(message);
});

test('what is printed stays one line of cells, and no formula', () => {
  expect(csvLine(['a', 'b,"c"', '=1+1', 'd\ne'])).toBe(`a,"b,""c""",'=1+1,"d\ne"`);
});

const none = { role: 'member', streams: null } as const;
const read = (text: string) => readPeopleFile(bytes(text), none);

test('people are read by the columns of the first line', () => {
  const text = `Name;E-Mail;Role;Streams
Ben;ben@example.com;;
"Zoë; the first";zoe@example.com;Guest;"ops, design"
Ada;ada@example.com;Administrator;a,b|c
`;
  expect(read(text)).toEqual({
    bad: [],
    people: [
      { line: 2, person: { email: 'ben@example.com', fullName: 'Ben', ...none } },
      {
        line: 3,
        person: {
          ...{ email: 'zoe@example.com', fullName: 'Zoë; the first', role: 'guest' },
          streams: ['ops', 'design'],
        },
      },
      {
        line: 4,
        person: {
          ...{ email: 'ada@example.com', fullName: 'Ada', role: 'admin', streams: ['a,b', 'c'] },
        },
      },
    ],
  });
});

test.each([
  ['', /there is no column email/],
  ['email\nx', /there is no column name/],
  [
    'email,name,rol\n',
    /the column 'rol' is none of email, name, role, streams: did you mean role\?/,
  ],
  ['email,name,email\n', /the column email is there twice/],
])('%j is no file of people', (text, message) => {
  expect(() => read(text)).toThrow(message);
});

test('a bad line is named by its number', () => {
  expect(read('email,name,role\na@b.c,Ann,boss\nd@e.f,Doe, Jane,guest\n').bad).toEqual([
    { line: 2, reason: "the role 'boss' is none of administrator, member, guest" },
    { line: 3, reason: expect.stringMatching(/4 cells, and 3 columns/) as string },
  ]);
});
