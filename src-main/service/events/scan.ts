/** Decides which events of the log enter a queue (API decisions 3.5 and 8.1). */
import type { LoggedEvent } from '../db/event-log.ts';
import type { QueueTerm } from '#shared/api/narrow.ts';
import { badRequest } from '#shared/api/errors.ts';
import { isMentioned } from '#shared/api/flags.ts';
import { remembered } from '../core/cache/attached.ts';
import { fold } from '#shared/text/fold.ts';
import type { Store } from '../db/port.ts';
import { createBatches } from './shared-payloads.ts';
import { type Listener, type Listeners, reachOf } from './listeners.ts';
import type { LogTail } from './log-tail.ts';
import {
  type Loaded,
  type Material,
  messageIdOf,
  newMessageFlags,
  noFlags,
} from './event-messages.ts';
import type { Payloads } from './payloads.ts';
import { above, type Pending } from './queue-buffer.ts';
import { type Queue, takesPublic } from './queue.ts';
import { Turns } from './time-slicer.ts';

const READ_AT_ONCE = 1000;
/** Where it takes several reads, with a turn for others between: one event may name ten thousands of messages. */
const READ_IN_PARTS = 50;
const MAX_TERMS = 100;
const MAX_NARROW_CHARACTERS = 16 * 1024;

type TermTest = (material: Material, flags: readonly string[], operand: string) => boolean;

const isTests: ReadonlyMap<string, (material: Material, flags: readonly string[]) => boolean> =
  new Map([
    ['private', (material: Material) => material.row.stream_id === null],
    ['mentioned', (_: Material, flags: readonly string[]) => isMentioned(flags)],
    ['alerted', (_: Material, flags: readonly string[]) => flags.includes('has_alert_word')],
    ['starred', (_: Material, flags: readonly string[]) => flags.includes('starred')],
    ['unread', (_: Material, flags: readonly string[]) => !flags.includes('read')],
  ]);

const termTests: ReadonlyMap<string, TermTest> = new Map<string, TermTest>([
  [
    'stream',
    ({ row }, _, operand) =>
      row.stream_id !== null &&
      (fold(row.stream_name ?? '') === fold(operand) || String(row.stream_id) === operand),
  ],
  ['topic', ({ row }, _, operand) => row.topic !== null && fold(row.topic) === fold(operand)],
  ['sender', ({ people }, _, operand) => fold(people.sender.email) === fold(operand)],
  [
    'is',
    (material, flags, operand) => isTests.get(operand.toLowerCase())?.(material, flags) ?? false,
  ],
]);

const operatorOf = (term: QueueTerm): string => term[0].toLowerCase().replaceAll('_', '-');

/** @throws BAD_REQUEST for an operator or an operand of `is` that queues cannot filter by */
export function checkQueueNarrow(narrow: readonly QueueTerm[]): void {
  const characters = narrow.reduce((sum, term) => sum + term[0].length + term[1].length, 0);
  // It is kept with the queue for as long as that lives.
  if (narrow.length > MAX_TERMS || characters > MAX_NARROW_CHARACTERS) {
    throw badRequest('The narrow is too large');
  }
  for (const term of narrow) {
    const operator = operatorOf(term);
    if (!termTests.has(operator)) throw badRequest(`Operator ${term[0]} not supported.`);
    if (operator === 'is' && !isTests.has(term[1].toLowerCase())) {
      throw badRequest(`Operand ${term[1]} of operator is not supported.`);
    }
  }
}

const isSelected = (
  narrow: readonly QueueTerm[],
  material: Material,
  flags: readonly string[],
): boolean =>
  narrow.every((term) => termTests.get(operatorOf(term))?.(material, flags, term[1]) ?? false);

type Reach = ReturnType<typeof reachOf>;

/** Whether the event may enter the queue, as far as that can be told without its message. */
function reachIn(queue: Queue, listener: Listener, event: LoggedEvent): Reach {
  const { eventTypes, withSource } = queue.options;
  // Whoever keeps no messages reads of them in the history.
  if (event.type === 'messages_recovered' && withSource !== true) return 'none';
  if (eventTypes !== null && !eventTypes.includes(event.type)) return 'none';
  // Newer clients ask for it by name instead of the two older types, which older clients get.
  if (eventTypes === null && event.type === 'user_settings') return 'none';
  const reach = reachOf(listener, event.audience);
  if (reach !== 'public') return reach;
  return event.type === 'message' && takesPublic(queue.options) ? reach : 'none';
}

