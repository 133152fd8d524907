/** One queue: a cursor on the log with its filters (architecture 4). */
import type { ServiceError } from '#shared/api/errors.ts';
import type { QueueTerm } from '#shared/api/narrow.ts';
import type { Slotted } from './slot-set.ts';
import type { QueueBuffer } from './queue-buffer.ts';

export interface QueueOptions {
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  /** Absent in what was stored before there was this option. */
  readonly withSource?: boolean;
  readonly includeSubscribers: boolean;
  readonly allPublicStreams: boolean;
  /** Null for all. */
  readonly eventTypes: readonly string[] | null;
  readonly narrow: readonly QueueTerm[];
}

/** Whether messages of public streams may be in it that its account was no subscriber of. */
export const takesPublic = ({ allPublicStreams, narrow }: QueueOptions): boolean =>
  allPublicStreams || narrow.length > 0;

/** A request that waits for events of a queue. */
export interface Waiter extends Slotted {
  readonly queue: Queue;
  /** Something is pending in the queue. */
  readonly notify: () => void;
  /** Another request took the queue, or nobody may wait any more. */
  readonly release: () => void;
  /** Nobody may wait for now. */
  readonly refuse: (refusal: ServiceError) => void;
  /** When its time is over, in milliseconds since 1970; Infinity where that is not for the room to say. */
  readonly dueAtMs: number;
  readonly expire: () => void;
}

/** Who else waits for the same account, and how many do for the same person: looked up once for each queue. */
export interface WaiterGroups {
  readonly ofUser: Waiter[];
  readonly ofOwner: { count: number };
}

export interface Queue {
  readonly id: string;
  readonly userId: number;
  /** The person: the account itself, or the owner of the bot. What is shared is counted by people. */
  readonly ownerId: number;
  readonly options: QueueOptions;
  readonly registeredId: number;
  readonly lifespanSeconds: number;
  acknowledgedId: number;
  /** Events up to this id are pending, acknowledged or not meant for this queue. */
  scannedId: number;
  readonly buffer: QueueBuffer;
  scanning: Promise<void> | null;
  /** Milliseconds since 1970. */
  lastSeenAtMs: number;
  /** The newest fetch; an older one that finds another here has been taken over. */
  fetch: object | null;
  waiter: Waiter | null;
  /** Null until somebody waits on it for the first time. */
  waiterGroups: WaiterGroups | null;
}

/** How far the log is no longer needed by the queue: what is pending stays, what was not meant for it does not. */
export const cursorOf = (queue: Queue): number => {
  const { firstId } = queue.buffer;
  return Math.max(queue.acknowledgedId, firstId === undefined ? queue.scannedId : firstId - 1);
};

/** Drops what is acknowledged; an id beyond the newest one acknowledges everything there is. */
export function acknowledge(queue: Queue, eventId: number, newestId: number): void {
  const acknowledgedId = Math.min(eventId, newestId);
  if (acknowledgedId <= queue.acknowledgedId) return;
  queue.acknowledgedId = acknowledgedId;
  queue.buffer.acknowledge(acknowledgedId);
}
