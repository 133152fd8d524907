/** Packets of strangers: what is decoded of them, what that costs, and who is heard. */
import { decode, encode } from 'dns-packet';
import type { ResponsePacket } from 'multicast-dns';
import { expect, onTestFinished, test, vi } from 'vitest';
import { servicesIn } from '#desktop/system/discovery.ts';
import { recordsOf, ThrottledSender } from '#node/discovery/announcer.ts';
import { createPacketFilter, PerSecondLimit } from '#node/discovery/mdns.ts';
import {
  emptyPromise,
  manyOffices,
  pointerChains,
  repeatedOffice,
} from '#test/support/network/mdns-packets.ts';

const subnet = '10.77.0.0/24';
const intake = (nowMs: () => number = () => 0) =>
  createPacketFilter({ subnet, labels: ['_hearth', 'Büro'] }, nowMs);

const honest = encode({
  type: 'response',
  answers: [
    ...recordsOf({
      ...{ address: '10.77.0.1', subnet, port: 9981, name: 'Änne & Söhne', host: 'laptop' },
      fingerprint: 'abcdefghijklmnopqrstuvwxyz234567abcdefghijklmnopqrst',
    }),
  ],
});
const offices = (packet: Buffer) => servicesIn(decode(packet) as ResponsePacket);

test('one packet is heard as eight offices at most, and each of them once [mdns.packet-heard-eight]', () => {
  expect(offices(honest)).toHaveLength(1);
  expect(offices(repeatedOffice(60_000))).toHaveLength(1);
  expect(offices(manyOffices(1_500))).toHaveLength(8);
});

test.each([
  ['an office', honest, true],
  ['as many offices as fit into a frame', manyOffices(1_500), true],
  ['a frame of pointers', pointerChains(1_500), true],
  ['64 KB of pointers to one office', repeatedOffice(65_500), false],
  ['64 KB of chained pointers', pointerChains(65_500), false],
  ['counts that its bytes cannot hold', emptyPromise(), false],
  ['less than a header', Buffer.from('_hearth'), false],
  [
    'nothing of ours',
    encode({ type: 'query', questions: [{ name: 'a.local', type: 'A' }] }),
    false,
  ],
  [
    'a label of ours in capitals',
    encode({ type: 'query', questions: [{ name: 'BüRO.local', type: 'A' }] }),
    true,
  ],
])('a packet with %s is decoded only where it fits: %#', (_what, packet, isAdmitted) => {
  expect(intake()(packet, '10.77.0.9')).toBe(isAdmitted);
});

test('a packet from another network is not decoded', () => {
  expect(intake()(honest, '10.78.0.9')).toBe(false);
});

test('a sender who floods is cut off for the second, and others are heard [mdns.sender-floods-cut]', () => {
  let nowMs = 0;
  const admits = intake(() => nowMs);
  const flood = (sender: string): number =>
    Array.from({ length: 1_000 }, () => admits(honest, sender)).filter(Boolean).length;
  expect(flood('10.77.0.9')).toBe(50);
  expect(admits(honest, '10.77.0.1')).toBe(true);
  expect(
    Array.from({ length: 100 }, (_, n) => flood(`10.77.0.${String(100 + n)}`)).reduce(
      (a, b) => a + b,
    ),
  ).toBe(199);
  nowMs = 1_000;
  expect(flood('10.77.0.9')).toBe(50);
});

test('a budget that runs through a clock set back begins anew', () => {
  let nowMs = 5_000;
  const budget = new PerSecondLimit({ each: 1, all: 2 }, () => nowMs);
  expect([budget.take('a'), budget.take('a'), budget.take('b'), budget.take('c')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  nowMs = 10;
  expect(budget.take('a')).toBe(true);
});

test('the dearest packet that is decoded costs no more than ten times an honest one of its size', () => {
  const cost = (packet: Buffer): number => {
    const times = Array.from({ length: 9 }, () => {
      const { user } = process.cpuUsage();
      for (let n = 0; n < 100; n += 1) offices(packet);
      return process.cpuUsage({ user, system: 0 }).user;
    });
    return times.toSorted((a, b) => a - b)[4] ?? 0;
  };
  const usual = cost(manyOffices(1_500));
  for (const packet of [pointerChains(1_500), repeatedOffice(1_500)])
    expect(cost(packet) / usual).toBeLessThan(10);
});

test('a thousand questions within a second are answered at once and at its end', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let answers = 0;
  const repeated = new ThrottledSender(() => (answers += 1));
  for (let n = 0; n < 1_000; n += 1) repeated.tell();
  expect(answers).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(answers).toBe(2);
  repeated.tell();
  for (let n = 0; n < 1_000; n += 1) repeated.tell(true);
  vi.advanceTimersByTime(250);
  expect(answers).toBe(3);
  repeated.tell();
  repeated.stop();
  vi.advanceTimersByTime(2_000);
  expect(answers).toBe(3);
});
