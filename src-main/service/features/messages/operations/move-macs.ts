/**
 * MACs of messages that move (service/core/rules/message-macs.ts). Each is of what its message says, so that all of them take longer than
 * the move, while which nobody else can write: they are made before it, and those that do not hold any more once again in it.
 */
import type {
  EditFacts,
  MessageRow,
  MovePlan,
  Operation,
  Reading,
  Store,
  Transaction,
} from '#service/db/port.ts';
import { yieldToOthers } from '#service/core/yield-thread.ts';
import type { ComputeMac } from '#service/core/rules/message-macs.ts';

const AT_ONCE = 500;
/** How many changes of messages may come before the move. */
const NUMBERS_LEFT = 100;

/** A move, as it would be now. */
export interface PlannedMove {
  readonly messageId: number;
  readonly move: MovePlan;
}

export interface MoveMacs {
  /** Where the messages are to stand. */
  readonly place: Pick<MovePlan, 'streamId' | 'topic'>;
  /** The newest change of any message before the first of them was read. */
  readonly readAt: number;
  /** The number of the first one's change; each of the others has the next. */
  readonly firstNumber: number;
  /** Ascending, without the one that the request names. */
  readonly ids: readonly number[];
  /** In the same order. */
  readonly macs: readonly string[];
}

/** A part at a time, with everybody's turn in between. @param plan  what is to move; it decides nothing */
export async function prepareMoveMacs(
  store: Store,
  plan: (tx: Reading) => Operation<PlannedMove | undefined>,
  computeMac: ComputeMac,
): Promise<MoveMacs | undefined> {
  const opened = await store.read(function* (tx) {
    const moving = yield* plan(tx);
    return moving && { ...moving, readAt: yield* tx.findLastEditNumber() };
  });
  if (opened === undefined) return undefined;
  const { messageId, move, readAt } = opened;
  const firstNumber = readAt + 1 + NUMBERS_LEFT;
  const [ids, macs]: [number[], string[]] = [[], []];
  const add = (row: MessageRow): void => {
    if (row.id === messageId) return;
    const after = { stream_id: move.streamId, topic: move.topic };
    macs.push(computeMac({ ...row, ...after, edit_number: firstNumber + ids.length }, []));
    ids.push(row.id);
  };
  for (let afterId = move.propagate === 'change_all' ? 0 : messageId - 1; ;) {
    const rows = await store.listMoving(messageId, { afterId, limit: AT_ONCE });
    rows.forEach(add);
    if (rows.length < AT_ONCE) return { place: move, readAt, firstNumber, ids, macs };
    afterId = rows.at(-1)?.id ?? 0;
    await yieldToOthers();
  }
}

/** Those of the prepared MACs that are of what the messages say now, and of the number that the move has given them. */
function* stillValid(
  tx: Reading,
  { before, after, moved }: EditFacts,
  { place, readAt, firstNumber, ids, macs }: MoveMacs,
): Operation<Map<number, string>> {
  const isThere = after.stream_id === place.streamId && after.topic === place.topic;
  if (!isThere || moved?.firstNumber !== firstNumber) return new Map();
  const changed = new Set(yield* tx.listChangedBetween(readAt, firstNumber));
  const others = moved.ids.filter((id) => id !== before.id);
  return new Map(
    others.flatMap((id, index) => {
      const proof = ids[index] === id && !changed.has(id) ? macs[index] : undefined;
      return proof === undefined ? [] : [[id, proof] as const];
    }),
  );
}

/** Step: by id, of all that was changed. */
export function* macsOf(
  tx: Transaction,
  facts: EditFacts,
  computeMac: ComputeMac,
  prepared: MoveMacs | undefined,
): Operation<ReadonlyMap<number, string>> {
  const proofs = prepared === undefined ? new Map() : yield* stillValid(tx, facts, prepared);
  const all = new Set([facts.before.id, ...(facts.moved?.ids ?? [])]);
  const lacking = [...all].filter((id) => !proofs.has(id));
  for (let from = 0; from < lacking.length; from += AT_ONCE) {
    yield* tx.pause();
    for (const row of yield* tx.listMessages(lacking.slice(from, from + AT_ONCE))) {
      const isPrivate = row.stream_id === null;
      const participants = isPrivate ? yield* tx.listParticipantIds(row.recipient_id) : [];
      proofs.set(row.id, computeMac(row, participants));
    }
  }
  return proofs;
}