type Found = Pending | undefined | Promise<Pending | undefined>;

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
  readonly listeners: Listeners;
  readonly payloads: Pick<Payloads, 'material'>;
  /** A queue in which as many events wait takes in no more. */
  readonly maxPending: number;
}

/** The event as it waits in the queue; undefined where it is not for it. */
type PendingFor = (queue: Queue, listener: Listener, event: LoggedEvent) => Found;

function pendingFrom(
  { payloads }: Pick<ScannerParts, 'payloads'>,
  plain: (event: LoggedEvent) => Pending,
): PendingFor {
  return (queue, listener, event) => {
    const reach = reachIn(queue, listener, event);
    if (reach === 'none') return undefined;
    if (event.type !== 'message') return plain(event);
    const select = (material: Loaded): Pending | undefined => {
      if (material === undefined) return undefined;
      const flags = reach === 'public' ? noFlags : newMessageFlags(material, queue.userId);
      if (!isSelected(queue.options.narrow, material, flags)) return undefined;
      return flags.length === 0 ? plain(event) : { event, flags };
    };
    const material = payloads.material(messageIdOf(event));
    return material instanceof Promise ? material.then(select) : select(material);
  };
}

/** Yields what it has to wait for, and is given what came of it. */
type Steps<T> = Generator<Promise<Pending | undefined>, T, Pending | undefined>;

/** What of the events is for the queue. */
function* selectEach(
  pendingFor: PendingFor,
  queue: Queue,
  listener: Listener,
  events: readonly LoggedEvent[],
): Steps<readonly Pending[]> {
  const all: Pending[] = [];
  for (const event of events) {
    const pending = pendingFor(queue, listener, event);
    const found = pending instanceof Promise ? yield pending : pending;
    if (found !== undefined) all.push(found);
  }
  return all;
}

export function createScanner(parts: ScannerParts): Scanner {
  const { store, tail, listeners, maxPending } = parts;
  // An event without flags waits in every queue as the same object.
  const plain = remembered((event: LoggedEvent): Pending => ({ event, flags: noFlags }));
  const pendingFor = pendingFrom(parts, plain);
  const batches = createBatches(parts.payloads.material, plain);

  /** @param newestId  every event up to this one was read; 0 where there may be more */
  function* look(
    queue: Queue,
    listener: Listener,
    events: readonly LoggedEvent[],
    newestId: number,
  ): Steps<void> {
    const found =
      batches.take(queue, listener, events) ??
      (yield* selectEach(pendingFor, queue, listener, events));
    queue.scannedId = Math.max(queue.scannedId, events.at(-1)?.id ?? 0, newestId);
    // A fetch may have acknowledged more in the meantime.
    queue.pending.add(above(found, queue.acknowledgedId));
  }

  /** Whether it could be done at once, as nearly always: a thousand queues are told of each message. */
  function scanNow(queue: Queue): boolean {
    const newestId = store.lastEventId();
    if (queue.scannedId >= newestId) return true;
    if (queue.pending.length >= maxPending) return false;
    const events = tail.recentAfter(queue.scannedId, READ_AT_ONCE);
    const listener = listeners.loaded(queue.userId);
    if (events === undefined || events.length === READ_AT_ONCE || listener === undefined) {
      return false;
    }
    const step = look(queue, listener, events, newestId).next();
    if (step.done === true) return true;
    // Whoever waits for it asks again, and is told what is wrong.
    step.value.catch(() => undefined);
    return false;
  }

  async function scanPart(queue: Queue): Promise<void> {
    // Taken before the read: every event up to here is committed and will be read.
    const newestId = store.lastEventId();
    const events = await tail.readAfter(queue.scannedId, READ_IN_PARTS);
    const listener = await listeners.load(queue.userId);
    const looking = look(queue, listener, events, events.length < READ_IN_PARTS ? newestId : 0);
    let step = looking.next();
    while (step.done !== true) step = looking.next(await step.value);
  }

  const turns = new Turns();

  async function scanAll(queue: Queue): Promise<void> {
    const isMore = (): boolean =>
      queue.scannedId < store.lastEventId() && queue.pending.length < maxPending;
    if (isMore()) await scanPart(queue);
    while (isMore()) await turns.take(() => scanPart(queue));
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
