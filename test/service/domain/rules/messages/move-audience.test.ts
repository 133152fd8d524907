import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  heldBy,
  moveGroups,
  subscribersOf,
} from '../../../../../src-main/service/domain/rules/messages/move-audience.ts';
import type { Holders } from '../../../../../src-main/service/store/port.ts';

const account = fc.integer({ min: 1, max: 6 });
const messageId = fc.integer({ min: 1, max: 12 });
const holders: fc.Arbitrary<Holders> = fc.record({
  ranges: fc.array(
    fc.record({
      account_id: account,
      from_id: fc.integer({ min: 0, max: 12 }),
      until_id: fc.option(messageId, { nil: null }),
    }),
    { maxLength: 8 },
  ),
  copies: fc.array(fc.record({ account_id: account, message_id: messageId }), { maxLength: 5 }),
});
const moved = fc.uniqueArray(messageId, { minLength: 1, maxLength: 6 });

const isHeld = (all: Holders, userId: number, id: number): boolean =>
  all.copies.some((copy) => copy.account_id === userId && copy.message_id === id) ||
  all.ranges.some(
    (range) =>
      range.account_id === userId &&
      range.from_id < id &&
      (range.until_id === null || id <= range.until_id),
  );

const cut = (all: Holders, ids: readonly number[]): Holders => ({
  ...all,
  copies: all.copies.filter((copy) => ids.includes(copy.message_id)),
});

test('each account is told once, of all messages that it may see and of no other', () => {
  fc.assert(
    fc.property(holders, moved, fc.uniqueArray(account), (all, unsorted, open) => {
      const ids = [...unsorted].sort((a, b) => a - b);
      const told = moveGroups(cut(all, ids), ids, open);
      expect(told[0]?.messageIds).toEqual(ids);
      for (const userId of [1, 2, 3, 4, 5, 6]) {
        const expected = open.includes(userId) ? ids : ids.filter((id) => isHeld(all, userId, id));
        const own = told.filter((group) => group.userIds.includes(userId));
        expect(own.map((group) => group.messageIds)).toEqual(
          expected.length === 0 ? [] : [expected],
        );
      }
    }),
  );
});

test('who holds what is told for each account that holds anything', () => {
  const all: Holders = {
    ranges: [
      { account_id: 1, from_id: 4, until_id: 6 },
      { account_id: 1, from_id: 8, until_id: null },
      { account_id: 2, from_id: 0, until_id: 4 },
    ],
    copies: [{ account_id: 3, message_id: 7 }],
  };
  expect([...heldBy(all, [5, 7, 9])]).toEqual([
    [1, [5, 9]],
    [3, [7]],
  ]);
  expect(subscribersOf(all)).toEqual([1]);
});
