import { expect, test } from 'vitest';
import { failure, success } from '#shared/bridge/outcome.ts';
import { RestoreDetector } from '#client/session/restore-watch.ts';
import { type Api, wrongServer } from '#client/transport/api.ts';

const here = 'https://10.0.0.1:9981';
const there = 'https://10.0.0.2:9981';
const epoch = { n: 5, id: 'ab'.repeat(16), parent: '', signature: null };
const signal = new AbortController().signal;

/** Who has which key, by address. */
function world(pins: Readonly<Record<string, string>>) {
  const moveTo: unknown[] = [];
  const apiAt = (address: string, pin: string): Api => ({
    call: async () => (pins[address] === pin ? success({ epoch } as never) : wrongServer(address)),
    stream: async () => success(null),
    upload: async () => failure('UNREACHABLE', 'unused'),
    sendPiece: async () => failure('UNREACHABLE', 'unused'),
  });
  const watch = new RestoreDetector({
    apiAt: (address) => apiAt(address, 'old'),
    known: { ...epoch, n: 99, signature: 'signed' },
    save: () => undefined,
    nextKeys: {
      known: () => ['next'],
      apiAt,
      receive: () => undefined,
      moveTo: (pin, at) => void moveTo.push([pin, at]),
    },
    sent: () => undefined,
  });
  return { watch, moveTo };
}

test('whoever answers with the successor is the office, whatever epoch was seen before', async () => {
  const { watch, moveTo } = world({ [here]: 'next' });
  expect(await watch.meet(here, { signal, isProbe: true })).toMatchObject({ ok: false });
  expect(moveTo).toEqual([['next', { address: here, epoch }]]);
});

test('where the successor was met, the old key is met nowhere any more', async () => {
  const { watch, moveTo } = world({ [here]: 'old', [there]: 'next' });
  await watch.seek([there], signal);
  expect(moveTo).toEqual([['next', { address: there, epoch }]]);
  expect(await watch.meet(here, { signal, isProbe: true })).toMatchObject({ ok: false });
});

test('a stranger is nobody', async () => {
  const { watch, moveTo } = world({ [here]: 'stranger' });
  expect(await watch.meet(here, { signal, isProbe: true })).toEqual(wrongServer(here));
  expect(moveTo).toEqual([]);
});
