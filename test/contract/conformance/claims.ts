/** The claims of docs/security.md: rows of a sentence and the tests that hold it. */
import { cellsIn } from './documents.ts';
import { problemOf } from './proofs.ts';
import type { Reference } from './rows/row.ts';

/** `title` in file, as docs/conformance.md writes it, with the group before the title where it takes one. */
const TEST = /^(`{1,2}) ?(?<title>.+?) ?\1 in (?<file>\S+)$/;

function problemOfTest(text: string): string | undefined {
  const { title = '', file = '' } = TEST.exec(text)?.groups ?? {};
  if (file === '') return `'${text}' names no test`;
  const plain = title.replaceAll('\\|', '|');
  const [group = '', ...rest] = plain.split(' > ');
  const references: Reference[] =
    rest.length === 0
      ? [[file, plain]]
      : [
          [file, plain],
          [file, rest.join(' > '), group],
        ];
  const problems = references.map(problemOf);
  return problems.includes(undefined) ? undefined : problems[0];
}

/** @param text  of one section */
export function problemsIn(text: string): readonly string[] {
  const prose = text.split('\n').filter((line) => line !== '' && !line.startsWith('|'));
  const claims = cellsIn(text).flatMap(([claim = '', tests = '']) =>
    tests === '' ? [`${claim} has no test`] : tests.split('<br>').map(problemOfTest),
  );
  return [...prose.map((line) => `'${line}' is no row of a table`), ...claims].filter(
    (problem) => problem !== undefined,
  );
}
