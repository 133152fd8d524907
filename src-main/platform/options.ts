import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  defaultLimits,
  limitNames,
  limitOption,
  type LimitName,
  type Limits,
  limitTable,
  withoutRates,
} from '../contract/limits.ts';
import { defaultDataDir } from './paths.ts';

export interface ServeOptions {
  readonly dataDir: string;
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly isDevelopment: boolean;
  readonly queueIdleSeconds: number;
  readonly heartbeatSeconds: number;
  readonly longpollSeconds: number;
  readonly limits: Limits;
  /** Whether outgoing webhooks may go to addresses that are not on the public internet. */
  readonly allowPrivateAddresses: boolean;
}

export type ServeRequest =
  | { readonly kind: 'run'; readonly options: ServeOptions }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly message: string };

const DEFAULT_PORT = 9981;
const MAX_SECONDS = 86_400;

export const defaultTimes = {
  queueIdleSeconds: 600,
  heartbeatSeconds: 50,
  longpollSeconds: 55,
} as const;

const known = {
  'data-dir': { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'insecure-http': { type: 'boolean' },
  limit: { type: 'string' },
  'no-rate-limits': { type: 'boolean' },
  'allow-private-webhooks': { type: 'boolean' },
  dev: { type: 'boolean' },
  help: { type: 'boolean' },
  'queue-idle-seconds': { type: 'string' },
  'heartbeat-seconds': { type: 'string' },
  'longpoll-seconds': { type: 'string' },
} as const;

type Name = keyof typeof known;
type Values = Readonly<Partial<Record<Name, string | true>>>;

interface Written {
  readonly values: Values;
  /** Every `--limit`, in order. */
  readonly limits: readonly string[];
}

const developmentOnly = ['queue-idle-seconds', 'heartbeat-seconds', 'longpoll-seconds'] as const;

/** An option that cannot be followed; its message names the option. */
class Mistake extends Error {}

const limitLines = limitNames.map((name) => {
  const { value, unit, summary } = limitTable[name];
  return `  ${limitOption(name).padEnd(24)} ${String(value)} ${unit} ${summary}`;
});

const usage = (dataDir: string): string => `Usage: npm run serve -- [options]

Serves Hearth to browsers and to clients of its API. Prints one line
"serving http://HOST:PORT" when it accepts requests; Ctrl+C ends it cleanly.

  --data-dir DIR           where everything is kept
                           (default: ${dataDir})
  --host HOST              address to listen on (default: 127.0.0.1)
  --port PORT              port to listen on; 0 picks a free one (default: ${DEFAULT_PORT})
  --insecure-http          allow an address that other machines can reach, without encryption
  --limit NAME=VALUE       allow more or less of something; may be given several times (see below)
  --no-rate-limits         let everybody call as often as they like; wrong passwords and keys stay limited
  --allow-private-webhooks let outgoing webhook bots reach addresses inside this network
  --dev                    development server: example accounts, sign-in without a password
  --help                   print this and end

Only with --dev:
  --queue-idle-seconds N   forget an event queue that was not fetched for N seconds (default: ${defaultTimes.queueIdleSeconds})
  --heartbeat-seconds N    answer a waiting fetch with a heartbeat after N seconds (default: ${defaultTimes.heartbeatSeconds})
  --longpoll-seconds N     never let a fetch wait for longer than N seconds (default: ${defaultTimes.longpollSeconds})

Limits, as in --limit api-calls=2400:
${limitLines.join('\n')}
`;

/** The options as written, each checked for its name and for having a value exactly where it takes one. */
function readWritten(args: readonly string[]): Written {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  const values: Partial<Record<Name, string | true>> = {};
  const limits: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Mistake(`unexpected argument '${token.value}'`);
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(known, token.name)) throw new Mistake(`unknown option ${token.rawName}`);
    const name = token.name as Name;
    const takesValue = known[name].type === 'string';
    if (takesValue && isMissing(token.value, token.inlineValue)) {
      throw new Mistake(`--${name} needs a value`);
    }
    if (!takesValue && token.value !== undefined) throw new Mistake(`--${name} takes no value`);
    if (name === 'limit') limits.push(token.value ?? '');
    values[name] = token.value ?? true;
  }
  return { values, limits };
}

