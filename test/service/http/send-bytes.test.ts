import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { sendBytes } from '#service/http/send-bytes.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapMiB(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 ** 2;
}

test('nothing is kept of the pieces that have gone, however many they are', async () => {
  const PIECES = 20_000;
  let kept = Infinity;
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let sent = 0; sent < 100; sent++) yield Buffer.alloc(16, 1);
    const before = heapMiB();
    for (let sent = 100; sent < PIECES; sent++) yield Buffer.alloc(16, 1);
    kept = heapMiB() - before;
  }
  const server = createServer((_request, response) => void sendBytes(response, pieces()));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const [answer] = (await once(get({ host: '127.0.0.1', port }), 'response')) as [IncomingMessage];
  let received = 0;
  for await (const piece of answer) received += (piece as Buffer).length;
  expect(received).toBe(16 * PIECES);
  expect(kept).toBeLessThan(2);
});
