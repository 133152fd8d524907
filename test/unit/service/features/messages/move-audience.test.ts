import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byPart, messagesOf, moveGroups } from '#service/features/messages/rules/move-audience.ts';
import {
  bothOf,
  type HoldingRow,
  type OwnRow,
  partsInRanges,
  partsOfRows,
} from '#service/features/messages/queries/move-holders.ts';
import type { Holders } from '#service/db/port.ts';

interface Rows {
  readonly ranges: readonly HoldingRow[];
  readonly copies: readonly OwnRow[];
}

const account = fc.integer({ min: 1, max: 6 });
const messageId = fc.integer({ min: 1, max: 12 });
const holders: fc.Arbitrary<Rows> = fc.record({
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

const isHeld = (all: Rows, userId: number, id: number): boolean =>
  all.copies.some((copy) => copy.account_id === userId && copy.message_id === id) ||
  all.ranges.some(
    (range) =>
      range.account_id === userId &&
      range.from_id < id &&
      (range.until_id === null || id <= range.until_id),
  );

const heldOf = ({ ranges, copies }: Rows, ids: readonly number[]): Holders => ({
  held: bothOf(partsInRanges(ids, ranges), partsOfRows(ids, copies)),
  memberIds: [],
});

test('each account is told once, of all messages that it may see and of no other', () => {
  fc.assert(
    fc.property(holders, moved, fc.uniqueArray(account), (all, unsorted, open) => {
      const ids = [...unsorted].sort((a, b) => a - b);
      const groups = moveGroups(heldOf(all, ids), ids.length, open);
      const told = groups.map((group) => ({ ...group, messageIds: messagesOf(group, ids) }));
      expect(told[0]?.messageIds).toEqual(ids);
      for (const userId of [1, 2, 3, 4, 5, 6]) {
        const expected = open.includes(userId) ? ids : ids.filter((id) => isHeld(all, userId, id));
        const own = told.filter((group) => group.userIds.includes(userId));
        expect(own.map((group) => group.messageIds)).toEqual(
          expected.length === 0 ? [] : [expected],
        );
        const parts = byPart(groups).filter(([, userIds]) => userIds.includes(userId));
        expect(parts.flatMap(([[from, until]]) => ids.slice(from, until))).toEqual(expected);
      }
    }),
  );
});

test('who holds what is told for each account that holds anything', () => {
  const all: Rows = {
    ranges: [
      { account_id: 1, from_id: 4, until_id: 6 },
      { account_id: 1, from_id: 8, until_id: null },
      { account_id: 2, from_id: 0, until_id: 4 },
    ],
    copies: [{ account_id: 3, message_id: 7 }],
  };
  expect([...heldOf(all, [5, 7, 9]).held]).toEqual([
    [
      1,
      [
        [0, 1],
        [2, 3],
      ],
    ],
    [3, [[1, 2]]],
  ]);
});
