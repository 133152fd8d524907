import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readServeRequest } from '#hosting/options/serve-options.ts';
import { defaultLimits, withoutRates } from '#shared/limits.ts';
import { defaultDataDir } from '#node/paths.ts';

const read = (line: string): ReturnType<typeof readServeRequest> =>
  readServeRequest(line === '' ? [] : line.split(' '));

const defaults = {
  dataDir: defaultDataDir(),
  host: '127.0.0.1',
  port: 9981,
  isDevelopment: false,
  queueIdleSeconds: 600,
  heartbeatSeconds: 45,
  longpollSeconds: 48,
  limits: defaultLimits,
  allowPrivateAddresses: false,
  trustedProxies: [],
  publicUrl: null,
  metricsTokenFile: null,
  isPlainAllowed: false,
  certificate: null,
};

test.each([
  ['', {}],
  ['--data-dir /srv/hearth', { dataDir: '/srv/hearth' }],
  ['--data-dir=data', { dataDir: resolve('data') }],
  ['--host 127.0.0.2', { host: '127.0.0.2' }],
  ['--host localhost', { host: 'localhost' }],
  ['--host ::1', { host: '::1' }],
  ['--host [::1]', { host: '::1' }],
  ['--host 0.0.0.0', { host: '0.0.0.0' }],
  ['--host chat.example.com', { host: 'chat.example.com' }],
  ['--host 0.0.0.0 --insecure-http', { host: '0.0.0.0', isPlainAllowed: true }],
  [
    '--tls-cert /etc/a.pem --tls-key b.pem',
    { certificate: { certFile: '/etc/a.pem', keyFile: resolve('b.pem') } },
  ],
  ['--port 0', { port: 0 }],
  ['--port=65535', { port: 65_535 }],
  ['--port 1 --port 2', { port: 2 }],
  ['--allow-private-webhooks', { allowPrivateAddresses: true }],
  [
    '--trusted-proxy 127.0.0.1 --trusted-proxy fd00::/8',
    { trustedProxies: ['127.0.0.1', 'fd00::/8'] },
  ],
  ['--public-url https://Chat.example.com/', { publicUrl: 'https://chat.example.com' }],
  ['--limit api-calls=5', { limits: { ...defaultLimits, apiCalls: 5 } }],
  [
    '--limit=queues=7 --limit api-calls=5 --limit queues=8',
    { limits: { ...defaultLimits, apiCalls: 5, queues: 8 } },
  ],
  ['--no-rate-limits', { limits: withoutRates(defaultLimits) }],
  [
    '--limit failed-keys=5 --limit api-calls=5 --no-rate-limits',
    { limits: { ...withoutRates(defaultLimits), failedKeys: 5 } },
  ],
  ['--dev', { isDevelopment: true }],
  [
    '--dev --queue-idle-seconds 1 --heartbeat-seconds 2 --longpoll-seconds=3',
    { isDevelopment: true, queueIdleSeconds: 1, heartbeatSeconds: 2, longpollSeconds: 3 },
  ],
  ['--heartbeat-seconds 2 --dev', { isDevelopment: true, heartbeatSeconds: 2 }],
])('%j is understood [options.understood]', (line, expected) => {
  const options = { ...defaults, ...expected };
  expect(read(line)).toEqual({
    kind: 'run',
    options,
    passwordLinkFor: null,
    isAnnounced: true,
    backups: null,
  });
});

test('a link to a new password is asked for by the address of a person', () => {
  expect(read('--password-link ada@example.com')).toEqual({
    kind: 'run',
    options: defaults,
    passwordLinkFor: 'ada@example.com',
    isAnnounced: true,
    backups: null,
  });
});

test('networks are not told of it where nobody wants that', () => {
  expect(read('--host 0.0.0.0 --no-announce')).toMatchObject({ kind: 'run', isAnnounced: false });
});

test.each([
  ['--backup /mnt/disk', { dataDir: defaultDataDir(), into: '/mnt/disk' }],
  ['--data-dir /srv/hearth --backup=copies', { dataDir: '/srv/hearth', into: resolve('copies') }],
])('%j asks for a copy', (line, backup) => {
  expect(read(line)).toEqual({ kind: 'backup', backup });
});

