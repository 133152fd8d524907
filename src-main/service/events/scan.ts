/** Decides which events of the log enter a queue (API decisions 3.5 and 8.1). */
import type { LoggedEvent } from '../db/event-log.ts';
import { NARROW_TERMS } from '#shared/api/bounds.ts';
import type { QueueTerm } from '#shared/api/narrow.ts';
import { refusal } from '#shared/api/refusal.ts';
import {
  operatorNames,
  type OperatorIn,
  type operators,
  plainName,
} from '#shared/search/operators.ts';
import { isMentioned } from '#shared/api/flags.ts';
import { memoized } from '../core/cache/attached.ts';
import { fold } from '#shared/text/fold.ts';
import type { Store } from '../db/port.ts';
import { createSharedBatches } from './shared-payloads.ts';
import { type Viewer, type Viewers, visibilityTo } from './listeners.ts';
import type { LogTail } from './log-tail.ts';
import {
  type LoadedMessage,
  type EventMessageSource,
  messageIdOf,
  newMessageFlags,
  noFlags,
} from './event-messages.ts';
import type { Payloads } from './payloads.ts';
import { above, type QueuedEvent } from './queue-buffer.ts';
import { type Queue, takesPublic } from './queue.ts';
import { TimeSlicer } from './time-slicer.ts';

const READ_AT_ONCE = 1000;
/** Where it takes several reads, with a turn for others between: one event may name ten thousands of messages. */
const READ_IN_PARTS = 50;
const MAX_NARROW_CHARACTERS = 16 * 1024;

type TermTest = (message: EventMessageSource, flags: readonly string[], operand: string) => boolean;

type FlagTest = (message: EventMessageSource, flags: readonly string[]) => boolean;
type IsWord = (typeof operators)['is']['words'][keyof (typeof operators)['is']['words']];

const isTests: Readonly<Record<IsWord, FlagTest>> = {
  private: ({ row }) => row.stream_id === null,
  mentioned: (_, flags) => isMentioned(flags),
  alerted: (_, flags) => flags.includes('has_alert_word'),
  starred: (_, flags) => flags.includes('starred'),
  unread: (_, flags) => !flags.includes('read'),
};

const isTestOf = (operand: string): FlagTest | undefined => {
  const word = operand.toLowerCase();
  return Object.hasOwn(isTests, word) ? isTests[word as IsWord] : undefined;
};

const termTests: Readonly<Record<OperatorIn<'queue'>, TermTest>> = {
  stream: ({ row }, _, operand) =>
    row.stream_id !== null &&
    (fold(row.stream_name ?? '') === fold(operand) || String(row.stream_id) === operand),
  topic: ({ row }, _, operand) => row.topic !== null && fold(row.topic) === fold(operand),
  sender: ({ people }, _, operand) => fold(people.sender.email) === fold(operand),
  is: (message, flags, operand) => isTestOf(operand)?.(message, flags) ?? false,
};

const queueOperators = operatorNames('queue');

const operatorOf = ([name]: QueueTerm): OperatorIn<'queue'> | undefined =>
  queueOperators.get(plainName(name));

/** @throws BAD_REQUEST for an operator or an operand of `is` that queues cannot filter by */
export function checkQueueNarrow(narrow: readonly QueueTerm[]): void {
  const characters = narrow.reduce((sum, term) => sum + term[0].length + term[1].length, 0);
  // It is kept with the queue for as long as that lives.
  if (narrow.length > NARROW_TERMS || characters > MAX_NARROW_CHARACTERS) {
    throw refusal('narrow_too_large');
  }
  for (const term of narrow) {
    const operator = operatorOf(term);
    if (operator === undefined) throw refusal('event_operator_unsupported', { operator: term[0] });
    if (operator === 'is' && isTestOf(term[1]) === undefined) {
      throw refusal('event_operand_unsupported', { operand: term[1] });
    }
  }
}

const isSelected = (
  narrow: readonly QueueTerm[],
  message: EventMessageSource,
  flags: readonly string[],
): boolean =>
  narrow.every((term) => {
    const operator = operatorOf(term);
    return operator !== undefined && termTests[operator](message, flags, term[1]);
  });

type Visibility = ReturnType<typeof visibilityTo>;

/** Whether the event may enter the queue, as far as that can be told without its message. */
function visibilityIn(queue: Queue, viewer: Viewer, event: LoggedEvent): Visibility {
  const { eventTypes, withSource } = queue.options;
  // Whoever keeps no messages reads of them in the history.
  if (event.type === 'messages_recovered' && withSource !== true) return 'none';
  if (eventTypes !== null && !eventTypes.includes(event.type)) return 'none';
  // Newer clients ask for it by name instead of the two older types, which older clients get.
  if (eventTypes === null && event.type === 'user_settings') return 'none';
  const visibility = visibilityTo(viewer, event.audience);
  if (visibility !== 'public') return visibility;
  return event.type === 'message' && takesPublic(queue.options) ? visibility : 'none';
}

