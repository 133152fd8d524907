import { isIP } from 'node:net';
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
} from '#shared/limits.ts';
import { withoutBrackets } from '#node/network/own-addresses.ts';
import { defaultDataDir } from '#node/paths.ts';
import { commandName, serveName } from '#node/own-command.ts';

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
  /** Addresses and networks of proxies whose X-Forwarded headers count. */
  readonly trustedProxies: readonly string[];
  /** Whether others than this computer may speak HTTP without TLS. */
  readonly isPlainAllowed: boolean;
  /** A certificate that somebody else made, with its key; null for the service's own. */
  readonly certificate: { readonly certFile: string; readonly keyFile: string } | null;
  /** The file with the token of GET /metrics; null where there are no figures. */
  readonly metricsTokenFile: string | null;
  /** The origin under which everybody reaches the service; null where there is none but its own addresses. */
  readonly publicUrl: string | null;
}

export interface BackupRequest {
  readonly dataDir: string;
  /** The folder that gets the copy, in a folder of its own. */
  readonly into: string;
}

/** Sealed archives at a time of every day. */
export interface BackupSchedule {
  /** The folder that gets them. */
  readonly into: string;
  /** By the clock on the wall. */
  readonly at: { readonly hours: number; readonly minutes: number };
}

export type ServeRequest =
  | {
      readonly kind: 'run';
      readonly options: ServeOptions;
      /** The address of somebody who forgot their password; null where nobody did. */
      readonly passwordLinkFor: string | null;
      /** Whether the networks in which others reach it are told of it. */
      readonly isAnnounced: boolean;
      /** Null for none. */
      readonly backups: BackupSchedule | null;
    }
  | { readonly kind: 'backup'; readonly backup: BackupRequest }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly message: string };

const DEFAULT_PORT = 9981;
const MAX_SECONDS = 86_400;

export const defaultTimes = {
  queueIdleSeconds: 600,
  // With their jitter below the 50 seconds after which proxies give up waiting.
  heartbeatSeconds: 45,
  longpollSeconds: 48,
} as const;

