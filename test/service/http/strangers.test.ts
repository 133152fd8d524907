/** Beside people who send, strangers of the same address send all that they can. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ada, ben, startTestService, type TestService } from '#test/support/service/api.ts';
import { RawConnection } from './service-double.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MIB = 1024 * 1024;
const MOST_RISE = 100 * MIB;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const body = Buffer.alloc(5 * MIB, 'a');

interface Kind {
  readonly target: string;
  readonly type: string;
  /** Written of the 5 MiB that are announced. */
  readonly bytes: number;
}

const webhook = '/api/v1/external/slack_incoming';
const all = body.length - 1;
const kinds: readonly Kind[] = [
  { target: webhook, type: 'application/json', bytes: all },
  { target: webhook, type: 'application/x-www-form-urlencoded', bytes: all },
  { target: `${webhook}?api_key=wrong`, type: 'application/json', bytes: all },
  { target: '/api/v1/messages', type: 'application/json', bytes: all },
  // Stops where the key of a webhook may still come.
  { target: webhook, type: 'application/x-www-form-urlencoded', bytes: 65_000 },
];

function attack({ target, type, bytes }: Kind): RawConnection {
  const { host, port } = new URL(service.origin);
  const connection = new RawConnection(Number(port));
  const lines = [
    `POST ${target} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Type: ${type}`,
    `Content-Length: ${String(body.length)}`,
  ];
  connection.write(`${lines.join('\r\n')}\r\n\r\n`);
  connection.write(body.subarray(0, bytes));
  return connection;
}

test('two hundred strangers who send 5 MiB each fill no memory, and a person of the same address sends on [strangers.two-hundred-send]', async () => {
  const conversation = [ben];
  await service.tell(ada, conversation, 'before');
  collect();
  const before = process.memoryUsage();
  let most = 0;
  const look = (): void => {
    collect();
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    most = Math.max(most, arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed);
  };
  const connections = Array.from({ length: 200 }, (_, at) => attack(kinds[at % kinds.length]!));
  const answers = connections.map((connection, at) => ({
    at,
    text: Promise.race([connection.received(/\r\n\r\n\{.*\}/), connection.all]),
  }));
  const sent: number[] = [];
  for (let i = 0; i < 50; i++) {
    sent.push(await service.tell(ada, conversation, `message ${String(i)}`));
    look();
  }
  // Those that wait for the rest are answered when nothing has come for long enough.
  const told = await Promise.all(
    answers
      .filter(({ at }) => kinds[at % kinds.length]?.bytes === all)
      .map(async ({ text }) => /"code":"(\w+)"/.exec(await text)?.[1]),
  );
  look();
  expect(most).toBeLessThan(MOST_RISE);
  const documented = [
    'REQUEST_VARIABLE_MISSING',
    'INVALID_API_KEY',
    'RATE_LIMIT_HIT',
    'UNAUTHORIZED',
  ];
  expect(told.filter((code) => !documented.includes(String(code)))).toEqual([]);
  expect(new Set(sent).size).toBe(50);
  for (const connection of connections) connection.close();
});
