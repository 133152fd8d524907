/** Options from the command line, the environment and a file, together. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { effectiveLines, effectiveOptions } from '#hosting/options/effective-options.ts';
import { absoluteArguments, variableWarnings } from '#hosting/options/option-sources.ts';
import { allOptions, variableOf } from '#hosting/options/option-table.ts';
import { loadServeRequest, type ServeOptions } from '#hosting/options/serve-options.ts';
import { readCommand } from '#cli/command-options.ts';
import { defaultLimits } from '#shared/limits.ts';
import { listed } from '#test/support/data-names/listed.ts';

type Env = Parameters<typeof loadServeRequest>[1];

/** A data folder with files of configuration. */
function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-options-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

async function optionsOf(args: readonly string[], env: Env = {}): Promise<ServeOptions> {
  const { request } = await loadServeRequest(args, env);
  if (request.kind === 'run') return request.options;
  throw new Error(request.kind === 'mistake' ? request.message : request.kind);
}

async function mistakeIn(
  file: string,
  text: string | Uint8Array,
  ...args: readonly string[]
): Promise<string> {
  const folder = folderWith({ [file]: text });
  const { request } = await loadServeRequest(['--data-dir', folder, ...args], {});
  expect(request.kind, String(text)).toBe('mistake');
  return request.kind === 'mistake' ? request.message.replace(join(folder, file), 'FILE') : '';
}

test('the command line comes before the environment, that before the file, and that before the default', async () => {
  const folder = folderWith({
    'hearth.toml': `port = 1
host = "10.0.0.1"
public-url = "https://file.example.com"
insecure-http = true
trusted-proxy = ["10.0.0.2", "10.1.0.0/16"]
tls-cert = "cert.pem"
tls-key = "/etc/key.pem"

[limit]
api-calls = 1
queues = 2
`,
  });
  const env = {
    HEARTH_DATA_DIR: folder,
    HEARTH_PORT: '2',
    HEARTH_HOST: '10.0.0.2',
    HEARTH_LIMIT_API_CALLS: '3',
    HEARTH_METRICS_TOKEN: 'token',
    HEARTH_PUBLIC_URL: '',
  };
  expect(await optionsOf(['--port', '3', '--insecure-http=false'], env)).toMatchObject({
    dataDir: folder,
    port: 3,
    host: '10.0.0.2',
    publicUrl: 'https://file.example.com',
    isPlainAllowed: false,
    trustedProxies: ['10.0.0.2', '10.1.0.0/16'],
    certificate: { certFile: join(folder, 'cert.pem'), keyFile: '/etc/key.pem' },
    metricsTokenFile: resolve('token'),
    limits: { ...defaultLimits, apiCalls: 3, queues: 2 },
    allowPrivateAddresses: false,
  });
  // What is given on a higher place replaces a list, and does not add to it.
  const proxies = { ...env, HEARTH_TRUSTED_PROXY: '10.0.0.8, fd00::/8,' };
  expect(await optionsOf([], proxies)).toMatchObject({ trustedProxies: ['10.0.0.8', 'fd00::/8'] });
  const one = await optionsOf(['--trusted-proxy', '10.0.0.9'], proxies);
  expect(one.trustedProxies).toEqual(['10.0.0.9']);
});

test('a file that is named is read in place of that of the folder, as TOML or JSON', async () => {
  const folder = folderWith({
    'hearth.toml': 'port = 1',
    'other.json': '{"port": 2, "data-dir": "data", "limit": {"queues": 7}}',
  });
  const file = join(folder, 'other.json');
  const named = { port: 2, dataDir: join(folder, 'data'), limits: { queues: 7 } };
  expect(await optionsOf(['--config', file])).toMatchObject(named);
  expect(await optionsOf([], { HEARTH_CONFIG: file })).toMatchObject(named);
  expect(await optionsOf(['--data-dir', folder])).toMatchObject({ port: 1, dataDir: folder });
  // Saved as an editor of Windows does.
  const json = folderWith({ 'hearth.json': '\uFEFF{\r\n"port": 3\r\n}' });
  expect(await optionsOf(['--data-dir', json])).toMatchObject({ port: 3 });
  await expect(optionsOf(['--data-dir', join(folder, 'none')])).resolves.toMatchObject({
    port: 9981,
  });
});

