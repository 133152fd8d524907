import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { limitOption } from '#shared/limits.ts';
import type { Account } from '../seed.ts';
import { type Transport, transports } from './clients.ts';
import { type Place, placeOf } from './place.ts';

/** A service that runs already, and who may ask it. */
export interface Asked {
  readonly place: Place;
  readonly accounts: readonly Account[];
}

export interface LoadOptions {
  /** Null for a service of its own. */
  readonly asked: Asked | null;
  readonly clients: number;
  /** Sends a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly transport: Transport;
  readonly stream: string;
  readonly isJson: boolean;
}

export type LoadRequest =
  | { readonly kind: 'run'; readonly options: LoadOptions }
  | { readonly kind: 'help' }
  | { readonly kind: 'mistake'; readonly message: string };

const numbers = {
  clients: { fallback: 1000, from: 1, to: 20_000 },
  rate: { fallback: 100, from: 1, to: 10_000 },
  seconds: { fallback: 30, from: 1, to: 86_400 },
} as const;
/** What of all deliveries is remembered, one bit each: 256 MiB. */
const MAX_DELIVERIES = 2 ** 31;
const STREAM = 'load';
const perPerson = limitOption('queuesPerAccount');

export const loadUsage = `Usage: npm run load -- [options]

Has many clients wait for events and sends messages at a rate, whatever the answers do. Prints how long the messages
took to arrive, what of them was lost or came twice, and what the server used for it, where it runs on this computer.

  --url URL             the service to load; without it one of its own, with an empty organization, which is removed
                        afterwards. For a certificate of its own: NODE_EXTRA_CA_CERTS=office-ca.pem
  --email EMAIL         an account there, which sends and receives
  --key KEY             its API key
  --accounts FILE       instead of both: a line "EMAIL KEY" for each of many accounts; the first one sends
  --stream NAME         the stream that is written to, and made where there is none (default: ${STREAM})
  --clients N           waiting clients (default: ${String(numbers.clients.fallback)})
  --rate N              messages a second (default: ${String(numbers.rate.fallback)})
  --seconds N           how long (default: ${String(numbers.seconds.fallback)})
  --transport WAY       ${transports.join(' or ')}: how the clients wait (default: stream)
  --json                print the result as JSON and nothing else
  --help                print this and end

A service holds one account to 200 queues and 1200 calls a minute. Its options --no-rate-limits,
--limit ${perPerson}=N and --limit ${limitOption('addressConnections')}=N allow more; messages that are sent stay there.

Exit status: 0 when everything arrived once, 1 when not, 2 for options that do not go together.
`;

const known = {
  url: { type: 'string' },
  email: { type: 'string' },
  key: { type: 'string' },
  accounts: { type: 'string' },
  stream: { type: 'string' },
  clients: { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  transport: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

type Values = Readonly<Partial<Record<keyof typeof known, string | boolean>>>;

/** An option that cannot be followed; its message names the option. */
class Mistake extends Error {}

function readNumber(values: Values, name: keyof typeof numbers): number {
  const { fallback, from, to } = numbers[name];
  const text = values[name];
  if (text === undefined) return fallback;
  const value = typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  const wanted = `a whole number from ${String(from)} to ${String(to)}`;
  throw new Mistake(`--${name} needs ${wanted}, not '${String(text)}'`);
}

function readTransport({ transport = 'stream' }: Values): Transport {
  const found = transports.find((each) => each === transport);
  if (found !== undefined) return found;
  throw new Mistake(`--transport is ${transports.join(' or ')}, not '${String(transport)}'`);
}

function accountOf(line: string, number: number): Account {
  const [email, key, ...rest] = line.split(' ');
  if (email !== undefined && key !== undefined && rest.length === 0) return { email, key };
  throw new Mistake(`--accounts: line ${String(number)} is not "EMAIL KEY"`);
}

function readAccountFile(file: string): readonly Account[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Mistake(`--accounts: ${error instanceof Error ? error.message : file}`);
  }
  const lines = text.split('\n').map((line) => line.trim());
  const accounts = lines.flatMap((line, index) => (line === '' ? [] : accountOf(line, index + 1)));
  if (accounts.length === 0) throw new Mistake(`--accounts: nobody is in ${file}`);
  return accounts;
}

function readAccounts({ email, key, accounts }: Values): readonly Account[] {
  if (typeof accounts === 'string') {
    if (email !== undefined || key !== undefined) {
      throw new Mistake('--accounts says who asks: leave out --email and --key');
    }
    return readAccountFile(accounts);
  }
  if (typeof email !== 'string' || typeof key !== 'string') {
    const missing = typeof email === 'string' ? '--key' : '--email';
    throw new Mistake(`${missing} is missing: --url needs --email and --key, or --accounts`);
  }
  return [{ email, key }];
}

function readAsked(values: Values): Asked | null {
  const { url } = values;
  if (url === undefined) {
    const idle = (['email', 'key', 'accounts'] as const).find((name) => values[name] !== undefined);
    if (idle !== undefined) throw new Mistake(`--${idle} goes with --url`);
    return null;
  }
  const place = placeOf(String(url));
  if (place === undefined) {
    throw new Mistake(`--url needs an address such as http://127.0.0.1:9981, not '${String(url)}'`);
  }
  return { place, accounts: readAccounts(values) };
}

function readOptions(values: Values): LoadOptions {
  const [clients, rate, seconds] = [
    readNumber(values, 'clients'),
    readNumber(values, 'rate'),
    readNumber(values, 'seconds'),
  ];
  if (clients * rate * seconds > MAX_DELIVERIES) {
    const longest = Math.floor(MAX_DELIVERIES / (clients * rate));
    throw new Mistake(`--seconds may be ${String(longest)} with so many clients and messages`);
  }
  const stream = typeof values.stream === 'string' ? values.stream : STREAM;
  if (stream.trim() === '') throw new Mistake('--stream needs a name');
  return {
    ...{ asked: readAsked(values), clients, rate, seconds, stream },
    transport: readTransport(values),
    isJson: values.json === true,
  };
}

/** @param args  what follows the program on the command line */
export function readLoadRequest(args: readonly string[]): LoadRequest {
  try {
    const { values } = parseArgs({ args: [...args], options: known, strict: true });
    if (values.help === true) return { kind: 'help' };
    return { kind: 'run', options: readOptions(values) };
  } catch (error) {
    return { kind: 'mistake', message: error instanceof Error ? error.message : String(error) };
  }
}
