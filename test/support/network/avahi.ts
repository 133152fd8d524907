/** A computer that looks for services by Avahi, as most of those with Linux do. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { busConfig } from '../bus-config.ts';
import type { Socket } from './lan.ts';

export interface BrowsedService {
  readonly name: string;
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly texts: ReadonlySet<string>;
}

const run = promisify(execFile);

/** The daemon wants to be somebody else, and a namespace has one account. */
const accounts = {
  passwd: 'root:x:0:0::/root:/bin/sh\navahi:x:0:0::/:/bin/false\n',
  group: 'root:x:0:\navahi:x:0:\n',
};

const begin = `set -e
mount -t tmpfs tmpfs /run
mount --bind "$0/passwd" /etc/passwd
mount --bind "$0/group" /etc/group
dbus-daemon --config-file="$0/bus.conf" --fork --nopidfile
until [ -S "$0/bus" ]; do sleep 0.1; done
exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f "$0/avahi.conf"`;

/** `\\195\\164` is a letter of two bytes, in decimal. */
const unescaped = (text: string): string =>
  Buffer.from(
    text.replaceAll(/\\(\d{3})|\\(.)/g, (_, code: string | undefined, sign: string) =>
      code === undefined ? sign : String.fromCharCode(Number(code)),
    ),
    'latin1',
  ).toString();

function serviceIn(line: string): BrowsedService[] {
  const [kind, , , name = '', , , host = '', address = '', port = '', ...rest] = line.split(';');
  if (kind !== '=') return [];
  const texts = [...rest.join(';').matchAll(/"([^"]*)"/g)].map(([, text = '']) => unescaped(text));
  return [{ name: unescaped(name), host, address, port: Number(port), texts: new Set(texts) }];
}

export class Avahi {
  readonly #socket: Socket;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(socket: Socket, bus: string) {
    this.#socket = socket;
    this.#env = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: bus };
  }

  static async at(socket: Socket): Promise<Avahi> {
    const dir = mkdtempSync(join(tmpdir(), 'hearth-avahi-'));
    const bus = `unix:path=${join(dir, 'bus')}`;
    writeFileSync(join(dir, 'bus.conf'), busConfig(bus));
    writeFileSync(join(dir, 'passwd'), accounts.passwd);
    writeFileSync(join(dir, 'group'), accounts.group);
    writeFileSync(join(dir, 'avahi.conf'), '[server]\nuse-ipv4=yes\nuse-ipv6=no\n');
    const avahi = new Avahi(socket, bus);
    const [enter, ...where] = socket.command;
    const apart = [
      'unshare',
      '--mount',
      '--propagation',
      'private',
      '--pid',
      '--fork',
      '--kill-child',
    ];
    const child = spawn(enter, [...where, ...apart, '--', 'sh', '-c', begin, dir], {
      env: avahi.#env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    onTestFinished(async () => {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
      rmSync(dir, { recursive: true, force: true });
    });
    await started(child.stderr);
    return avahi;
  }

  /** Those of a kind that it knows of now, and that it can say the address of. */
  async services(kind: string): Promise<readonly BrowsedService[]> {
    return (await this.#browse('-rpt', kind)).split('\n').flatMap(serviceIn);
  }

  /** Which services there are. */
  async kinds(): Promise<readonly string[]> {
    return (await this.#browse('-apt')).split('\n').map((line) => line.split(';')[4] ?? '');
  }

  async #browse(...args: readonly string[]): Promise<string> {
    const [enter, ...where] = this.#socket.command;
    const { stdout } = await run(enter, [...where, 'avahi-browse', ...args], {
      env: this.#env,
      encoding: 'latin1',
    });
    return stdout;
  }
}

function started(log: NodeJS.ReadableStream): Promise<void> {
  let text = '';
  return new Promise((resolve, reject) => {
    log.on('data', (part: Buffer) => {
      text += part.toString();
      if (text.includes('Server startup complete')) resolve();
    });
    log.on('close', () => reject(new Error(`avahi-daemon ended: ${text}`)));
  });
}
