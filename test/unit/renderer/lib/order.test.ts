import { expect, test } from 'vitest';
import { holdOrder, orderStreams } from '#renderer/lib/order.ts';
import { stream } from '#test/support/window/bridge-double.ts';

const names = (list: readonly { readonly name: string }[]): readonly string[] =>
  list.map(({ name }) => name);
const nothing = { isUnread: () => false, demotesInactive: 1 };

test('pinned streams stand apart; unread come before read, muted ones last, by name within', () => {
  const { pinned, others } = orderStreams(
    [
      stream(1, 'zebra', { isPinned: true }),
      stream(2, 'noise', { isMuted: true }),
      stream(3, 'beta'),
      stream(4, 'alpha'),
      stream(5, 'news'),
      stream(7, 'order 10'),
      stream(8, 'order 9'),
      stream(6, 'ant', { isPinned: true, isMuted: true }),
    ],
    { isUnread: (id) => id === 5 || id === 2 || id === 1, demotesInactive: 3 },
  );
  expect(names(pinned)).toEqual(['zebra', 'ant']);
  expect(names(others)).toEqual(['news', 'alpha', 'beta', 'order 9', 'order 10', 'noise']);
});

test.each([
  [1, 2, ['asleep', 'busy', 'new']],
  [1, 40, ['busy', 'new', 'asleep']],
  [2, 2, ['busy', 'new', 'asleep']],
  [3, 40, ['asleep', 'busy', 'new']],
])(
  'with demotion %i and %i streams more, a stream without traffic stands as it should',
  (setting, more, wanted) => {
    const streams = [
      stream(1, 'asleep', { weeklyTraffic: 0 }),
      stream(2, 'busy', { weeklyTraffic: 5 }),
      stream(3, 'new', { weeklyTraffic: null }),
      ...Array.from({ length: more }, (_, i) =>
        stream(10 + i, `zz ${String(i)}`, { isMuted: true }),
      ),
    ];
    const { others } = orderStreams(streams, { ...nothing, demotesInactive: setting });
    expect(names(others).slice(0, 3)).toEqual(wanted);
  },
);

test('an unread stream is not demoted, however quiet it was', () => {
  const streams = [stream(1, 'b', { weeklyTraffic: 0 }), stream(2, 'a', { weeklyTraffic: 9 })];
  const { others } = orderStreams(streams, { isUnread: (id) => id === 1, demotesInactive: 2 });
  expect(names(others)).toEqual(['b', 'a']);
});

test('rows keep their places while they are held, and new ones go to the end', () => {
  expect(holdOrder(['c', 'new', 'a', 'b'], ['a', 'b', 'c'], (row) => row)).toEqual([
    'a',
    'b',
    'c',
    'new',
  ]);
});