test.each([
  ['prot = 1', /^prot in FILE, line 1 is no option: did you mean port\?$/],
  ['public_url = "x"', /did you mean public-url\?/],
  ['\nport = "1"', /^port in FILE, line 2 needs a number, not "1"$/],
  ['port = 65536', /^port in FILE, line 1 needs a whole number from 0 to 65535, not '65536'$/],
  ['port = 1.5', /needs a whole number/],
  ['HEARTH_PORT = 1', /^HEARTH_PORT in FILE, line 1 is no option: did you mean port\?$/],
  ['--insecure-http = true', /line 1 is no option: did you mean insecure-http\?$/],
  ['host = ""', /^host in FILE, line 1 needs a name or an address, not ''$/],
  ['host = "http://0.0.0.0"', /^host in FILE, line 1 needs a name or an address/],
  ['host = "10.0.0.1:80"', /^host in FILE, line 1 needs a name or an address/],
  ['backup-to = " "', /^backup-to in FILE, line 1 needs a path, not ' '$/],
  [String.raw`metrics-token = "a\u0000b"`, /^metrics-token in FILE, line 1 needs a path/],
  ['\n[limits]\nqueues = 1', /^limits in FILE, line 2 is no option: did you mean limit\?$/],
  ['[[limit]]\nqueues = 1', /^limit in FILE, line 1 needs a table of limits/],
  ['host = 1', /^host in FILE, line 1 needs a text in quotes, not 1$/],
  ['insecure-http = "yes"', /insecure-http in FILE, line 1 needs true or false, not "yes"/],
  ['trusted-proxy = ["10.0.0.1", "x"]', /needs an address or a network .*, not 'x'$/],
  ['trusted-proxy = [1]', /needs a text in quotes, or a list of them, not \[1\]/],
  [
    '[limit]\napi-cals = 1',
    /^limit\.api-cals in FILE, line 2 is no option: did you mean limit\.api-calls\?$/,
  ],
  ['api-calls = 1', /^api-calls in FILE, line 1 is no option: it belongs below \[limit\]$/],
  ['limit = 1', /^limit in FILE, line 1 needs a table of limits/],
  ['[limit]\napi-calls = 0', /^limit\.api-calls in FILE, line 2 needs a whole number from 1/],
  ['dev = true', /^dev in FILE, line 1 is not possible in a file: give --dev$/],
  ['config = "x"', /not possible in a file: give --config/],
  ['backup = "x"', /^backup in FILE, line 1 is no option/],
  ['"__proto__" = 1', /^__proto__ in FILE, line 1 is no option$/],
  ['data-dir = "/elsewhere"', /^data-dir in FILE, line 1 names another folder/],
  ['backup-at = "03:30"', /^backup-at in FILE, line 1 says when, and --backup-to where/],
  ['tls-cert = "a"', /go together: .*\(tls-cert in FILE, line 1 stands alone\)/],
  ['port = ', /^the configuration file FILE cannot be understood: line 1, column \d+: /],
  ['port = 1\nport = 2', /cannot be understood: line 2/],
])('%j in a file is a mistake that names its place', async (text, message) => {
  expect(await mistakeIn('hearth.toml', text)).toMatch(message);
});

test('a path may begin at home, whichever source has it', async () => {
  const folder = folderWith({ 'hearth.toml': 'metrics-token = "~/token"\nbackup-to = "~"' });
  const { request } = await loadServeRequest(['--data-dir', folder, '--tls-cert', './~'], {
    ...{ HEARTH_TLS_KEY: '~/key.pem' },
  });
  expect(request).toMatchObject({
    options: {
      metricsTokenFile: join(homedir(), 'token'),
      certificate: { certFile: resolve('~'), keyFile: join(homedir(), 'key.pem') },
    },
    backups: { into: homedir() },
  });
});

