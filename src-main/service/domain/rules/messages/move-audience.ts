/** Who is told of which moved messages: nobody learns of one that is hidden from them. */
import type { Holders } from '../../../store/port.ts';

/** Accounts that are told the same. */
export interface MoveGroup {
  readonly userIds: readonly number[];
  /** The moved messages that they may see, ascending. */
  readonly messageIds: readonly number[];
}

type Range = Holders['ranges'][number];

const covers = (range: Range, id: number): boolean =>
  range.from_id < id && (range.until_id === null || id <= range.until_id);

/** Which of the messages each account holds; accounts that hold none are left out. */
export function heldBy(
  holders: Holders,
  messageIds: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const held = new Map<number, Set<number>>();
  const heldIds = (accountId: number): Set<number> => {
    const known = held.get(accountId) ?? new Set<number>();
    held.set(accountId, known);
    return known;
  };
  for (const range of holders.ranges) {
    const own = messageIds.filter((id) => covers(range, id));
    if (own.length === 0) continue;
    const ids = heldIds(range.account_id);
    for (const id of own) ids.add(id);
  }
  for (const copy of holders.copies) heldIds(copy.account_id).add(copy.message_id);
  return new Map([...held].map(([id, ids]) => [id, [...ids].sort((a, b) => a - b)]));
}

/** Accounts that belong to the recipient now. */
export const subscribersOf = (holders: Holders): readonly number[] =>
  holders.ranges.filter((range) => range.until_id === null).map((range) => range.account_id);

/**
 * The first group sees every moved message; it is there even when nobody is in it.
 * @param open  accounts that see everything, whatever they hold
 */
export function moveGroups(
  holders: Holders,
  messageIds: readonly number[],
  open: Iterable<number>,
): readonly MoveGroup[] {
  const all = new Set(open);
  const groups = new Map<string, { userIds: number[]; messageIds: readonly number[] }>();
  for (const [userId, ids] of heldBy(holders, messageIds)) {
    if (ids.length === messageIds.length) all.add(userId);
    if (all.has(userId)) continue;
    const key = ids.join(',');
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { userIds: [userId], messageIds: ids });
    else known.userIds.push(userId);
  }
  return [{ userIds: [...all].sort((a, b) => a - b), messageIds }, ...groups.values()];
}
