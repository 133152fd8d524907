/** What the service is asked to do: its options from everywhere, checked together. */
import { type LimitName, limitNames, type Limits, withoutRates } from '#shared/limits.ts';
import { optionLines, columns } from '#node/command-line/help.ts';
import { type Given, OptionError, readGiven } from '#node/command-line/option.ts';
import { isLoopback } from '#node/network/own-addresses.ts';
import { defaultDataDir } from '#node/paths.ts';
import { serveName } from '#node/own-command.ts';
import { findConfigFile } from './config-file.ts';
import {
  argumentsGiven,
  type ConfigFile,
  type Environment,
  keysGiven,
  variablesGiven,
  variableWarnings,
} from './option-sources.ts';
import {
  allOptions,
  limitKey,
  limitOptions,
  serveTable,
  type ServeValues,
  type TimeOfDay,
} from './option-table.ts';
import { type Explanation, toldOf } from '#shared/i18n/explained-error.ts';
import { cliWords } from '#shared/i18n/cli-words.ts';

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
  readonly at: TimeOfDay;
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
  | ({ readonly kind: 'mistake' } & Explanation);

const helpText = (dataDir: string): string => {
  const shown = Object.entries({
    ...serveTable,
    'data-dir': { ...serveTable['data-dir'], initialText: dataDir },
  });
  const lines = (isForDevelopment: boolean): readonly string[] =>
    optionLines(
      Object.fromEntries(shown.filter(([, option]) => 'needs' in option === isForDevelopment)),
    );
  const limits = Object.entries(limitOptions).map(
    ([key, { initialText, summary }]) =>
      [key.slice('limit.'.length), `${initialText} ${summary}`] as const,
  );
  return `Usage: ${serveName} [options]

Serves Hearth to browsers and to clients of its API. Prints one line
"serving http://HOST:PORT" when it accepts requests; Ctrl+C ends it cleanly.

${lines(false).join('\n')}
${columns([['--limit NAME=VALUE', 'allow more or less of something; may be given several times (see below)']]).join('\n')}

Only with --dev:
${lines(true).join('\n')}

Limits, as in --limit api-calls=2400:
${columns(limits).join('\n')}

An option may also stand in hearth.toml (or hearth.json) of the data folder, under its name without the dashes, limits in the table
[limit]; or in the environment: HEARTH_PUBLIC_URL, HEARTH_LIMIT_API_CALLS. The command line comes before the environment, and that
before the file. "hearth config" prints what is in force, and where each value comes from.
`;
};

/** Where options come from beside the command line. */
export interface OptionSources {
  readonly env?: Environment;
  readonly file?: ConfigFile | undefined;
}

/** By key: what is in force of what was given. */
export type GivenOptions = ReadonlyMap<string, Given>;

/** What is given later comes first. @throws OptionError */
function givenOptions(args: readonly string[], { env = {}, file }: OptionSources): GivenOptions {
  const inFile = file === undefined ? [] : keysGiven(file);
  const all = [...inFile, ...variablesGiven(env), ...argumentsGiven(args)];
  return new Map(all.map((each) => [each.name, each]));
}

const limitsOf = (values: Readonly<Record<string, unknown>>): Limits =>
  Object.fromEntries(limitNames.map((name) => [name, values[limitKey(name)]])) as Record<
    LimitName,
    number
  >;

interface ReadOptions {
  readonly values: ServeValues;
  readonly limits: Limits;
  readonly given: GivenOptions;
  /** As a message names an option: where it was given. */
  readonly at: (name: keyof ServeValues) => string;
}

/** @throws OptionError */
function readValues(given: GivenOptions): ReadOptions {
  const values = Object.fromEntries(
    Object.entries(allOptions).map(([key, option]) => {
      const found = given.get(key);
      return [key, found === undefined ? option.initial : readGiven(option, found)];
    }),
  );
  return {
    values: values as unknown as ServeValues,
    limits: limitsOf(values),
    given,
    at: (name) => given.get(name)?.at ?? `--${name}`,
  };
}

function readCertificate({ values, given, at }: ReadOptions): ServeOptions['certificate'] {
  const { 'tls-cert': certFile, 'tls-key': keyFile } = values;
  if (certFile !== null && keyFile !== null) return { certFile, keyFile };
  if (certFile === null && keyFile === null) return null;
  const alone = given.has('tls-cert') ? 'tls-cert' : 'tls-key';
  const source = at(alone) === `--${alone}` ? '' : ` (${at(alone)} stands alone)`;
  throw new OptionError(cliWords('certificate_without_key', { source }));
}

