/** The claims of docs/security.md: rows of a sentence and the ids of the tests that hold it. */
import { cellsIn } from './documents.ts';
import { problemOf } from './proofs.ts';

const IDS = /^`[^`]+`(?:, `[^`]+`)*$/;

const idsOf = (tests: string): readonly string[] =>
  IDS.test(tests) ? tests.slice(1, -1).split('`, `') : [];

/** @param text  of one section */
export const idsIn = (text: string): readonly string[] =>
  cellsIn(text).flatMap(([, tests = '']) => idsOf(tests));

function problemsOf([claim = '', tests = '']: readonly string[]): readonly (string | undefined)[] {
  if (tests === '') return [`${claim} has no test`];
  const ids = idsOf(tests);
  return ids.length === 0 ? [`'${tests}' names no test`] : ids.map(problemOf);
}

/** @param text  of one section */
export function problemsIn(text: string): readonly string[] {
  const prose = text.split('\n').filter((line) => line !== '' && !line.startsWith('|'));
  return [
    ...prose.map((line) => `'${line}' is no row of a table`),
    ...cellsIn(text).flatMap(problemsOf),
  ].filter((problem) => problem !== undefined);
}
