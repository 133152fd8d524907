import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { Deliveries } from '#test/bench/load/deliveries.ts';
import { projectDir } from '#scripts/project-dir.ts';
import { Histogram } from '#test/bench/load/histogram.ts';
import { readLoadRequest } from '#test/bench/load/options.ts';
import { percentile } from '#test/bench/statistics.ts';
import { credentials, startServiceForTest } from '#test/support/service/service.ts';

const entry = join(projectDir, 'test/bench/load/index.ts');

async function runLoad(args: readonly string[]) {
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

async function accountFile(...lines: readonly string[]): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'hearth-load-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = join(dir, 'accounts');
  await writeFile(file, lines.join('\n'));
  return file;
}

const small = ['--clients', '6', '--rate', '40', '--seconds', '1', '--json'];

test('the load tool tells of a running service what arrived by stream and by poll', async () => {
  const { origin } = await startServiceForTest({ dev: true });
  const people = ['ada@example.com', 'ben@example.com'].map((email) => credentials(origin, email));
  const lines = (await Promise.all(people)).map(({ email, key }) => `${email} ${key}`);
  const accounts = await accountFile(...lines, '');
  for (const transport of ['stream', 'poll']) {
    const args = ['--url', origin, '--accounts', accounts, '--transport', transport, ...small];
    const { code, stdout, stderr } = await runLoad(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const result = JSON.parse(stdout) as Record<string, Record<string, number>>;
    expect(result).toMatchObject({ transport, clients: 6, sent: 40, lost: 0, doubled: 0 });
    expect(result['sendToReceiveMs']?.['p50']).toBeGreaterThan(0);
    if (process.platform === 'linux') expect(result['server']?.['cores']).toBeGreaterThan(0);
  }
});

test('the load tool loads a service of its own where none is named', async () => {
  const { code, stdout } = await runLoad(small.slice(0, -1));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^6 clients on streams, 40 sends\/s for 1 s\narrived +240 of 240: 0 lost/);
});

test('the load tool says what a service answers that does not take the key', async () => {
  const { origin } = await startServiceForTest({ dev: true });
  const asked = ['--url', origin, '--email', 'ada@example.com', '--key', 'wrong'];
  const { code, stderr } = await runLoad([...asked, ...small]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/answered 401: .*Invalid API key/);
});

const url = ['--url', 'http://127.0.0.1:9981'];

test.each([
  [['--clients', '0'], /^--clients needs a whole number from 1 to 20000, not '0'$/],
  [['--rate', 'fast'], /^--rate needs .* not 'fast'$/],
  [['--seconds', '86400', '--clients', '20000'], /^--seconds may be 1073 with so many clients/],
  [['--transport', 'pigeon'], /^--transport is poll or stream, not 'pigeon'$/],
  [['--url', 'chat.example.com', '--email', 'a', '--key', 'b'], /^--url needs an address/],
  [['--url', 'http://h/path', '--email', 'a', '--key', 'b'], /^--url needs .* 'http:\/\/h\/path'$/],
  [url, /^--email is missing/],
  [[...url, '--email', 'a@example.com'], /^--key is missing/],
  [[...url, '--accounts', '/nowhere/at/all'], /^--accounts: ENOENT/],
  [[...url, '--accounts', 'x', '--key', 'k'], /^--accounts says who asks/],
  [['--key', 'k'], /^--key goes with --url$/],
  [['--stream', ' '], /^--stream needs a name$/],
  [['--burst'], /'--burst'/],
  [['there'], /'there'/],
])('npm run load -- %j names the argument that is wrong', (args, message) => {
  expect(readLoadRequest(args)).toEqual({
    kind: 'mistake',
    message: expect.stringMatching(message) as string,
  });
});

test('a file of accounts is read line by line, and a line that is none is named', async () => {
  const read = async (...lines: readonly string[]) =>
    readLoadRequest([...url, '--accounts', await accountFile(...lines)]);
  expect(await read('a@example.com k1', '', 'b@example.com k2')).toMatchObject({
    options: {
      asked: {
        accounts: [
          { email: 'a@example.com', key: 'k1' },
          { email: 'b@example.com', key: 'k2' },
        ],
      },
    },
  });
  expect(await read('a@example.com k1', 'b@example.com')).toMatchObject({
    message: '--accounts: line 2 is not "EMAIL KEY"',
  });
  expect(await read('')).toMatchObject({ message: expect.stringMatching(/nobody/) as string });
});

test('each message has to arrive at each client once', () => {
  const deliveries = new Deliveries(3, 20);
  for (const client of [0, 1, 2]) {
    for (let message = 0; message < 20; message++) {
      if (client !== 1 || message !== 17) expect(deliveries.note(client, message)).toBe(true);
    }
  }
  expect(deliveries).toMatchObject({ arrived: 59, doubled: 0 });
  expect(deliveries.note(2, 19)).toBe(false);
  expect(deliveries.note(1, 17)).toBe(true);
  expect(deliveries).toMatchObject({ arrived: 60, doubled: 1 });
});

test('a histogram tells the same as the times themselves, to one per cent', () => {
  const ms = fc.double({ min: 0.02, max: 100_000, noNaN: true });
  const values = fc.array(ms, { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(values, fc.constantFrom(0, 0.5, 0.9, 0.99), (times, share) => {
      const histogram = new Histogram();
      for (const time of times) histogram.add(time);
      const exact = percentile(times, share);
      expect(Math.abs(histogram.percentile(share) / exact - 1)).toBeLessThan(0.01);
      expect(histogram).toMatchObject({ count: times.length, longest: Math.max(...times) });
    }),
  );
});