type FoundEvent = QueuedEvent | undefined | Promise<QueuedEvent | undefined>;

export interface Scanner {
  /**
   * Brings what is pending in a queue up to the newest committed event.
   * @returns undefined when that is done: all that it needed was in memory
   */
  readonly scan: (queue: Queue) => Promise<void> | undefined;
}

export interface ScannerParts {
  readonly store: Store;
  readonly tail: LogTail;
  readonly viewers: Viewers;
  readonly payloads: Pick<Payloads, 'message'>;
  /** A queue in which as many events wait takes in no more. */
  readonly maxQueued: number;
}

/** The event as it waits in the queue; undefined where it is not for it. */
type FindQueued = (queue: Queue, viewer: Viewer, event: LoggedEvent) => FoundEvent;

function createFindQueued(
  { payloads }: Pick<ScannerParts, 'payloads'>,
  plain: (event: LoggedEvent) => QueuedEvent,
): FindQueued {
  return (queue, viewer, event) => {
    const visibility = visibilityIn(queue, viewer, event);
    if (visibility === 'none') return undefined;
    if (event.type !== 'message') return plain(event);
    const select = (message: LoadedMessage): QueuedEvent | undefined => {
      if (message === undefined) return undefined;
      const flags = visibility === 'public' ? noFlags : newMessageFlags(message, queue.userId);
      if (!isSelected(queue.options.narrow, message, flags)) return undefined;
      return flags.length === 0 ? plain(event) : { event, flags };
    };
    const message = payloads.message(messageIdOf(event));
    return message instanceof Promise ? message.then(select) : select(message);
  };
}

/** Yields what it has to wait for, and is given what came of it. */
type Steps<T> = Generator<Promise<QueuedEvent | undefined>, T, QueuedEvent | undefined>;

/** What of the events is for the queue. */
function* selectEach(
  findQueued: FindQueued,
  queue: Queue,
  viewer: Viewer,
  events: readonly LoggedEvent[],
): Steps<readonly QueuedEvent[]> {
  const all: QueuedEvent[] = [];
  for (const event of events) {
    const queued = findQueued(queue, viewer, event);
    const found = queued instanceof Promise ? yield queued : queued;
    if (found !== undefined) all.push(found);
  }
  return all;
}

export function createScanner(parts: ScannerParts): Scanner {
  const { store, tail, viewers, maxQueued } = parts;
  // An event without flags waits in every queue as the same object.
  const plain = memoized((event: LoggedEvent): QueuedEvent => ({ event, flags: noFlags }));
  const findQueued = createFindQueued(parts, plain);
  const batches = createSharedBatches(parts.payloads.message, plain);

  /** @param newestId  every event up to this one was read; 0 where there may be more */
  function* look(
    queue: Queue,
    viewer: Viewer,
    events: readonly LoggedEvent[],
    newestId: number,
  ): Steps<void> {
    const found =
      batches.eventsFor(queue, viewer, events) ??
      (yield* selectEach(findQueued, queue, viewer, events));
    queue.scannedId = Math.max(queue.scannedId, events.at(-1)?.id ?? 0, newestId);
    // A fetch may have acknowledged more in the meantime.
    queue.buffer.add(above(found, queue.acknowledgedId));
  }

  /** Whether it could be done at once, as nearly always: a thousand queues are told of each message. */
  function scanNow(queue: Queue): boolean {
    const newestId = store.lastEventId();
    if (queue.scannedId >= newestId) return true;
    if (queue.buffer.length >= maxQueued) return false;
    const events = tail.recentAfter(queue.scannedId, READ_AT_ONCE);
    const viewer = viewers.loaded(queue.userId);
    if (events === undefined || events.length === READ_AT_ONCE || viewer === undefined) {
      return false;
    }
    const step = look(queue, viewer, events, newestId).next();
    if (step.done === true) return true;
    // Whoever waits for it asks again, and is told what is wrong.
    step.value.catch(() => undefined);
    return false;
  }

  async function scanPart(queue: Queue): Promise<void> {
    // Taken before the read: every event up to here is committed and will be read.
    const newestId = store.lastEventId();
    const events = await tail.readAfter(queue.scannedId, READ_IN_PARTS);
    const viewer = await viewers.load(queue.userId);
    const looking = look(queue, viewer, events, events.length < READ_IN_PARTS ? newestId : 0);
    let step = looking.next();
    while (step.done !== true) step = looking.next(await step.value);
  }

  const turns = new TimeSlicer();

  async function scanAll(queue: Queue): Promise<void> {
    const isMore = (): boolean =>
      queue.scannedId < store.lastEventId() && queue.buffer.length < maxQueued;
    if (isMore()) await scanPart(queue);
    while (isMore()) await turns.run(() => scanPart(queue));
  }

  return {
    scan(queue) {
      if (queue.scanning === null && scanNow(queue)) return undefined;
      queue.scanning ??= scanAll(queue).finally(() => {
        queue.scanning = null;
      });
      return queue.scanning;
    },
  };
}
