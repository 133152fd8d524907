/** Marks that were made here and that the service has to be told of: kept until it answered. */
import { api as endpoints } from '#shared/api/endpoints/index.ts';
import type { Outcome } from '#shared/bridge/outcome.ts';
import { success } from '#shared/bridge/outcome.ts';
import type { Api } from '../transport/api.ts';
import type { ApiOutcome } from '../transport/answers.ts';
import { asWriteOutcome } from './storage-outcome.ts';
import type { OutboxStore, PendingFlag } from './outbox-store.ts';
import type { Clock } from '../ports.ts';
import { createRepeater, failureKindOf } from '../transport/retry.ts';

export type SettableFlag = PendingFlag['flag'];

export interface PendingFlags {
  /** What the service may not know yet: whatever it says meanwhile, this holds. */
  readonly list: () => readonly PendingFlag[];
  /**
   * The service is told as soon as that is possible. A failure says that the disk did not take it: the service is told
   * all the same, unless the application ends before that.
   */
  readonly set: (
    messageIds: readonly number[],
    flag: SettableFlag,
    isSet: boolean,
  ) => Outcome<null>;
  /** Takes over what the cache or a fetch says of a message: its flags with what is pending here. */
  readonly apply: (messageId: number, flags: readonly string[]) => readonly string[];
  /** The session is live: what waits is told at once. Nothing is told before the first time. */
  readonly resume: () => void;
  readonly pause: () => void;
  readonly stop: () => Promise<void>;
}

export interface PendingFlagParts {
  readonly store: Pick<OutboxStore, 'listFlags' | 'putFlags' | 'removeFlags' | 'onArrival'>;
  readonly api: Pick<Api, 'call'>;
  readonly clock: Clock;
  /** The service does not take these: what is shown has to become again what it says. */
  readonly refused?: (flags: readonly PendingFlag[]) => void;
}

const BATCH = 1000;
/** What is read while scrolling is told together. */
const GATHER_MS = 150;

const keyOf = ({ messageId, flag }: Omit<PendingFlag, 'isSet'>): string =>
  `${flag} ${String(messageId)}`;

/** The last change of each mark, in the order in which they have to be told. */
class Changes {
  readonly #changes = new Map<string, PendingFlag>();

  get size(): number {
    return this.#changes.size;
  }

  list(): readonly PendingFlag[] {
    return [...this.#changes.values()];
  }

  find(messageId: number, flag: SettableFlag): PendingFlag | undefined {
    return this.#changes.get(keyOf({ messageId, flag }));
  }

  put(change: PendingFlag): void {
    this.#changes.delete(keyOf(change));
    this.#changes.set(keyOf(change), change);
  }

  /** Those that were not changed again meanwhile; the others have to be told once more. */
  take(told: readonly PendingFlag[]): readonly PendingFlag[] {
    const same = told.filter((change) => this.#changes.get(keyOf(change))?.isSet === change.isSet);
    for (const change of same) this.#changes.delete(keyOf(change));
    return same;
  }

  /** Those that are like the first one, as many as one call takes. */
  nextBatch(): readonly PendingFlag[] {
    const [first] = this.#changes.values();
    if (first === undefined) return [];
    const alike = this.list().filter(
      ({ flag, isSet }) => flag === first.flag && isSet === first.isSet,
    );
    return alike.slice(0, BATCH);
  }
}

type Tell = (flags: readonly PendingFlag[], signal: AbortSignal) => Promise<ApiOutcome<null>>;

/** Tells the service of changes that are alike, until all of them are told or refused, or no answer comes. */
function createTelling({ store, api, refused }: PendingFlagParts, changes: Changes): Tell {
  function done(flags: readonly PendingFlag[]): void {
    const same = changes.take(flags);
    // What stays on disk is told again later, which changes nothing.
    asWriteOutcome(() => {
      store.removeFlags(same);
    });
  }

  const tell: Tell = async (flags, signal) => {
    const [first] = flags;
    if (first === undefined) return success(null);
    const args = {
      messages: flags.map(({ messageId }) => messageId),
      op: first.isSet ? 'add' : 'remove',
      flag: first.flag,
    };
    const outcome = await api.call(endpoints.readState.changeFlags, args, { signal });
    if (!outcome.ok && failureKindOf(outcome.failure) !== 'refused') return outcome;
    if (outcome.ok || flags.length === 1) {
      done(flags);
      if (!outcome.ok) refused?.(flags);
      return success(null);
    }
    // One of them may be at fault: the others shall not wait for it.
    const half = Math.ceil(flags.length / 2);
    const told = await tell(flags.slice(0, half), signal);
    return told.ok ? tell(flags.slice(half), signal) : told;
  };
  return tell;
}

export function createPendingFlags(parts: PendingFlagParts): PendingFlags {
  const { store, clock } = parts;
  const changes = new Changes();
  for (const flag of store.listFlags()) changes.put(flag);
  const tell = createTelling(parts, changes);
  const repeater = createRepeater({
    clock,
    gatherMs: GATHER_MS,
    hasWork: () => changes.size > 0,
    attempt: (signal) => tell(changes.nextBatch(), signal),
  });
  const stopListening = store.onArrival(() => {
    for (const change of store.listFlags()) {
      // What was said here since is newer.
      if (changes.find(change.messageId, change.flag) === undefined) changes.put(change);
    }
    repeater.nudge();
  });

  return {
    list: () => changes.list(),
    set: (messageIds, flag, isSet) => {
      const flags = messageIds.map((messageId) => ({ messageId, flag, isSet }));
      for (const each of flags) changes.put(each);
      const kept = asWriteOutcome(() => {
        store.putFlags(flags);
      });
      repeater.nudge();
      return kept;
    },
    apply: (messageId, flags) => {
      let applied = flags;
      for (const flag of ['read', 'starred'] as const) {
        const change = changes.find(messageId, flag);
        if (change === undefined || change.isSet === applied.includes(flag)) continue;
        applied = change.isSet ? [...applied, flag] : applied.filter((each) => each !== flag);
      }
      return applied;
    },
    resume: repeater.resume,
    pause: repeater.pause,
    stop: () => {
      stopListening();
      return repeater.stop();
    },
  };
}
