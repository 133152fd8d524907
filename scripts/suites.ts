/** The suites of `npm test`, and what somebody who names some of them, or files, wants to run. */
import { globSync } from 'node:fs';
import {
  chromiumReason,
  desktopReason,
  launchReason,
  networkLeftOut,
  networkReason,
  payloadsReason,
} from '#test/support/machine.ts';
import { proxiesReason } from '#test/support/proxies.ts';
import { projectDir } from './project-dir.ts';

/** About as long as each other: what works on all cores, what drives pages, and what drives a desktop. */
type Lane = 'work' | 'pages' | 'desktop';

export interface Suite {
  /** That of the project in test/vitest.config.ts. */
  readonly name: string;
  /** Why this machine cannot run it. */
  readonly reason: string | undefined;
  /** Which part of it this machine cannot run, and why. */
  readonly leftOut?: string | undefined;
  /** What is no part of the project and not there: nobody's run fails for it. */
  readonly without?: string | undefined;
  /** Suites of one lane run one after the other, lanes beside each other. */
  readonly lane: Lane;
  /**
   * What drives one page or a desktop waits more than it works, and goes one step after the other: it is served first, and
   * the rest of the processor is for what works on all cores.
   */
  readonly isPatient?: boolean;
  /** It runs what `npm run build` makes. */
  readonly needsBuild?: boolean;
  /** It is left out without harm where the system does not let it run. */
  readonly isOptional?: boolean;
}

export const suites: readonly Suite[] = [
  { name: 'unit', reason: undefined, lane: 'work', isPatient: true },
  {
    name: 'service',
    reason: undefined,
    without: payloadsReason,
    lane: 'work',
    isPatient: true,
  },
  {
    name: 'process',
    reason: undefined,
    leftOut: launchReason,
    without: process.argv.includes('--long') ? proxiesReason : undefined,
    lane: 'work',
    needsBuild: true,
    isPatient: true,
  },
  {
    name: 'ui',
    reason: chromiumReason,
    lane: 'pages',
    isPatient: true,
  },
  {
    name: 'network',
    reason: networkReason,
    leftOut: networkLeftOut,
    lane: 'pages',
    needsBuild: true,
    isOptional: true,
  },
  { name: 'web', reason: chromiumReason, lane: 'pages', needsBuild: true },
  { name: 'desktop', reason: desktopReason, lane: 'desktop', needsBuild: true },
];

export const isOptional = (name: string): boolean =>
  suites.some((suite) => suite.name === name && suite.isOptional === true);

/** The suites that have a test file whose path contains the text. */
function suitesWith(text: string): readonly string[] {
  return suites.flatMap(({ name }) => {
    const files = globSync(`test/${name}/**/*.test.ts`, { cwd: projectDir });
    return files.some((file) => file.replaceAll('\\', '/').includes(text)) ? [name] : [];
  });
}

/** Of a suite, the files whose path contains one of the filters; all of them where there is none. */
export interface Chosen {
  readonly suite: Suite;
  readonly filters: readonly string[];
}

export interface Choice {
  /** Of the service, only what has changed. */
  readonly isFast: boolean;
  readonly isWatching: boolean;
  readonly isLong: boolean;
  readonly chosen: readonly Chosen[];
}

const switches: readonly string[] = ['--watch', '--long', '--fast'];
const fast: readonly string[] = ['unit', 'service'];

export function choose(args: readonly string[]): Choice {
  const split = args.includes('--') ? args.indexOf('--') : args.length;
  const named = args.slice(0, split);
  const isFast = named.includes('--fast');
  return {
    isFast,
    isWatching: named.includes('--watch'),
    isLong: named.includes('--long'),
    chosen: chosenBy(
      named.filter((word) => !switches.includes(word)),
      args.slice(split + 1),
      isFast ? fast : suites.map(({ name }) => name),
    ),
  };
}

/**
 * @param words  names of suites, and parts of the paths of files
 * @param filters  of what a suite that is named runs
 * @param usual  the suites that run where no word names any
 */
function chosenBy(
  words: readonly string[],
  filters: readonly string[],
  usual: readonly string[],
): readonly Chosen[] {
  const whole = words.filter((word) => suites.some(({ name }) => name === word));
  const parts = words.filter((word) => !whole.includes(word));
  const places = parts.map((part) => ({ part, names: suitesWith(part) }));
  const unknown = places.filter(({ names }) => names.length === 0).map(({ part }) => part);
  if (unknown.length > 0) {
    const known = suites.map(({ name }) => name).join(', ');
    throw new Error(
      `no suite and no test file is called ${unknown.join(', ')}; the suites are ${known}`,
    );
  }
  return suites.flatMap((suite) => {
    if (words.length === 0 ? usual.includes(suite.name) : whole.includes(suite.name)) {
      return [{ suite, filters }];
    }
    const own = places.filter(({ names }) => names.includes(suite.name)).map(({ part }) => part);
    return own.length > 0 ? [{ suite, filters: own }] : [];
  });
}