function readBackups({ values, given, at }: ReadOptions): BackupSchedule | null {
  const { 'backup-to': into, 'backup-at': time } = values;
  if (into !== null) return { into, at: time };
  if (!given.has('backup-at')) return null;
  throw new OptionError(cliWords('backup_without_folder', { option: at('backup-at') }));
}

const dataDirOf = ({ 'data-dir': asked }: ServeValues): string => asked ?? defaultDataDir();

/** Any other option would say something of a service that is not started. */
function readBackup(args: readonly string[], values: ServeValues, into: string): BackupRequest {
  const other = argumentsGiven(args).find(({ name }) => name !== 'backup' && name !== 'data-dir');
  if (other !== undefined) {
    throw new OptionError(cliWords('backup_with_other_option', { option: other.at }));
  }
  return { dataDir: dataDirOf(values), into };
}

function checkDevelopment({ values, given, at }: ReadOptions): void {
  for (const [name, option] of Object.entries(serveTable)) {
    if ('needs' in option && given.has(name) && !values.dev) {
      const alone = { option: name, other: option.needs };
      throw new OptionError(cliWords('option_needs_other', alone));
    }
  }
  if (!values.dev || isLoopback(values.host)) return;
  throw new OptionError(
    cliWords('development_host_public', { option: at('host'), host: values.host }),
  );
}

function readOptions(read: ReadOptions): ServeOptions {
  const { values, limits } = read;
  checkDevelopment(read);
  return {
    dataDir: dataDirOf(values),
    host: values.host,
    port: values.port,
    isDevelopment: values.dev,
    queueIdleSeconds: values['queue-idle-seconds'],
    heartbeatSeconds: values['heartbeat-seconds'],
    longpollSeconds: values['longpoll-seconds'],
    allowPrivateAddresses: values['allow-private-webhooks'],
    limits: values['no-rate-limits'] ? withoutRates(limits) : limits,
    isPlainAllowed: values['insecure-http'],
    certificate: readCertificate(read),
    trustedProxies: values['trusted-proxy'],
    publicUrl: values['public-url'],
    metricsTokenFile: values['metrics-token'],
  };
}

/** @throws OptionError */
function readRequest(args: readonly string[], given: GivenOptions): ServeRequest {
  const read = readValues(given);
  const { values } = read;
  if (values.help) return { kind: 'help', text: helpText(defaultDataDir()) };
  if (values.backup !== null) {
    return { kind: 'backup', backup: readBackup(args, values, values.backup) };
  }
  return {
    kind: 'run',
    options: readOptions(read),
    passwordLinkFor: values['password-link'],
    isAnnounced: !values['no-announce'],
    backups: readBackups(read),
  };
}

const mistakeOf = (error: unknown): ServeRequest => {
  if (error instanceof OptionError) return { kind: 'mistake', ...toldOf(error) };
  throw error;
};

/** What the service is asked to do. @param args  what follows the program on the command line */
export function readServeRequest(
  args: readonly string[],
  sources: OptionSources = {},
): ServeRequest {
  try {
    return readRequest(args, givenOptions(args, sources));
  } catch (error) {
    return mistakeOf(error);
  }
}

/** A folder is found before its file is read, which cannot name another one. */
function checkDataDir(file: ConfigFile | undefined, isNamed: boolean, dataDir: string): void {
  if (file === undefined || isNamed) return;
  const given = keysGiven(file).find(({ name }) => name === 'data-dir');
  if (given === undefined || readGiven(serveTable['data-dir'], given) === dataDir) return;
  throw new OptionError(cliWords('data_dir_of_file_differs', { option: given.at }));
}

/** @throws OptionError */
async function findSources(args: readonly string[], env: Environment): Promise<OptionSources> {
  const { values } = readValues(givenOptions(args, { env }));
  // Help is for whoever has a mistake in there, too.
  if (values.help) return {};
  const file = await findConfigFile(values.config, dataDirOf(values));
  checkDataDir(file, values.config !== null, dataDirOf(values));
  return { env, file };
}

export interface LoadedRequest {
  readonly request: ServeRequest;
  readonly warnings: readonly string[];
  /** By key. */
  readonly given: GivenOptions;
}

/** The same with the environment and the configuration file that they name, or that is in the data folder. */
export async function loadServeRequest(
  args: readonly string[],
  env: Environment,
): Promise<LoadedRequest> {
  const warnings = variableWarnings(env);
  try {
    const given = givenOptions(args, await findSources(args, env));
    return { request: readRequest(args, given), warnings, given };
  } catch (error) {
    return { request: mistakeOf(error), warnings, given: new Map() };
  }
}
