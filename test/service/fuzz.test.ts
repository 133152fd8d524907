/**
 * Bad input to every endpoint, made from its own codecs: whatever is sent, the answer is a documented one, and what
 * was refused has changed nothing. `FUZZ_SEED` repeats a run.
 */
import Database from 'better-sqlite3';
import { Agent, request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../support/api.ts';
import { ada, ben, cleo, echoBot, gus, hookBot, startTestService } from '../support/api.ts';
import { endpoints, type FuzzAnswer, problemOf } from '../support/fuzz/answers.ts';
import { fuzzRequest, type FuzzRequest } from '../support/fuzz/requests.ts';
import { type Random, randomFrom } from '../support/random.ts';

const REQUESTS = 21_000;
const perEndpoint = Math.ceil(REQUESTS / endpoints.length);
const HANG_MS = 10_000;

const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** A refused webhook call tells the bot's owner what could not be posted (API decisions, section 12.1). */
const isToldToOwner = (target: string): boolean => target.startsWith('/api/v1/external/');

/** What goes on by itself: cursors, the search index, the counter's blocks. */
const BACKGROUND = /^(?:event_counter|queue|search_|message_search)/;

class Target {
  readonly service: TestService;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #db: Database.Database;
  readonly #roles: readonly (string | null)[];
  #version = -1;
  #dump = '';

  private constructor(service: TestService, roles: readonly (string | null)[]) {
    this.service = service;
    this.#roles = roles;
    this.#db = new Database(service.file, { readonly: true });
  }

  static async start(): Promise<Target> {
    const service = await startTestService({
      longpollSeconds: 0.05,
      heartbeatSeconds: 0.05,
    });
    await service.say(ben, 'general', 'lunch', 'soup https://example.com');
    await service.say(ada, 'engineering', 'lunch', 'no soup');
    await service.tell(ben, [ada, cleo], 'psst');
    const roles = [ada, ben, cleo, gus, echoBot, hookBot];
    const headers = await Promise.all(roles.map((who) => service.authorization(who)));
    service.change("UPDATE account SET is_active = 0 WHERE email = 'cleo@example.com'");
    const wrongKey = `Basic ${Buffer.from(`${ben}:nonsense`).toString('base64')}`;
    const often = [0, 0, 0, 0, 1, 1, 1, 3, 3, 4, 4].map((index) => headers[index] ?? null);
    return new Target(service, [...headers, ...often, null, wrongKey, 'Basic !!!']);
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    this.#db.close();
    await this.service.stop();
  }

  /** What the database holds that only calls change; read anew only after somebody wrote. */
  state(): string {
    const version = Number(this.#db.pragma('data_version', { simple: true }));
    if (version === this.#version) return this.#dump;
    this.#version = version;
    const tables = Object.entries(this.service.dump()).filter(([name]) => !BACKGROUND.test(name));
    this.#dump = JSON.stringify(tables);
    return this.#dump;
  }

  pickRole(random: Random): string | null {
    return random.pick(this.#roles);
  }

  ask({ method, target, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        `${this.service.origin}${target}`,
        {
          method,
          headers: { ...headers, 'content-length': body?.length ?? 0 },
          agent: this.#agent,
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => (text += chunk));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
          response.on('error', reject);
        },
      );
      request.setTimeout(HANG_MS, () => request.destroy(new Error('no answer in time')));
      request.on('error', reject);
      request.end(body ?? undefined);
    });
  }
}

let sent = 0;
/** Answers by status; refusals alone would show that nothing but the first checks was reached. */
const statuses = new Map<number, number>();

describe(`bad input (FUZZ_SEED=${String(seed)})`, () => {
  let target: Target;
  beforeAll(async () => {
    target = await Target.start();
  });
  afterAll(() => target.stop());

  test.for(endpoints)(
    '%s answers as it is documented, and a refusal changes nothing',
    { timeout: 120_000 },
    async ([name, endpoint]) => {
      // What earlier calls did to accounts and streams must not keep later ones from getting anywhere.
      await target.stop();
      target = await Target.start();
      const random = randomFrom(seed + sent);
      for (let index = 0; index < perEndpoint; index++) {
        const before = target.state();
        const request = fuzzRequest(random, endpoint, target.pickRole(random));
        const shown = `${name} ${request.method} ${request.target.slice(0, 500)} ${String(request.body?.toString().slice(0, 500))}`;
        const answer = await target.ask(request).catch((cause: unknown) => {
          throw new Error(`no answer: ${shown}`, { cause });
        });
        const path = request.target.split('?')[0] ?? '';
        const problem = problemOf(request.method, path, answer);
        expect(problem, `${shown}\n→ ${String(answer.status)} ${answer.text.slice(0, 500)}`).toBe(
          undefined,
        );
        if (answer.status >= 400 && !isToldToOwner(path)) {
          expect(target.state() === before, `changed by a refused call: ${shown}`).toBe(true);
        }
        sent++;
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      }
    },
  );

  test('at least 20,000 requests were made', () => {
    expect(sent).toBeGreaterThanOrEqual(20_000);
    expect(statuses.get(200)).toBeGreaterThan(sent / 10);
    expect(statuses.get(400)).toBeGreaterThan(sent / 4);
  });
});