/** `--host --dev` is a forgotten value, not a host named `--dev`. */
const isMissing = (value: string | undefined, isInline: boolean | undefined): boolean =>
  value === undefined || value === '' || (isInline !== true && value.startsWith('--'));

interface Range {
  readonly from: number;
  readonly to: number;
}

function readNumber(values: Values, name: Name, fallback: number, range: Range): number {
  const text = values[name];
  if (text === undefined) return fallback;
  const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.from && value <= range.to) return value;
  const wanted = `a whole number from ${range.from} to ${range.to}`;
  throw new Mistake(`--${name} needs ${wanted}, not '${String(text)}'`);
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

function readHost(values: Values): string {
  const asked = values.host;
  const host = typeof asked === 'string' ? asked.replace(/^\[(.*)\]$/, '$1') : '127.0.0.1';
  if (!isLoopback(host) && values['insecure-http'] === undefined) {
    throw new Mistake(
      `--host ${host} can be reached by other machines and would send passwords unencrypted: add --insecure-http to allow it`,
    );
  }
  return host;
}

function readLimit(text: string): readonly [LimitName, number] {
  const equals = text.indexOf('=');
  const written = equals === -1 ? text : text.slice(0, equals);
  const name = limitNames.find((each) => limitOption(each) === written);
  if (name === undefined) {
    throw new Mistake(
      `--limit ${text} names no limit: use one of ${limitNames.map(limitOption).join(', ')}`,
    );
  }
  const { from, to } = limitTable[name];
  const digits = equals === -1 ? '' : text.slice(equals + 1);
  const value = /^\d{1,16}$/.test(digits) ? Number(digits) : Number.NaN;
  if (value >= from && value <= to) return [name, value];
  const wanted = `a whole number from ${String(from)} to ${String(to)}`;
  throw new Mistake(
    `--limit ${written} needs ${wanted}, as in ${written}=${String(limitTable[name].value)}`,
  );
}

function readLimits({ values, limits }: Written): Limits {
  const changed = { ...defaultLimits, ...Object.fromEntries(limits.map(readLimit)) };
  return values['no-rate-limits'] === undefined ? changed : withoutRates(changed);
}

function readOptions(written: Written): ServeOptions {
  const { values } = written;
  const isDevelopment = values.dev !== undefined;
  for (const name of developmentOnly) {
    if (values[name] !== undefined && !isDevelopment) {
      throw new Mistake(`--${name} is only possible together with --dev`);
    }
  }
  const asked = values['data-dir'];
  const seconds = { from: 1, to: MAX_SECONDS };
  return {
    dataDir: typeof asked === 'string' ? resolve(asked) : defaultDataDir(),
    host: readHost(values),
    port: readNumber(values, 'port', DEFAULT_PORT, { from: 0, to: 65_535 }),
    isDevelopment,
    queueIdleSeconds: readNumber(
      values,
      'queue-idle-seconds',
      defaultTimes.queueIdleSeconds,
      seconds,
    ),
    heartbeatSeconds: readNumber(
      values,
      'heartbeat-seconds',
      defaultTimes.heartbeatSeconds,
      seconds,
    ),
    longpollSeconds: readNumber(values, 'longpoll-seconds', defaultTimes.longpollSeconds, seconds),
    allowPrivateAddresses: values['allow-private-webhooks'] !== undefined,
    limits: readLimits(written),
  };
}

/** What the headless service is asked to do. @param args  what follows the program on the command line */
export function readServeRequest(args: readonly string[]): ServeRequest {
  try {
    const written = readWritten(args);
    if (written.values.help !== undefined) return { kind: 'help', text: usage(defaultDataDir()) };
    return { kind: 'run', options: readOptions(written) };
  } catch (error) {
    if (error instanceof Mistake) return { kind: 'mistake', message: error.message };
    throw error;
  }
}
