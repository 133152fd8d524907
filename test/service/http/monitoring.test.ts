/** What programs that watch the service are told, and that strangers gain nothing by asking (API decisions 15.17). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import manifest from '#package.json' with { type: 'json' };
import { api } from '#shared/api/endpoints/index.ts';
import { oddHeader } from '#test/support/fuzz/requests.ts';
import { hostileText } from '#test/support/fuzz/values.ts';
import { shortOrLong } from '#test/support/long.ts';
import { randomFrom, seedsOf } from '#test/support/random.ts';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';

const TOKEN = 'a-token-of-twenty-characters';

let folder: string;
let service: TestService;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-monitoring-'));
  const metricsTokenFile = join(folder, 'token');
  writeFileSync(metricsTokenFile, `${TOKEN}\n`);
  service = await startTestService({ metricsTokenFile });
});
afterEach(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

interface Told {
  readonly status: number;
  readonly text: string;
}

async function told(path: string, init: RequestInit = {}): Promise<Told & { headers: Headers }> {
  const answer = await fetch(`${service.origin}${path}`, init);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const metrics = (token: string): Promise<Told> =>
  told('/metrics', { headers: { authorization: `Bearer ${token}` } });

test('a balancer is told by a status alone whether the organization is served here [monitoring.balancer-status-organization]', async () => {
  expect(await told('/health')).toMatchObject({ status: 200, text: '' });
  expect(await told('/health?verbose=1', { method: 'HEAD' })).toMatchObject({ status: 200 });
  expect((await told('/health')).headers.get('cache-control')).toBe('no-store');
  expect(await told('/health', { method: 'POST' })).toMatchObject({ status: 405 });
  await service.ask(ada, api.closing.deactivate, {});
  expect(await told('/health')).toMatchObject({ status: 503, text: '' });
});

test('an address that asks for the health more than ten times a second is told nothing for a while [monitoring.address-asks-health]', async () => {
  const statuses: number[] = [];
  for (let call = 0; call < 605; call += 1) statuses.push((await told('/health')).status);
  expect(statuses.slice(0, 600).every((status) => status === 200)).toBe(true);
  expect(statuses.slice(600)).toEqual([429, 429, 429, 429, 429]);
});

test('figures are told in the text format of Prometheus, and name nobody [monitoring.figures-text-format]', async () => {
  await service.say(ben, 'general', 'lunch', 'soup');
  const { status, text, headers } = await told('/metrics', {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const lines = text.trimEnd().split('\n');
  for (const line of lines) {
    expect(line).toMatch(
      /^(?:# (?:HELP [a-z_]+ [A-Z0-9].*|TYPE [a-z_]+ (?:counter|gauge))|[a-z_]+(?:\{(?:code="[1-5]xx"|level="(?:warn|error)"|version="[\d.]+")\})? [\d.e+]+)$/,
    );
  }
  const values = new Map(lines.map((line) => line.split(' ') as [string, string]));
  expect(values.get(`hearth_info{version="${manifest.version}"}`)).toBe('1');
  expect(Number(values.get('hearth_database_bytes'))).toBeGreaterThan(100_000);
  expect(Number(values.get('hearth_http_answers_total{code="2xx"}'))).toBeGreaterThan(0);
  expect(values.get('hearth_last_backup_timestamp_seconds')).toBe('0');
  for (const name of ['ada', 'ben', 'general', 'lunch', 'soup', 'Dev']) {
    expect(text.toLowerCase()).not.toMatch(new RegExp(`\\b${name.toLowerCase()}\\b`));
  }
});

test('without the token no figure is told, and guesses of it are counted [monitoring.without-token-no]', async () => {
  expect(await told('/metrics')).toMatchObject({ status: 401 });
  expect((await told('/metrics')).headers.get('www-authenticate')).toBe('Bearer');
  for (const guess of ['', TOKEN.slice(1), `${TOKEN}x`, TOKEN.toUpperCase()]) {
    expect(await metrics(guess)).toMatchObject({ status: 401 });
  }
  const key = await service.authorization(ada);
  expect(await told('/metrics', { headers: { authorization: key } })).toMatchObject({
    status: 401,
  });
  for (let guess = 0; guess < 3; guess += 1) await metrics(`guess-${String(guess)}`);
  // As for a right one, or every guess would be worth a try.
  expect(await metrics(TOKEN)).toMatchObject({ status: 429, text: expect.stringMatching(/^Too/) });
});

test('without a file with a token there are no figures, and a short or missing one is refused [monitoring.without-file-token]', async () => {
  const other = await startTestService();
  onTestFinished(() => other.stop());
  const answer = await fetch(`${other.origin}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(answer.status).toBe(404);
  const file = join(folder, 'other');
  await expect(startTestService({ metricsTokenFile: file })).rejects.toThrow(/cannot be read/);
  writeFileSync(file, 'short');
  await expect(startTestService({ metricsTokenFile: file })).rejects.toThrow(/at least 16/);
});

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Also what `fetch` would not send. */
const sent = ({ method, target, headers, body }: Sent): Promise<Told> =>
  new Promise((resolve, reject) => {
    const length = { 'content-length': Buffer.byteLength(body ?? '') };
    const how = { method, headers: { ...headers, ...length }, agent: false as const };
    const asking = request(`${service.origin}${target}`, how, (answer) => {
      void text(answer).then((told) => resolve({ status: answer.statusCode ?? 0, text: told }));
    });
    asking.on('error', reject);
    asking.end(body ?? undefined);
  });

test('whatever is sent to either is answered as it is written, and changes nothing [monitoring.sent-either-answered]', async () => {
  const [seed = 0] = seedsOf('FUZZ_SEED', 1);
  const random = randomFrom(seed);
  const allowed = new Set([200, 401, 405, 429, 400, 413, 431]);
  for (let call = 0; call < shortOrLong(150, 5_000); call += 1) {
    const path = random.pick(['/health', '/metrics']);
    const method = random.pick(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
    const query = random.chance(0.5)
      ? ''
      : `?${encodeURIComponent(hostileText(random).toWellFormed())}`;
    const body = ['GET', 'HEAD'].includes(method) ? null : hostileText(random).toWellFormed();
    const headers = random.chance(0.5) ? {} : oddHeader(random);
    const target = `${path}${query.slice(0, 2000)}`;
    const { status, text: answered } = await sent({ method, target, headers, body });
    expect(allowed, `seed ${String(seed)}: ${method} ${path}`).toContain(status);
    expect(answered).not.toContain('hearth_');
  }
  expect(await service.ask(ada, api.health.show, {})).toMatchObject({ warnings: [] });
});
