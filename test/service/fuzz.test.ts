/**
 * Bad input to every endpoint, made from its own codecs: whatever is sent, the answer is a documented one, and what
 * was refused has changed nothing. `FUZZ_SEED` repeats a run. `npm run fuzz` sends as many requests as it is told, and
 * looks at the time that each takes and at what stays in memory.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#shared/api/endpoints/index.ts';
import type { TestService } from '../support/service/api.ts';
import { ada, ben, cleo, echoBot, gus, hookBot, startTestService } from '../support/service/api.ts';
import { endpoints, type FuzzAnswer, problemOf } from '../support/fuzz/answers.ts';
import { fuzzRequest, type FuzzRequest } from '../support/fuzz/requests.ts';
import { fuzzDelivery } from '../support/fuzz/webhooks.ts';
import { integrations } from '#service/webhooks/integrations/index.ts';
import { shortOrLong } from '../support/long.ts';
import { type Random, randomFrom } from '../support/random.ts';

const told = process.env['HEARTH_FUZZ_REQUESTS'];
const REQUESTS = told === undefined ? shortOrLong(1000, 21_000) : Number(told);
const perEndpoint = Math.ceil(REQUESTS / endpoints.length);
const perIntegration = Math.ceil(REQUESTS / 8 / integrations.size);
/** More than a busy machine takes for one of these tests. */
const TIMEOUT_MS = 600_000 + 5 * REQUESTS;
const perClosedEndpoint = Math.ceil(perEndpoint / 10);
/** What says no more than which organization it is. */
const openPaths = new Set(
  ['server_settings', 'realm/icon', 'dev_list_users'].map((path) => `/api/v1/${path}`),
);
const HANG_MS = 10_000;
/** How long a request may take at most; what takes longer is sent again, because the machine may be busy. */
const MAX_MS = 250;
const REPEATS = 5;
const MAX_GROWTH_MIB = 24;

const seed = Number(process.env['FUZZ_SEED'] ?? Math.floor(Math.random() * 1_000_000));

/** A refused webhook call tells the bot's owner what could not be posted (API decisions 12.1). */
const isToldToOwner = (target: string): boolean => target.startsWith('/api/v1/external/');

/** What goes on by itself: cursors, the search index, the counter's blocks. */
const BACKGROUND = /^(?:event_counter|queue|search_|message_search)/;

class Target {
  readonly service: TestService;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #roles: readonly (string | null)[];

  private constructor(service: TestService, roles: readonly (string | null)[]) {
    this.service = service;
    this.#roles = roles;
  }

  static async start(): Promise<Target> {
    const service = await startTestService({
      longpollSeconds: 0.05,
      heartbeatSeconds: 0.05,
    });
    await service.say(ben, 'general', 'lunch', 'soup https://example.com');
    await service.say(ada, 'engineering', 'lunch', 'no soup');
    await service.tell(ben, [ada, cleo], 'psst');
    for (const [who, id] of [
      [ada, 'begun-by-ada'],
      [ben, 'begun-by-ben'],
    ] as const) {
      const { upload_id } = await service.ask(who, api.uploads.begin, { name: 'a', size: 300 });
      service.change('UPDATE unfinished_upload SET id = ? WHERE id = ?', id, upload_id);
    }
    const roles = [ada, ben, cleo, gus, echoBot, hookBot];
    const headers = await Promise.all(roles.map((who) => service.authorization(who)));
    service.change("UPDATE account SET is_active = 0 WHERE email = 'cleo@example.com'");
    const wrongKey = `Basic ${Buffer.from(`${ben}:nonsense`).toString('base64')}`;
    const often = [0, 0, 0, 0, 1, 1, 1, 3, 3, 4, 4].map((index) => headers[index] ?? null);
    return new Target(service, [...headers, ...often, null, wrongKey, 'Basic !!!']);
  }

  /** As a restore leaves it. */
  async close(): Promise<void> {
    this.service.change("UPDATE realm SET opens_with = '123456'");
    await this.service.restart();
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.service.stop();
  }

