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
  [
    'sep=;\r\na;b\r\n1,2;3',
    [
      ['a', 'b'],
      ['1,2', '3'],
    ],
  ],
  [
    'a, b\n1, "2,3" , ""\n',
    [
      ['a', ' b'],
      ['1', '2,3', ''],
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

const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));

test.each([
  [bytes('a,b\n"1,2'), 'line 2, column a: a quote is not closed'],
  [bytes('a,b\n"1\n2","3"x'), 'line 3, column b: something stands behind a closed quote'],
  [bytes('"a'), 'line 1, column 1: a quote is not closed'],
  [new Uint8Array([0xff, 0xfe, 0x61, 0]), 'line 1: it is UTF-16: save it as CSV in UTF-8'],
  [new Uint8Array([0xfe, 0xff, 0, 0x61]), 'line 1: it is UTF-16: save it as CSV in UTF-8'],
  [new Uint8Array(Buffer.from('a,b', 'utf16le')), 'line 1: it is UTF-16: save it as CSV in UTF-8'],
  [latin1('a;b\r\n1;"x\n\xe9"\r\n'), 'line 2, column b: it is not UTF-8: save it as CSV in UTF-8'],
  [latin1('a;b\n\n1;2\n3;4;\xe9\n'), 'line 4, column 3: it is not UTF-8: save it as CSV in UTF-8'],
  [latin1('na\xefve'), 'line 1, column 1: it is not UTF-8: save it as CSV in UTF-8'],
])('%j is refused with its place', (file, message) => {
  expect(() => readCsv(file)).toThrow(expect.objectContaining({ message }) as Error);
});

test('what is printed stays one line of cells, and no formula', () => {
  expect(csvLine(['a', 'b,"c"', '=1+1', 'd\ne'])).toBe(`a,"b,""c""",'=1+1,"d\ne"`);
  expect(csvLine([' =1+1', '\uff1d1+1', '\n=1'])).toBe(`' =1+1,'\uff1d1+1,"'\n=1"`);
});

const none = { role: 'member', streams: null } as const;
const read = (text: string) => readPeopleFile(bytes(text), none);

test('people are read by the columns of the first line', () => {
  const text = `Name;E-Mail;Role;Streams;
Ben;ben@example.com;;;;
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
  ['', 'line 1: there is no column email'],
  ['\n\nemail\nx', 'line 3: there is no column name'],
  [
    'email,name,rol\n',
    "line 1, column 3: 'rol' is none of email, name, role, streams: did you mean role?",
  ],
  ['email,name,E-Mail\n', 'line 1, column email: it is there twice'],
])('%j is no file of people', (text, message) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ message }) as Error);
});

test('a bad line is named by its number and its column', () => {
  expect(read('email,name,role\na@b.c,Ann,boss\nd@e.f,Doe, Jane,guest\n').bad).toEqual([
    { line: 2, column: 'role', reason: "'boss' is none of administrator, member, guest" },
    {
      ...{ line: 3, column: null },
      reason: 'cell 4 stands in no column: put one with a separator in it into quotes',
    },
  ]);
});
