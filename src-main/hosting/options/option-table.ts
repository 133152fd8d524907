/**
 * Every option of the service. The command line, variables of the environment, the configuration file, help and the table of
 * docs/hosting/configuration.md follow from it.
 */
import { isIP } from 'node:net';
import { limitNames, limitOption, limitTable, type LimitName } from '#shared/limits.ts';
import {
  flag,
  integer,
  type Option,
  path,
  text,
  value,
  type ValuesOf,
  withInitial,
} from '#node/command-line/option.ts';
import { withoutBrackets } from '#node/network/own-addresses.ts';
import { defaultTimes } from '../default-times.ts';

export interface TimeOfDay {
  readonly hours: number;
  readonly minutes: number;
}

function readTime(given: string): TimeOfDay | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(given) ?? [];
  return hours === undefined ? undefined : { hours: Number(hours), minutes: Number(minutes) };
}

/** Its origin: whatever follows the host would be no part of any address. */
const readOrigin = (given: string): string | undefined =>
  /^https?:\/\/[^/?#@]+\/?$/i.test(given) && URL.canParse(given)
    ? new URL(given).origin
    : undefined;

/** Not with a port, nor as an address of the web. */
function readHost(given: string): string | undefined {
  const host = withoutBrackets(given.trim());
  return isIP(host) !== 0 || /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?$/i.test(host)
    ? host
    : undefined;
}

function readNetwork(given: string): readonly string[] | undefined {
  const [address = '', prefix, ...rest] = given.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isNetwork = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
  return bits === -1 || !isNetwork || rest.length > 0 ? undefined : [given];
}

/** One that a file left behind must not switch on. */
const onCommandLine = <T>(option: Option<T>): Option<T> => ({ ...option, isFor: 'command-line' });

/** With an example organization only. */
const seconds = (summary: string, initial: number): Option<number> => ({
  ...onCommandLine(integer('N', summary, { from: 1, to: 86_400, initial })),
  needs: 'dev',
});

const earlier = (option: Option<string | null>): Option<string | null> => ({
  ...onCommandLine(option),
  isHidden: true,
});

export const serveTable = {
  config: {
    ...path(
      'FILE',
      'read options from FILE, TOML or (.json) JSON, in place of hearth.toml or hearth.json in the data folder',
    ),
    isFor: 'command-line-and-environment',
  },
  'data-dir': path('DIR', 'where everything is kept'),
  host: withInitial(
    value('HOST', 'address to listen on', 'a name or an address', readHost),
    '127.0.0.1',
    '127.0.0.1',
  ),
  port: integer('PORT', 'port to listen on; 0 picks a free one', {
    from: 0,
    to: 65_535,
    initial: 9981,
  }),
  'tls-cert': path(
    'FILE',
    "a certificate (PEM, with those that lead to its authority) to show instead of the service's own; read again when it changes",
  ),
  'tls-key': path('FILE', 'its private key (PEM)'),
  'insecure-http': flag(
    'let other computers reach it without encryption, too: passwords and messages then cross the network for everybody to read',
  ),
  'public-url': value(
    'URL',
    'where people reach the service, such as https://chat.example.com: invitations lead there',
    'an address such as https://chat.example.com',
    readOrigin,
  ),
  'trusted-proxy': {
    type: 'strings',
    argument: 'ADDRESS',
    read: readNetwork,
    initial: [],
    initialText: '',
    summary:
      'a proxy, or a network of them (10.0.0.0/8), whose X-Forwarded-For, -Proto and -Host count; may be given several times',
    expected: 'an address or a network such as 10.0.0.0/8',
  } satisfies Option<readonly string[]>,
  'no-announce': flag(
    'do not tell the networks in which it listens (by mDNS) that it is there: "Organizations in this network" then leaves it out',
  ),
  'no-rate-limits': flag(
    'let everybody call as often as they like; guessing passwords and keys stays limited',
  ),
  'allow-private-webhooks': flag(
    'let outgoing webhook bots reach every address inside this network; single ones: hearth webhook-targets',
  ),
  'metrics-token': path(
    'FILE',
    'answer GET /metrics (Prometheus) with figures to whoever sends the token in FILE, one word of at least 16 characters',
  ),
  'backup-to': path(
    'DIR',
    'seal the organization into DIR every day, and when it starts; kept are the newest of 7 days, 4 weeks and 12 months. Its recovery code comes first: hearth recovery-code',
  ),
  'backup-at': withInitial(
    value('HH:MM', 'when, by the clock on the wall', 'a time of the day such as 03:30', readTime),
    { hours: 3, minutes: 30 },
    '03:30',
  ),
  dev: onCommandLine(
    flag(
      'development server: example accounts, sign-in without a password, on this computer alone',
    ),
  ),
  'queue-idle-seconds': seconds(
    'forget an event queue that was not fetched for N seconds',
    defaultTimes.queueIdleSeconds,
  ),
  'heartbeat-seconds': seconds(
    'answer a waiting fetch with a heartbeat after N seconds',
    defaultTimes.heartbeatSeconds,
  ),
  'longpoll-seconds': seconds(
    'never let a fetch wait for longer than N seconds',
    defaultTimes.longpollSeconds,
  ),
  'password-link': earlier(text('EMAIL', 'hearth reset-password EMAIL')),
  backup: earlier(path('DIR', 'hearth backup DIR --plain')),
  help: onCommandLine(flag('print this and end')),
} as const satisfies Readonly<Record<string, Option>>;

/** On the command line `--limit NAME=VALUE`, in a file the table `limit`. */
export const limitOptions: Readonly<Record<string, Option<number>>> = Object.fromEntries(
  limitNames.map((name) => {
    const { value: initial, from, to, unit, summary } = limitTable[name];
    return [
      `limit.${limitOption(name)}`,
      integer('VALUE', `${unit} ${summary}`, { from, to, initial }),
    ];
  }),
);

export const limitKey = (name: LimitName): string => `limit.${limitOption(name)}`;

/** By its key, with a dot for those in a table. */
export const allOptions: Readonly<Record<string, Option>> = { ...serveTable, ...limitOptions };

export type ServeValues = ValuesOf<typeof serveTable>;

export const variableOf = (key: string): string =>
  `HEARTH_${key.replaceAll(/[-.]/g, '_').toUpperCase()}`;
