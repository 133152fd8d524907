import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { TimeSlicer } from '#service/events/time-slicer.ts';
import { knock } from '#test/support/service/crowd.ts';

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Pieces that each take so long, and how many of them were done after each turn that did any. */
async function doneByTurn(pieces: readonly number[]): Promise<readonly number[]> {
  let now = 0;
  let done = 0;
  const turns = new TimeSlicer(() => now);
  const all = pieces.map((ms) =>
    turns.run(() => {
      now += ms;
      done += 1;
      return Promise.resolve();
    }),
  );
  const seen: number[] = [];
  while (done < pieces.length) {
    await nextTurn();
    if (done !== seen.at(-1) && done > 0) seen.push(done);
  }
  await Promise.all(all);
  return seen;
}

test('a long piece has a turn by itself', async () => {
  expect(await doneByTurn([10, 10, 10])).toEqual([1, 2, 3]);
});

test('short pieces share a turn until it has taken its time', async () => {
  expect(await doneByTurn([1, 1, 1, 1, 1, 1])).toEqual([4, 6]);
  expect(await doneByTurn([1, 10, 1, 1])).toEqual([2, 4]);
});

test('a piece that fails says so to whoever asked for it alone', async () => {
  const turns = new TimeSlicer();
  const results = await Promise.allSettled([
    turns.run(() => Promise.resolve(1)),
    turns.run(() => Promise.reject(new Error('broken'))),
    turns.run(() => Promise.resolve(3)),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await turns.run(() => Promise.resolve(4))).toBe(4);
});

test('what throws before it has a promise is a failure like any other', async () => {
  const turns = new TimeSlicer();
  const broken = turns.run((): Promise<number> => {
    throw new Error('broken');
  });
  const after = turns.run(() => Promise.resolve(2));
  await expect(broken).rejects.toThrow('broken');
  expect(await after).toBe(2);
});

/** Of work that nobody could share a turn with. */
function holdThread(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

test('a crowd is let in between two turns, and not one by one after each', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const crowd = knock((server.address() as AddressInfo).port, 100);
  expect(crowd.count).toBe(100);
  const turns = new TimeSlicer();
  const letIn = await Promise.all(
    Array.from({ length: 20 }, () =>
      turns.run(() => {
        holdThread(5);
        return Promise.resolve(sockets.length);
      }),
    ),
  );
  expect(letIn[9]).toBe(100);
  await crowd.leave();
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});