  /** Sends it; answers also what a refusal changed of what the database holds that only calls change. */
  async askAndCompare(
    request: FuzzRequest,
    isToChangeNothing: (answer: FuzzAnswer) => boolean,
  ): Promise<readonly [answer: FuzzAnswer, changed: readonly string[]]> {
    const send = (): Promise<FuzzAnswer> => this.ask(request);
    const { result, dumps } = await this.service.dumpsAround(send, isToChangeNothing);
    const { before, after } = dumps ?? { before: {}, after: {} };
    const tables = Object.keys(after).filter((table) => !BACKGROUND.test(table));
    const textsOf = (rows: readonly object[] = []): readonly string[] =>
      rows.map((row) => JSON.stringify(row));
    const isChanged = (table: string): boolean => {
      const [then, now] = [textsOf(before[table]), textsOf(after[table])];
      // Events that everybody has go by themselves.
      if (table === 'event') return now.some((row) => !then.includes(row));
      return JSON.stringify(now) !== JSON.stringify(then);
    };
    return [result, tables.filter(isChanged)];
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
/** Requests that took too long each time they were made. */
const slow: string[] = [];
let longestMs = 0;
/** In use after a collection, once for each endpoint, when its service has ended. */
const heapMib: number[] = [];
function heapMibNow(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** The shortest of several tries, where the first took too long. */
async function msOf(target: Target, request: FuzzRequest, firstMs: number): Promise<number> {
  let shortest = firstMs;
  for (let tries = 0; tries < REPEATS && shortest > MAX_MS; tries++) {
    const startedAt = performance.now();
    await target.ask(request);
    shortest = Math.min(shortest, performance.now() - startedAt);
  }
  return shortest;
}

/** A fetch of events waits for as long as it was asked to. */
const waits = (name: string): boolean => name === 'events.poll';

/** Answers by status; refusals alone would show that nothing but the first checks was reached. */
const statuses = new Map<number, number>();

describe(`bad input (FUZZ_SEED=${String(seed)})`, () => {
  let target: Target;
  beforeAll(async () => {
    target = await Target.start();
  });
  afterAll(() => target.stop());

  // What earlier calls did to accounts and streams must not keep later ones from getting anywhere.
  async function startAnew(): Promise<void> {
    await target.stop();
    target = await Target.start();
  }

  async function expectDocumented(name: string, request: FuzzRequest): Promise<void> {
    const shown = `${name} ${request.method} ${request.target.slice(0, 500)} ${JSON.stringify(request.headers).slice(0, 500)} ${String(request.body?.toString().slice(0, 500))}`;
    const startedAt = performance.now();
    const path = request.target.split('?')[0] ?? '';
    const isToChangeNothing = ({ status }: FuzzAnswer): boolean =>
      status >= 400 && !isToldToOwner(path);
    const [answer, changed] = await target
      .askAndCompare(request, isToChangeNothing)
      .catch((cause: unknown) => {
        throw new Error(`no answer: ${shown}`, { cause });
      });
    const firstMs = performance.now() - startedAt;
    const problem = problemOf(request.method, path, answer);
    expect(problem, `${shown}\n→ ${String(answer.status)} ${answer.text.slice(0, 500)}`).toBe(
      undefined,
    );
    expect(changed, `changed by a refused call: ${shown}`).toEqual([]);
    if (told !== undefined && !waits(name)) {
      const ms = await msOf(target, request, firstMs);
      longestMs = Math.max(longestMs, ms);
      if (ms > MAX_MS) slow.push(`${ms.toFixed(0)} ms: ${shown}`);
    }
    sent++;
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  }

  test.for(endpoints)(
    '%s answers as it is documented, and a refusal changes nothing [fuzz.answers-documented-refusal]',
    { timeout: TIMEOUT_MS },
    async ([name, endpoint]) => {
      await startAnew();
      const random = randomFrom(seed + sent);
      for (let index = 0; index < perEndpoint; index++) {
        await expectDocumented(name, fuzzRequest(random, endpoint, target.pickRole(random)));
      }
      if (told !== undefined) heapMib.push(heapMibNow());
    },
  );

  test(
    'a delivery of any integration is answered as it is documented [fuzz.delivery-integration-answered]',
    { timeout: TIMEOUT_MS },
    async () => {
      await startAnew();
      const random = randomFrom(seed);
      const key = await target.service.keyOf(hookBot);
      for (const name of integrations.keys()) {
        for (let index = 0; index < perIntegration; index++) {
          await expectDocumented(name, fuzzDelivery(random, name, key));
        }
      }
      await startAnew();
      if (told !== undefined) heapMib.push(heapMibNow());
    },
  );

  test(
    'a restored organization that is not open answers nobody from elsewhere, and stays as it is [fuzz.restored-organization-not]',
    { timeout: TIMEOUT_MS },
    async () => {
      await startAnew();
      const key = await target.service.keyOf(hookBot);
      await target.close();
      const random = randomFrom(seed);
      const elsewhere = { 'x-forwarded-for': '192.0.2.1' };
      let refused = 0;
      const expectClosed = async (request: FuzzRequest): Promise<void> => {
        const headers = { ...request.headers, ...elsewhere };
        const asked = { ...request, headers };
        const [{ status, text }, changed] = await target.askAndCompare(asked, () => true);
        const shown = `${asked.method} ${asked.target.slice(0, 500)} ${String(asked.body?.toString().slice(0, 500))}\n→ ${text.slice(0, 500)}`;
        const path = asked.target.split('?', 1)[0] ?? '';
        expect(status >= 400 || asked.method === 'OPTIONS' || openPaths.has(path), shown).toBe(
          true,
        );
        expect(changed, shown).toEqual([]);
        if (text.includes('"ORGANIZATION_CLOSED"')) refused++;
      };
      for (const [, endpoint] of endpoints) {
        for (let index = 0; index < perClosedEndpoint; index++) {
          await expectClosed(fuzzRequest(random, endpoint, target.pickRole(random)));
        }
      }
      for (const name of integrations.keys()) await expectClosed(fuzzDelivery(random, name, key));
      // Nobody but who named no right key was told anything else.
      expect(refused).toBeGreaterThan((endpoints.length * perClosedEndpoint) / 3);
      await startAnew();
    },
  );

  // Left out altogether otherwise: whether a machine is fast enough is no question of `npm test`.
  if (told !== undefined) {
    test('no request took long, and nothing stays in memory', () => {
      // What is loaded and compiled once is in memory after the first few endpoints.
      const [first = 0, last = 0] = [heapMib[10], heapMib.at(-1)];
      process.stdout.write(
        `${sent} requests, the longest ${longestMs.toFixed(0)} ms, ${first.toFixed(1)} → ${last.toFixed(1)} MiB\n`,
      );
      expect(slow).toEqual([]);
      expect(last - first).toBeLessThan(MAX_GROWTH_MIB);
    });
  }

  test('as many requests were made as were meant, and not all of them were refused', () => {
    expect(sent).toBeGreaterThanOrEqual(REQUESTS);
    expect(statuses.get(200)).toBeGreaterThan(sent / 10);
    expect(statuses.get(400)).toBeGreaterThan(sent / 4);
  });
});
