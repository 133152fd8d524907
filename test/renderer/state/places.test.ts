import { expect, test } from 'vitest';
import {
  absoluteLink,
  isLoopback,
  isSameView,
  viewOfLink,
} from '../../../src-renderer/state/places.ts';

const address = 'https://chat.example.com';
const ownUserId = 8;

test.each([
  ['/#narrow/stream/4-ops', { kind: 'stream', streamId: 4, topic: null }],
  ['#narrow/stream/4-ops', { kind: 'stream', streamId: 4, topic: null }],
  ['/#narrow/stream/4-ops/topic/deploy', { kind: 'stream', streamId: 4, topic: 'deploy' }],
  [
    '/#narrow/stream/4-ops/topic/v1.2E2.20.C3.A9t.C3.A9',
    { kind: 'stream', streamId: 4, topic: 'v1.2 été' },
  ],
  [`${address}/#narrow/stream/4-ops/topic/a`, { kind: 'stream', streamId: 4, topic: 'a' }],
  ['#narrow/pm-with/8,9-group', { kind: 'private', userIds: [9] }],
])('%s leads into the window', (href, view) => {
  expect(viewOfLink(href, address, ownUserId)).toEqual(view);
});

test.each([
  'https://elsewhere.example.com/#narrow/stream/4-ops',
  'https://chat.example.com.evil.example/#narrow/stream/4-ops',
  'https://chat.example.com/user_uploads/1',
  '#narrow/is/starred',
  '#narrow/stream/ops',
  '',
])('%j does not', (href) => {
  expect(viewOfLink(href, address, ownUserId)).toBeNull();
});

test('a link with a broken escape opens its stream', () => {
  expect(viewOfLink('#narrow/stream/4-ops/topic/.ZZ', address, ownUserId)).toEqual({
    kind: 'stream',
    streamId: 4,
    topic: null,
  });
});

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
