/** Who holds which of the messages of a move, asked by ranges: never message by message for each account. */
import { list, type Operation } from '#service/db/operation.ts';
import { indexAbove, indexOf, type Stretch, united } from './id-ranges.ts';

/** Of an account, positions in the list of what is moved. */
export type HeldParts = ReadonlyMap<number, readonly Stretch[]>;

/** Who holds the messages of a move at one moment. */
export interface Holders {
  /** Parts of the list of moved messages; who holds none of them is left out. */
  readonly held: HeldParts;
  /** Accounts that belong to the recipient now. */
  readonly memberIds: readonly number[];
}

/** Ids for which an account belonged to a recipient: `from_id` exclusive, `until_id` inclusive, null while it does. */
export interface HoldingRow {
  readonly account_id: number;
  readonly from_id: number;
  readonly until_id: number | null;
}

/** A message of the move as an account has something of its own for it. */
export interface OwnRow {
  readonly account_id: number;
  readonly message_id: number;
}

const RANGES = `SELECT account_id, from_id, until_id FROM membership WHERE recipient_id = :recipientId
  ORDER BY account_id`;

const nothing: readonly Stretch[] = [];

export const partsOf = (parts: HeldParts, accountId: number): readonly Stretch[] =>
  parts.get(accountId) ?? nothing;

/** By account, what is added in its order. */
function gathered(rows: Iterable<readonly [accountId: number, stretch: Stretch]>): HeldParts {
  const parts = new Map<number, Stretch[]>();
  for (const [accountId, stretch] of rows) {
    const known = parts.get(accountId);
    if (known === undefined) parts.set(accountId, [stretch]);
    else known.push(stretch);
  }
  return new Map([...parts].map(([accountId, stretches]) => [accountId, united(stretches)]));
}

export function partsInRanges(ids: readonly number[], ranges: readonly HoldingRow[]): HeldParts {
  const stretches = ranges.map(({ account_id: accountId, from_id: from, until_id: until }) => {
    const end = until === null ? ids.length : indexAbove(ids, until);
    return [accountId, [indexAbove(ids, from), end]] as const;
  });
  return gathered(stretches.filter(([, [from, until]]) => from < until));
}

export function partsOfRows(ids: readonly number[], rows: readonly OwnRow[]): HeldParts {
  const stretches: (readonly [number, Stretch])[] = [];
  for (const { account_id: accountId, message_id: messageId } of rows) {
    const index = indexOf(ids, messageId);
    if (index !== undefined) stretches.push([accountId, [index, index + 1]]);
  }
  return gathered(stretches);
}

/** What is in one of them or in the other. */
export function bothOf(first: HeldParts, second: HeldParts): HeldParts {
  const both = new Map(first);
  for (const [accountId, stretches] of second) {
    both.set(accountId, united([...partsOf(first, accountId), ...stretches]));
  }
  return both;
}

export const withoutAccounts = (
  { held, memberIds }: Holders,
  lostIds: ReadonlySet<number>,
): Holders => ({
  held: lostIds.size === 0 ? held : new Map([...held].filter(([id]) => !lostIds.has(id))),
  memberIds: memberIds.filter((id) => !lostIds.has(id)),
});

/** Step: the members of a recipient, of now and of before, and what they held of the messages as such. */
export function* membersOf(recipientId: number, ids: readonly number[]): Operation<Holders> {
  const ranges = yield* list<HoldingRow>(RANGES, { recipientId });
  const current = ranges.filter((row) => row.until_id === null);
  return { held: partsInRanges(ids, ranges), memberIds: current.map((row) => row.account_id) };
}
