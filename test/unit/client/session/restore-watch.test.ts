import { expect, test } from 'vitest';
import { failure, success } from '#shared/bridge/outcome.ts';
import { EpochWatch } from '#client/session/restore-watch.ts';
import { type Api, otherOffice } from '#client/transport/api.ts';

const here = 'https://10.0.0.1:9981';
const there = 'https://10.0.0.2:9981';
const epoch = { n: 5, id: 'ab'.repeat(16), parent: '', signature: null };
const signal = new AbortController().signal;

/** Who has which key, by address. */
function world(pins: Readonly<Record<string, string>>) {
  const met: unknown[] = [];
  const apiAt = (address: string, pin: string): Api => ({
    call: async () =>
      pins[address] === pin
        ? success({ epoch } as never)
        : failure('UNREACHABLE', otherOffice(address)),
    stream: async () => success(null),
    upload: async () => failure('UNREACHABLE', 'unused'),
  });
  const watch = new EpochWatch({
    apiAt: (address) => apiAt(address, 'old'),
    known: { ...epoch, n: 99, signature: 'signed' },
    keep: () => undefined,
    successors: {
      known: () => ['next'],
      apiAt,
      hear: () => undefined,
      met: (pin, at) => void met.push([pin, at]),
    },
    sent: () => undefined,
  });
  return { watch, met };
}

test('whoever answers with the successor is the office, whatever epoch was seen before', async () => {
  const { watch, met } = world({ [here]: 'next' });
  expect(await watch.meet(here, { signal, isProbe: true })).toMatchObject({ ok: false });
  expect(met).toEqual([['next', { address: here, epoch }]]);
});

test('where the successor was met, the old key is met nowhere any more', async () => {
  const { watch, met } = world({ [here]: 'old', [there]: 'next' });
  await watch.seek([there], signal);
  expect(met).toEqual([['next', { address: there, epoch }]]);
  expect(await watch.meet(here, { signal, isProbe: true })).toMatchObject({ ok: false });
});

test('a stranger is nobody', async () => {
  const { watch, met } = world({ [here]: 'stranger' });
  expect(await watch.meet(here, { signal, isProbe: true })).toEqual(
    failure('UNREACHABLE', otherOffice(here)),
  );
  expect(met).toEqual([]);
});
