/** An office that is killed again and again, with everything that may be under way in it, and what has to hold afterwards. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { entryOf } from '../entries.ts';
import type { Random } from '../random.ts';
import {
  call,
  type Credentials,
  credentials,
  type RunningService,
  startService,
} from '../service/service.ts';
import { isConnectionLost } from './listener.ts';

const BURST = 30;
/** About as long as a backup or a restore of so small an office takes. */
const LONGEST_MS = 900;
const PAGE = 1000;
const MARK = { type: 'stream', to: 'general', topic: 'torture' };

/** What is killed, in an order that nobody has chosen, before anything is killed once more. */
export const ROUND = ['send', 'send', 'back up', 'back up', 'restore', 'move'] as const;

export interface TortureCounts {
  kills: number;
  acknowledged: number;
  backups: number;
  restores: number;
  moves: number;
}

interface Command {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly text: string }>;
}

function hearth(...args: readonly string[]): Command {
  const child = spawn(process.execPath, [entryOf('hearth'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  }
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number, text })) };
}

/** Ends it at a moment that nobody has chosen; the moment may come too late. */
async function killSome({ child }: Command, random: Random): Promise<void> {
  await delay(random.below(LONGEST_MS));
  child.kill('SIGKILL');
}

function check(holds: boolean, message: string): asserts holds {
  if (!holds) throw new Error(message);
}

type Messages = ReadonlyMap<number, string>;

/** What the service has from a message on, oldest first. */
async function messagesFrom(
  origin: string,
  ada: Credentials,
  after: number,
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (let anchor = after, isLast = false; !isLast;) {
    const page = { anchor, num_before: 0, num_after: PAGE, apply_markdown: false };
    const { status, body } = await call(origin, ada, 'GET', '/messages', page);
    check(status === 200, `messages could not be read: ${JSON.stringify(body)}`);
    const messages = body['messages'] as { id: number; content: string }[];
    for (const { id, content } of messages) if (id > after) found.set(id, content);
    anchor = messages.at(-1)?.id ?? anchor;
    isLast = body['found_newest'] === true;
  }
  return found;
}

interface Archived {
  readonly file: string;
  readonly messages: Messages;
}

const checkHas = (stored: Messages, acknowledged: Messages, where: string): void => {
  for (const [id, content] of acknowledged) {
    const found = stored.get(id);
    check(found === content, `${where}: message ${String(id)} is ${String(found)}, not ${content}`);
  }
  check(new Set(stored.values()).size === stored.size, `${where}: a message is there twice`);
};

export class Tortured {
  readonly counts: TortureCounts = { kills: 0, acknowledged: 0, backups: 0, restores: 0, moves: 0 };
  readonly #random: Random;
  readonly #dir: string;
  readonly #archives: string;
  readonly #codeFile: string;
  /** Where the office lives: a move takes it elsewhere. */
  #data: string;
  #service: RunningService;
  #ada: Credentials;
  #sent = 0;
  /** What is still to be killed of this round. */
  readonly #left: (typeof ROUND)[number][] = [];
  #folders = 0;
  readonly #acknowledged = new Map<number, string>();
  /** What is not newer was looked at; in the end everything is. */
  #checked = 0;
  /** What the newest whole archive has to have. */
  #archived: Archived | null = null;

  private constructor(random: Random, dir: string, service: RunningService, ada: Credentials) {
    this.#random = random;
    this.#dir = dir;
    this.#data = join(dir, 'data');
    this.#archives = join(dir, 'archives');
    this.#codeFile = join(dir, 'code');
    this.#service = service;
    this.#ada = ada;
  }

