/** Two computers between which an organization moves, and the name by which its people find it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Transform, type TransformCallback } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { entryOf } from '#test/support/entries.ts';
import { call, type Credentials } from '#test/support/service/service.ts';
import type { Running } from '#test/support/client/computer.ts';
import { isConnectionLost } from '#test/support/crash/listener.ts';

/** Often enough to meet every gap, and leaving time for everything else. */
const PROBE_EVERY_MS = 5;

/** Passes so many bytes, and holds all that follow. */
function silentAfter(bytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback): void {
      const rest = bytes - passed;
      passed += chunk.length;
      if (chunk.length <= rest) done(null, chunk);
      else this.push(chunk.subarray(0, Math.max(0, rest)));
    },
  });
}

/** A name in the network: leads to one computer now, and to another one later. */
export class Name {
  readonly origin: string;
  #port: number;
  readonly #sockets = new Set<Socket>();

  private constructor(port: number, to: string) {
    this.origin = `https://127.0.0.1:${String(port)}`;
    this.#port = Number(new URL(to).port);
  }

  /** @param answerBytes  how much each connection is answered before the line goes silent */
  static async of(to: string, answerBytes = Infinity): Promise<Name> {
    const server = createServer((socket) => {
      const there = connect(name.#port, '127.0.0.1');
      name.#sockets.add(socket);
      for (const [one, other] of [
        [socket, there],
        [there, socket],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => {
          other.destroy();
          name.#sockets.delete(socket);
        });
      }
      socket.pipe(there);
      there.pipe(silentAfter(answerBytes)).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const name = new Name((server.address() as AddressInfo).port, to);
    onTestFinished(() => void server.close());
    return name;
  }

  pointTo(origin: string): void {
    this.#port = Number(new URL(origin).port);
    for (const socket of this.#sockets) socket.destroy();
  }
}

export interface MoveIn {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

export const steps = ['claiming', 'taking', 'asking', 'finishing'] as const;
export type Step = (typeof steps)[number];

const lines: Readonly<Record<Step, string>> = {
  claiming: 'asking the other computer to close',
  taking: 'taking everything over',
  asking: 'waiting until the other computer has let go',
  finishing: 'finishing',
};

/** `hearth move-in`, which tells when it comes to a step. */
export function moveIn(code: string, dataDir: string, onStep?: (step: Step) => void): MoveIn {
  const args = [entryOf('hearth'), 'move-in', '--data-dir', dataDir];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'pipe'] });
  // It may be killed before it has read it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(code);
  let stderr = '';
  const told = new Set<Step>();
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const step of steps) {
      if (told.has(step) || !stderr.includes(lines[step])) continue;
      told.add(step);
      onStep?.(step);
    }
  });
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stderr }));
  });
  return { child, ended };
}

/** Writes to every host again and again, and keeps book of who took it. */
export class Prober {
  readonly #auth: Credentials;
  readonly #hosts: string[] = [];
  /** In the order in which they were asked for; of each host one at a time. */
  readonly accepted: {
    readonly origin: string;
    readonly beganAt: number;
    readonly endedAt: number;
  }[] = [];
  /** By id, of what was acknowledged. */
  readonly contents = new Map<number, string>();
  #isStopped = false;
  readonly #loops: Promise<void>[] = [];
  #count = 0;

  constructor(auth: Credentials) {
    this.#auth = auth;
  }

  watch(origin: string): void {
    if (this.#hosts.includes(origin)) return;
    this.#hosts.push(origin);
    this.#loops.push(this.#probe(origin));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops);
  }

  async #probe(origin: string): Promise<void> {
    while (!this.#isStopped) {
      const content = `probe ${String((this.#count += 1))}`;
      const beganAt = performance.now();
      try {
        const message = { type: 'stream', to: 'general', topic: 'probes', content };
        const { status, body } = await call(origin, this.#auth, 'POST', '/messages', message);
        if (status === 200) {
          this.accepted.push({ origin, beganAt, endedAt: performance.now() });
          this.contents.set(Number(body['id']), content);
        } else if (body['is_succeeded'] !== true) {
          throw new Error(`a probe was refused: ${JSON.stringify(body)}`);
        }
      } catch (error) {
        if (!isConnectionLost(error)) throw error;
      }
      await delay(PROBE_EVERY_MS);
    }
  }
}

/** Somebody who says one thing after the other, whenever what they said last has come back. */
export class Talker {
  readonly said: string[] = [];
  readonly running: Running;
  readonly #who: string;
  #isStopped = false;
  #loop: Promise<void> = Promise.resolve();

  constructor(running: Running, who: string) {
    this.running = running;
    this.#who = who;
  }

  start(): void {
    this.#loop = this.#talk();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#loop;
  }

  async #talk(): Promise<void> {
    const { running, said } = this;
    while (!this.#isStopped) {
      const content = `${this.#who} says ${String(said.length)}`;
      said.push(content);
      await running.send(content, [1, 2]);
      await running.until(() =>
        running.arrived().some(({ rendered }) => rendered === `<p>${content}</p>`),
      );
    }
  }
}

export async function contentsAt(origin: string, who: Credentials): Promise<Map<number, string>> {
  const page = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false };
  const { status, body } = await call(origin, who, 'GET', '/messages', page);
  expect(status).toBe(200);
  const messages = body['messages'] as { readonly id: number; readonly content: string }[];
  return new Map(messages.map(({ id, content }) => [id, content]));
}