describe('a mistake names the option', () => {
  test.each([
    ['--prot 1', '--prot'],
    ['-p 1', '-p'],
    ['--trusted-proxy proxy.lan', '--trusted-proxy'],
    ['--trusted-proxy 10.0.0.0/33', '--trusted-proxy'],
    ['--trusted-proxy 10.0.0.0/', '--trusted-proxy'],
    ['--public-url chat.example.com', '--public-url'],
    ['--public-url ftp://chat.example.com', '--public-url'],
    ['--public-url https://chat.example.com/hearth', '--public-url'],
    ['--no-dev', '--no-dev'],
    ['--__proto__', '--__proto__'],
    ['--constructor=1', '--constructor'],
    ['9981', '9981'],
    ['--dev extra', 'extra'],
    ['-- extra', 'extra'],
    ['--port', '--port'],
    ['--port=', '--port'],
    ['--port --dev', '--port'],
    ['--port x', '--port'],
    ['--port -1', '--port'],
    ['--port 65536', '--port'],
    ['--port 80.5', '--port'],
    ['--port 0x50', '--port'],
    ['--port 1e3', '--port'],
    ['--data-dir', '--data-dir'],
    ['--data-dir=', '--data-dir'],
    ['--host', '--host'],
    ['--tls-cert', '--tls-cert'],
    ['--tls-cert /etc/a.pem', '--tls-key'],
    ['--tls-key /etc/a.pem', '--tls-cert'],
    ['--dev --host localhost.example.com', '--host'],
    ['--dev --host 0.0.0.0', '--host 0.0.0.0'],
    ['--dev=yes', '--dev'],
    ['--help=1', '--help'],
    ['--insecure-http=1', '--insecure-http'],
    ['--no-rate-limits=1', '--no-rate-limits'],
    ['--password-link', '--password-link'],
    ['--backup', '--backup'],
    ['--backup /mnt --port 0', '--port'],
    ['--backup /mnt --dev', '--dev'],
    ['--backup /mnt --limit api-calls=5', '--limit'],
    ['--limit', '--limit'],
    ['--limit api-calls', '--limit api-calls needs a whole number from 1 to 1000000'],
    ['--limit api-calls=', '--limit api-calls'],
    ['--limit api-calls=0', '--limit api-calls'],
    ['--limit api-calls=1.5', '--limit api-calls'],
    ['--limit api-calls=-1', '--limit api-calls'],
    ['--limit upload-bytes=9999999999999', '--limit upload-bytes'],
    ['--limit apiCalls=5', 'api-calls'],
    ['--limit __proto__=5', '--limit __proto__=5'],
    ['--allow-private-webhooks=1', '--allow-private-webhooks'],
    ['--queue-idle-seconds 5', '--queue-idle-seconds'],
    ['--heartbeat-seconds 5', '--heartbeat-seconds'],
    ['--longpoll-seconds 5', '--longpoll-seconds'],
    ['--dev --queue-idle-seconds 0', '--queue-idle-seconds'],
    ['--dev --host 0.0.0.0 --insecure-http', '--host 0.0.0.0'],
    ['--dev --heartbeat-seconds ten', '--heartbeat-seconds'],
    ['--dev --longpoll-seconds 999999', '--longpoll-seconds'],
  ])('%j', (line, name) => {
    const request = read(line);
    expect(request.kind).toBe('mistake');
    const message = request.kind === 'mistake' ? request.message : '';
    expect(message).toContain(name);
    expect(message).not.toContain('\n');
  });

  test('a mistake names what would allow the option', () => {
    expect(read('--longpoll-seconds 5')).toMatchObject({ message: expect.stringMatching(/--dev/) });
  });
});

test('help lists every limit with its value', () => {
  const request = read('--help');
  const text = request.kind === 'help' ? request.text : '';
  expect(text).toMatch(/^ {2}api-calls +1200 calls in 60 seconds/m);
  expect(text).toMatch(/^ {2}log-bytes +268435456 bytes/m);
});

test('help lists every option', () => {
  const request = read('--help --port 1');
  const text = request.kind === 'help' ? request.text : '';
  for (const name of [
    'data-dir',
    'host',
    'port',
    'insecure-http',
    'limit',
    'no-rate-limits',
    'trusted-proxy',
    'public-url',
    'tls-cert',
    'tls-key',
    'allow-private-webhooks',
    'dev',
    'help',
    'queue-idle-seconds',
    'heartbeat-seconds',
    'longpoll-seconds',
  ]) {
    expect(text).toContain(`--${name}`);
  }
  expect(text).not.toMatch(/--(?:backup|password-link)\b(?!-)/);
});

test('archives are made at a time of the day, in a folder that is named', () => {
  const backups = (line: string): unknown => {
    const request = read(line);
    return request.kind === 'run' ? request.backups : request;
  };
  const into = resolve('/backups');
  expect(backups('--backup-to /backups')).toEqual({ into, at: { hours: 3, minutes: 30 } });
  expect(backups('--backup-to /backups --backup-at 23:05')).toEqual({
    into,
    at: { hours: 23, minutes: 5 },
  });
  expect(backups('--backup-at 23:05')).toMatchObject({
    kind: 'mistake',
    message: expect.stringContaining('--backup-to') as string,
  });
  for (const time of ['24:00', '3:30', '03:60', 'noon']) {
    expect(backups(`--backup-to /backups --backup-at ${time}`)).toMatchObject({
      kind: 'mistake',
      message: expect.stringContaining('--backup-at needs a time') as string,
    });
  }
});