  static async begin(random: Random): Promise<Tortured> {
    const dir = mkdtempSync(join(tmpdir(), 'hearth-torture-'));
    mkdirSync(join(dir, 'archives'));
    const service = await startService({ ...own, dataDir: join(dir, 'data') });
    const ada = await credentials(service.origin, 'ada@example.com');
    const tortured = new Tortured(random, dir, service, ada);
    const made = hearth('recovery-code', '--data-dir', join(dir, 'data'), '--json');
    const { text } = await made.ended;
    const said = JSON.parse(text) as { readonly recovery_code: string };
    writeFileSync(tortured.#codeFile, said.recovery_code);
    return tortured;
  }

  /** One kill of something, and all that has to hold then. Of each kind there are as many as `ROUND` has. */
  async next(): Promise<void> {
    if (this.#left.length === 0) this.#left.push(...ROUND);
    const [work] = this.#left.splice(this.#random.below(this.#left.length), 1);
    if (work === 'send') await this.#killService();
    else if (work === 'back up') await this.#killBackup();
    else if (work === 'restore') await this.#killRestore();
    else await this.#killMove();
  }

  async end(): Promise<void> {
    const all = await messagesFrom(this.#service.origin, this.#ada, 0);
    checkHas(all, this.#acknowledged, 'in the end');
    check((await this.#service.stop()) === 0, 'the service did not end cleanly');
    rmSync(this.#dir, { recursive: true });
  }

  /** Lets go of what an error has left running. */
  async abandon(): Promise<void> {
    await this.#service.kill();
  }

  /** @param onAcknowledged  told how many there are of this burst */
  async #burst(onAcknowledged: (count: number) => void = () => undefined): Promise<void> {
    const { origin } = this.#service;
    let count = 0;
    const sends = Array.from({ length: BURST }, async () => {
      const content = `message ${String((this.#sent += 1))}`;
      const answer = await call(origin, this.#ada, 'POST', '/messages', { ...MARK, content });
      // While it moves nobody is told that anything was taken.
      if (answer.body['is_succeeded'] === true) return;
      check(answer.status === 200, `a message was refused: ${JSON.stringify(answer.body)}`);
      this.#acknowledged.set(Number(answer.body['id']), content);
      this.counts.acknowledged += 1;
      onAcknowledged((count += 1));
    });
    for (const result of await Promise.allSettled(sends)) {
      if (result.status === 'rejected' && !isConnectionLost(result.reason)) throw result.reason;
    }
  }

  async #killService(): Promise<void> {
    const after = 1 + this.#random.below(BURST);
    let killed: Promise<void> | undefined;
    await this.#burst((count) => {
      if (count === after) killed = this.#service.kill();
    });
    await killed;
    await this.#service.kill();
    this.counts.kills += 1;
    await this.#startAgain();
    await this.#lookAtRecent('after a kill of the service');
  }

  async #lookAtRecent(where: string): Promise<void> {
    const stored = await messagesFrom(this.#service.origin, this.#ada, this.#checked);
    const recent = [...this.#acknowledged].filter(([id]) => id > this.#checked);
    checkHas(stored, new Map(recent), where);
    this.#checked = Math.max(this.#checked, ...stored.keys());
  }

  /** @param port  undefined for any */
  async #startAgain(port?: string): Promise<void> {
    const args = [...own.args, ...(port === undefined ? [] : ['--port', port])];
    this.#service = await startService({ ...own, args, dataDir: this.#data });
  }

  /** Kills the computer that it leaves or the one that it comes to; then it goes on, or is called off. */
  async #killMove(): Promise<void> {
    const made = await hearth('move-out', '--data-dir', this.#data, '--json').ended;
    check(made.code === 0, `no code was made: ${made.text}`);
    const { code } = JSON.parse(made.text) as { readonly code: string };
    const next = join(this.#dir, `data-${String((this.#folders += 1))}`);
    const moveIn = ['move-in', code, '--data-dir', next];
    const command = hearth(...moveIn);
    const { port } = new URL(this.#service.origin);
    const killed = this.#random.chance(0.5) ? this.#service.process : command.child;
    await Promise.all([this.#burst(), killSome({ ...command, child: killed }, this.#random)]);
    this.counts.kills += 1;
    if (killed !== command.child) {
      await this.#service.kill();
      await this.#startAgain(port);
    }
    await command.ended;
    if (this.#random.chance(0.5)) {
      const calledOff = await hearth('move-out', '--call-off', '--data-dir', this.#data).ended;
      if (calledOff.code === 0) {
        const late = await hearth(...moveIn).ended;
        check(late.code === 1, `a move that was called off went on: ${late.text}`);
        rmSync(`${next}.moving`, { recursive: true, force: true });
        await this.#burst();
        await this.#lookAtRecent('after a move that was called off');
        return;
      }
    }
    const last = await hearth(...moveIn).ended;
    check(last.code === 0, `a killed move did not go on: ${last.text}`);
    await this.#goOnIn(next);
  }

  async #goOnIn(next: string): Promise<void> {
    const { status } = await call(this.#service.origin, this.#ada, 'GET', '/users/me');
    check(status === 401, `the computer that the office has left answers ${String(status)}`);
    await this.#service.kill();
    rmSync(this.#data, { recursive: true });
    this.#data = next;
    await this.#startAgain();
    this.counts.moves += 1;
    await this.#lookAtRecent('after a move');
  }

  async #killBackup(): Promise<void> {
    const before = new Map(this.#acknowledged);
    // A folder of its own: two archives of one second would have one name.
    const into = mkdtempSync(join(this.#archives, 'of-'));
    const command = hearth('backup', into, '--data-dir', this.#data, '--json');
    await Promise.all([this.#burst(), killSome(command, this.#random)]);
    const { code, text } = await command.ended;
    this.counts.kills += 1;
    check(code === null || code === 0, `a backup failed by itself: ${text}`);
    const whole = readdirSync(into).find((name) => name.endsWith('.hearth'));
    const old = whole === undefined ? into : this.#archived && dirname(this.#archived.file);
    if (old !== null) rmSync(old, { recursive: true });
    if (whole === undefined) return;
    this.counts.backups += 1;
    this.#archived = { file: join(into, whole), messages: before };
  }

  async #backUp(): Promise<Archived> {
    const messages = new Map(this.#acknowledged);
    const into = mkdtempSync(join(this.#archives, 'of-'));
    const { code, text } = await hearth('backup', into, '--data-dir', this.#data).ended;
    check(code === 0, `a backup failed: ${text}`);
    const [name = ''] = readdirSync(into).filter((each) => each.endsWith('.hearth'));
    this.counts.backups += 1;
    return { file: join(into, name), messages };
  }

  async #killRestore(): Promise<void> {
    const { file, messages } = (this.#archived ??= await this.#backUp());
    const dataDir = join(this.#dir, 'restored');
    const args = [
      ...['restore', file, '--data-dir', dataDir],
      ...['--code-file', this.#codeFile, '--yes', '--keep-keys'],
    ];
    const command = hearth(...args);
    await killSome(command, this.#random);
    const first = await command.ended;
    this.counts.kills += 1;
    check(first.code === null || first.code === 0, `a restore failed by itself: ${first.text}`);
    if (!readdirSync(this.#dir).includes('restored')) {
      const again = await hearth(...args).ended;
      check(again.code === 0, `after a killed restore another one failed: ${again.text}`);
    }
    await this.#lookAtRestored(dataDir, messages);
    rmSync(dataDir, { recursive: true });
  }

  async #lookAtRestored(dataDir: string, messages: Messages): Promise<void> {
    const restored = await startService({ ...own, dataDir });
    try {
      const stored = await messagesFrom(restored.origin, this.#ada, 0);
      checkHas(stored, messages, 'in a restored office');
      const content = `restored ${String((this.counts.restores += 1))}`;
      const { body } = await call(restored.origin, this.#ada, 'POST', '/messages', {
        ...MARK,
        content,
      });
      const newest = Math.max(0, ...this.#acknowledged.keys());
      check(Number(body['id']) > newest, `id ${String(body['id'])} was given out already`);
    } finally {
      await restored.kill();
    }
  }
}

const own = { dev: true, args: ['--no-rate-limits'] } as const;
