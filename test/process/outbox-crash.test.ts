/** The outbox against `kill -9`: what was on disk is sent once, what was not is sent once or never. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import { ada, ben, idOf, startTestService } from '../support/service/api.ts';
import { shortOrLong } from '../support/long.ts';
import { projectDir } from '../support/machine.ts';
import type { OutboxOrder, OutboxReport } from '../support/client/outbox-process.ts';
import { randomFrom } from '../support/random.ts';
import { temporaryFile } from '../support/service/store.ts';

const entry = fileURLToPath(new URL('../support/client/outbox-process.ts', import.meta.url));
/** Compiling its sources is half of the time of each of so many processes. */
const compiledDir = join(projectDir, 'node_modules', '.cache', 'compiled');
const KILLS = shortOrLong(6, 15);

/** Kept in the order in which they were asked for; `isSafe` once the process said so. */
interface Written {
  readonly content: string;
  isSafe: boolean;
}

class Sender {
  readonly #child: ChildProcess;
  readonly #texts: Written[];

  private constructor(child: ChildProcess, texts: Written[]) {
    this.#child = child;
    this.#texts = texts;
    child.on('message', (message: OutboxReport) => {
      if (message.kind !== 'written') return;
      const text = texts.find(({ content }) => content === message.content);
      if (text !== undefined) text.isSafe = true;
    });
  }

  static async start(args: readonly string[], texts: Written[]): Promise<Sender> {
    const child = fork(entry, args, {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, NODE_COMPILE_CACHE: compiledDir },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const sender = new Sender(child, texts);
    expect(await sender.#next('open')).toEqual({ kind: 'open', problem: null });
    return sender;
  }

  write(content: string, userIds: readonly number[]): void {
    this.#texts.push({ content, isSafe: false });
    this.#order({ kind: 'write', content, userIds });
  }

  /** Settles when so many of what it was given are on disk. */
  written(count: number): Promise<void> {
    let left = count;
    return new Promise((resolve) => {
      if (left === 0) resolve();
      this.#child.on('message', ({ kind }: OutboxReport) => {
        if (kind === 'written' && (left -= 1) === 0) resolve();
      });
    });
  }

  /** Settles when it has ended by itself. */
  async died(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      await once(this.#child, 'exit');
    }
  }

  async drain(): Promise<void> {
    const drained = this.#next('drained');
    this.#order({ kind: 'drain' });
    await drained;
  }

  async kill(): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #order(order: OutboxOrder): void {
    this.#child.send(order, () => undefined);
  }

  #next(kind: OutboxReport['kind']): Promise<OutboxReport> {
    return new Promise((resolve, reject) => {
      this.#child.on('message', (message: OutboxReport) => {
        if (message.kind === kind) resolve(message);
      });
      this.#child.on('exit', (code) => reject(new Error(`it ended with ${String(code)}`)));
    });
  }
}

test('a client that is killed at any moment of a send loses nothing and doubles nothing', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const random = randomFrom(20_260_101);
  const args = [temporaryFile(), service.origin, await service.keyOf(ada)];
  const lanes: readonly { readonly userIds: readonly number[]; readonly texts: Written[] }[] = [
    { userIds: [], texts: [] },
    { userIds: [idOf[ben] ?? 0], texts: [] },
  ];
  const texts: Written[] = [];

  for (let round = 0; round < KILLS; round += 1) {
    const sender = await Sender.start(args, texts);
    const count = 1 + random.below(6);
    const reached = sender.written(random.below(count + 1));
    for (let number = 0; number < count; number += 1) {
      const lane = random.below(2);
      sender.write(`${String(lane)} ${String(texts.length)}`, lanes[lane]?.userIds ?? []);
    }
    // A moment between before the first write and after the last answer.
    await reached;
    await delay(random.below(12));
    await sender.kill();
  }
  const last = await Sender.start(args, texts);
  await last.drain();
  await last.kill();

  const page = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false };
  const { messages } = await service.ask(ada, api.messages.page, page);
  const sent = messages
    .map(({ content }) => content)
    .filter((content) => /^[01] \d+$/.test(content));
  expect(new Set(sent).size).toBe(sent.length);
  const safe = texts.filter(({ isSafe }) => isSafe);
  // How many are depends on the machine; without any nothing would be shown.
  expect(safe.length).toBeGreaterThan(KILLS / 2);
  expect(sent).toEqual(expect.arrayContaining(safe.map(({ content }) => content)));
  for (const lane of ['0', '1']) {
    const numbers = sent
      .filter((content) => content.startsWith(`${lane} `))
      .map((content) => Number(content.slice(2)));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  }
});

/**
 * Before and after: the first text is put on disk, sent; the second is put on disk; the first is removed; the second is
 * marked, sent, removed. What comes of the network may lie between them in another order.
 */
const STEPS = 14;

test('a client that dies at any one step of a send has sent what was on disk, once', async () => {
  const service = await startTestService();
  onTestFinished(() => service.stop());
  const key = await service.keyOf(ada);
  const page = { anchor: 'newest', num_before: 5000, num_after: 0, apply_markdown: false };
  for (let step = 1; step <= STEPS; step += 1) {
    const args = [temporaryFile(), service.origin, key];
    const texts: Written[] = [];
    const dying = await Sender.start([...args, String(step)], texts);
    dying.write(`step ${String(step)} first`, []);
    dying.write(`step ${String(step)} second`, []);
    await dying.died();
    const next = await Sender.start(args, texts);
    await next.drain();
    await next.kill();
    const { messages } = await service.ask(ada, api.messages.page, page);
    const sent = messages
      .map(({ content }) => content)
      .filter((content) => content.startsWith(`step ${String(step)} `));
    const safe = texts.filter(({ isSafe }) => isSafe).map(({ content }) => content);
    expect(sent).toEqual(texts.map(({ content }) => content).slice(0, sent.length));
    expect(sent).toEqual(expect.arrayContaining(safe));
    // Nothing was on disk before the first step was over.
    if (step === 1) expect(sent).toEqual([]);
    else expect(sent.length).toBeGreaterThan(0);
  }
});
