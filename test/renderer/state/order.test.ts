import { expect, test } from 'vitest';
import { holdOrder, orderStreams } from '../../../src-renderer/state/order.ts';
import { stream } from '../../support/bridge-double.ts';

test('pinned streams come first, muted ones last, by name within', () => {
  const streams = [
    stream(1, 'zebra'),
    stream(2, 'noise', { isMuted: true }),
    stream(3, 'apple'),
    stream(4, 'yard', { isPinned: true }),
    stream(5, 'books', { isPinned: true }),
  ];
  expect(orderStreams(streams).map(({ name }) => name)).toEqual([
    'books',
    'yard',
    'apple',
    'zebra',
    'noise',
  ]);
});

test('held rows stay where they were; new ones go to the end', () => {
  expect(holdOrder(['c', 'new', 'a', 'b'], ['a', 'b', 'c'], (row) => row)).toEqual([
    'a',
    'b',
    'c',
    'new',
  ]);
});
