/** Several computers on one switch, in network namespaces that end with the test. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Connection } from '#shared/bridge/models/client.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import type { ComputerQuestion, ComputerReport } from './computer-process.ts';

const program = fileURLToPath(new URL('computer-process.ts', import.meta.url));

/** Holds a namespace until it is ended. */
async function holder(command: string, args: readonly string[]): Promise<ChildProcess> {
  // It speaks once it is where it belongs.
  const child = spawn(command, [...args, 'sh', '-c', 'echo here; exec sleep infinity'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

const into = (pid: number | undefined): readonly string[] => [
  ...['-t', String(pid), '-U', '-n', '--preserve-credentials', '--'],
];

export class Lan {
  readonly #switch: ChildProcess;
  #count = 0;

  private constructor(held: ChildProcess) {
    this.#switch = held;
  }

  static async create(): Promise<Lan> {
    const held = await holder('unshare', ['--user', '--map-root-user', '--net', '--']);
    onTestFinished(() => void held.kill('SIGKILL'));
    const lan = new Lan(held);
    lan.run('ip', 'link', 'add', 'switch', 'type', 'bridge');
    lan.run('ip', 'link', 'set', 'switch', 'up');
    return lan;
  }

  run(...command: readonly string[]): void {
    execFileSync('nsenter', [...into(this.#switch.pid), ...command]);
  }

  /** One that has an address, such as 10.77.0.1, and runs the application. */
  async computer(address: string): Promise<Computer> {
    const computer = new Computer(this, await this.socket(address));
    await computer.start();
    return computer;
  }

  /** Where a computer with this address is plugged in: programs run there by a command that begins with these words. */
  async socket(address: string): Promise<Socket> {
    const place = await holder('nsenter', [...into(this.#switch.pid), 'unshare', '--net', '--']);
    onTestFinished(() => void place.kill('SIGKILL'));
    const port = `port${String((this.#count += 1))}`;
    const cable = ['ip', 'link', 'add', port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns'];
    this.run(...cable, String(place.pid));
    this.run('ip', 'link', 'set', port, 'master', 'switch', 'up');
    const command = ['nsenter', ...into(place.pid)] as const;
    const run = (...words: readonly string[]): void => {
      execFileSync('nsenter', [...into(place.pid), ...words]);
    };
    run('ip', 'link', 'set', 'lo', 'up');
    run('ip', 'address', 'add', `${address}/24`, 'dev', 'eth0');
    // An address that comes by itself a second later is a change of the network, which ends what a browser has under way.
    run('ip', 'link', 'set', 'eth0', 'addrgenmode', 'none');
    run('ip', 'link', 'set', 'eth0', 'up');
    return { command, port, run };
  }
}

/** A place in the network that something can be run at. */
export interface Socket {
  readonly command: readonly [string, ...string[]];
  /** The other end of its cable, at the switch. */
  readonly port: string;
  readonly run: (...command: readonly string[]) => void;
}

/** Runs a program of ours there; answers the first line that it prints and that fits. */
export async function programAt(
  { command: [enter, ...where] }: Socket,
  file: string,
  args: readonly string[],
  line: RegExp,
): Promise<string> {
  const words = [process.execPath, '--disable-warning=ExperimentalWarning', file, ...args];
  const child = spawn(enter, [...where, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    // Its folder is removed next.
    await ended;
  });
  let text = '';
  return new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const found = line.exec(text);
      if (found !== null) resolve(found[1] ?? '');
    });
    child.on('close', () => reject(new Error(`${file} ended: ${text}`)));
  });
}

type Listener = (report: ComputerReport) => void;

export class Computer {
  readonly #lan: Lan;
  readonly #socket: Socket;
  readonly #profile = mkdtempSync(join(tmpdir(), 'hearth-network-'));
  readonly #listeners = new Set<Listener>();
  readonly messages: string[] = [];
  connection: Connection = { state: 'connecting' };
  #child: ChildProcess | undefined;
  #count = 0;

  constructor(lan: Lan, socket: Socket) {
    this.#lan = lan;
    this.#socket = socket;
  }

  run(...command: readonly string[]): void {
    this.#socket.run(...command);
  }

  async start(): Promise<void> {
    const node = [process.execPath, '--disable-warning=ExperimentalWarning', program];
    const [enter, ...where] = this.#socket.command;
    const child = spawn(enter, [...where, ...node, this.#profile], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    onTestFinished(async () => {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
      rmSync(this.#profile, { recursive: true });
    });
    const ready = this.#next(({ type }) => type === 'ready');
    child.on('message', (report: ComputerReport) => {
      if (report.type === 'connection') this.connection = report.connection;
      if (report.type === 'message') this.messages.push(report.text);
      for (const listener of [...this.#listeners]) listener(report);
    });
    await ready;
  }

  /** As `programAt` does, here. */
  program(file: string, args: readonly string[], line: RegExp): Promise<string> {
    return programAt(this.#socket, file, args, line);
  }

  ask<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    const id = (this.#count += 1);
    return new Promise((resolve) => {
      void this.#next((report) => {
        const isAnswer = report.type === 'answer' && report.id === id;
        if (isAnswer) resolve(report.value as T);
        return isAnswer;
      });
      this.#child?.send({ id, name, args } satisfies ComputerQuestion);
    });
  }

  /** The value of a call that has to succeed. */
  async get<T>(name: string, ...args: readonly unknown[]): Promise<T> {
    const outcome = await this.ask<Outcome<T>>(name, ...args);
    if (outcome.ok) return outcome.value;
    throw new Error(`${name}: ${outcome.failure.code}: ${outcome.failure.message}`);
  }

  /** Settles once somebody has written this. */
  async hears(text: string): Promise<void> {
    const isThere = (): boolean => this.messages.some((each) => each.includes(text));
    if (!isThere()) await this.#next(isThere);
  }

  async isConnected(state: Connection['state']): Promise<void> {
    const isSo = (): boolean => this.connection.state === state;
    if (!isSo()) await this.#next(isSo);
  }

  /** The router gives it another address: what goes to the one of before arrives nowhere. */
  moveTo(address: string): void {
    this.run('ip', 'address', 'flush', 'dev', 'eth0');
    this.run('ip', 'address', 'add', `${address}/24`, 'dev', 'eth0');
  }

  unplug(): void {
    this.#lan.run('ip', 'link', 'set', this.#socket.port, 'down');
  }

  plug(): void {
    this.#lan.run('ip', 'link', 'set', this.#socket.port, 'up');
  }

  /** It no longer knows which hardware has which address, as after a while. */
  forgetNeighbours(): void {
    this.run('ip', 'neighbour', 'flush', 'all');
  }

  suspend(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  #next(isIt: (report: ComputerReport) => boolean): Promise<void> {
    return new Promise((resolve) => {
      const listener: Listener = (report) => {
        if (!isIt(report)) return;
        this.#listeners.delete(listener);
        resolve();
      };
      this.#listeners.add(listener);
    });
  }
}
