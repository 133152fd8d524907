/** Every row of the tables, with the tests that prove it. */
import { decisions10 } from './decisions-10.ts';
import { decisions15 } from './decisions-15.ts';
import { decisions7 } from './decisions-7.ts';
import { decisions8 } from './decisions-8.ts';
import { own } from './own.ts';
import { section2 } from './section-2.ts';
import { section3 } from './section-3.ts';
import { section4 } from './section-4.ts';
import { sections6To8 } from './sections-6-to-8.ts';

export interface Row {
  /** The part of the key before its first colon: the table. */
  readonly table: string;
  readonly name: string;
  /** Those of the tests that prove it. */
  readonly ids: readonly string[];
}

function rowOf([key, ids]: readonly [string, readonly string[]]): Row {
  const colon = key.indexOf(': ');
  return { table: key.slice(0, colon), name: key.slice(colon + 2), ids };
}

export const rows: readonly Row[] = [
  ...section2,
  ...section3,
  ...section4,
  ...sections6To8,
  ...decisions7,
  ...decisions8,
  ...decisions10,
  ...decisions15,
  ...own,
].flatMap((group) => Object.entries(group).map(rowOf));
