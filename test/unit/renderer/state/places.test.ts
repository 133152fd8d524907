import { expect, test } from 'vitest';
import { absoluteLink, isLoopback, isSameView } from '#renderer/state/places/places.ts';

const address = 'https://chat.example.com';

test('relative links stand on the address of the organization', () => {
  expect(absoluteLink('/user_uploads/1/a.pdf', address)).toBe(`${address}/user_uploads/1/a.pdf`);
  expect(absoluteLink('https://example.org', address)).toBe('https://example.org/');
});

test('views are equal whatever the case of the topic and the order of the people', () => {
  expect(
    isSameView(
      { kind: 'stream', streamId: 1, topic: 'Lunch' },
      { kind: 'stream', streamId: 1, topic: 'lunch' },
    ),
  ).toBe(true);
  expect(
    isSameView({ kind: 'private', userIds: [9, 10] }, { kind: 'private', userIds: [10, 9] }),
  ).toBe(true);
  expect(
    isSameView(
      { kind: 'stream', streamId: 1, topic: null },
      { kind: 'stream', streamId: 1, topic: 'lunch' },
    ),
  ).toBe(false);
});

test.each([
  ['http://127.0.0.1:9981', true],
  ['http://localhost:9981', true],
  ['http://[::1]:9981', true],
  ['http://192.168.1.20:9981', false],
  ['https://chat.example.com', false],
])('only this computer reaches %s: %s', (given, isLocal) => {
  expect(isLoopback(given)).toBe(isLocal);
});
