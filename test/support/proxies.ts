/** Proxies of this machine, with the configurations of docs/hosting. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './machine.ts';

export interface Place {
  /** For what the proxy writes. */
  readonly folder: string;
  /** Where it listens. */
  readonly port: number;
  /** Where the service does. */
  readonly servicePort: number;
  /** PEM, each in a file. */
  readonly certificate: string;
  readonly key: string;
}

interface Proxy {
  readonly name: string;
  /** Of docs/hosting. */
  readonly file: string;
  /** The configuration as it stands there, at another place; and how the program is started with it. */
  readonly adapt: (text: string, place: Place) => string;
  readonly args: (config: string, place: Place) => readonly string[];
}

const common = (text: string, { servicePort }: Place): string =>
  text.replaceAll('127.0.0.1:9981', `127.0.0.1:${String(servicePort)}`);

export const proxies: readonly Proxy[] = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    adapt: (text, place) => {
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${join(place.folder, kind)};`,
      );
      const server = common(text, place)
        .replace('listen 443 ssl', `listen 127.0.0.1:${String(place.port)} ssl`)
        .replace('chat.example.com;', 'localhost;')
        .replace(/(ssl_certificate) \S+;/, `$1 ${place.certificate};`)
        .replace(/(ssl_certificate_key) \S+;/, `$1 ${place.key};`)
        .replaceAll('/var/log/nginx/', `${place.folder}/`);
      return `daemon off; pid ${join(place.folder, 'pid')}; events {} http { access_log off; ${paths.join(' ')}\n${server}}`;
    },
    args: (config, { folder }) => ['-c', config, '-p', folder, '-e', join(folder, 'error.log')],
  },
  {
    name: 'haproxy',
    file: 'haproxy.cfg',
    adapt(text, place) {
      const both = join(place.folder, 'both.pem');
      writeFileSync(
        both,
        readFileSync(place.certificate, 'utf8') + readFileSync(place.key, 'utf8'),
      );
      return `global\n    log stdout format raw local0\n${common(text, place)}`
        .replace('bind :443', `bind 127.0.0.1:${String(place.port)}`)
        .replace(/crt \S+/, `crt ${both}`);
    },
    args: (config) => ['-db', '-f', config],
  },
  {
    name: 'caddy',
    file: 'Caddyfile',
    adapt: (text, place) =>
      common(text, place)
        .replace(/^\{/m, '{\n\tadmin off\n\tauto_https off')
        .replace(
          /^chat\.example\.com \{/m,
          `https://localhost:${String(place.port)} {\n\ttls ${place.certificate} ${place.key}`,
        ),
    args: (config) => ['run', '--adapter', 'caddyfile', '--config', config],
  },
];

const isHere = ({ name }: Proxy): boolean =>
  spawnSync(name, [name === 'caddy' ? 'version' : '-v'], { stdio: 'ignore' }).status === 0;

export const proxiesHere = proxies.filter(isHere);

const missing = proxies.filter((proxy) => !proxiesHere.includes(proxy)).map(({ name }) => name);

/** What of them the long tests lack, in words; undefined where all are here. */
export const proxiesReason =
  missing.length === 0
    ? undefined
    : `${missing.join(', ')}, Debian's packages of these names (test/process/proxies.test.ts)`;

export const proxyText = ({ file }: Proxy): string =>
  readFileSync(join(projectDir, 'docs', 'hosting', file), 'utf8');

/** Runs until `end` is called. */
export function startProxy(
  proxy: Proxy,
  place: Place,
): {
  /** All that it has logged, wherever. */
  readonly logged: () => string;
  readonly end: () => Promise<void>;
} {
  const config = join(place.folder, proxy.file);
  writeFileSync(config, proxy.adapt(proxyText(proxy), place));
  const output = openSync(join(place.folder, 'output.log'), 'a');
  const child = spawn(proxy.name, proxy.args(config, place), {
    stdio: ['ignore', output, output],
    env: { ...process.env, HOME: place.folder, XDG_DATA_HOME: place.folder },
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    logged: () =>
      readdirSync(place.folder)
        .filter((name) => name.endsWith('.log'))
        .map((name) => readFileSync(join(place.folder, name), 'utf8'))
        .join('\n'),
    end: () => {
      // Caddy waits for whoever is connected; the others have processes of their own to end.
      child.kill(proxy.name === 'caddy' ? 'SIGKILL' : 'SIGTERM');
      return ended;
    },
  };
}
