/** A service in which something can happen at each moment of a move. */
import { onTestFinished } from 'vitest';
import type { Operation } from '#service/db/operation.ts';
import { type Store, type Transaction, writes } from '#service/db/port.ts';
import { startTestService, type TestService } from './api.ts';
import { composeOver } from './between.ts';

/** Once what is to move was read, or before a pause of the transaction that moves it, counted from 0. */
export type Moment = 'prepared' | number;

export interface PausedMoves {
  readonly service: TestService;
  /** Moves, and does something at a moment of that: the move goes on once it is done, or waits to write. */
  readonly during: <T>(
    move: () => Promise<T>,
    moment: Moment,
    act: () => Promise<unknown>,
  ) => Promise<T>;
  /** How many pauses the transaction of the last move had. */
  readonly pauses: () => number;
}

interface Plan {
  readonly moment: Moment;
  readonly start: () => Promise<unknown>;
}

export async function startPausedMoves(): Promise<PausedMoves> {
  let plan: Plan | undefined;
  let pauses = 0;
  let arrived = 0;

  const due = (moment: Moment): Plan['start'] | undefined => {
    if (plan?.moment !== moment) return undefined;
    const { start } = plan;
    plan = undefined;
    return start;
  };

  function* held<T>(operation: Operation<T>): Operation<T> {
    pauses = 0;
    let step = operation.next();
    while (step.done !== true) {
      if (step.value.kind === 'pause') {
        const start = due(pauses);
        pauses += 1;
        if (start !== undefined) yield* during(start());
      }
      step = operation.next(yield step.value);
    }
    return step.value;
  }

  function* during(acting: Promise<unknown>): Operation<void> {
    const before = arrived;
    const progress = { isDone: false };
    void acting.then(() => (progress.isDone = true));
    while (!progress.isDone && arrived === before) yield { kind: 'pause' };
  }

  function over(store: Store): Store {
    const counted =
      <A extends unknown[], R>(write: (...values: A) => R) =>
      (...values: A): R => {
        arrived += 1;
        return write(...values);
      };
    const all = store as unknown as Record<string, (...values: unknown[]) => unknown>;
    const written = Object.keys(writes).map((name) => [
      name,
      counted((...values: unknown[]) => all[name]?.(...values)),
    ]);
    return {
      ...store,
      ...(Object.fromEntries(written) as object),
      change: counted(store.change),
      changeInParts: <T>(work: (tx: Transaction) => Operation<T>) => {
        arrived += 1;
        return store.changeInParts((tx) => held(work(tx)));
      },
      async listMoving(...values) {
        const rows = await store.listMoving(...values);
        await due('prepared')?.();
        return rows;
      },
    };
  }

  const service = await startTestService({
    compose: (options) => composeOver(options, over, { commitMs: 0 }),
  });
  onTestFinished(() => service.stop());
  return {
    service,
    pauses: () => pauses,
    async during(move, moment, act) {
      let acting: Promise<unknown> | undefined;
      // What it is refused with is no matter here: the others see what has come of it.
      plan = { moment, start: () => (acting = act().catch(() => undefined)) };
      const moved = await move();
      if (acting === undefined) throw new Error(`the move had no moment ${moment}`);
      await acting;
      return moved;
    },
  };
}
