/**
 * Where a host or an e-mail address begins and ends although no blank says so, as in `请访问https://example.com吧`: no root mixes Latin letters
 * with those of another script, and none of these stand before a bare address (API decisions 6.4).
 */
import { lazy } from '#shared/text/lazy.ts';

/** What a link-finder sees in place of the letter beside an address. */
const SEPARATOR = '\uff5c';
/** What may be an address with its path; punctuation that is not ASCII ends a path. */
const SEGMENT = /[\x21-\x7e[\P{ASCII}--[\s\p{P}\p{Cc}]]]+/gv;
/** A host with the first sign of a path: behind it, letters of all scripts belong to the address. */
const WITH_PATH = /(?:\/\/|\.)[^./?#]+[/?#]/;
const RUN = /[\w.\-\P{ASCII}]+/gv;
const FOREIGN = String.raw`[\P{ASCII}--[\p{sc=Latn}\p{sc=Zinh}]]`;
const beforeHost = lazy(() => new RegExp(`${FOREIGN}(?=[a-z0-9])`, 'giv'));
const latinLabel = lazy(() => new RegExp(`^[a-z0-9\\-]+(?=${FOREIGN})`, 'iv'));
const leadingPort = lazy(() => new RegExp(`^\\d{1,5}(?=${FOREIGN})`, 'v'));

type IsRoot = (label: string) => boolean;

/** Where a bare address may begin: behind the last letter of another script. */
function* beginningIn(label: string, from: number): Generator<number> {
  const last = [...label.slice(from).matchAll(beforeHost())].at(-1);
  if (last !== undefined) yield from + last.index;
}

/** @param isHost  whether the run can only be one, behind `//` or `@` */
function* endsInRun(run: string, isHost: boolean, isRoot: IsRoot): Generator<number> {
  const labels = run.split('.');
  let at = 0;
  /** Of the host that is being read. */
  let count = isHost ? 1 : 0;
  for (const [index, label] of labels.entries()) {
    const isLast = (labels[index + 1] ?? '') === '';
    const latin = count === 0 ? undefined : latinLabel().exec(label)?.[0];
    let ends: Generator<number> | readonly number[] = [];
    if (latin !== undefined && (isLast || (count > 1 && isRoot(latin)))) {
      ends = [latin.length, ...beginningIn(label, latin.length + 1)];
      count = 0;
    } else if (count === 0) ends = beginningIn(label, 0);
    for (const end of ends) yield at + end;
    count++;
    at += label.length + 1;
  }
}

/** Positions of the letters beside hosts and addresses, in order. */
export function* hostEnds(text: string, isRoot: IsRoot): Generator<number> {
  if (!/\P{ASCII}/u.test(text)) return;
  for (const { 0: segment, index } of text.matchAll(SEGMENT)) {
    const path = WITH_PATH.exec(segment);
    const head = path === null ? segment : segment.slice(0, path.index + path[0].length);
    for (const run of head.matchAll(RUN)) {
      const before = head.slice(Math.max(0, run.index - 2), run.index);
      const start = index + run.index;
      const port = before.endsWith(':') ? leadingPort().exec(run[0])?.[0] : undefined;
      if (before.endsWith(']')) yield start;
      else if (port !== undefined) yield start + port.length;
      else for (const end of endsInRun(run[0], /\/\/$|@$/.test(before), isRoot)) yield start + end;
    }
  }
}

/** The text, of the same length, with separators where a host or an address begins or ends without a blank. */
export function separateHosts(text: string, isRoot: IsRoot): string {
  let separated = '';
  let done = 0;
  for (const end of hostEnds(text, isRoot)) {
    const { length } = String.fromCodePoint(text.codePointAt(end) ?? 0);
    separated += text.slice(done, end) + SEPARATOR.repeat(length);
    done = end + length;
  }
  return separated + text.slice(done);
}
