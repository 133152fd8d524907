import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** Which figures; none for all of them. */
  readonly names: readonly string[];
  /** Rows of the store that the history pages are read from. */
  readonly messages: number;
  readonly isQuick: boolean;
  readonly isJson: boolean;
}

export type BenchRequest =
  | { readonly kind: 'run'; readonly options: BenchOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string };

const DEFAULT_MESSAGES = 100_000;
/** Enough for the largest page, because a stream gets a twentieth of all messages. */
const MIN_MESSAGES = 25_000;
const MAX_MESSAGES = 1_000_000;

export const usage = (
  names: readonly string[],
): string => `Usage: npm run bench -- [options] [figure ...]

Measures the service, and the desktop application where it can run, beside references on the same
machine and prints figures as ratios to them.
Figures: ${names.join(', ')}; all of them but scale where none is named.

  --messages N   messages in the large stores, ${String(MIN_MESSAGES)} to ${String(MAX_MESSAGES)}
                 (default: ${String(DEFAULT_MESSAGES)})
  --quick        short windows and few rounds: shows that everything runs, the figures are rough; of
                 scale, 10,000 and 100,000 messages in place of up to 1,000,000
  --json         print the result as JSON and nothing else
  --help         print this and end
`;

const known = {
  messages: { type: 'string' },
  quick: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const mistake = (message: string): BenchRequest => ({ kind: 'mistake', message });

/**
 * @param args   what follows the program on the command line
 * @param names  the figures that there are
 */
export function readBenchRequest(args: readonly string[], names: readonly string[]): BenchRequest {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: known,
      strict: true,
      allowPositionals: true,
    });
    const unknown = positionals.find((name) => !names.includes(name));
    if (unknown !== undefined) return mistake(`there is no figure '${unknown}'`);
    if (values.help === true) return { kind: 'help' };
    const text = values.messages ?? String(DEFAULT_MESSAGES);
    const messages = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
    if (!(messages >= MIN_MESSAGES && messages <= MAX_MESSAGES)) {
      const wanted = `a whole number from ${String(MIN_MESSAGES)} to ${String(MAX_MESSAGES)}`;
      return mistake(`--messages needs ${wanted}, not '${text}'`);
    }
    const { quick: isQuick = false, json: isJson = false } = values;
    return { kind: 'run', options: { names: positionals, messages, isQuick, isJson } };
  } catch (error) {
    return mistake(error instanceof Error ? error.message : String(error));
  }
}