const known = {
  'data-dir': { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  'insecure-http': { type: 'boolean' },
  limit: { type: 'string' },
  'no-rate-limits': { type: 'boolean' },
  'public-url': { type: 'string' },
  'trusted-proxy': { type: 'string' },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'allow-private-webhooks': { type: 'boolean' },
  'metrics-token': { type: 'string' },
  'no-announce': { type: 'boolean' },
  // Earlier spellings of commands, which help leaves out.
  'password-link': { type: 'string' },
  backup: { type: 'string' },
  'backup-to': { type: 'string' },
  'backup-at': { type: 'string' },
  dev: { type: 'boolean' },
  help: { type: 'boolean' },
  'queue-idle-seconds': { type: 'string' },
  'heartbeat-seconds': { type: 'string' },
  'longpoll-seconds': { type: 'string' },
} as const;

type Name = keyof typeof known;
type Values = Readonly<Partial<Record<Name, string | true>>>;

interface ParsedOptions {
  readonly values: Values;
  /** Every `--limit`, in order. */
  readonly limits: readonly string[];
  /** Every `--trusted-proxy`. */
  readonly proxies: readonly string[];
}

const developmentOnly = ['queue-idle-seconds', 'heartbeat-seconds', 'longpoll-seconds'] as const;

/** An option that cannot be followed; its message names the option. */
class Mistake extends Error {}

const limitLines = limitNames.map((name) => {
  const { value, unit, summary } = limitTable[name];
  return `  ${limitOption(name).padEnd(24)} ${String(value)} ${unit} ${summary}`;
});

const usage = (dataDir: string): string => `Usage: ${serveName} [options]

Serves Hearth to browsers and to clients of its API. Prints one line
"serving http://HOST:PORT" when it accepts requests; Ctrl+C ends it cleanly.

  --data-dir DIR           where everything is kept
                           (default: ${dataDir})
  --host HOST              address to listen on (default: 127.0.0.1)
  --port PORT              port to listen on; 0 picks a free one (default: ${DEFAULT_PORT})
  --tls-cert FILE          a certificate (PEM, with those that lead to its authority) to show instead of the
                           service's own; read again when it changes
  --tls-key FILE           its private key (PEM)
  --insecure-http          let other machines reach it without encryption, too
  --public-url URL         where people reach the service, such as https://chat.example.com: invitations lead there
  --trusted-proxy ADDRESS  a proxy, or a network of them (10.0.0.0/8), that says truly for whom it asks: its
                           X-Forwarded-For, -Proto and -Host count; may be given several times
  --no-announce            do not tell the networks in which it listens (mDNS) that it is there
  --limit NAME=VALUE       allow more or less of something; may be given several times (see below)
  --no-rate-limits         let everybody call as often as they like; wrong passwords and keys stay limited
  --allow-private-webhooks let outgoing webhook bots reach addresses inside this network
  --metrics-token FILE     answer GET /metrics (Prometheus) with figures to whoever sends the token in FILE: one word of at
                           least 16 characters
  --backup-to DIR          seal the organization into DIR every day, also on the way up; kept are the newest of 7 days, 4 weeks
                           and 12 months. Its recovery code comes first: ${commandName} recovery-code
  --backup-at HH:MM        when (default: 03:30)
  --dev                    development server: example accounts, sign-in without a password
  --help                   print this and end

Only with --dev:
  --queue-idle-seconds N   forget an event queue that was not fetched for N seconds (default: ${defaultTimes.queueIdleSeconds})
  --heartbeat-seconds N    answer a waiting fetch with a heartbeat after N seconds (default: ${defaultTimes.heartbeatSeconds})
  --longpoll-seconds N     never let a fetch wait for longer than N seconds (default: ${defaultTimes.longpollSeconds})

Limits, as in --limit api-calls=2400:
${limitLines.join('\n')}
`;

/** The name of an option, checked for having a value exactly where it takes one. */
function checkOption(token: OptionToken): Name {
  if (!Object.hasOwn(known, token.name)) throw new Mistake(`unknown option ${token.rawName}`);
  const name = token.name as Name;
  const takesValue = known[name].type === 'string';
  if (takesValue && isMissing(token.value, token.inlineValue)) {
    throw new Mistake(`--${name} needs a value`);
  }
  if (!takesValue && token.value !== undefined) throw new Mistake(`--${name} takes no value`);
  return name;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** The options as written. */
function parseOptions(args: readonly string[]): ParsedOptions {
  const { tokens } = parseArgs({ args: [...args], options: known, strict: false, tokens: true });
  const values: Partial<Record<Name, string | true>> = {};
  const limits: string[] = [];
  const proxies: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') throw new Mistake(`unexpected argument '${token.value}'`);
    if (token.kind !== 'option') continue;
    const name = checkOption(token);
    if (name === 'limit') limits.push(token.value ?? '');
    if (name === 'trusted-proxy') proxies.push(token.value ?? '');
    values[name] = token.value ?? true;
  }
  return { values, limits, proxies };
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

/** Whether nobody but this computer can connect there. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

function readFileName(values: Values, name: Name): string | null {
  const file = values[name];
  return typeof file === 'string' ? resolve(file) : null;
}

function readHost(values: Values): string {
  const asked = values.host;
  return typeof asked === 'string' ? withoutBrackets(asked) : '127.0.0.1';
}

function readCertificate(values: Values): ServeOptions['certificate'] {
  const { 'tls-cert': certFile, 'tls-key': keyFile } = values;
  if (typeof certFile === 'string' && typeof keyFile === 'string') {
    return { certFile: resolve(certFile), keyFile: resolve(keyFile) };
  }
  if (certFile === undefined && keyFile === undefined) return null;
  throw new Mistake(
    '--tls-cert and --tls-key go together: a certificate is no use without its key',
  );
}

/** Its origin: whatever follows the host would be no part of any address. */
function readPublicUrl(values: Values): string | null {
  const text = values['public-url'];
  if (typeof text !== 'string') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^https?:\/\/[^/?#@]+\/?$/i.test(text);
  if (!isPlain || !/^https?:$/.test(url.protocol)) {
    throw new Mistake(
      `--public-url needs an address such as https://chat.example.com, not '${text}'`,
    );
  }
  return url.origin;
}

function readProxy(text: string): string {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isNetwork = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  if (bits === -1 || !isNetwork || rest.length > 0) {
    throw new Mistake(
      `--trusted-proxy needs an address or a network such as 10.0.0.0/8, not '${text}'`,
    );
  }
  return text;
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

function readLimits({ values, limits }: ParsedOptions): Limits {
  const changed = { ...defaultLimits, ...Object.fromEntries(limits.map(readLimit)) };
  return values['no-rate-limits'] === undefined ? changed : withoutRates(changed);
}

function readDataDir(values: Values): string {
  const asked = values['data-dir'];
  return typeof asked === 'string' ? resolve(asked) : defaultDataDir();
}

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

function readBackups(values: Values): BackupSchedule | null {
  const { 'backup-to': into, 'backup-at': at = '03:30' } = values;
  const [, hours, minutes] = TIME.exec(String(at)) ?? [];
  if (hours === undefined || minutes === undefined) {
    throw new Mistake(`--backup-at needs a time of the day such as 03:30, not '${String(at)}'`);
  }
  if (typeof into === 'string') {
    return { into: resolve(into), at: { hours: Number(hours), minutes: Number(minutes) } };
  }
  if (values['backup-at'] === undefined) return null;
  throw new Mistake('--backup-at says when, and --backup-to where: add it');
}

/** Any other option would say something of a service that is not started. */
function readBackup(values: Values, into: string): BackupRequest {
  const other = Object.keys(values).find((name) => name !== 'backup' && name !== 'data-dir');
  if (other !== undefined) {
    throw new Mistake(`--backup makes a copy and ends: --${other} is not possible with it`);
  }
  return { dataDir: readDataDir(values), into: resolve(into) };
}

function readOptions(written: ParsedOptions): ServeOptions {
  const { values } = written;
  const isDevelopment = values.dev !== undefined;
  for (const name of developmentOnly) {
    if (values[name] !== undefined && !isDevelopment) {
      throw new Mistake(`--${name} is only possible together with --dev`);
    }
  }
  const host = readHost(values);
  if (isDevelopment && !isLoopback(host)) {
    throw new Mistake(
      `--dev gives everybody who asks the key of every account: --host ${host} is not possible with it`,
    );
  }
  const seconds = { from: 1, to: MAX_SECONDS };
  return {
    dataDir: readDataDir(values),
    host,
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
    isPlainAllowed: values['insecure-http'] !== undefined,
    certificate: readCertificate(values),
    trustedProxies: written.proxies.map(readProxy),
    publicUrl: readPublicUrl(values),
    metricsTokenFile: readFileName(values, 'metrics-token'),
  };
}

/** What the headless service is asked to do. @param args  what follows the program on the command line */
export function readServeRequest(args: readonly string[]): ServeRequest {
  try {
    const written = parseOptions(args);
    if (written.values.help !== undefined) return { kind: 'help', text: usage(defaultDataDir()) };
    const { backup } = written.values;
    if (typeof backup === 'string') {
      return { kind: 'backup', backup: readBackup(written.values, backup) };
    }
    const who = written.values['password-link'];
    return {
      kind: 'run',
      options: readOptions(written),
      passwordLinkFor: typeof who === 'string' ? who : null,
      isAnnounced: written.values['no-announce'] === undefined,
      backups: readBackups(written.values),
    };
  } catch (error) {
    if (error instanceof Mistake) return { kind: 'mistake', message: error.message };
    throw error;
  }
}