test('a file that cannot be used is named', async () => {
  expect(await mistakeIn('hearth.json', '{"port": 1,')).toMatch(/FILE cannot be understood: /);
  expect(await mistakeIn('hearth.json', '[]')).toMatch(/it has to be one object/);
  expect(await mistakeIn('hearth.toml', '', '--config', '/nowhere/h.toml')).toBe(
    'there is no configuration file /nowhere/h.toml',
  );
  for (const text of [
    Buffer.from('host = "é"', 'latin1'),
    Buffer.from('\uFEFFport = 1', 'utf16le'),
  ]) {
    expect(await mistakeIn('hearth.toml', text)).toBe(
      'the configuration file FILE is not UTF-8: save it as that',
    );
  }
  const both = folderWith({ 'hearth.toml': '', 'hearth.json': '{}' });
  await expect(optionsOf(['--data-dir', both])).rejects.toThrow(/keep one of them/);
  await expect(optionsOf(['--dev', '--host', '10.0.0.1'])).rejects.toThrow(/--host 10/);
  await expect(optionsOf(['--dev'], { HEARTH_HOST: '10.0.0.1' })).rejects.toThrow(/HEARTH_HOST 10/);
  await expect(optionsOf([], { HEARTH_PORT: 'x' })).rejects.toThrow(/^HEARTH_PORT needs a whole/);
  // Help is for whoever has such a file, too.
  const { request } = await loadServeRequest(['--data-dir', both, '--help'], {});
  expect(request.kind).toBe('help');
});

test('variables that are nearly right are told of, and those of other things are not', () => {
  const others = [...listed('environment'), 'HEARTH_KEY', 'HEARTH_EMAIL', 'HEARTH_IS_BUILT'];
  expect(variableWarnings(Object.fromEntries(others.map((name) => [name, 'x'])))).toEqual([]);
  expect(variableWarnings({ HEARTH_PROT: '1', HEARTH_LIMIT_QUEUE: '1', HEARTH_DEV: '1' })).toEqual([
    'HEARTH_PROT is no variable of Hearth: did you mean HEARTH_PORT?',
    'HEARTH_LIMIT_QUEUE is no variable of Hearth: did you mean HEARTH_LIMIT_QUEUES?',
    'HEARTH_DEV is not read: --dev is for the command line alone.',
  ]);
});

test('each option has a key and a variable of its own', () => {
  const keys = Object.keys(allOptions).map((key) => key.replace(/^limit\./, ''));
  expect(new Set(keys).size).toBe(keys.length);
  const variables = Object.keys(allOptions).map(variableOf);
  expect(new Set(variables).size).toBe(variables.length);
});

test('what is in force can be saved as a file that says the same', async () => {
  const args = [
    '--port',
    '5',
    '--limit',
    'queues=9',
    '--backup-to',
    '/b',
    '--trusted-proxy',
    '::1',
  ];
  const env = { HEARTH_NO_ANNOUNCE: 'true' };
  const first = await loadServeRequest(args, env);
  const lines = effectiveLines(effectiveOptions(first.given));
  expect(lines).toEqual(
    expect.arrayContaining([
      'port = 5 # --port',
      'no-announce = true # HEARTH_NO_ANNOUNCE',
      '# tls-cert is not set',
      'backup-at = "03:30" # default',
      'queues = 9 # --limit queues',
    ]),
  );
  const folder = folderWith({ 'saved.toml': lines.join('\n') });
  const second = await loadServeRequest(['--config', join(folder, 'saved.toml')], {});
  expect(second.request).toEqual(first.request);
});

test('a service gets whole paths', () => {
  const args = [
    '--tls-cert=a.pem',
    '--limit',
    'queues=9',
    '--insecure-http',
    '--no-announce=false',
  ];
  expect(absoluteArguments([...args, '--trusted-proxy', '::1', '--trusted-proxy', '::2'])).toEqual([
    ...['--tls-cert', resolve('a.pem'), '--limit', 'queues=9', '--insecure-http'],
    ...['--no-announce=false', '--trusted-proxy', '::1', '--trusted-proxy', '::2'],
  ]);
});

test('commands find the data folder of the environment', () => {
  const env = { HEARTH_DATA_DIR: 'there' };
  expect(readCommand(['recovery-code'], env)).toMatchObject({ dataDir: resolve('there') });
  expect(readCommand(['recovery-code', '--data-dir', 'here'], env)).toMatchObject({
    dataDir: resolve('here'),
  });
  expect(readCommand(['backpu', 'a'])).toMatchObject({
    message: "unknown command 'backpu': did you mean backup?",
  });
  expect(readCommand(['backup', 'a', '--plian'])).toMatchObject({
    message: 'unknown option --plian: did you mean --plain? (see backup --help)',
  });
});
