/** Decides which events of the log enter a queue (API decisions, sections 3.5 and 8.1). */
import type { LoggedEvent } from '../../contract/log.ts';
import type { QueueTerm } from '../../contract/narrow.ts';
import { badRequest } from '../../contract/errors.ts';
import { fold } from '../../contract/fold.ts';
import type { Store } from '../store/port.ts';
import { type Listener, type Listeners, reachOf } from './listeners.ts';
import type { LogTail } from './log-tail.ts';
import { type Material, messageIdOf, newMessageFlags, noFlags } from './materials.ts';
import type { Payloads } from './payloads.ts';
import { acknowledge, type Pending, type Queue } from './queue.ts';

const READ_AT_ONCE = 1000;
const MAX_PENDING = 10_000;

type TermTest = (material: Material, flags: readonly string[], operand: string) => boolean;

const isTests: ReadonlyMap<string, (material: Material, flags: readonly string[]) => boolean> =
  new Map([
    ['private', (material: Material) => material.row.stream_id === null],
    [
      'mentioned',
      (_: Material, flags: readonly string[]) =>
        flags.includes('mentioned') || flags.includes('wildcard_mentioned'),
    ],
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
  const { eventTypes, narrow, allPublicStreams } = queue.options;
  if (eventTypes !== null && !eventTypes.includes(event.type)) return 'none';
  // Newer clients ask for it by name instead of the two older types, which older clients get.
  if (eventTypes === null && event.type === 'user_settings') return 'none';
  const reach = reachOf(listener, event.audience);
  if (reach !== 'public') return reach;
  const takesPublic = allPublicStreams || narrow.length > 0;
  return event.type === 'message' && takesPublic ? reach : 'none';
}

/** An event without flags waits in every queue as the same object. */
function sharePlain(): (event: LoggedEvent) => Pending {
  const known = new WeakMap<LoggedEvent, Pending>();
  return (event) => {
    const found = known.get(event) ?? { event, flags: noFlags };
    known.set(event, found);
    return found;
  };
}

export interface Scanner {
  /** Brings what is pending in a queue up to the newest committed event. */
  readonly scan: (queue: Queue) => Promise<void>;
}

export function createScanner(parts: {
  readonly store: Pick<Store, 'lastEventId'>;
  readonly tail: LogTail;
  readonly listeners: Listeners;
  readonly payloads: Payloads;
}): Scanner {
  const { store, tail, listeners, payloads } = parts;

  const plain = sharePlain();

  async function findPending(
    queue: Queue,
    events: readonly LoggedEvent[],
  ): Promise<readonly Pending[]> {
    const listener = await listeners.load(queue.userId);
    const found: Pending[] = [];
    for (const event of events) {
      const reach = reachIn(queue, listener, event);
      if (reach === 'none') continue;
      if (event.type !== 'message') {
        found.push(plain(event));
        continue;
      }
      const loading = payloads.material(messageIdOf(event));
      const material = loading instanceof Promise ? await loading : loading;
      if (material === undefined) continue;
      const flags = reach === 'public' ? noFlags : newMessageFlags(material, queue.userId);
      if (!isSelected(queue.options.narrow, material, flags)) continue;
      found.push(flags.length === 0 ? plain(event) : { event, flags });
    }
    return found;
  }

  async function scanOnce(queue: Queue): Promise<void> {
    // Taken before the read: every event up to here is committed and will be read.
    const newestId = store.lastEventId();
    const events = await tail.readAfter(queue.scannedId, READ_AT_ONCE);
    const found = await findPending(queue, events);
    const lastRead = events.at(-1)?.id ?? 0;
    queue.scannedId = Math.max(
      lastRead,
      events.length < READ_AT_ONCE ? newestId : 0,
      queue.scannedId,
    );
    if (found.length === 0) return;
    queue.pending = [...queue.pending, ...found];
    // A fetch may have acknowledged more while this was reading.
    acknowledge(queue, queue.acknowledgedId, newestId);
  }

  async function scanAll(queue: Queue): Promise<void> {
    while (queue.scannedId < store.lastEventId() && queue.pending.length < MAX_PENDING) {
      await scanOnce(queue);
    }
  }

  return {
    scan(queue) {
      queue.scanning ??= scanAll(queue).finally(() => {
        queue.scanning = null;
      });
      return queue.scanning;
    },
  };
}
